"""Hooks: how a stranger's bots and variants come in.

1. A hook offers data or makes a choice; it never changes a rule.
2. Entry points of the group `p2ptruco` are loaded one by one, ours first. A plugin that is broken
   is listed with its faults and stops nobody; what it offered before the fault stays.
3. A name belongs to the first who offers it. Names and titles are clean before anyone sees them.
4. `P2PTRUCO_LOAD_PLUGINS=a,b` loads these plugins only (empty: none); `P2PTRUCO_DISABLE_PLUGINS=a`
   keeps some out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Any, Protocol

import pluggy

from p2ptruco.rules.moves import Move
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View
from p2ptruco.table.text import clean

GROUP = "p2ptruco"
PLUGIN_API = 1
"""The version of the hooks. A plugin that sets a newer `P2PTRUCO_PLUGIN_API` is not loaded."""

NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
LONGEST_NAME = 40

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)

Choose = Callable[[View], Move]


class Chooser(Protocol):
    """A bot that is an object: `choose`, and any of the lifecycle calls."""

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


FAULTS = frozenset(
    {
        "bad_name",
        "bad_offer",
        "broken",
        "disabled",
        "hook_failed",
        "name_taken",
        "newer_api",
        "unknown_hook",
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a plugin: a code of FAULTS, and the name or the error it is about."""

    code: str
    detail: str = ""


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


@cache
def shelf() -> Shelf:
    """What this installation offers; read once."""
    return load(metadata.entry_points(group=GROUP), os.environ)


def load(points: Iterable[metadata.EntryPoint], environ: Mapping[str, str]) -> Shelf:
    """Everything that these entry points offer, under the switches of the environment."""
    only, barred = _names(environ, "LOAD"), _names(environ, "DISABLE") or frozenset()
    loading = _Loading()
    for point in sorted(points, key=_ours_first):
        if only is None or point.name in only:
            loading.take(point, barred=point.name in barred)
    return Shelf(loading.bots, loading.variants, tuple(loading.plugins))


class _Loading:
    """The shelf while it is being filled."""

    def __init__(self) -> None:
        self.manager = pluggy.PluginManager(GROUP)
        self.manager.add_hookspecs(Specs)
        self.bots: dict[str, Bot] = {}
        self.variants = {name: Offer(variant, "", "core") for name, variant in CORE.items()}
        self.plugins: list[Plugin] = []

    def take(self, point: metadata.EntryPoint, *, barred: bool) -> None:
        """Load one entry point and list it."""
        name, version = shown(point.name), shown(point.dist.version if point.dist else "")
        if barred:
            self.plugins.append(Plugin(name, version, PLUGIN_API, faults=(Fault("disabled"),)))
            return
        try:
            module = point.load()
        except (Exception, SystemExit) as error:
            fault = Fault("broken", described(error))
            self.plugins.append(Plugin(name, version, PLUGIN_API, faults=(fault,)))
            return
        self.plugins.append(self.register(module, name, version))

    def register(self, module: object, name: str, version: str) -> Plugin:
        """Call a module's hooks; the plugin that this makes."""
        api = getattr(module, "P2PTRUCO_PLUGIN_API", PLUGIN_API)
        if not isinstance(api, int) or api > PLUGIN_API:
            fault = Fault("newer_api", shown(str(api)))
            return Plugin(name, version, api if isinstance(api, int) else 0, faults=(fault,))
        counter = _Counter(self, name, version)
        counter.faults += [Fault("unknown_hook", hook) for hook in self._hooks(module, name)]
        counter.call("p2ptruco_register_bots", counter.bot)
        counter.call("p2ptruco_register_variants", counter.variant)
        return Plugin(
            name, version, api, tuple(counter.bots), tuple(counter.variants), tuple(counter.faults)
        )

    def _hooks(self, module: object, name: str) -> list[str]:
        """Register a module with pluggy and return the hooks of it that nobody specified."""
        self.manager.register(module, name)
        callers = self.manager.get_hookcallers(module) or []
        return [shown(caller.name) for caller in callers if caller.spec is None]


class _Counter:
    """Where one plugin hands in what it offers."""

    def __init__(self, loading: _Loading, plugin: str, version: str) -> None:
        self.loading, self.plugin, self.version = loading, plugin, version
        self.bots: list[str] = []
        self.variants: list[str] = []
        self.faults: list[Fault] = []

    def call(self, hook: str, register: object) -> None:
        """Call this plugin's implementation of a hook, if it has one."""
        for impl in getattr(self.loading.manager.hook, hook).get_hookimpls():
            if impl.plugin_name != self.plugin:
                continue
            try:
                impl.function(*[register for _ in impl.argnames])
            except (Exception, SystemExit) as error:
                self.faults.append(Fault("hook_failed", described(error)))

    def bot(self, name: str, make: Make, title: str = "") -> None:
        """`register` of p2ptruco_register_bots."""
        if not callable(make):
            self.faults.append(Fault("bad_offer", shown(str(name))))
        elif self._free(name, self.loading.bots):
            bot = Bot(name, shown(title) or name, self.plugin, self.version, make)
            self.loading.bots[name] = bot
            self.bots.append(name)

    def variant(self, variant: Variant, title: str = "") -> None:
        """`register` of p2ptruco_register_variants."""
        if not isinstance(variant, Variant):
            self.faults.append(Fault("bad_offer", shown(type(variant).__name__)))
        elif self._free(variant.name, self.loading.variants):
            offer = Offer(variant, shown(title) or variant.name, self.plugin)
            self.loading.variants[variant.name] = offer
            self.variants.append(variant.name)

    def _free(self, name: object, taken: Mapping[str, Any]) -> bool:
        """Whether the name may be given; if not, the fault is noted."""
        if not valid_name(name):
            self.faults.append(Fault("bad_name", shown(str(name))))
        elif name in taken:
            self.faults.append(Fault("name_taken", str(name)))
        return valid_name(name) and name not in taken


def valid_name(name: object) -> bool:
    """Names of bots and variants: lower-case words joined by - _ or a dot, 40 characters at most."""
    return isinstance(name, str) and len(name) <= LONGEST_NAME and bool(NAME.fullmatch(name))


def shown(text: object) -> str:
    """A stranger's text, clean and short."""
    return clean(str(text), max_bytes=240, max_graphemes=100)


def described(error: BaseException) -> str:
    """An error in one clean line."""
    return shown(f"{type(error).__name__}: {error}")


def _names(environ: Mapping[str, str], verb: str) -> frozenset[str] | None:
    text = environ.get(f"P2PTRUCO_{verb}_PLUGINS")
    return None if text is None else frozenset(text.replace(",", " ").split())


def _ours_first(point: metadata.EntryPoint) -> tuple[bool, str, str]:
    """Bundled plugins first, then by distribution and name: the same order on every machine."""
    owner = point.dist.name if point.dist else ""
    return owner != GROUP, owner, point.name
