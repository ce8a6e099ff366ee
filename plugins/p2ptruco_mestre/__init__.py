"""`mestre`, the strong bot, and its two easier levels.

What it knows was learned by `p2ptruco train` and lies in `data`; it is read when a match begins.
"""

from __future__ import annotations

from functools import partial

import p2ptruco

P2PTRUCO_PLUGIN_API = 1

LEVELS = {
    "mestre": (1.0, "Mestre, the strong one: trained by playing itself"),
    "mestre:medio": (0.55, "Mestre, medium: plays its best now and then"),
    "mestre:facil": (0.15, "Mestre, easy: mostly guesses, and tells by its cards"),
}
"""How much of its play is its best, and the title, by name."""


def _make(skill: float) -> p2ptruco.Chooser:
    from .mestre import Mestre

    return Mestre(skill)


@p2ptruco.hookimpl
def p2ptruco_register_bots(register: p2ptruco.RegisterBot) -> None:
    """Offer the three levels; each match has a bot of its own, which learns within it."""
    for name, (skill, title) in LEVELS.items():
        register(name, partial(_make, skill), title=title)
