"""A hand told as it goes.

1. `story(hand)` tells all that is public, in order; as a hand grows its story only gains lines, so
   that whoever prints what is new has printed it all.
2. A row holds a trick from its first card on: as far as it has come before a call, which has a
   line of its own, and whole when it is over. `◂` marks the card that took the trick.
3. Nothing is wider than 80 columns, with 8 seats too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from p2ptruco.rules.hand import Hand, How, Kind, Said, Shown
from p2ptruco.rules.match import score_after
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Play, Word
from p2ptruco.rules.scale import Call
from p2ptruco.rules.seating import Seat, vira_slot
from p2ptruco.rules.tricks import Laid, Trick, manilhas
from p2ptruco.ui.terminal.cards import card_text, score_text, seat_text, team_text
from p2ptruco.ui.words import N_, _, ngettext

KINDS = {
    Kind.NORMAL: "",
    Kind.SPECIAL: N_("mão de {points}"),
    Kind.IRON: N_("mão de ferro"),
}

SAYINGS = {
    ACCEPT: N_("{seat} accepts"),
    RUN: N_("{seat} runs"),
    FOLD: N_("{seat} folds the hand"),
    PLAY_ON: N_("{seat} plays it"),
    REFUSE: N_("{seat} refuses it"),
}

ENDINGS = {
    How.TRICKS: N_("{team} wins the hand"),
    How.TIE: N_("Three ties: nobody scores"),
    How.RUN: N_("{team} wins the hand: the others ran"),
    How.FOLD: N_("{team} wins the hand: the others folded"),
    How.REFUSED: N_("{team} scores: the others refused the hand"),
    How.FORFEIT: N_("{team} wins the match: the others called where nobody may"),
    How.ABSENT: N_("{team} wins the hand: the others went away"),
    How.ILLEGAL: N_("{team} wins the hand: the others broke the rules"),
}

MARGIN, RIGHT = 2, 76


def story(hand: Hand, number: int = 1) -> list[str]:
    """The lines of a hand so far; `number` counts the hands of a match from 1."""
    end = ending(hand)
    return [heading(hand, number), *_Telling(hand).lines(), *[end] * bool(end)]


class Stories:
    """The story of a match, hand after hand; remembers what was told."""

    def __init__(self) -> None:
        self._hand, self._lines = 1, 0

    def news(self, done: Sequence[Hand], under_way: Hand | None) -> list[str]:
        """The lines that are new, of the finished hands and of the one under way."""
        hands = [*done, *([] if under_way is None else [under_way])]
        numbered = list(enumerate(hands, 1))[self._hand - 1 :]
        return [line for number, hand in numbered for line in self.grown(number, hand)]

    def grown(self, number: int, hand: Hand) -> list[str]:
        """The lines that are new of a hand, which counts from 1."""
        if number != self._hand:
            self._hand, self._lines = number, 0
        told = story(hand, number)
        new, self._lines = told[self._lines :], len(told)
        return new


def heading(hand: Hand, number: int) -> str:
    """Which hand it is, whose deal, and the score before it."""
    kind = _(KINDS[hand.kind]).format(points=hand.variant.special_at)
    parts = [
        _("Hand {number}").format(number=number),
        _("{seat} deals").format(seat=seat_text(hand.dealer)),
        kind,
    ]
    return spread(" · ".join(filter(None, parts)), score_text(hand.score), margin=0)


def ending(hand: Hand) -> str:
    """How the hand ended, and the score after it; nothing while it goes on."""
    return spread(ended(hand), score_text(score_after(hand))) if hand.result else ""


def ended(hand: Hand) -> str:
    """How the hand ended, in words."""
    if hand.result is None:
        return ""
    winner, points, how = hand.result
    said = _(ENDINGS[how]).format(team="" if winner is None else team_text(winner))
    if winner is not None:
        said += ngettext(", {n} point", ", {n} points", points).format(n=points)
    return said


def under_way(hand: Hand) -> Iterator[str]:
    """The row of the trick in progress, which `story` does not tell yet."""
    telling = _Telling(hand)
    for _told in telling.lines():
        pass
    yield from telling.flush()


@dataclass
class _Telling:
    """A walk over the history: the trick in progress, how many of its cards have been told, and
    where the walk stands."""

    hand: Hand
    row: list[Laid] = field(default_factory=list)
    told: int = 0
    laid: int = 0
    step: int = 0
    pending: bool = False

    def lines(self) -> Iterator[str]:
        """The lines between heading and ending."""
        for event in self.hand.history:
            yield from self.shown(event) if isinstance(event, Shown) else self.said(event)
        if self.hand.result is not None:
            yield from self.flush()

    def shown(self, event: Shown) -> Iterator[str]:
        """A face: the vira's, or that of the card just laid."""
        if event.slot == vira_slot(self.hand.players):
            strong = " ".join(map(card_text, manilhas(self.hand.variant, event.card)))
            sentence = _("vira {card}, manilhas {cards}")
            yield " " * MARGIN + sentence.format(card=card_text(event.card), cards=strong)
        else:
            yield from self.lay()

    def said(self, event: Said) -> Iterator[str]:
        """A move: a card goes into the row, a word has a line of its own."""
        if isinstance(event.move, Play):
            if event.move.face_down:
                yield from self.lay()
        else:
            yield from self.flush()
            yield " " * MARGIN + self.saying(event.seat, event.move)

    def lay(self) -> Iterator[str]:
        """One more card of the trick; a full trick ends its row."""
        lay = self.hand.laid[self.laid]
        self.laid += 1
        trick, place = divmod(self.laid - 1, self.hand.players)
        self.row.append(lay)
        if place == self.hand.players - 1 and trick < len(self.hand.tricks):
            yield from self.flush(self.hand.tricks[trick])
            self.row, self.told = [], 0

    def flush(self, trick: Trick | None = None) -> Iterator[str]:
        """The row so far, if some of it has not been told; `trick`: the one that it ends."""
        if len(self.row) > self.told:
            row = "  ".join(_lay_text(lay, trick) for lay in self.row)
            yield spread(row, _taken(trick) if trick else "")
        self.told = len(self.row)

    def saying(self, seat: Seat, word: Word) -> str:
        """A word as it is told."""
        name = seat_text(seat)
        if word is ACCEPT:
            self.step, self.pending = self.step + 1, False
        if word is not CALL:
            return _(SAYINGS[word]).format(seat=name)
        call = self.call()
        return _("{seat} calls {word} ({points})").format(
            seat=name, word=call.word.upper() + "!", points=call.points
        )

    def call(self) -> Call:
        """The call just made: a raise accepts the step below it."""
        if self.hand.kind is Kind.SPECIAL:
            return self.hand.variant.scale.calls[0]
        self.step += self.pending
        self.pending = True
        return self.hand.variant.scale.calls[self.step]


def _lay_text(lay: Laid, trick: Trick | None) -> str:
    """A card, who laid it, and the mark of the one that took the trick."""
    took = trick is not None and trick.winner is not None and lay.seat == trick.lead
    return f"{seat_text(lay.seat)} {card_text(lay.card)}{'◂' if took else ' '}"


def _taken(trick: Trick) -> str:
    """Whose trick it is."""
    if trick.winner is None:
        return _("tied")
    sentence = _("{seat} takes it for {team}")
    return sentence.format(seat=seat_text(trick.lead), team=team_text(trick.winner))


def spread(left: str, right: str, margin: int = MARGIN) -> str:
    """Text at the left, text at the right of a line."""
    line = " " * margin + left
    return f"{line.ljust(RIGHT - len(right))} {right}" if right else line.rstrip()
