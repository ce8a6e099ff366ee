"""Bots by name or by path: whatever takes a bot's name takes `./bot.py` and `bot.py:name` too.

A file offers what its hook registers, else its `choose`. `:name` picks one of the registered bots,
or a function of the file. The file is run: whoever names it trusts it, as with any program; what
it raises, of any sort, is `broken_file`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from p2ptruco.hooks.loading import Loading, shelf
from p2ptruco.hooks.offers import Bot, Offer, described, shown, valid_name
from p2ptruco.hooks.strangers import Broken, attempted
from p2ptruco.text import clean

NO_BOT = frozenset(
    {
        "unknown_bot",
        "no_file",
        "broken_file",
        "slow_file",
        "load_crashed",
        "no_bot_in_file",
        "several_bots",
    }
)

NO_VARIANT = frozenset(
    {"unknown_variant", "no_file", "broken_file", "no_variant_in_file", "several_variants"}
)


class Missing(Exception):
    """Nothing under a name or in a file; `name` and `detail` are fit to be shown.

    The detail of a broken file is the error that loading it raised, or the text of a `Fault`; of
    `load_crashed` how the process ended that loaded it, and its last words.
    """

    def __init__(self, code: str, name: str, detail: str = "") -> None:
        super().__init__(f"{code}: {name} {detail}")
        self.code, self.name, self.detail = code, shown(name), shown(detail)


class NoBot(Missing):
    """There is no such bot; `code` is one of NO_BOT."""


class NoVariant(Missing):
    """There is no such variant; `code` is one of NO_VARIANT."""


def find_bot(text: str) -> Bot:
    """The bot that a name or a path stands for. Raises NoBot."""
    if is_path(text):
        return _from_file(text)
    if text not in shelf().bots:
        raise NoBot("unknown_bot", text)
    return shelf().bots[text]


def find_variant(text: str) -> Offer:
    """The variant that a name or a path stands for. Raises NoVariant."""
    if not is_path(text):
        if text not in shelf().variants:
            raise NoVariant("unknown_variant", text)
        return shelf().variants[text]
    path, wanted = in_file(text)
    loading = Loading()
    plugin = loading.register(_run(path, text, NoVariant), shown(path.name), "")
    if plugin.faults:
        raise NoVariant("broken_file", str(path), str(plugin.faults[0]))
    names = [name for name in plugin.variants if wanted in ("", name)]
    if len(names) != 1:
        code = "several_variants" if names else "no_variant_in_file"
        raise NoVariant(code, str(path), ", ".join(names))
    return loading.variants[names[0]]


def is_path(text: str) -> bool:
    """Whether a bot or a variant is named by its file."""
    return os.sep in text or "/" in text or text.endswith(".py") or ".py:" in text


def in_file(text: str) -> tuple[Path, str]:
    """The file of a path like `bot.py` or `bot.py:name`, and the name or nothing."""
    path, _, wanted = text.rpartition(":") if ".py:" in text else (text, "", "")
    return Path(path), wanted


def called(text: str) -> str:
    """What a bot of this name or path is called at a table: clean, and short enough for a number
    behind it."""
    return clean(in_file(text)[0].stem, max_bytes=60, max_graphemes=20) or "bot"


def _from_file(text: str) -> Bot:
    path, wanted = in_file(text)
    module = _run(path, text, NoBot)
    loading = Loading()
    plugin = loading.register(module, shown(path.name), "")
    if wanted:
        return loading.bots.get(wanted) or _function(module, wanted, path)
    if len(plugin.bots) > 1:
        raise NoBot("several_bots", str(path), ", ".join(plugin.bots))
    if plugin.bots:
        return loading.bots[plugin.bots[0]]
    if plugin.faults:
        raise NoBot("broken_file", str(path), str(plugin.faults[0]))
    return _function(module, "choose", path)


def _function(module: ModuleType, name: str, path: Path) -> Bot:
    """A bot of one function of a file, named after the file."""
    try:
        choose = attempted(lambda: getattr(module, name, None))
    except Broken as broken:
        raise NoBot("broken_file", str(path), broken.detail) from broken
    if not callable(choose):
        raise NoBot("no_bot_in_file", str(path), shown(name))
    stem = path.stem.lower()
    shown_name = stem if valid_name(stem) else "bot"
    return Bot(shown_name, shown_name, shown(path.name), "", lambda: choose)


def _run(path: Path, text: str, missing: type[Missing]) -> ModuleType:
    """The module that a file makes."""
    try:
        if not path.is_file():
            raise missing("no_file", str(path))
    except OSError as error:  # a folder that one may not enter, a name that is too long
        raise missing("broken_file", text, described(error)) from error
    name = "p2ptruco_bot_" + hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    spec = spec_from_file_location(name, path) or spec_from_file_location(
        name, path, loader=SourceFileLoader(name, str(path))
    )
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        attempted(partial(spec.loader.exec_module, module))
    except Broken as broken:
        sys.modules.pop(name, None)
        raise missing("broken_file", text, broken.detail) from broken
    return module
