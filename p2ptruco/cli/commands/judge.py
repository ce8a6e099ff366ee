"""`p2ptruco judge FILE`: the referee of a hand in the notation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, tell
from p2ptruco.cli.records import at_once, unreadable

if TYPE_CHECKING:
    from p2ptruco.rules.notation.judge import Verdict

LONGEST = 1 << 18
"""Bytes that are read; no hand is as long, with all its comments."""


@make(
    "judge",
    example="p2ptruco judge hand.truco",
)
@click.argument("file", type=click.Path())
def command(file: str, as_json: bool) -> int:
    """The hand as far as it is legal; the reason of the first illegal move on standard error."""
    from p2ptruco.ui.reasons import illegal
    from p2ptruco.ui.terminal.verdict import lines, reason

    try:
        content = _read(file)
    except OSError as error:
        return _unread(file, error, as_json)
    verdict = judged(content)
    if as_json:
        emit(verdict.json(illegal))
    elif verdict.hand is not None:
        for line in lines(verdict):
            say(line)
    if verdict.illegal is not None:
        tell(reason(verdict.illegal))
    return verdict.exit


def judged(content: bytes) -> Verdict:
    """The verdict on a file's content; one that is too long is no file of the notation."""
    from p2ptruco.hooks import shelf
    from p2ptruco.rules.notation.judge import judge

    if len(content) > LONGEST:
        return _no_hand()
    variants = {name: offer.variant for name, offer in shelf().variants.items()}
    return judge(content, variants)


def _unread(file: str, error: OSError, as_json: bool) -> int:
    """Say why a file cannot be read; for programs it is no file of the notation."""
    message = unreadable(file, error).message
    verdict = _no_hand()
    if as_json:
        emit(verdict.json(lambda code: message))
    tell(message)
    return verdict.exit


def _no_hand() -> Verdict:
    from p2ptruco.rules.notation.judge import Illegal, Verdict

    return Verdict(None, {}, Illegal(None, None, "syntax"))


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(LONGEST + 1)
    with at_once(file) as opened:
        return opened.read(LONGEST + 1)
