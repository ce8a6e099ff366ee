"""`p2ptruco tables`: the tables on this network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, tell
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.net.discovery import Announcement

SECONDS = 3.0


@make(
    "tables",
    example="p2ptruco tables\np2ptruco tables --wait 10",
)
@click.option(
    "--wait",
    "seconds",
    type=click.FloatRange(0.1, 60),
    default=SECONDS,
    show_default=True,
    help=_("Seconds to look."),
)
def command(seconds: float, as_json: bool) -> None:
    """Look for a while, then list."""
    from p2ptruco.app.sight import sighted
    from p2ptruco.cli.running import run
    from p2ptruco.ui.terminal.sight import line

    tell(_("Looking for tables on this network ..."))
    tables = run(lambda: _look(seconds))
    if as_json:
        emit({"tables": [_object(table) for table in tables]})
    elif tables:
        say("\n".join(line(sighted(n, table)) for n, table in enumerate(tables, 1)))
    else:
        say(_("There is no table on this network."))


async def _look(seconds: float) -> tuple[Announcement, ...]:
    import trio

    from p2ptruco.cli.failure import FAILED, Failure
    from p2ptruco.net.discovery import browsing

    try:
        async with browsing() as sight:
            await trio.sleep(seconds)
            return sight.tables
    except OSError as error:
        message = _("There is no network to look for tables on; join with a ticket.")
        raise Failure("no_network", message, FAILED) from error


def _object(table: Announcement) -> dict[str, object]:
    return {
        "name": table.name,
        "variant": table.variant,
        "scale": table.scale,
        "seats": table.seats,
        "free": table.free,
        "private": table.private,
        "fingerprint": table.fingerprint,
        "addresses": [str(address) for address in table.addresses],
    }
