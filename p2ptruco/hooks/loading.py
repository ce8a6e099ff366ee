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
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial, reduce
from importlib import import_module
from typing import Any

import pluggy

from p2ptruco.hooks.finding import Entry, Switches, entries
from p2ptruco.hooks.offers import Bot, Fault, Offer, Plugin, Shelf, shown, valid_name
from p2ptruco.hooks.specs import GROUP, PLUGIN_API, Make, Specs
from p2ptruco.hooks.strangers import Broken, attempted
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.variant import Variant


@cache
def shelf() -> Shelf:
    """What this installation offers; read once."""
    return load(os.environ)


def load(environ: Mapping[str, str], path: list[str] | None = None) -> Shelf:
    """Everything that is installed on a path, under the switches of the environment."""
    loading = Loading()
    for entry in entries(Switches.read(environ), path):
        loading.take(entry)
    return Shelf(dict(loading.bots), dict(loading.variants), tuple(loading.plugins))


class Loading:
    """The shelf while it is being filled."""

    def __init__(self) -> None:
        self.bots: dict[str, Bot] = {}
        self.variants = {name: Offer(variant, "", "core") for name, variant in CORE.items()}
        self.plugins: list[Plugin] = []

    def take(self, entry: Entry) -> None:
        """Load what one entry names, and list it."""
        name, version = shown(entry.name) or "?", shown(entry.version)
        fault = entry.fault
        if fault is None:
            try:
                module = attempted(partial(_imported, entry.value))
            except Broken as broken:
                fault = Fault("broken", broken.detail)
            else:
                self.plugins.append(self.register(module, name, version))
                return
        self.plugins.append(Plugin(name, version, PLUGIN_API, faults=(fault,)))

    def register(self, module: object, name: str, version: str) -> Plugin:
        """Call a module's hooks; the plugin that this makes."""
        counter = _Counter(self, name, version)
        try:
            attempted(partial(counter.register, module))
        except Broken as broken:
            counter.faults.append(Fault("broken", broken.detail))
        return counter.plugin


class _Counter:
    """Where one plugin hands in what it offers."""

    def __init__(self, loading: Loading, plugin: str, version: str) -> None:
        self.loading, self.name, self.version, self.api = loading, plugin, version, PLUGIN_API
        self.manager = pluggy.PluginManager(GROUP)
        self.manager.add_hookspecs(Specs)
        self.bots: list[str] = []
        self.variants: list[str] = []
        self.faults: list[Fault] = []

    @property
    def plugin(self) -> Plugin:
        """What has been handed in, and what went wrong."""
        offered = tuple(self.bots), tuple(self.variants), tuple(self.faults)
        return Plugin(self.name, self.version, self.api, *offered)

    def register(self, module: object) -> None:
        """Call a module's hooks, unless it is made for a newer version of them."""
        api = getattr(module, "P2PTRUCO_PLUGIN_API", PLUGIN_API)
        self.api = api if type(api) is int else 0
        if type(api) is not int or api > PLUGIN_API:
            self.faults.append(Fault("newer_api", shown(api)))
            return
        self.manager.register(module)
        self.faults += self._misspelt(module)
        self._call("p2ptruco_register_bots", self.bot)
        self._call("p2ptruco_register_variants", self.variant)

    def _misspelt(self, module: object) -> list[Fault]:
        """Hooks of a module that nobody specified, and functions that lack the mark of a hook."""
        callers = self.manager.get_hookcallers(module) or []
        marked = {caller.name for caller in callers}
        unknown = [Fault("unknown_hook", shown(c.name)) for c in callers if not c.has_spec()]
        plain = [n for n in dir(module) if n.startswith("p2ptruco_register") and n not in marked]
        return unknown + [Fault("unmarked_hook", shown(name)) for name in sorted(plain)]

    def _call(self, hook: str, register: object) -> None:
        """Call the module's implementation of a hook, if it has one."""
        for impl in getattr(self.manager.hook, hook).get_hookimpls():
            try:
                attempted(partial(impl.function, *[register for _ in impl.argnames]))
            except Broken as broken:
                self.faults.append(Fault("hook_failed", broken.detail))

    def bot(self, name: str, make: Make, title: str = "") -> None:
        """`register` of p2ptruco_register_bots."""
        if not callable(make):
            self.faults.append(Fault("bad_offer", shown(name)))
        elif not valid_name(name):
            self.faults.append(Fault("bad_name", shown(name)))
        elif self._free(name, self.loading.bots):
            bot = Bot(name, shown(title) or name, self.name, self.version, make)
            self.loading.bots[name] = bot
            self.bots.append(name)

    def variant(self, variant: Variant, title: str = "") -> None:
        """`register` of p2ptruco_register_variants."""
        if type(variant) is not Variant:
            self.faults.append(Fault("bad_offer", shown(type(variant).__name__)))
            return
        variant = replace(variant)  # refused, if it has been changed into what cannot be
        if self._free(variant.name, self.loading.variants):
            offer = Offer(variant, shown(title) or variant.name, self.name)
            self.loading.variants[variant.name] = offer
            self.variants.append(variant.name)

    def _free(self, name: str, taken: Mapping[str, Any]) -> bool:
        """Whether nobody has the name yet; if not, the fault is noted."""
        if name in taken:
            self.faults.append(Fault("name_taken", name))
        return name not in taken


def _imported(value: str) -> object:
    """What an entry point names: `module` or `module:attribute`, extras left aside."""
    module, _, attributes = value.partition("[")[0].partition(":")
    names = [name.strip() for name in attributes.split(".") if name.strip()]
    return reduce(getattr, names, import_module(module.strip()))
