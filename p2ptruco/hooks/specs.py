"""What a hook is: its exact signature, and what it may hand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import pluggy

from p2ptruco.rules.moves import Move
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View

GROUP = "p2ptruco"
PLUGIN_API = 1
"""The version of the hooks. A plugin that sets a newer `P2PTRUCO_PLUGIN_API` is not loaded."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)

Choose = Callable[[View], Move]

EVENTS = ("match_started", "hand_started", "trick_done", "hand_done", "match_done")
"""The lifecycle calls: each tells a bot that has it what has happened, as a view."""


class Chooser(Protocol):
    """A bot that is an object: `choose`, and any of EVENTS."""

    def choose(self, view: View) -> Move: ...


Make = Callable[[], Choose | Chooser]


class RegisterBot(Protocol):
    """`register(name, make, title=…)`: make() is called once a match."""

    def __call__(self, name: str, make: Make, title: str = "") -> None: ...


class RegisterVariant(Protocol):
    """`register(variant, title=…)`: the variant is offered under its own name."""

    def __call__(self, variant: Variant, title: str = "") -> None: ...


class Specs:
    """The hooks, with their exact signatures."""

    @hookspec
    def p2ptruco_register_bots(self, register: RegisterBot) -> None:
        """Offer bots."""

    @hookspec
    def p2ptruco_register_variants(self, register: RegisterVariant) -> None:
        """Offer variants."""
