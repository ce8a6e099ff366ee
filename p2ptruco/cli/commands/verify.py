"""`p2ptruco verify FILE`: does this record hold, with no trust in whoever sent it?"""

from __future__ import annotations

import secrets
import textwrap

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import DONE, FAILED
from p2ptruco.cli.output import Meter, emit, say
from p2ptruco.cli.records import audited
from p2ptruco.cli.wanted import Wanted
from p2ptruco.ui.words import _


@make(
    "verify",
    example="p2ptruco verify match.trec",
)
@click.argument("file", type=click.Path())
@click.pass_obj
def command(wanted: Wanted, file: str, as_json: bool) -> int:
    """One line a hand; with --verbose one a check."""
    from p2ptruco.ui.terminal.audit import as_object, checks, lines

    with Meter(_("verifying")) as meter:
        found = audited(file, secrets.token_bytes, meter.show)
    if as_json:
        emit(as_object(found))
    else:
        for line in [*(checks(found) if wanted.verbose else ()), *lines(found)]:
            say("\n".join(textwrap.wrap(line, 80)))
    return DONE if found.ok else FAILED
