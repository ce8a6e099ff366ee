"""How much a bot may have: of time, and of memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

MEMORY = "P2PTRUCO_BOT_MEMORY"
"""Environment variable: megabytes of address space for each bot; 0: no limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, and bytes."""

    budget: float = 1.0
    """For a decision."""
    grace: float = 0.5
    """For the way there and back, on a busy machine."""
    start: float = 20.0
    """For loading the bot, before anybody waits for it."""
    memory: int = 2 << 30
    """Address space of the process, where the system can limit it; 0: no limit."""

    @property
    def decision(self) -> float:
        """Seconds that the table waits."""
        return self.budget + self.grace

    @property
    def budget_ms(self) -> int:
        return round(1000 * self.budget)


def limits(budget: float = 1.0, environ: Mapping[str, str] = os.environ) -> Limits:
    """The limits of a table, memory as the environment has it."""
    text = environ.get(MEMORY, "")
    if text.isascii() and text.isdigit():
        return Limits(budget, memory=int(text) << 20)
    return Limits(budget)
