"""What plugins bring, and what can be wrong with them, as values.

Names and titles are clean before they get here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from p2ptruco.hooks.specs import Make
from p2ptruco.rules.variant import Variant
from p2ptruco.text import clean

NAME = re.compile(r"(?=.{1,40}\Z)[a-z0-9][a-z0-9_-]*(:[a-z0-9_-]+)?")

FAULTS = frozenset(
    {
        "bad_name",
        "bad_offer",
        "broken",
        "disabled",
        "hook_failed",
        "name_taken",
        "newer_api",
        "no_entry",
        "unknown_hook",
        "unmarked_hook",
        "unreadable",
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a plugin: a code of FAULTS, and the name or the error it is about."""

    code: str
    detail: str = ""

    def __str__(self) -> str:
        """As it crosses from the process that found it; `fault_in` reads it."""
        return f"{self.code}: {self.detail}"


def fault_in(text: str) -> Fault | None:
    """The fault that a text is of; None for any other text."""
    code, _, detail = text.partition(": ")
    return Fault(code, detail) if code in FAULTS else None


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that can be seated."""

    name: str
    title: str
    plugin: str
    version: str
    make: Make = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant that can be played, and where it comes from (`core` or a plugin's name)."""

    variant: Variant
    title: str
    source: str


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin as it was found: faulty or not, it is listed."""

    name: str
    version: str
    api: int
    bots: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything on offer, by name, in order of arrival."""

    bots: Mapping[str, Bot]
    variants: Mapping[str, Offer]
    plugins: tuple[Plugin, ...]


def valid_name(name: object) -> bool:
    """Names of bots: lower-case letters, digits, - and _, a level behind a colon; 40 at most."""
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def shown(text: object) -> str:
    """A stranger's text, clean and short."""
    return clean(str(text), max_bytes=240, max_graphemes=100)


def described(error: BaseException) -> str:
    """An error in one clean line; one that says nothing, or cannot say it, has at least a name."""
    try:
        text = str(error)
    except BaseException:
        text = ""
    return shown(f"{type(error).__name__}: {text}" if text else type(error).__name__)
