"""The steps of a hand and the seals at the end, in one table (table.md §2).

1. A row says what content a step hears, who owes it, what is made of one content (heavy and pure,
   from any thread), whether a seat may leave there, and into what the step closes once all that is
   owed is in.
2. Nobody is local in here: every seat's content takes the same road.
3. A deal has the steps of `DEAL` in this order, each once, shuffles once a seat; their numbers
   follow from that and stand nowhere else. What comes after tokens follows from the rules.
4. A hand's deal looks at nothing of the hand before: up to `Dealt` two hands may be under way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...rules.seating import Seat
from .. import entries
from ..entries import Content, Leave
from . import dealing, playing, sealing
from .dealing import Committing, Opening, Readying, Shuffling
from .phases import LEFT, Fault, Needs, NotDue, Phase, Ruling
from .playing import Choosing, Revealing, Tokening
from .sealing import Sealing

Rulings = Mapping[Seat, Ruling]


def as_said(phase: Phase, rulings: Rulings) -> Rulings:
    """Each content is judged by itself."""
    return rulings


class Row(NamedTuple):
    """One step."""

    hears: tuple[type, ...]
    needs: Callable[[Any], Needs]
    rule: Callable[[Any, Seat, Any], Ruling]
    together: Callable[[Any, Rulings], Rulings]
    """What the contents of all make of each other's rulings."""
    close: Callable[[Any, Rulings], Phase | Fault]
    leave: bool = True


STEPS: Mapping[type[Phase], Row] = {
    Committing: Row(
        (entries.Commit,),
        dealing.owed_commitments,
        dealing.commitment,
        as_said,
        dealing.committed,
    ),
    Opening: Row(
        (entries.Open,),
        dealing.owed_openings,
        dealing.opening,
        dealing.openings_together,
        dealing.opened,
    ),
    Shuffling: Row(
        (entries.Shuffle,),
        dealing.owed_shuffle,
        dealing.shuffled,
        as_said,
        dealing.taken_over,
    ),
    Readying: Row(
        (entries.Ready,),
        dealing.owed_consents,
        dealing.consent,
        as_said,
        dealing.dealt,
    ),
    Tokening: Row(
        (entries.Tokens,),
        playing.owed_tokens,
        playing.given,
        as_said,
        playing.begun,
    ),
    Choosing: Row(
        (entries.Lay, entries.Say),
        playing.owed_choice,
        playing.chosen,
        as_said,
        playing.acted,
    ),
    Revealing: Row(
        (entries.Reveal,),
        playing.owed_reveals,
        playing.revealed,
        as_said,
        playing.turned,
    ),
    Sealing: Row(
        (entries.Seal,),
        sealing.owed_seals,
        sealing.seal,
        as_said,
        sealing.sealed,
        leave=False,
    ),
}

DEAL = (Committing, Opening, Shuffling, Readying, Tokening)


def number(step: type[Phase], players: int) -> int:
    """The number of a step of the deal; of shuffles, the first."""
    before = DEAL[: DEAL.index(step)]
    return sum(players if one is Shuffling else 1 for one in before)


def needs(phase: Phase) -> Needs:
    """Who owes what; nobody where no step is open."""
    row = STEPS.get(type(phase))
    return row.needs(phase) if row else {}


def rule(phase: Phase, seat: Seat, content: Content) -> Ruling:
    """What an open step says of a content of a seat that owes there. Raises NotDue for what it
    never asks for."""
    row = STEPS[type(phase)]
    if isinstance(content, Leave) and row.leave:
        return LEFT
    if not isinstance(content, row.hears):
        raise NotDue
    return row.rule(phase, seat, content)


def together(phase: Phase, rulings: Rulings) -> Rulings:
    """The rulings on all contents of a step, beside each other."""
    return STEPS[type(phase)].together(phase, rulings)


def close(phase: Phase, rulings: Rulings) -> Phase | Fault:
    """What follows once all that was owed is in, and none of it is a fault."""
    return STEPS[type(phase)].close(phase, rulings)
