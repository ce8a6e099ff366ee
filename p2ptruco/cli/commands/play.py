"""`p2ptruco play`: a person against bots, dealt by nobody, at once."""

from __future__ import annotations

import click

from p2ptruco.cli import command as options
from p2ptruco.cli.command import command as make
from p2ptruco.cli.wanted import Wanted
from p2ptruco.ui.words import _


@make(
    "play",
    example="p2ptruco play\np2ptruco play --seats 4 --variant paulista --bots zap,random",
)
@click.option(
    "--plain", is_flag=True, help=_("A plain terminal: lines in, lines out (the default).")
)
@options.seats(2)
@options.variant
@options.bots(None)
@click.option(
    "--time", "seconds", type=click.IntRange(0, 600), default=0, help=_("Seconds to move.")
)
@options.seed
@options.front
@options.recorded
@click.pass_obj
def command(
    wanted: Wanted,
    plain: bool,
    seats: int,
    variant: str,
    bots: str | None,
    seconds: int,
    seed: str | None,
    front: options.Front,
    record: str | None,
    no_record: bool,
    as_json: bool,
) -> None:
    """A table of our own to which nobody else can come."""
    from p2ptruco.app.host import Table, host
    from p2ptruco.cli.choices import bots_named, check_size, offer_of, strongest
    from p2ptruco.cli.people import at_the_table, times

    chosen = offer_of(variant).variant
    check_size(chosen, seats)
    named = bots_named(bots or strongest(), seats - 1)
    with at_the_table(wanted, record, no_record) as here:
        table = Table(
            chosen, seats, named, times(seconds), here.me.nick, alone=True, seed=seed, log=here.log
        )
        here.run(lambda player: host(table, player), command="play", front=front, as_json=as_json)
