"""What an arena plays, as one value: all that a result depends on, apart from the bots' code.

Every pair of bots meets in the same pairs of matches. The two legs of a pair are dealt the same
cards, hand by hand, with the seats swapped, so that luck cancels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Team
from p2ptruco.rules.variant import Variant, from_toggles, toggles

MOST_BOTS = 100


class Fixture(NamedTuple):
    """One match: entrants a and b (their places in the plan), the pair, and its leg."""

    a: int
    b: int
    pair: int
    leg: int
    """0: a plays for team A; 1: the same cards again, and b does."""

    def entrant(self, team: Team) -> int:
        """Who plays for a team; every member of it is that bot."""
        return (self.a, self.b)[(team + self.leg) % 2]

    def other(self, entrant: int) -> int:
        """Who the entrant plays against."""
        return self.a + self.b - entrant


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Bots as `find_bot` takes them, and how they meet. ValueError for what cannot be played."""

    bots: tuple[str, ...]
    pairs: int = 100
    seats: int = 2
    variant: Variant = MINEIRO
    seed: int = 0
    budget_ms: int = 1000
    """Time for one decision."""
    memory_mb: int = 2048
    """Address space of a process that plays, where the system can limit it; 0: no limit."""
    gauntlet: bool = False
    """Whether the first bot meets all others, and these do not meet each other."""
    sprt: tuple[float, float] | None = None
    """Two rates between which a sequential test ends each match-up early (`sequential`)."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.bots) <= MOST_BOTS:
            raise ValueError(f"from 2 to {MOST_BOTS} bots, not {len(self.bots)}")
        if self.seats not in self.variant.players:
            raise ValueError(f"{self.variant.name} is not for {self.seats} players")
        if self.pairs < 1 or self.budget_ms < 1 or self.memory_mb < 0:
            raise ValueError("nothing to play, or no time or memory to play it")
        if self.sprt is not None and not 0 < self.sprt[0] < self.sprt[1] < 1:
            raise ValueError("no two rates to tell apart")

    @property
    def matchups(self) -> tuple[tuple[int, int], ...]:
        """Everybody against everybody, or one against all."""
        pairs = combinations(range(len(self.bots)), 2)
        return tuple((a, b) for a, b in pairs if a == 0 or not self.gauntlet)

    def fixtures(self) -> Iterator[tuple[Fixture, Fixture]]:
        """Every pair of matches, so ordered that a stopped arena has played all bots alike."""
        for pair in range(self.pairs):
            for a, b in self.matchups:
                yield Fixture(a, b, pair, 0), Fixture(a, b, pair, 1)

    def as_object(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {
            "bots": list(self.bots),
            "pairs": self.pairs,
            "seats": self.seats,
            "variant": self.variant.name,
            "toggles": toggles(self.variant),
            "seed": self.seed,
            "budget_ms": self.budget_ms,
            "memory_mb": self.memory_mb,
            "gauntlet": self.gauntlet,
            "sprt": self.sprt and list(self.sprt),
        }

    @classmethod
    def from_object(cls, told: Mapping[str, Any]) -> Plan:
        """The plan that `as_object` made; ValueError, TypeError or KeyError for what is none."""
        return cls(
            bots=tuple(map(str, told["bots"])),
            variant=from_toggles(told["variant"], told["toggles"]),
            **{key: int(told[key]) for key in ("pairs", "seats", "seed", "budget_ms", "memory_mb")},
            gauntlet=bool(told.get("gauntlet")),
            sprt=_rates(told.get("sprt")),
        )


def _rates(told: Any) -> tuple[float, float] | None:
    return None if told is None else (float(told[0]), float(told[1]))


def labels(names: tuple[str, ...]) -> tuple[str, ...]:
    """Bots' names made different: the second `zap` is `zap#2`, which no bot can be called."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(found)
