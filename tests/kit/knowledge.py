"""What each seat of a table could compute of the cards, by what it received; and what it may.

Laws:
1. A seat knows the face of a slot when it has the tokens of all seats for it: its own by its key,
   the others' as it received them, in whatever message and for whatever purpose. Every 32 bytes of
   every message are compared with every token of every slot. A key is never in any.
2. Who may know it is read off the pages (rules.md §4 and §6, deal.md §5 and §6) and what seats
   have signed so far. Neither `audience` nor any other line of the program is asked.
3. A face outside its audience, or a token that leaves before its time, is a `Leak` at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import msgpack  # type: ignore[import-untyped]

from p2ptruco.mental import keys, shuffle, tokens
from p2ptruco.mental.group import Point, encode_scalar, hash_to_point, mult, sub, total
from p2ptruco.net.transport import frames
from p2ptruco.rules.variant import Variant, toggles
from tests.kit.tables_over_links import Evening, Peer


class Leak(BaseException):
    """A seat could know what it may not, or could know it too early. No wall holds it."""


Seats = list[set[int]]
"""By the seat that has it: from whom."""


@dataclass
class HandSeen:
    """One deal: its deck, who has which tokens of it, and what was signed in it."""

    size: int
    secrets: dict[int, int] = field(default_factory=dict, repr=False)
    tokens: dict[tuple[int, int], Point] = field(default_factory=dict, repr=False)
    """(whose, of which slot), once there is a deck."""
    b: list[Point] = field(default_factory=list, repr=False)
    score: tuple[int, int] | None = None
    """Before the hand, by team."""
    laid: dict[int, bool] = field(default_factory=dict)
    """Slot → face down, as signed by anybody so far."""

    def __post_init__(self) -> None:
        self.ready: Seats = [set() for _ in range(self.size)]
        self.paid: Seats = [set() for _ in range(self.size)]
        """READY, and the tokens step."""
        self.held: list[set[tuple[int, int]]] = [set() for _ in range(self.size)]
        self.known: list[dict[int, str]] = [{} for _ in range(self.size)]
        """By seat: slot → face."""


class Tracker:
    """One table, watched from outside."""

    def __init__(self, variant: Variant, size: int) -> None:
        self.size, self.variant = size, variant
        text = toggles(variant)
        self.vira = text["manilhas"] == "vira"
        self.blind = text["iron"] == "blind"
        self.near = variant.target - variant.scale.base
        cards = [rank + suit for rank in text["ranks"] for suit in "chsd"]
        self.faces = {hash_to_point(b"p2ptruco/1/card/" + one.encode()): one for one in cards}
        self.hands: dict[int, HandSeen] = {}
        self.figures = Counter[str]()
        self._keys: dict[bytes, int] = {}
        """Every key pair drawn at the table: public → secret."""
        self._secrets: set[bytes] = set()
        self._values: dict[bytes, tuple[int, int, int]] = {}
        """Bytes of a token → hand, whose, slot."""
        self._found: dict[bytes, list[tuple[int, int, int]]] = {}
        self._said: set[bytes] = set()
        self._dealing = 0
        """The latest hand of which a token has left."""

    # What happens.

    def sends(self, seat: int, message: Any, score: tuple[int, int]) -> None:
        """A seat lets a message go; `score` as its log has it."""
        body = _body(message)
        if body is not None and body["seat"] == seat and message.body not in self._said:
            self._said.add(message.body)
            self._signed(body, score)
        for number, whose, slot in self._tokens(message):
            if whose == seat:
                self._may_leave(number, seat, slot)
                self._dealing = max(self._dealing, number)

    def receives(self, seat: int, message: Any) -> None:
        """A message has come to a seat, from whomever."""
        self.figures["frames"] += 1
        self.figures["bytes"] += len(frames.write(message))
        if (body := _body(message)) is not None:
            hand, word = self.hands[body["hand"]], body["content"][0]
            if word in ("ready", "tokens"):
                (hand.ready if word == "ready" else hand.paid)[seat].add(body["seat"])
        for number, whose, slot in self._tokens(message):
            self.hands[number].held[seat].add((whose, slot))
            self._look(number, seat, slot)

    def _signed(self, body: dict[str, Any], score: tuple[int, int]) -> None:
        """What follows from an entry that its author lets go, whoever has heard it."""
        number, seat, (word, *rest) = body["hand"], body["seat"], body["content"]
        hand = self.hands.setdefault(number, HandSeen(self.size))
        match word:
            case "open":
                hand.secrets[seat] = self._keys[rest[0][:32]]
            case "shuffle" if seat == self.size - 1 and not hand.b:
                self._dealt(number, hand, rest[0])
            case "ready":
                hand.ready[seat].add(seat)
            case "tokens":
                hand.paid[seat].add(seat)
                won = max(score) >= self.variant.target  # the next match of a set begins at nil
                hand.score = hand.score or ((0, 0) if won else score)
            case "play":
                hand.laid.setdefault(rest[0], rest[1])
        if word in ("play", "call", "accept", "run", "fold", "reveal") and number < self._dealing:
            raise Leak(f"a token of hand {self._dealing} was out before hand {number} was over")

    def _dealt(self, number: int, hand: HandSeen, deck: bytes) -> None:
        """The deck of a hand: which bytes are whose tokens of which slot."""
        points = [Point(deck[at : at + 32]) for at in range(0, len(deck), 32)]
        hand.b = points[1::2]
        for slot, a in enumerate(points[::2]):
            for seat, secret in hand.secrets.items():
                hand.tokens[seat, slot] = token = mult(secret, a)
                self._values[token] = number, seat, slot
                hand.held[seat].add((seat, slot))
        self._found.clear()

    def _tokens(self, message: Any) -> list[tuple[int, int, int]]:
        """Every token in a message, wherever in it."""
        blob = frames.write(message)
        if blob not in self._found:
            windows = [blob[at : at + 32] for at in range(len(blob) - 31)]
            if any(one in self._secrets for one in windows):
                raise Leak("a key is in a message")
            self._found[blob] = [self._values[one] for one in windows if one in self._values]
        return self._found[blob]

    # What it gives away.

    def _look(self, number: int, seat: int, slot: int) -> None:
        """Whether a seat has all tokens of a slot by now, and may."""
        hand = self.hands[number]
        wanted = {(other, slot) for other in range(self.size)}
        if slot in hand.known[seat] or not wanted <= hand.held[seat]:
            return
        face = self.faces[sub(hand.b[slot], total(hand.tokens[one] for one in wanted))]
        hand.known[seat][slot] = face
        self.figures["faces"] += 1
        if seat not in self.audience(hand, slot):
            raise Leak(f"hand {number}: seat {seat} can see slot {slot} ({face})")

    def _may_leave(self, number: int, seat: int, slot: int) -> None:
        """deal.md §5, and the rows of §6: a token of one's own, by its time."""
        hand = self.hands[number]
        where = f"hand {number}: seat {seat} sends its token of slot {slot}"
        audience = self.audience(hand, slot)
        if len(hand.ready[seat]) < self.size:
            raise Leak(f"{where} before all are ready")
        if slot // 3 == seat and len(hand.paid[seat]) < self.size:
            raise Leak(f"{where}, its own, before the tokens step has closed")
        if not audience - ({seat} if slot // 3 == seat else set()):
            raise Leak(f"{where}, which nobody else may see")

    def audience(self, hand: HandSeen, slot: int) -> set[int]:
        """rules.md §6, its rows in their order, as things stand."""
        everybody = set(range(self.size))
        if self.vira and slot == 3 * self.size:
            return everybody
        if slot >= 3 * self.size:
            return set()
        if hand.laid.get(slot) is False:
            return everybody
        kind = self.kind(hand)
        if kind == "iron" and self.blind:
            return set()
        owner = slot // 3
        if kind == "special" and self._near(hand)[owner % 2]:
            return {seat for seat in everybody if seat % 2 == owner % 2}
        return {owner}

    def kind(self, hand: HandSeen) -> str:
        """rules.md §4, by the score before it."""
        return ("normal", "special", "iron")[sum(self._near(hand))]

    def _near(self, hand: HandSeen) -> list[bool]:
        return [points >= self.near for points in hand.score or (0, 0)]

    def conclude(self) -> Counter[str]:
        """What was seen, counted."""
        for hand in self.hands.values():
            if hand.score is not None:
                kind = self.kind(hand)
                blind = kind == "iron" and self.blind
                self.figures[f"{'blind ' if blind else ''}{kind} hands"] += 1
                self.figures["viras"] += self.vira
                self.figures["cards face down"] += sum(hand.laid.values())
        return self.figures

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Inside, every key that is drawn is known here."""
        draw = keys.draw

        def drawn(source: Any) -> keys.KeyPair:
            pair = draw(source)
            self._keys[pair.public] = pair.secret
            little = encode_scalar(pair.secret)
            self._secrets |= {little, little[::-1]}
            return pair

        with mock.patch.object(keys, "draw", drawn), each_proof_once():
            yield


@contextmanager
def each_proof_once() -> Iterator[None]:
    """Inside, what one peer has found to hold is not computed again for the others."""
    chains: dict[object, object] = {}
    checks: dict[object, object] = {}
    verify_chain, check = shuffle.verify_chain, tokens.check

    def chain(joint: Any, start: Any, shuffles: Any, source: Any) -> Any:
        key = joint, tuple(shuffles)
        if key not in chains:
            chains[key] = verify_chain(joint, start, shuffles, source)
        return chains[key]

    def checked(joint: Any, seat: Any, deck: Any, slots: Any, data: Any) -> Any:
        key = joint, seat, deck.masked, tuple(slots), data
        if key not in checks:
            checks[key] = check(joint, seat, deck, slots, data)
        return checks[key]

    with (
        mock.patch.object(shuffle, "verify_chain", chain),
        mock.patch.object(tokens, "check", checked),
    ):
        yield


def _body(message: Any) -> dict[str, Any] | None:
    """The body of an entry, as table.md §1 has it."""
    if not isinstance(message, frames.EntryFrame):
        return None
    names = ("protocol", "purpose", "table", "epoch", "hand", "attempt", "step", "seat", "head")
    raw = msgpack.unpackb(message.body, use_list=False)
    return dict(zip((*names, "content"), raw, strict=True))


class Watched(Peer):
    """An honest peer, and a tracker that sees all that it sends and receives."""

    def __init__(self, evening: Evening, seat: int, tracker: Tracker) -> None:
        super().__init__(evening, seat)
        self.tracker = tracker
        send, flood, hear = self.mesh.send, self.mesh.flood, self.session._hear

        def sends(peer: bytes, message: Any) -> bool:
            self._out(message)
            return send(peer, message)

        def floods(message: Any, *rest: Any) -> None:
            self._out(message)
            flood(message, *rest)

        def hears(peer: bytes, event: Any) -> None:
            if type(event) in frames._NUMBER:  # no link that comes or goes
                tracker.receives(seat, event)
            hear(peer, event)

        self.mesh.send, self.mesh.flood = sends, floods  # type: ignore[method-assign]
        self.session._hear = hears  # type: ignore[method-assign]

    def _out(self, message: Any) -> None:
        match = self.table.match
        score = match.score if match else (0, 0)
        self.tracker.sends(int(self.seat), message, score)
