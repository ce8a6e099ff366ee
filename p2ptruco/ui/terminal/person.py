"""A person at a plain terminal, as a mind.

1. Whatever is typed is read by one task, in order: a move when one is asked, a card to be played
   if time runs out when it is not, talk and help at any time. No line is lost.
2. A prompt says all that is needed to decide: cards, trick, score, what the hand is worth, what
   each answer costs; the clock speaks at ten and at five seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import trio

from p2ptruco.rules.hand import Kind
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from p2ptruco.rules.seating import slots_of
from p2ptruco.rules.view import View
from p2ptruco.ui.terminal.cards import FACE_DOWN, card_text, score_text, seat_text, team_text
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.phrases import Typed, read
from p2ptruco.ui.terminal.story import under_way
from p2ptruco.ui.words import N_, _, ngettext

ALARMS = (10, 5)
"""Seconds left at which the clock speaks."""


class Person:
    """A `Mind` that asks at a console."""

    advises = True

    def __init__(self, console: Console) -> None:
        self._console = console
        self._view: View | None = None
        self._asked: View | None = None
        self._answer: Move | None = None
        self._answered = trio.Event()
        self._early: Play | None = None
        self.deadline: Callable[[], float | None] = lambda: None
        self.talk: Callable[[str], None] = lambda text: None
        self.signal: Callable[[str], None] = lambda text: None
        self.leave: Callable[[], None] = lambda: None

    # The mind.

    async def choose(self, view: View) -> Move:
        self._view = self._asked = view
        self._answer, self._answered = None, trio.Event()
        self._console.say(*asking(view))
        try:
            async with trio.open_nursery() as tasks:
                tasks.start_soon(self._ring)
                await self._answered.wait()
                tasks.cancel_scope.cancel()
        finally:
            self._asked, self._early = None, None
        assert self._answer is not None
        return self._answer

    def in_time(self, view: View) -> Move | None:
        return self._early

    async def tell(self, event: str, view: View) -> None:
        self._view = view
        if event == "hand_started":
            self._early = None
            self._console.say(*dealt(view))

    async def _ring(self) -> None:
        """Say how much time is left, a few times."""
        for alarm in ALARMS:
            deadline = self.deadline()
            left = None if deadline is None else deadline - trio.current_time()
            if left is not None and left > alarm:
                await trio.sleep(left - alarm)
                self._console.say(
                    ngettext("{n} second left", "{n} seconds left", alarm).format(n=alarm)
                )

    # What is typed.

    def hear(self, line: str | None) -> None:
        """One typed line; None: there will be no more, so the person has gone."""
        if line is None:
            self._console.say(_("No more input: leaving the table."))
            self.leave()
        elif line:
            self.take(read(line, self._asked or self._view, self._asked is not None))

    def take(self, typed: Typed) -> None:
        """Do what a line asks."""
        match typed.kind:
            case "move":
                self._answer = typed.move
                self._answered.set()
            case "early" if isinstance(typed.move, Play):
                self._early = typed.move
                self._console.say(_("Noted: it is played if your time runs out."))
            case "talk":
                self.talk(typed.text)
            case "signal":
                self.signal(typed.text)
            case "help":
                self._console.say(*manual(self._asked))
            case "look" if self._view is not None:
                self._console.say(*(asking(self._asked) if self._asked else looking(self._view)))
            case "leave":
                self._console.say(_("Leaving: the hand and the match go to the other team."))
                self.leave()
            case _:
                hint = _("That cannot be done now; ? says what can.")
                self._console.say(hint)


# What is said.


def dealt(view: View) -> Iterator[str]:
    """One's cards, and where one sits, when a hand begins."""
    sentence = _("You are seat {seat}, team {team}; {dealer} deals, {eldest} leads.")
    yield sentence.format(
        seat=seat_text(view.seat),
        team=team_text(view.team),
        dealer=seat_text(view.dealer),
        eldest=seat_text(view.eldest),
    )
    yield from cards(view)


def cards(view: View) -> Iterator[str]:
    """One's unplayed cards by position, and the partners' where the rules show them."""
    blind = view.kind is Kind.IRON and None in view.cards.values()
    held = []
    for position, slot in enumerate(slots_of(view.seat), 1):
        if slot in view.cards:
            card = view.cards[slot]
            strong = "*" if card in view.manilhas else ""
            held.append(f"{position}: {FACE_DOWN if card is None else card_text(card)}{strong}")
    if held:
        yield _("Your cards: {cards}").format(cards="   ".join(held))
    if blind:
        yield _("Mão de ferro: nobody sees their own cards; choose a position.")
    for mate in view.partners:
        shown = [card_text(c) for s, c in view.partner_cards.items() if s in slots_of(mate)]
        if shown:
            sentence = _("Partner {seat} holds: {cards}")
            yield sentence.format(seat=seat_text(mate), cards="  ".join(shown))


def looking(view: View) -> Iterator[str]:
    """The table as it stands."""
    scale = view.variant.scale
    steps = " ".join(f"{call.word} {call.points}" for call in scale.calls)
    sentence = _("{score}   this hand: {value} (scale: {base}, {steps})")
    yield sentence.format(
        score=score_text(view.score), value=view.stake, base=scale.base, steps=steps
    )
    if view.vira is not None:
        strong = " ".join(map(card_text, view.manilhas))
        yield _("vira {card}, manilhas {cards}").format(card=card_text(view.vira), cards=strong)
    trick = list(under_way(view.hand))
    yield from ([_("On the table:"), *trick] if trick else [])
    yield from cards(view)


def asking(view: View) -> Iterator[str]:
    """The table, and what may be answered."""
    yield from looking(view)
    if view.pending is not None:
        sentence = _("{seat} calls {word}: the hand would be worth {points}.")
        yield sentence.format(
            seat=seat_text(view.pending.by),
            word=view.pending.word.upper() + "!",
            points=view.pending.points,
        )
    yield _("> {choices}").format(choices=", ".join(choices(view)))


def choices(view: View) -> Iterator[str]:
    """Every legal move as it is typed, with what it costs."""
    plays = [move for move in view.plays if not move.face_down]
    if plays:
        yield _("a number plays that card")
    if any(move.face_down for move in view.plays):
        yield _("x and a number face down")
    step = view.hand.next_call
    for move in view.legal:
        if isinstance(move, Play):
            continue
        worth = view.worth(move)
        word = step.word if step is not None else ""
        yield _(CHOICES[move]).format(
            word=word, accepted=worth.accepted, refused=worth.refused, lost=worth.lost
        )


CHOICES: dict[Move, str] = {
    CALL: N_("{word} (worth {accepted}; {refused} if they run)"),
    ACCEPT: N_("a accepts (worth {accepted})"),
    RUN: N_("r runs (they score {lost})"),
    FOLD: N_("f folds (they score {lost})"),
    PLAY_ON: N_("p plays it (worth {accepted})"),
    REFUSE: N_("n refuses (they score {lost})"),
}


def manual(view: View | None) -> Iterator[str]:
    """What can be typed."""
    yield _("1, 2 or 3 plays that card; x 2 plays it face down; a name such as 4c does as well")
    yield _("truco, seis ... calls the next step; a accepts, r runs, f folds the hand")
    yield _("p plays a mão de dez or mão de onze, n refuses it")
    yield _("before your turn, a card that you type is played if your time runs out")
    yield _("say TEXT talks to everybody, signal TEXT to your partners only")
    yield _("l looks at the table again, leave goes home")
    if view is not None:
        yield _("> {choices}").format(choices=", ".join(choices(view)))
