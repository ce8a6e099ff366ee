"""What is said to a person at the table: the cards, the table, and what may be answered.

Every line stands by itself, so that it can be read aloud, and nothing is said by colour or place.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.rules.hand import Kind
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from p2ptruco.rules.seating import slots_of
from p2ptruco.rules.view import View
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
    yield _("* marks a manilha, the strongest cards; ░░ is a card that you do not see")
    yield _("p plays a mão de dez or mão de onze, n refuses it")
    yield _("a card typed before your turn is noted for it; 0 undoes it")
    yield _("say TEXT talks to everybody, signal TEXT to your partners only; quickly:")
    yield ", ".join(f"!{number} {_(shout)}" for number, shout in enumerate(SHOUTS, 1))
    yield _("l looks at the table again, leave goes home")
    if view is not None:
        yield prompt(view, 0)
