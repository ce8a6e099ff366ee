"""What is said to a person at the table: the cards, the table, and what may be answered.

1. Every line stands by itself, so that it can be read aloud; nothing is said by colour or place.
2. A choice is told with all that it may bring and cost, in points and in the match (`prices`).
"""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.rules.hand import Kind
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play, Word
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.prices import Price, at_stake
from p2ptruco.rules.prices import price as price_of
from p2ptruco.rules.seating import Seat, slots_of
from p2ptruco.rules.view import View
from p2ptruco.table.private import SINAIS
from p2ptruco.ui.terminal.cards import FACE_DOWN, card_text, score_text, seat_text, team_text
from p2ptruco.ui.terminal.phrases import SHOUTS
from p2ptruco.ui.words import N_, _


def dealt(view: View) -> Iterator[str]:
    """Where one sits, who deals and who leads."""
    sentence = _("You are seat {seat}, team {team}; {dealer} deals, {eldest} leads.")
    yield sentence.format(
        seat=seat_text(view.seat),
        team=team_text(view.team),
        dealer=seat_text(view.dealer),
        eldest=seat_text(view.eldest),
    )


def cards(view: View) -> Iterator[str]:
    """One's unplayed cards by position, and the partners' where the rules show them."""
    yield from own_cards(view)
    for mate in view.partners:
        yield from partners_cards(view, mate)


def own_cards(view: View) -> Iterator[str]:
    """One's unplayed cards by position."""
    held = []
    for position, slot in enumerate(slots_of(view.seat), 1):
        if slot in view.cards:
            card = view.cards[slot]
            strong = "*" if card in view.manilhas else ""
            held.append(f"{position}: {FACE_DOWN if card is None else card_text(card)}{strong}")
    if held:
        yield _("Your cards: {cards}").format(cards="   ".join(held))
    if view.kind is Kind.IRON and None in view.cards.values():
        yield _("Mão de ferro: nobody sees their own cards; choose a position.")


def partners_cards(view: View, mate: Seat) -> Iterator[str]:
    """A partner's unplayed cards, where the rules show them."""
    shown = [card_text(c) for s, c in view.partner_cards.items() if s in slots_of(mate)]
    if shown:
        sentence = _("Partner {seat} holds: {cards}")
        yield sentence.format(seat=seat_text(mate), cards="  ".join(shown))


def looking(view: View, *, cards_told: bool = False) -> Iterator[str]:
    """The table as it stands; `cards_told`: one's cards have just been said."""
    scale = view.variant.scale
    steps = " ".join(f"{call.word} {call.points}" for call in scale.calls)
    sentence = _("{score}   this hand: {value} (scale: {base}, {steps})")
    yield sentence.format(
        score=score_text(view.score), value=view.stake, base=scale.base, steps=steps
    )
    if view.vira is not None:
        strong = " ".join(map(card_text, view.manilhas))
        yield _("vira {card}, manilhas {cards}").format(card=card_text(view.vira), cards=strong)
    if trick := "  ".join(f"{seat_text(lay.seat)} {card_text(lay.card)}" for lay in view.table):
        yield _("On the table: {cards}").format(cards=trick)
    yield from () if cards_told else cards(view)


def asking(view: View, *, cards_told: bool = False, seconds: int = 0) -> Iterator[str]:
    """The table, and what may be answered."""
    yield from looking(view, cards_told=cards_told)
    if view.pending is not None:
        sentence = _("{seat} calls {word}: the hand would be worth {points}.")
        yield sentence.format(
            seat=seat_text(view.pending.by),
            word=view.pending.word.upper() + "!",
            points=view.pending.points,
        )
    yield prompt(view, seconds)


def prompt(view: View, seconds: int) -> str:
    """The line that waits for an answer; `seconds`: to move, 0 for no clock."""
    told = ", ".join(choices(view))
    if not seconds:
        return _("> {choices}").format(choices=told)
    return _("> {seconds} s: {choices}").format(seconds=seconds, choices=told)


def choices(view: View) -> Iterator[str]:
    """Every legal move as it is typed, with its price, and what leaving costs."""
    if view.plays:
        worth = stakes(at_stake(view.hand, view.seat))
        hidden = any(move.face_down for move in view.plays)
        yield _(PLAYS[hidden]).format(worth=worth)
    for move in view.legal:
        if not isinstance(move, Play):
            yield priced(view, move)
    yield _(LEAVING[view.variant.best_of > 1])


def priced(view: View, move: Word) -> str:
    """A word with its price."""
    price, step = price_of(view.hand, view.seat, move), view.hand.next_call
    word = step.word if step is not None else ""
    if move is CALL and price.won is None:
        return _("{word} loses the match").format(word=word)
    run = "" if price.run is None else _(WE_SCORE[price.run.match]).format(points=price.run.points)
    lost = _(THEY_SCORE[price.lost.match]).format(points=price.lost.points)
    return _(CHOICES[move]).format(word=word, worth=stakes(price), run=run, lost=lost)


def stakes(price: Price) -> str:
    """What the hand would be worth, and whether the match goes with it."""
    if price.won is None:
        return ""
    sentence = _(WORTH[price.won.match, price.lost.match])
    return sentence.format(points=price.won.points)


PLAYS = {
    False: N_("a number plays that card ({worth})"),
    True: N_("a number plays that card, x and a number face down ({worth})"),
}
"""By whether a card may be laid face down."""

WORTH = {
    (False, False): N_("worth {points}"),
    (True, False): N_("worth {points}; if you win it, you win the match"),
    (False, True): N_("worth {points}; if you lose it, you lose the match"),
    (True, True): N_("worth {points}; whoever wins it wins the match"),
}
"""By whether the hand, won and lost, ends the match."""

WE_SCORE = {False: N_("you score {points}"), True: N_("you score {points} and win the match")}
THEY_SCORE = {False: N_("they score {points}"), True: N_("they score {points} and win the match")}

CHOICES: dict[Move, str] = {
    CALL: N_("{word} ({worth}; if they run, {run})"),
    ACCEPT: N_("a accepts ({worth})"),
    RUN: N_("r runs ({lost})"),
    FOLD: N_("f folds ({lost})"),
    PLAY_ON: N_("p plays it ({worth})"),
    REFUSE: N_("n refuses ({lost})"),
}

LEAVING = {
    False: N_("leave (loses the hand and the match)"),
    True: N_("leave (loses the hand and the whole set of matches)"),
}
"""By whether several matches are played."""

MAKING: dict[Move, str] = {RUN: N_("Running"), FOLD: N_("Folding")}


def doubt(view: View, move: Move) -> str:
    """What is said before a move that loses the match."""
    sentence = _("{move} loses the match here. Type it again to do it.")
    return sentence.format(move=_making(view, move))


def _making(view: View, move: Move) -> str:
    """A move that may lose the match, as the subject of a sentence."""
    if isinstance(move, Play):
        position = slots_of(view.seat).index(move.slot) + 1
        sentence = _("Card {number} face down") if move.face_down else _("Card {number}")
        return sentence.format(number=position)
    step = view.hand.next_call
    return step.word if move is CALL and step is not None else _(MAKING[move])


TO_PLAY = {
    True: N_("1, 2 or 3 plays that card; x 2 plays it face down; a name such as 4c does as well"),
    False: N_("1, 2 or 3 plays that card; a name such as 4c does as well"),
}
"""By whether the rules know a card face down."""

TO_SAY = {
    True: N_("{calls} calls the next step; a accepts, r runs, f folds the hand"),
    False: N_("{calls} calls the next step; a accepts, r runs"),
}
"""By whether a player may fold."""


def manual(view: View | None, asked: View | None) -> Iterator[str]:
    """What can be typed; `asked`: the view that an answer is waited for."""
    variant = MINEIRO if view is None else view.variant
    yield _(TO_PLAY[variant.face_down_from is not None])
    calls = ", ".join(call.word for call in variant.scale.calls)
    yield _(TO_SAY[variant.fold]).format(calls=calls)
    yield _("what loses the match at once is asked once more before it is done")
    yield _("* marks a manilha, the strongest cards; ░░ is a card that you do not see")
    if variant.special_decision:
        yield _("p plays a mão de {special}, n refuses it").format(special=variant.special_at)
    yield _("a card typed before your turn is noted for it; 0 undoes it")
    yield _("signal and one of these is a sinal: {words}").format(words=", ".join(SINAIS))
    yield _("say TEXT talks to everybody, signal TEXT to your partners only; quickly:")
    yield ", ".join(f"!{number} {_(shout)}" for number, shout in enumerate(SHOUTS, 1))
    yield _("l looks at the table again, leave goes home")
    if asked is not None:
        yield prompt(asked, 0)
