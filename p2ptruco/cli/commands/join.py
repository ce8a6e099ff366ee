"""`p2ptruco join`: a seat at somebody's table."""

from __future__ import annotations

import click

from p2ptruco.cli import command as options
from p2ptruco.cli.command import command as make
from p2ptruco.cli.wanted import Wanted
from p2ptruco.ui.words import _


@make(
    "join",
    example="p2ptruco join\np2ptruco join TRUCO:AIAAC... --name Ana",
)
@click.argument("ticket", required=False)
@click.option("--name", help=_("What the others call you. Default: your nick."))
@click.option("--bot", help=_("Let a bot play for you: a name or a file."))
@options.front
@options.recorded
@click.pass_obj
def command(
    wanted: Wanted,
    ticket: str | None,
    name: str | None,
    bot: str | None,
    front: options.Front,
    record: str | None,
    no_record: bool,
    as_json: bool,
) -> None:
    """Lobby, match, and again."""
    from p2ptruco.app.join import Guest, as_a_bot, join, read_ticket
    from p2ptruco.app.match import Played, Player
    from p2ptruco.cli.choices import bots_named
    from p2ptruco.cli.failure import in_words
    from p2ptruco.cli.people import at_the_table, named
    from p2ptruco.hooks.files import called
    from p2ptruco.process import blot_out
    from p2ptruco.ui.terminal.console import typed_line

    if ticket == "-":
        ticket = typed_line()
    elif ticket is not None:
        blot_out(ticket)
    if ticket is not None:
        with in_words():
            read_ticket(ticket)
    chosen = bots_named(bot, 1)[0] if bot is not None else None
    with at_the_table(wanted, record, no_record) as here:
        nick = called(chosen) if chosen and not name else name
        guest = Guest(named(nick, here.me), bool(chosen))

        async def sits(player: Player) -> list[Played]:
            if chosen is None:
                return await join(ticket, guest, player)
            return await as_a_bot(chosen, ticket, guest, player)

        here.run(sits, command="join", front=front, as_json=as_json, typing=chosen is None)
