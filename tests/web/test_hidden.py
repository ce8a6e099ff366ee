"""No face reaches a page that the rules do not show to its seat.

Whole matches at random, one app and one tab a seat: every line that a tab is sent is read, and each
card in it has to be one that this seat may see at that moment. Gain of whoever reads more in the
browser's own tools: the cards of the others.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app import events
from p2ptruco.app.commands import Answer
from p2ptruco.app.events import Event, OfHand
from p2ptruco.app.match import Match, Player
from p2ptruco.app.questions import YES, AskMove, Confirm, Question
from p2ptruco.app.stage import Stage
from p2ptruco.net.lobby.sitting import Seated
from p2ptruco.rules.cards import Card
from p2ptruco.rules.hand import Hand
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Slot
from p2ptruco.rules.turns import audience
from p2ptruco.rules.variant import Variant
from p2ptruco.store.home import Self
from p2ptruco.ui.front.lines import Outbox
from p2ptruco.ui.web.evening import Evening as Shown
from tests.kit.opendeck import open_deck
from tests.kit.tables_over_links import BLIND, SHORT, Evening, Peer
from tests.kit.threads import on_the_loop

CARD = re.compile(r"[2-7QJKA][chsd]")
PUBLIC = frozenset({"groups", "manilhas", "variant", "words"})
"""Keys under which cards are named wherever they lie."""


class Line(NamedTuple):
    """What a tab was sent, and the hand as its seat knew it then."""

    number: int
    hand: Hand
    told: dict[str, Any]


class Tab(Outbox):
    """Keeps every line, and answers what is asked at random."""

    def __init__(self, stage: Stage, rng: random.Random) -> None:
        super().__init__(self._nowhere)
        self._stage, self._rng = stage, rng
        self.lines: list[Line] = []
        self._hand: tuple[int, Hand] | None = None

    async def _nowhere(self, _data: bytes) -> None: ...

    def say(self, line: bytes) -> None:
        if self._hand is not None:
            self.lines.append(Line(*self._hand, json.loads(line)))

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None: ...

    def show(self, event: Event) -> None:
        if isinstance(event, OfHand):
            self._hand = event.number, event.hand

    def ask(self, question: Question) -> None:
        keys = [choice.key for choice in question.choices]
        if isinstance(question, AskMove):
            keys += [key for key in keys if key[-1] in "123" or key in ("play", "accept")] * 6
        elif isinstance(question, Confirm):
            keys = [YES]
        self._stage.hear(Answer(question.id, self._rng.choice(keys)))


class Browser(Peer):
    """An honest seat that a page shows."""

    def __init__(self, evening: Evening, seat: int) -> None:
        super().__init__(evening, seat)
        self.stage = Stage()
        self.tab = Tab(self.stage, self.rng)
        self.stage.attach(self.tab)
        me = Self(self.identity, f"p{seat + 1}", Path(), "")
        seated = Seated(evening.agreement, evening.signatures, seat)
        self.match = Match(Player(me, self.stage, None, offload=on_the_loop()), self.mesh, seated)
        self.table, self.page = self.match._table, Shown(self.stage, "play", "1.2")
        self.face = self.page.show(self.tab)

    async def play(self) -> None:
        await self.match.play()
        self.stage.look(self.face)
        self.ended = True


def played(variant: Variant, size: int, seed: int) -> list[Browser]:
    """A whole match at random."""
    evening = Evening(size, dict.fromkeys(range(size), Browser), variant=variant, seed=seed)

    async def whole() -> None:
        with open_deck():
            await evening.play()

    trio.run(whole, clock=MockClock(autojump_threshold=0))
    peers = [peer for peer in evening.peers if isinstance(peer, Browser)]
    assert all(peer.ended for peer in peers)
    return peers


def faces(peers: list[Browser]) -> dict[int, dict[Slot, Card]]:
    """Hand → slot → the face that its owner, or the table, came to see."""
    found: dict[int, dict[Slot, Card]] = {}
    for peer in peers:
        for line in peer.tab.lines:
            told = line.told
            own = told["cards"] if told.get("event") == "cards" else ()
            laid = [told] if told.get("event") == "card" else ()
            for held in (*own, *laid):
                if held["card"] is not None:
                    face = Card(*held["card"])
                    found.setdefault(line.number, {})[Slot(held["slot"])] = face
    return found


def cards_in(value: Any) -> Iterator[str]:
    """Every card that is named in an object, and not among those named wherever they lie."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in PUBLIC:
                yield from cards_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from cards_in(one)
    elif isinstance(value, str) and CARD.fullmatch(value):
        yield value


def shown_too_much(peer: Browser, known: dict[int, dict[Slot, Card]]) -> list[tuple[Line, str]]:
    """The cards in the lines of a seat that it may not see."""
    found = []
    for line in peer.tab.lines:
        there = known.get(line.number, {})
        may = {str(face) for slot, face in there.items() if peer.seat in audience(line.hand, slot)}
        may |= {str(line.hand.vira)} if line.hand.vira else set()
        found += [(line, card) for card in cards_in(line.told) if card not in may]
    return found


MATCHES = [
    (CORE["mineiro"], 4, 3),
    *((variant, 2, 3) for name, variant in CORE.items() if name != "mineiro"),
    (SHORT, 6, 2),
    (BLIND, 2, 18),
]
"""`tests.soak.hidden` plays every preset at every size."""


@pytest.mark.parametrize(
    ("variant", "size", "seed"), MATCHES, ids=[f"{one.name} {size}" for one, size, _ in MATCHES]
)
def test_no_line_to_a_page_shows_more_than_the_rules(
    variant: Variant, size: int, seed: int
) -> None:
    """Of every preset and size; special and blind iron hands, cards face down, partners' cards."""
    peers = played(variant, size, seed)
    known = faces(peers)
    for peer in peers:
        assert len(peer.tab.lines) > 20
        assert shown_too_much(peer, known) == []


@pytest.mark.parametrize("leak", ["cards", "card", "anything"])
def test_a_face_too_many_is_found(leak: str) -> None:
    """The check above is no empty one."""
    peers = played(SHORT, 2, 1)
    known, (one, other) = faces(peers), peers
    line = next(line for line in other.tab.lines if line.told.get("event") == "cards")
    hidden = line.told["cards"][0]["card"]
    told = {"cards": line.told, "card": {"x": {"card": hidden}}, "anything": [["a", hidden]]}
    one.tab.lines.append(line._replace(told={"leak": told[leak]}))
    assert [card for _, card in shown_too_much(one, known)][:1] == [hidden]


def test_special_hands_show_partners_their_cards() -> None:
    """So that what is checked above holds such cards at all: a match has one as a rule."""
    told = {
        line.told.get("event")
        for seed in range(3)
        for peer in played(SHORT, 4, seed)
        for line in peer.tab.lines
    }
    assert events.PartnerCards.name in told
