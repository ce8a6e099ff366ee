"""`p2ptruco judge FILE`: the referee of hands in the notation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, tell
from p2ptruco.cli.records import at_once, unreadable
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.rules.notation.judge import Verdict

LONGEST = 1 << 20
"""Bytes that are read; no match is as long, with all its comments."""


@make(
    "judge",
    example="p2ptruco judge hand.truco",
)
@click.argument("file", type=click.Path())
def command(file: str, as_json: bool) -> int:
    """The hand as far as it is legal; the reason of the first illegal move on standard error.

    Of a file of several hands, divided by `---`, each by itself.
    """
    try:
        content = _read(file)
    except OSError as error:
        return _unread(file, error, as_json)
    verdicts = judged(content)
    if as_json:
        emit(_json(verdicts))
    for number, verdict in enumerate(verdicts, 1):
        _told(number if len(verdicts) > 1 else None, verdict, as_json)
    return next((verdict.exit for verdict in verdicts if verdict.exit), 0)


def _told(number: int | None, verdict: Verdict, as_json: bool) -> None:
    """Say one hand, and what is wrong with it; `number`: which of several it is."""
    from p2ptruco.ui.terminal.verdict import lines, reason

    title = None if number is None else _("Hand {number}").format(number=number)
    if not as_json:
        for line in (*([] if title is None else [title]), *lines(verdict)):
            say(line)
    if verdict.illegal is not None:
        wrong = reason(verdict.illegal)
        tell(wrong if title is None else f"{title}: {wrong}")


def _json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """One hand as it is; of several a list, with the first that is wrong."""
    from p2ptruco.ui.reasons import illegal

    hands = [verdict.json(illegal) for verdict in verdicts]
    if len(hands) == 1:
        return hands[0]
    wrong = ({"hand": n, **one["illegal"]} for n, one in enumerate(hands, 1) if one["illegal"])
    return {"hands": hands, "illegal": next(wrong, None)}


def judged(content: bytes) -> tuple[Verdict, ...]:
    """The verdict on each hand of a file; one that is too long is no file of the notation."""
    from p2ptruco.hooks import shelf
    from p2ptruco.rules.notation.judge import judge_match

    if len(content) > LONGEST:
        return (_no_hand(),)
    variants = {name: offer.variant for name, offer in shelf().variants.items()}
    return judge_match(content, variants)


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
