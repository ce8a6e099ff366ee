"""`p2ptruco web`: everything that `play`, `host`, `join` and `matches` do, from a page."""

from __future__ import annotations

import click

from p2ptruco.cli import command as options
from p2ptruco.cli.command import command as make
from p2ptruco.cli.wanted import Wanted


@make("web", example="p2ptruco web\np2ptruco web --page :8080 --no-browser")
@options.page
@options.recorded
@click.pass_obj
def command(
    wanted: Wanted,
    address: str,
    unopened: bool,
    record: str | None,
    no_record: bool,
    as_json: bool,
) -> None:
    """Until it is ended."""
    from p2ptruco.cli.browser import served
    from p2ptruco.cli.command import WEB, Front
    from p2ptruco.cli.people import at_the_table
    from p2ptruco.cli.running import run

    browser = served(Front(WEB, address, not unopened))
    with at_the_table(wanted, record, no_record) as here:
        run(lambda: browser.start(here.me, here.place, here.log))
