"""The examination of a bot, without the bot: questions out, answers in.

1. It sits at every preset and every size, on every kind of score, beside and against a seat that
   does anything and one that always raises, so that it meets every phase of a hand.
2. What it does not decide, the rules decide, and the examination goes on; after `ENOUGH` failures
   it ends.
3. A match that is played twice under one seed must be the same match.
4. Of each check the first failure is told, with the hand in the notation, all cards known.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from p2ptruco.players.fault import BotFault
from p2ptruco.rules.facts import Kind
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, Move
from p2ptruco.rules.notation.writing import move_text, write
from p2ptruco.rules.play import default
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Seat
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View
from p2ptruco.testing.checks import Check
from p2ptruco.testing.course import Moment, course
from p2ptruco.ui.words import N_, _

ENOUGH = 12


class Question(NamedTuple):
    """`begin` a match under a seed, `choose`, or an event that is told."""

    call: str
    view: View | None
    seed: str = ""


class Reply(NamedTuple):
    """What the bot did: a legal move, or what went wrong; and how long it took."""

    move: Move | None = None
    faults: tuple[BotFault, ...] = ()
    ms: float = 0.0


class Paper(NamedTuple):
    """One match: where, in which seat, from which score, among whom, how often."""

    variant: Variant
    players: int
    seat: Seat
    score: tuple[int, int]
    others: str
    times: int

    @property
    def seed(self) -> str:
        """The same for every run of it."""
        return "/".join(map(str, (self.variant.name, *self[1:5])))


Exam = Generator[Question, Reply, list[Check]]


def examination(variants: Mapping[str, Variant] = CORE) -> Exam:
    """All questions; it returns what was found."""
    notes = Notes()
    for paper in papers(variants):
        courses = []
        for _time in range(paper.times):
            courses.append((yield from _match(paper, notes)))
            if notes.failures >= ENOUGH:
                return notes.checks()
        notes.compare(courses)
    return notes.checks()


def papers(variants: Mapping[str, Variant]) -> Iterator[Paper]:
    """Every preset, size, kind of score and company, on either side of a special hand."""
    for variant in variants.values():
        near = variant.special_at
        for players in sorted(variant.players):
            for turn, score in enumerate(((0, 0), (near, 0), (0, near), (near, near))):
                times = 2 if turn == 0 else 1
                for place, others in enumerate(COMPANY):
                    seat = Seat((turn // 2 + place + 2 * (turn + place)) % players)
                    yield Paper(variant, players, seat, score, others, times)


COMPANY = ("anything", "anything", "raises")

PAPERS = sum(paper.times for paper in papers(CORE))
"""Matches of a whole examination."""

Made = list[tuple[Moment, Move]]


def _match(paper: Paper, notes: Notes) -> Generator[Question, Reply, Made]:
    """One match; what the bot did in it."""
    chance = random.Random(paper.seed)
    made: Made = []
    match = course(paper.variant, paper.players, paper.seed, paper.score)
    notes.tables.add(paper[:2])
    notes.take((yield Question("begin", None, paper.seed)), None)
    move: Move | None = None
    while True:
        try:
            moment = match.send(move)
        except StopIteration:
            return made
        if moment.seat == paper.seat:
            reply = yield Question(moment.call, moment.view)
            notes.take(reply, moment)
            move = _made(reply, moment, made)
            if notes.failures >= ENOUGH:
                return made
        else:
            move = OTHERS[paper.others](moment.view, chance) if moment.call == "choose" else None


def _made(reply: Reply, moment: Moment, made: Made) -> Move | None:
    if moment.call != "choose":
        return None
    view = moment.view
    move = default(view.hand, view.seat, view.cards) if reply.move is None else reply.move
    made.append((moment, move))
    return move


def _anything(view: View, chance: random.Random) -> Move:
    return chance.choice([move for move in view.legal if move is not FOLD])


def _raises(view: View, chance: random.Random) -> Move:
    """Calls and raises wherever that does not lose the match."""
    raising = [move for move in (CALL, ACCEPT) if move in view.legal]
    return raising[0] if raising and view.kind is Kind.NORMAL else _anything(view, chance)


OTHERS = {"anything": _anything, "raises": _raises}

FOUND = {
    "made": N_("instances made: {matches}"),
    "no_exception": N_("calls answered: {calls}, tables: {tables}"),
    "legal": N_("decisions: {decisions}"),
    "in_time": N_("slowest decision: {slowest:.0f} ms"),
    "deterministic": N_("matches played again under the same seed: {repeated}"),
}
"""What each check says when it holds."""

RESTS_ON = {"legal": "decisions", "in_time": "decisions", "deterministic": "repeated"}
"""What there must have been for a check to have looked at anything."""

CHECK_OF = {"crash": "no_exception", "illegal": "legal", "timeout": "in_time"}


@dataclass(slots=True)
class Notes:
    """What the examiner writes down."""

    matches: int = 0
    calls: int = 0
    decisions: int = 0
    repeated: int = 0
    slowest: float = 0.0
    failures: int = 0
    tables: set[object] = field(default_factory=set)
    failed: dict[str, Check] = field(default_factory=dict)

    def take(self, reply: Reply, moment: Moment | None) -> None:
        """One answer; `moment` is None for the making of a bot."""
        self.calls += 1
        self.matches += moment is None
        if moment is not None and moment.call == "choose":
            self.decisions += 1
            self.slowest = max(self.slowest, reply.ms)
        for fault in reply.faults:
            name = "made" if moment is None else CHECK_OF[fault.kind]
            self.fail(name, _told(fault, moment), None if moment is None else _hand(moment))

    def fail(self, name: str, message: str, hand: str | None) -> None:
        self.failures += 1
        self.failed.setdefault(name, Check(name, False, message, hand))

    def compare(self, courses: list[Made]) -> None:
        """The same match, twice."""
        if len(courses) < 2:
            return
        self.repeated += 1
        for (moment, move), (later, other) in zip(*courses, strict=False):
            if move != other and moment.view.hand == later.view.hand:
                self.fail("deterministic", _differs(moment, move, other), _hand(moment))
                return

    def checks(self) -> list[Check]:
        """Every check, in order."""
        facts = {
            "matches": self.matches,
            "calls": self.calls,
            "decisions": self.decisions,
            "repeated": self.repeated,
            "slowest": self.slowest,
            "tables": len(self.tables),
        }
        held = {
            name: Check(name, True, _(text).format(**facts))
            if facts[RESTS_ON.get(name, "calls")]
            else Check(name, None, _("not examined: the bot failed before"))
            for name, text in FOUND.items()
        }
        return list((held | self.failed).values())


def _told(fault: BotFault, moment: Moment | None) -> str:
    """What went wrong; of an illegal move also what would have been legal."""
    if moment is None or fault.kind != "illegal":
        return fault.detail
    moves = ", ".join(map(repr, moment.view.legal))
    return f"{fault.detail}\n" + _("view.legal was: {moves}").format(moves=moves)


def _hand(moment: Moment) -> str:
    """The hand as it stood, with who was asked for what."""
    sentence = _("seat {seat}, {call}").format(seat=moment.seat + 1, call=moment.call)
    return write(moment.view.hand, moment.deck, sentence)


def _differs(moment: Moment, move: Move, other: Move) -> str:
    first, second = (move_text(moment.view.hand, m, moment.deck) for m in (move, other))
    sentence = _("under the same seed it chose {first}, then {second}")
    return sentence.format(first=first, second=second)
