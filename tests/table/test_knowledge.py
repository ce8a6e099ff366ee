"""Nobody can compute a face that the rules do not show to it, by all that it receives.

Gain: a peer that reads more than it should out of honest entries sees the others' cards. The long
run is `tests.soak.knowledge`; that the tracker sees a leak is shown by peers that make one.
"""

from __future__ import annotations

from functools import partial

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.transport import frames
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.variant import Variant
from p2ptruco.table.steps.dealing import Readying
from p2ptruco.table.steps.playing import Choosing, Tokening
from p2ptruco.table.table import Open
from tests.kit.knowledge import Leak, Tracker, Watched
from tests.kit.tables_over_links import BLIND, SHORT, Evening, uniform


def watched(variant: Variant, size: int, kind: type[Watched] = Watched, seed: int = 1) -> Tracker:
    """A whole match, its first seat of another kind perhaps."""
    tracker = Tracker(variant, size)
    kinds = dict.fromkeys(range(size), partial(Watched, tracker=tracker))
    kinds[0] = partial(kind, tracker=tracker)
    evening = Evening(size, kinds, variant=variant, seed=seed, policy=uniform)

    async def whole() -> None:
        with tracker.watching():
            await evening.play()

    trio.run(whole, clock=MockClock(autojump_threshold=0))
    assert evening.words == {"played"}
    tracker.conclude()
    return tracker


VIRA = Variant(name="vira", manilhas=(), scale=Scale.parse("2,truco:4"), target=4, face_down_from=1)


@pytest.mark.parametrize(
    ("variant", "size", "seed", "kinds"),
    [
        (SHORT, 4, 3, {"normal hands", "special hands", "blind iron hands"}),
        (BLIND, 2, 18, {"normal hands", "special hands", "blind iron hands"}),
        (VIRA, 2, 2, {"normal hands", "viras", "cards face down"}),
    ],
    ids=["four seats", "two seats", "vira and face down"],
)
def test_nobody_can_see_more_than_the_rules_show(
    variant: Variant, size: int, seed: int, kinds: set[str]
) -> None:
    figures = watched(variant, size, seed=seed).figures
    assert kinds <= {name for name, count in figures.items() if count}
    assert figures["faces"] > 3 * size


class Leaking(Watched):
    """Sends something more to the next seat when it is asked to speak."""

    def __init__(self, evening: Evening, seat: int, tracker: Tracker) -> None:
        super().__init__(evening, seat, tracker)
        speak = self.local.speak

        async def speaks(here: Open):  # type: ignore[no-untyped-def]
            if (blob := self.more(here)) is not None:
                other = self.evening.identities[(self.seat + 1) % self.evening.size]
                self.mesh.send(other.public, frames.pad(blob))
            return await speak(here)

        self.local.speak = speaks  # type: ignore[method-assign]

    def more(self, here: Open) -> bytes | None:
        raise NotImplementedError


class OwnToken(Leaking):
    """Its own token of its first card, in a normal hand."""

    def more(self, here: Open) -> bytes | None:
        if not isinstance(here.phase, Choosing):
            return None
        return self.local.keeper._release(here.phase.game, (0,))  # type: ignore[arg-type]


class BeforeTheClose(Leaking):
    """Its own token before the tokens step has closed."""

    def more(self, here: Open) -> bytes | None:
        if not isinstance(here.phase, Tokening):
            return None
        return self.local.keeper._release(here.phase, (0,))  # type: ignore[arg-type]


class BeforeReady(Leaking):
    """A token of another's card before all are ready."""

    def more(self, here: Open) -> bytes | None:
        if not isinstance(here.phase, Readying):
            return None
        return self.local.keeper._release(here.phase, (3,))  # type: ignore[arg-type]


class Blindly(Leaking):
    """A token of another's card in a blind iron hand, before it is laid."""

    def more(self, here: Open) -> bytes | None:
        if not isinstance(here.phase, Choosing) or min(here.phase.game.hand.score) < 1:
            return None
        return self.local.keeper._release(here.phase.game, (5,))  # type: ignore[arg-type]


class ItsKey(Leaking):
    """The key of the hand."""

    def more(self, here: Open) -> bytes | None:
        held = self.local.keeper._held
        return None if held is None else held.keys.secret.to_bytes(32, "little")


class PassesOn(Watched):
    """Shows an opponent what its partner showed to it."""

    def __init__(self, evening: Evening, seat: int, tracker: Tracker) -> None:
        super().__init__(evening, seat, tracker)
        hear = self.session._hear

        def hears(peer: bytes, event: object) -> None:
            if isinstance(event, frames.Private):
                self.mesh.send(self.evening.identities[1].public, event)
            hear(peer, event)  # type: ignore[arg-type]

        self.session._hear = hears  # type: ignore[method-assign]


def test_the_tracker_sees_a_face_that_arrives() -> None:
    with pytest.RaisesGroup(
        pytest.RaisesExc(Leak, match="seat 1 can see slot 6"), flatten_subgroups=True
    ):
        watched(SHORT, 4, PassesOn)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (OwnToken, "which nobody else may see"),
        (BeforeTheClose, "before the tokens step has closed"),
        (BeforeReady, "before all are ready"),
        (Blindly, "which nobody else may see"),
        (ItsKey, "a key is in a message"),
    ],
)
def test_the_tracker_sees_a_token_that_leaves(kind: type[Leaking], what: str) -> None:
    with pytest.RaisesGroup(pytest.RaisesExc(Leak, match=what), flatten_subgroups=True):
        watched(BLIND, 2, kind, 18)
