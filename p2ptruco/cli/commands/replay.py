"""`p2ptruco replay FILE`: every hand of a record, in the notation."""

from __future__ import annotations

import secrets

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import DONE, FAILED, Failure
from p2ptruco.cli.output import Meter, emit, say
from p2ptruco.cli.records import audited
from p2ptruco.ui.words import _


@make(
    "replay",
    example="p2ptruco replay match.trec",
)
@click.argument("file", type=click.Path())
def command(file: str, as_json: bool) -> int:
    """The hands, divided by `---`. A record that does not hold is not replayed."""
    from p2ptruco.rules.notation.writing import write
    from p2ptruco.ui.reasons import violation
    from p2ptruco.ui.terminal.audit import score_of
    from p2ptruco.ui.terminal.cards import TEAMS

    with Meter(_("verifying")) as meter:
        found = audited(file, secrets.token_bytes, meter.show)
    if found.breach is not None:
        sentence = _("This record does not hold: {reason}.")
        reason = violation(found.breach.kind)
        raise Failure(found.breach.kind, sentence.format(reason=reason), FAILED)
    table = found.table
    hands = [*table.hands, *([table.hand] if table.hand is not None else [])]
    texts = [write(hand) for hand in hands]
    if as_json:
        emit(
            {
                "variant": found.agreement.variant.name,
                "seats": found.agreement.players,
                "hands": texts,
                "score": dict(zip(TEAMS, score_of(found), strict=True)),
            }
        )
    else:
        say("---\n".join(texts).rstrip("\n"))
    return DONE
