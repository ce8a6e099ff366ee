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
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from typing import Any

import pluggy

from p2ptruco.hooks.offers import Bot, Fault, Offer, Plugin, Shelf, described, shown, valid_name
from p2ptruco.hooks.specs import GROUP, PLUGIN_API, Make, Specs
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant


@cache
def shelf() -> Shelf:
    """What this installation offers; read once."""
    return load(metadata.entry_points(group=GROUP), os.environ)


def load(points: Iterable[metadata.EntryPoint], environ: Mapping[str, str]) -> Shelf:
    """Everything that these entry points offer, under the switches of the environment."""
    only, barred = _names(environ, "LOAD"), _names(environ, "DISABLE") or frozenset()
    loading = Loading()
    for point in sorted(points, key=_ours_first):
        if only is None or point.name in only:
            loading.take(point, barred=point.name in barred)
    return Shelf(loading.bots, loading.variants, tuple(loading.plugins))


class Loading:
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
            fault = Fault("newer_api", shown(api))
            return Plugin(name, version, api if isinstance(api, int) else 0, faults=(fault,))
        counter = _Counter(self, name, version)
        try:
            self.manager.register(module, name)
        except (ValueError, pluggy.PluginValidationError) as error:
            return Plugin(name, version, api, faults=(Fault("broken", described(error)),))
        counter.faults += self._misspelt(module)
        counter.call("p2ptruco_register_bots", counter.bot)
        counter.call("p2ptruco_register_variants", counter.variant)
        return Plugin(
            name, version, api, tuple(counter.bots), tuple(counter.variants), tuple(counter.faults)
        )

    def _misspelt(self, module: object) -> list[Fault]:
        """Hooks of a module that nobody specified, and functions that lack the mark of a hook."""
        callers = self.manager.get_hookcallers(module) or []
        marked = {caller.name for caller in callers}
        unknown = [Fault("unknown_hook", shown(c.name)) for c in callers if not c.has_spec()]
        plain = [n for n in vars(module) if n.startswith("p2ptruco_register") and n not in marked]
        return unknown + [Fault("unmarked_hook", shown(name)) for name in sorted(plain)]


class _Counter:
    """Where one plugin hands in what it offers."""

    def __init__(self, loading: Loading, plugin: str, version: str) -> None:
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
            self.faults.append(Fault("bad_offer", shown(name)))
        elif not valid_name(name):
            self.faults.append(Fault("bad_name", shown(name)))
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

    def _free(self, name: str, taken: Mapping[str, Any]) -> bool:
        """Whether nobody has the name yet; if not, the fault is noted."""
        if name in taken:
            self.faults.append(Fault("name_taken", name))
        return name not in taken


def _names(environ: Mapping[str, str], verb: str) -> frozenset[str] | None:
    text = environ.get(f"P2PTRUCO_{verb}_PLUGINS")
    return None if text is None else frozenset(text.replace(",", " ").split())


def _ours_first(point: metadata.EntryPoint) -> tuple[bool, str, str]:
    """Bundled plugins first, then by distribution and name: the same order on every machine."""
    owner = point.dist.name if point.dist else ""
    return owner != GROUP, owner, point.name
