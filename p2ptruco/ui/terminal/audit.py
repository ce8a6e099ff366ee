"""What an audit found, as an object for programs and as lines for people.

Both count seats, hands and steps from 1. Both say what a verified record means and what not.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.rules.hand import Hand
from p2ptruco.rules.match import score_after
from p2ptruco.rules.notation.writing import spell
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant
from p2ptruco.table.identity import fingerprint
from p2ptruco.table.record.audit import Audit
from p2ptruco.ui.reasons import violation
from p2ptruco.ui.terminal.cards import TEAMS, score_text, team_text
from p2ptruco.ui.terminal.story import ended, spread
from p2ptruco.ui.words import N_, _

STATUSES = {
    "complete": N_("complete: every seat sealed it"),
    "unsealed": N_(
        "over, but not sealed by seat {seats}: it does not prove that there is no other end"
    ),
    "interrupted": N_("interrupted: it proves nothing after entry {entries}, nor who left"),
}

MEANING = N_(
    "Verified means: for the keys shown, every rule, signature, shuffle, token and draw is right. "
    "If at least one of these keys was used by someone independent and honest, the deck was "
    "uniform, and nobody got a card through the protocol that the rules deny."
)
LIMITS = N_(
    "It does not mean that the keys are different people, that nobody talked or shared a key, "
    "that an absence was the absent seat's fault, or that an interrupted or unsealed match ended "
    "as its holder says: whoever signs twice can show the end that suits. All seats together can "
    "write any record."
)


def as_object(audit: Audit) -> dict[str, object]:
    """The audit as `verify --json` prints it."""
    agreement = audit.agreement
    return {
        "ok": audit.ok,
        "status": audit.status if audit.ok else None,
        "unsealed_by": [seat + 1 for seat in audit.unsealed_by],
        "variant": agreement.variant.name,
        "seats": agreement.players,
        "peers": _peers(audit),
        "hands": len(audit.table.hands),
        **{name: audit.counts.get(name, 0) for name in ("entries", "shuffles", "tokens")},
        "winner": winner_of(audit),
        "score": dict(zip(TEAMS, score_of(audit), strict=True)),
        "violation": violation_of(audit),
    }


def _peers(audit: Audit) -> list[dict[str, object]]:
    return [
        {
            "seat": seat,
            "name": place.name,
            "fingerprint": fingerprint(place.identity),
            "operator": place.operator + 1,
        }
        for seat, place in enumerate(audit.agreement.terms.roster, 1)
    ]


def winner_of(audit: Audit) -> str | None:
    """The team that won, or None for a match without an end."""
    outcome = audit.table.outcome
    if outcome is None or outcome.winner is None or not audit.ok:
        return None
    return team_text(outcome.winner)


def score_of(audit: Audit) -> tuple[int, int]:
    """The points that the last hand left."""
    table = audit.table
    if table.outcome is not None:
        return table.outcome.score
    return table.match.score if table.match is not None else (0, 0)


def violation_of(audit: Audit) -> dict[str, object] | None:
    """Why the record does not hold, or else what ended the match before its time."""
    breach, broke = audit.breach, audit.violation
    if breach is not None:
        kind, hand, step, seat = breach.kind, breach.hand, breach.step, breach.seat
    elif broke is not None:
        kind, hand, step, seat = broke.word, broke.hand, broke.step, broke.seat
    else:
        return None
    places = {"hand": _from_one(hand), "step": _from_one(step), "seat": _from_one(seat)}
    return {"kind": kind, **places, "message": violation(kind)}


def _from_one(number: int | None) -> int | None:
    return None if number is None else number + 1


def lines(audit: Audit) -> Iterator[str]:
    """The audit for people: who sat there, a line a hand, the verdict, what it means."""
    agreement = audit.agreement
    sizes = _("{variant}, {seats} seats")
    yield sizes.format(variant=named(agreement.variant), seats=agreement.players)
    for seat, place in enumerate(agreement.terms.roster, 1):
        key = fingerprint(place.identity)
        yield f"  {seat} {key} {place.name}{_operated(place.operator, seat)}"
    yield from (_hand_line(hand, number) for number, hand in enumerate(audit.table.hands, 1))
    yield from _verdict(audit)


def named(variant: Variant) -> str:
    """A variant's name; of one that is not core, also as a core preset and what differs."""
    known = CORE.get(variant.name) == variant
    return variant.name if known else f"{variant.name} ({spell(variant)})"


def _operated(operator: int, seat: int) -> str:
    """A seat whose machine another seat runs is shown with it."""
    same = operator + 1 == seat
    return "" if same else " " + _("(run by seat {seat})").format(seat=operator + 1)


def _hand_line(hand: Hand, number: int) -> str:
    name = _("Hand {number}").format(number=number)
    return spread(f"{name:>7}  {ended(hand)}", score_text(score_after(hand)))


def _verdict(audit: Audit) -> Iterator[str]:
    found = violation_of(audit)
    if found is not None:
        words = (("hand", _("hand")), ("step", _("step")), ("seat", _("seat")))
        where = ", ".join(f"{word} {found[name]}" for name, word in words if found[name])
        yield f"{found['kind']}: {found['message']}" + (f" ({where})" if where else "")
    if not audit.ok:
        yield _("This record does not hold.")
        return
    winner = winner_of(audit)
    if winner is not None:
        score = score_text(score_of(audit))
        yield _("{team} won the match, {score}").format(team=winner, score=score)
    counted = _("{entries} entries, {shuffles} shuffles, {tokens} tokens checked")
    yield counted.format(**audit.counts)
    seats = ", ".join(str(seat + 1) for seat in audit.unsealed_by)
    status = _(STATUSES[audit.status or "complete"])
    yield status.format(seats=seats, entries=audit.counts["entries"])
    yield from ("", _(MEANING), _(LIMITS))


def checks(audit: Audit) -> Iterator[str]:
    """One line an entry: what was checked in it."""
    for step in audit.table.steps:
        for parsed in step.entries:
            where = _("hand {hand}, step {step}, seat {seat}").format(
                hand=step.position.hand + 1, step=step.position.step + 1, seat=parsed.body.seat + 1
            )
            yield f"{where}: {type(parsed.body.content).__name__.lower()}"
