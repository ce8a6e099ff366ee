"""What each toggle of a variant means, in words.

1. SENTENCES has every toggle, in the order in which they are written, and every value of it. ANY
   stands for all values that have no sentence of their own.
2. A sentence has the numbers, cards and calls of its own variant in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from p2ptruco.rules.variant import Variant, differs, toggles
from p2ptruco.ui.terminal.cards import card_text
from p2ptruco.ui.words import N_, _

ANY: Final = ""

SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "players": {ANY: N_("the table has {sizes} seats")},
    "ranks": {ANY: N_("the deck has {count} cards, of the ranks, weakest first: {ranks}")},
    "manilhas": {
        ANY: N_("the manilhas are always, strongest first: {manilhas}"),
        "vira": N_(
            "a card turned up, the vira, names the manilhas: the four cards of the next rank, "
            "strongest first clubs, hearts, spades, diamonds"
        ),
    },
    "scale": {
        ANY: N_(
            "a hand is worth {base}, and the calls make it: {calls}; "
            "the mão de {special} is worth {worth}"
        )
    },
    "target": {ANY: N_("the match is won at {target} points")},
    "all_tied": {
        "nobody": N_("three tied tricks: nobody scores"),
        "dealer": N_("three tied tricks: the dealer's team wins the hand"),
        "eldest": N_("three tied tricks: the team of whoever led the hand wins it"),
    },
    "partners_tie": {
        "trick": N_("equal cards of partners, if they are the strongest, take the trick"),
        "tie": N_("equal strongest cards tie the trick, even if all of them are of one team"),
    },
    "call_in_special": {
        "illegal": N_("in the mão de {special} nobody can call"),
        "forfeit": N_("whoever calls in the mão de {special} loses the match"),
    },
    "special_decision": {
        "yes": N_("the mão de {special} may be refused: the other team then scores {base}"),
        "no": N_("the mão de {special} cannot be refused: it is played for {worth} points"),
    },
    "iron": {
        "blind": N_("in the mão de ferro nobody sees their own cards"),
        "open": N_("in the mão de ferro everybody sees their own cards"),
    },
    "fold": {
        "yes": N_("a player may fold the hand on their turn"),
        "no": N_("nobody can fold the hand on their turn; a call may be run from"),
    },
    "face_down_from": {
        "2": N_("a card may be laid face down from the second trick on"),
        "1": N_("a card may be laid face down from the first trick on"),
        "none": N_("no card may be laid face down"),
    },
    "best_of": {
        "1": N_("one match is played"),
        "3": N_("best of three: whoever wins two matches wins the set"),
    },
}


def sentence(toggle: str, variant: Variant) -> str:
    """What a toggle means as this variant has it."""
    sentences = SENTENCES[toggle]
    text = sentences.get(toggles(variant)[toggle], sentences.get(ANY, ""))
    scale = variant.scale
    return _(text).format(
        sizes=_listed([str(size) for size in sorted(variant.players)]),
        count=len(variant.deck),
        ranks=" ".join(variant.ranks),
        manilhas=" ".join(map(card_text, variant.manilhas)),
        base=scale.base,
        calls=", ".join(f"{call.word} {call.points}" for call in scale.calls),
        worth=scale.calls[0].points,
        special=variant.special_at,
        target=variant.target,
    )


def unlike(variant: Variant, base: Variant) -> Iterator[str]:
    """What differs from another variant: the toggles as they are typed, then each in words."""
    changed = differs(variant, base)
    if changed:
        pairs = " ".join(f"{toggle}={value}" for toggle, value in changed.items())
        yield _("unlike {variant}: {toggles}").format(variant=base.name, toggles=pairs)
        yield from ("  " + sentence(toggle, variant) for toggle in changed)


def _listed(parts: Sequence[str]) -> str:
    """`2, 4 or 6`."""
    *first, last = parts
    return _("{some} or {last}").format(some=", ".join(first), last=last) if first else last
