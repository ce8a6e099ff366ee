"""`p2ptruco host`: a table that others join."""

from __future__ import annotations

import click

from p2ptruco.cli import command as options
from p2ptruco.cli.command import command as make
from p2ptruco.cli.wanted import Wanted
from p2ptruco.ui.words import _


@make(
    "host",
    example="p2ptruco host\np2ptruco host --seats 2 --variant paulista --private",
)
@click.option("--name", help=_("What the others call you. Default: your nick."))
@options.seats(4)
@options.variant
@click.option(
    "--bots", "count", type=click.IntRange(0, 7), default=0, help=_("Seats for bots of yours.")
)
@click.option("--bot", show_default=options.STRONGEST, help=_("Which bot: a name or a file."))
@click.option("--private", is_flag=True, help=_("Do not give the ticket away on the network."))
@click.option(
    "--time",
    "seconds",
    type=click.IntRange(0, 600),
    default=30,
    show_default=True,
    help=_("Seconds to move; 0 for no clock."),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help=_("Where to listen. Default: as before."),
)
@options.front
@options.recorded
@click.pass_obj
def command(
    wanted: Wanted,
    name: str | None,
    seats: int,
    variant: str,
    count: int,
    bot: str | None,
    private: bool,
    seconds: int,
    port: int,
    front: options.Front,
    record: str | None,
    no_record: bool,
    as_json: bool,
) -> None:
    """Ticket, lobby, match, and again."""
    from p2ptruco.app.host import Table, host
    from p2ptruco.cli.choices import bots_named, check_size, offer_of, strongest
    from p2ptruco.cli.failure import WRONG_USE, Failure
    from p2ptruco.cli.people import at_the_table, named, times

    chosen = offer_of(variant).variant
    check_size(chosen, seats)
    if count >= seats:
        sentence = _("{count} bots are too many for {seats} seats.")
        raise Failure("too_many_bots", sentence.format(count=count, seats=seats), WRONG_USE)
    bots = bots_named(bot or strongest(), count) if count else []
    with at_the_table(wanted, record, no_record) as here:
        table = Table(
            chosen,
            seats,
            bots,
            times(seconds),
            named(name, here.me),
            port=port,
            private=private,
            log=here.log,
        )
        here.run(lambda player: host(table, player), command="host", front=front, as_json=as_json)
