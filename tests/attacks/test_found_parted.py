"""One cheat, and honest peers with two winners: what one of them alone is shown at the end."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.rules.seating import slots_of
from p2ptruco.table.entries import Content, Lay, Leave, Position, Seal, read_parsed
from tests.attacks.test_table_forks import Straddler
from tests.kit import schemer
from tests.kit.cheats.seals import OtherBodyWhenTheOthersLeft
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import Peer


class Hasty(Peer):
    """An honest player who closes the program a second after the match."""

    async def play(self) -> None:
        async with trio.open_nursery() as tasks:
            tasks.start_soon(super().play)
            await self.session._until(lambda: self.seat in self.table.sealed_by)
            await trio.sleep(1)
            tasks.cancel_scope.cancel()
        self.ended = True


@pytest.mark.parametrize("others", [Peer, Hasty])
async def test_a_proof_shown_to_one_when_the_others_have_left(
    others: type[Peer], autojump_clock: MockClock
) -> None:
    """The cheat does not seal, so that nobody has all seals; the last of the others has sealed the
    end itself, and holds their seals.

    Gain: a lost match that stays lost for all but one, who believes that it won it by a cheat and
    has a record of that.
    """
    kind = OtherBodyWhenTheOthersLeft
    with open_deck():
        evening = await kind.evening(4, cheats={0: others, 1: kind, 2: others}).play()
        evening.check_honest()
        assert evening.words == {"unsealed"}
        assert all(len(peer.table.sealed_by) == 3 for peer in evening.honest)


class AtTheEndOfTheMatch(Straddler):
    """Leaves before two peers and gives the third a bad token, while these are apart: each part
    comes to an end, seals it, and hears of the other afterwards."""

    first: Content = Leave()
    other: Content = Lay(slots_of(Straddler.chair)[0], False, bytes(96))  # type: ignore[arg-type]


async def test_two_last_words_across_a_torn_table(autojump_clock: MockClock) -> None:
    """Gain: no honest seat is left that may seal the cut, so that a rule which waits for such a
    seal leaves two results of one match, each for good."""
    with open_deck():
        evening = await AtTheEndOfTheMatch.evening(4).play()
        for peer in evening.honest:
            torn = [(0, 3), (2, 3), (3, 0), (3, 2)]
            peer.session.closed = [c for c in peer.session.closed if (c.at, c.peer) not in torn]
        evening.check_honest()
        assert evening.words == {"caught equivocation"}
        held = evening.honest[0].table.held(Position(0, 0, 0))
        bodies = [read_parsed(entry).body for entry in held]
        sealed = {body.head for body in bodies if isinstance(body.content, Seal)}
        assert len(sealed) > 1, "each part has sealed its own end before"


@pytest.mark.parametrize(("seed", "size"), [(13, 4), (21, 4), (39, 4), (1, 6)])
def test_whatever_one_cheat_does_while_links_drop_and_return(seed: int, size: int) -> None:
    """Second words for old places and last ones, told to whom it likes and when; its seal for some
    or for none. Gain: as above. More seeds: tests/soak/schemer.py."""
    schemer.play(seed, size)
