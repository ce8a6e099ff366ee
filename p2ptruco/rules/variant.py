"""What people agree on before they sit down, as one value that refuses at birth what cannot be.

A toggle is a field with a default that means "as in Mineiro", and one reader. `toggles` writes
every field as the notation does and `from_toggles` reads it back: two variants are equal exactly
if their names and toggles are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from p2ptruco.rules.cards import RANKS, SUITS, Card
from p2ptruco.rules.options import AllTied, CallInSpecial, Iron, PartnersTie
from p2ptruco.rules.scale import SCALES, Scale
from p2ptruco.rules.seating import CARDS_EACH, SIZES
from p2ptruco.rules.toggles import FIXED as FIXED
from p2ptruco.rules.toggles import TEXT

MAX_TARGET: Final = 1000
MAX_TEXT: Final = 256
"""Characters of a toggle's value, as it is written."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The rules of one table. ValueError for a value that cannot be."""

    name: str
    """Lower-case letters, digits, `.`, `_`, `-`; at most 40."""
    players: frozenset[int] = frozenset(SIZES)
    """Allowed table sizes."""
    ranks: str = RANKS
    """The deck's ranks, weakest first."""
    manilhas: tuple[Card, ...] = FIXED
    """Strongest first; empty: the vira names them."""
    scale: Scale = SCALES["2-4-6-10-12"]
    target: int = 12
    all_tied: AllTied = AllTied.NOBODY
    partners_tie: PartnersTie = PartnersTie.TRICK
    call_in_special: CallInSpecial = CallInSpecial.ILLEGAL
    special_decision: bool = True
    """Whether the special team may refuse; without, the hand is simply played."""
    iron: Iron = Iron.BLIND
    fold: bool = True
    face_down_from: int | None = 2
    """The first trick in which a card may be laid face down; None: no trick."""
    best_of: int = 1

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, _brought_to(kind, getattr(self, name)))
        for fault, is_so in _FAULTS.items():
            if is_so(self):
                raise ValueError(f"variant {self.name!r}: {fault}")

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards by index: by rank, weakest first, then by suit as in SUITS."""
        return _deck(self.ranks)

    def has(self, card: Card) -> bool:
        """Whether a card is one of the deck."""
        return card in _cards(self.ranks)

    @property
    def has_vira(self) -> bool:
        return not self.manilhas

    @property
    def special_at(self) -> int:
        """The score from which one more base wins."""
        return self.target - self.scale.base


@lru_cache(maxsize=64)
def _deck(ranks: str) -> tuple[Card, ...]:
    return tuple(Card(rank, suit) for rank in ranks for suit in SUITS)


@lru_cache(maxsize=64)
def _cards(ranks: str) -> frozenset[Card]:
    return frozenset(_deck(ranks))


_KINDS: Final[Mapping[str, Callable[[Any], object]]] = {
    "players": frozenset,
    "manilhas": lambda cards: tuple(Card(*card) for card in cards),
    "all_tied": AllTied,
    "partners_tie": PartnersTie,
    "call_in_special": CallInSpecial,
    "iron": Iron,
}
"""Fields that are brought to their type, so that `all_tied="dealer"` will do."""


def _brought_to(kind: Callable[[Any], object], value: object) -> object:
    try:
        return kind(value)
    except TypeError as error:
        raise ValueError(f"impossible value: {value!r}") from error


def _too_few_cards(variant: Variant) -> bool:
    needed = max(variant.players) * CARDS_EACH + variant.has_vira
    return needed > len(variant.ranks) * len(SUITS)


_FAULTS: Final[Mapping[str, Callable[[Variant], bool]]] = {
    "not a name": lambda v: not isinstance(v.name, str) or not _NAME.fullmatch(v.name),
    "players are some of 2, 4, 6 and 8": lambda v: (
        not v.players or not all(_is_one_of(size, SIZES) for size in v.players)
    ),
    "ranks are some of 4567QJKA23, each once": lambda v: (
        not isinstance(v.ranks, str)
        or not set(v.ranks) <= set(RANKS)
        or len(set(v.ranks)) < len(v.ranks)
    ),
    "a manilha twice": lambda v: len(set(v.manilhas)) < len(v.manilhas),
    "a manilha outside the deck": lambda v: not set(v.manilhas) <= set(v.deck),
    "more cards than the deck holds": _too_few_cards,
    "not a scale": lambda v: not isinstance(v.scale, Scale),
    "a scale too long to write down": lambda v: len(str(v.scale)) > MAX_TEXT,
    "not a target": lambda v: type(v.target) is not int or not 0 < v.target <= MAX_TARGET,
    "the top of the scale passes the target": lambda v: v.scale.steps[-1] > v.target,
    "special_decision and fold are yes or no": lambda v: (
        type(v.special_decision) is not bool or type(v.fold) is not bool
    ),
    "face_down_from is 1, 2 or none": lambda v: not _is_one_of(v.face_down_from, (1, 2, None)),
    "best_of is 1 or 3": lambda v: not _is_one_of(v.best_of, (1, 3)),
}
"""What a variant cannot be, in the order in which it is looked for."""


def _is_one_of(value: object, choices: Iterable[int | None]) -> bool:
    return any(type(value) is type(choice) and value == choice for choice in choices)


TOGGLES: Final = tuple(TEXT)
"""The name of every toggle, in the order in which they are written."""


def toggles(variant: Variant) -> dict[str, str]:
    """Every toggle with its value as the notation writes it."""
    return {name: write(getattr(variant, name)) for name, (_, write) in TEXT.items()}


def from_toggles(name: str, mapping: Mapping[str, str], base: Variant | None = None) -> Variant:
    """The variant that `toggles` wrote; toggles left out are as in `base` (Mineiro by default).

    ValueError for an unknown toggle or an impossible value.
    """
    unknown = set(mapping) - set(TEXT)
    if unknown:
        raise ValueError(f"no such toggle: {sorted(unknown)}")
    kept = {} if base is None else {toggle: getattr(base, toggle) for toggle in TEXT}
    read = {toggle: TEXT[toggle][0](text) for toggle, text in mapping.items()}
    return Variant(name=name, **(kept | read))


def differs(variant: Variant, base: Variant) -> dict[str, str]:
    """The toggles of a variant that differ from another's, names left aside."""
    theirs = toggles(base)
    return {name: text for name, text in toggles(variant).items() if text != theirs[name]}
