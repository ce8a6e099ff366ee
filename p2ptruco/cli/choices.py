"""Names that people type for variants, bots, table sizes and files; a wrong one is a sentence."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure
from p2ptruco.ui.reasons import no_bot, no_variant, system
from p2ptruco.ui.reasons import unwritten as unwritten_because
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.hooks import NoBot, NoVariant, Offer
    from p2ptruco.rules.variant import Variant


def offer_of(text: str) -> Offer:
    """The variant of a name or a file, perhaps with toggles: `mineiro fold=no best_of=3`.

    A file is run, in this process.
    """
    from p2ptruco.hooks import NoVariant, find_variant, is_path

    name, pairs = _of_file(text) if is_path(text) else _of_name(text)
    try:
        offer = find_variant(name)
    except NoVariant as missing:
        raise _no_variant(missing) from missing
    return _with_toggles(offer, pairs) if pairs else offer


def _of_name(text: str) -> tuple[str, list[str]]:
    name, *pairs = text.split() or [""]
    return name, pairs


def _of_file(text: str) -> tuple[str, list[str]]:
    """A file's path, which may hold blanks, and the toggles after it."""
    *path, last = re.split(r"((?:\s+\w+=\S*)+)\s*$", text, maxsplit=1)
    return (path[0], path[1].split()) if path else (last, [])


def _no_variant(missing: NoVariant) -> Failure:
    """Why there is no such variant, and which one may be meant."""
    from p2ptruco.hooks import shelf

    unknown = missing.code == "unknown_variant"
    hint = hints(missing.name, shelf().variants) if unknown else ""
    return Failure(missing.code, no_variant(missing) + hint, WRONG_USE)


def _with_toggles(offer: Offer, pairs: Sequence[str]) -> Offer:
    from p2ptruco.rules.variant import from_toggles

    split = [pair.partition("=") for pair in pairs]
    toggles = {toggle: value for toggle, _equals, value in split}
    try:
        if len(toggles) < len(pairs):
            raise ValueError("a toggle twice")
        variant = from_toggles(offer.variant.name, toggles, offer.variant)
    except ValueError as error:
        sentence = _("{name} cannot be played with {toggles}.")
        message = sentence.format(name=offer.variant.name, toggles=printable(" ".join(pairs)))
        raise Failure("bad_variant", message, WRONG_USE) from error
    return replace(offer, variant=variant)


def bots_named(names: str, seats: int) -> list[str]:
    """What the bots of a list like `zap,./mine.py` were called by, one a seat; each is there.

    A shorter list is repeated. A file is run in a process of its own to find out.
    """
    from p2ptruco.hooks import is_path

    wanted = _names(names, seats)
    for name in dict.fromkeys(wanted):
        _loaded(name) if is_path(name) else _on_shelf(name)
    return [wanted[seat % len(wanted)] for seat in range(seats)]


def strongest() -> str:
    """The bot that plays where nobody says which: mestre, or zap if no plugin brings it."""
    from p2ptruco.cli.command import STRONGEST
    from p2ptruco.hooks import shelf

    return STRONGEST if STRONGEST in shelf().bots else "zap"


def _names(names: str, seats: int) -> list[str]:
    wanted = [name.strip() for name in names.split(",")]
    if len(wanted) > seats:
        sentence = _("{count} bots are too many for {seats} seats.")
        message = sentence.format(count=len(wanted), seats=seats)
        raise Failure("too_many_bots", message, WRONG_USE)
    return wanted


def _loaded(path: str) -> None:
    """Load a bot's file once, in a process of its own."""
    from p2ptruco.cli.running import run
    from p2ptruco.hooks import NoBot
    from p2ptruco.players.sandbox.limits import limits
    from p2ptruco.players.sandbox.mind import probe

    async def load() -> str:
        try:
            return await probe(path, limits())
        except NoBot as missing:
            raise _no_bot(missing) from missing

    run(load)


def _on_shelf(name: str) -> None:
    from p2ptruco.hooks import NoBot, find_bot

    try:
        find_bot(name)
    except NoBot as missing:
        raise _no_bot(missing) from missing


def _no_bot(missing: NoBot) -> Failure:
    """Why there is no such bot, and which one may be meant."""
    from p2ptruco.hooks import shelf

    hint = hints(missing.name, shelf().bots) if missing.code == "unknown_bot" else ""
    return Failure(missing.code, no_bot(missing) + hint, WRONG_USE)


def check_size(variant: Variant, seats: int) -> None:
    """Refuse a table size that the variant does not allow."""
    if seats not in variant.players:
        sizes = ", ".join(map(str, sorted(variant.players)))
        sentence = _("{variant} is not played by {seats}; it is by {sizes}.")
        message = sentence.format(variant=variant.name, seats=seats, sizes=sizes)
        raise Failure("wrong_size", message, WRONG_USE)


def check_folder(name: str | None) -> None:
    """Refuse a file to be written where there is no folder for it, before anything is played."""
    if name is not None and not (folder := Path(name).absolute().parent).is_dir():
        message = _("There is no folder {name}.").format(name=folder)
        raise Failure("no_folder", message, WRONG_USE)


def check_record(name: str | None) -> None:
    """Refuse a place for a record where none could be written, or where something lies that is
    neither a file nor a folder: it would be replaced, and a device with it."""
    check_folder(name)
    if name is None:
        return
    path = Path(name).absolute()
    if path.exists() and not (path.is_file() or path.is_dir()):
        message = _("{name} is no file that a record could replace.").format(name=printable(name))
        raise Failure("no_file", message, WRONG_USE)
    if not os.access(path if path.is_dir() else path.parent, os.W_OK):
        raise unwritten(system(PermissionError()), WRONG_USE)


def unwritten(reason: str, status: int = FAILED) -> Failure:
    """No record could be kept."""
    return Failure("unwritable", unwritten_because(reason), status)


def hints(name: str, known: Iterable[str]) -> str:
    """What may be the matter with a name that nobody offers: a slip, or a plugin that is broken."""
    from p2ptruco.hooks import shelf

    faults = [fault for plugin in shelf().plugins for fault in plugin.faults]
    if all(fault.code == "disabled" for fault in faults):
        return meant(name, known)
    broken = _("An installed plugin did not load, at least in part: `p2ptruco plugins` says why.")
    return f"{meant(name, known)} {broken}"


def meant(name: str, known: Iterable[str]) -> str:
    """A hint at the closest name, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return " " + _("Did you mean {name}?").format(name=close[0]) if close else ""


def printable(text: str) -> str:
    """What somebody typed, fit to be shown to them again."""
    from p2ptruco.text import clean

    return clean(text, 120, 60) or "?"
