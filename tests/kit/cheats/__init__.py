"""Dishonest peers, one class a cheat; `every_cheat` finds them all."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from tests.kit.cheats.base import Dishonest


def every_cheat() -> list[type[Dishonest]]:
    """All cheats that have a row, in the order in which they are written down."""
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        importlib.import_module(module.name)
    return [kind for kind in _below(Dishonest) if "title" in vars(kind)]


def _below(kind: type[Dishonest]) -> Iterator[type[Dishonest]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)
