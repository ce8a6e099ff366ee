"""Finding plugins: the entry points of the group `p2ptruco` of every package, in whatever state.

1. A package is known by the name of its folder, before anything of it is read. A switch of the
   environment names a plugin or its whole package; what is kept out by its package is not read.
2. A package whose entry points cannot be read, or have a line that is none, is listed with that;
   its other lines count. METADATA is read for a version only, where the folder has none.
3. Of two packages of one name the first on the path counts, as for Python's imports.
"""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import PurePath
from typing import NamedTuple

from p2ptruco.hooks.offers import Fault, described, shown
from p2ptruco.hooks.specs import GROUP


@dataclass(frozen=True, slots=True)
class Switches:
    """What the environment says of plugins. `only`: these and no others; None: all."""

    only: frozenset[str] | None
    barred: frozenset[str]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Switches:
        """`P2PTRUCO_LOAD_PLUGINS` and `P2PTRUCO_DISABLE_PLUGINS`."""
        return cls(_names(environ, "LOAD"), _names(environ, "DISABLE") or frozenset())

    def wants(self, *names: str) -> bool:
        """Whether a plugin with one of these names is asked for, or all are."""
        return self.only is None or any(name in self.only for name in names)

    def bars(self, *names: str) -> bool:
        """Whether it is kept out."""
        return any(name in self.barred for name in names)


class Entry(NamedTuple):
    """A plugin that may be loaded, or with a fault and no value, what cannot be."""

    package: str
    version: str
    name: str
    value: str = ""
    """`module` or `module:attribute`."""
    fault: Fault | None = None


def entries(switches: Switches, path: list[str] | None = None) -> list[Entry]:
    """What is installed on a path (Python's own by default): ours first, then by package and name,
    the same order on every machine."""
    if switches.only == frozenset():
        return []
    found: dict[str, list[Entry]] = {}
    try:
        for told in metadata.distributions(path=sys.path if path is None else path):
            package, version = _folder(told)
            if package not in found and (mine := list(_entries(package, version, told, switches))):
                found[package] = mine
    except Exception as error:  # whoever finds packages is a stranger's too
        found["?"] = [Entry("?", "", "?", fault=Fault("unreadable", described(error)))]
    flat = (entry for mine in found.values() for entry in mine)
    return sorted(flat, key=lambda entry: (entry.package != GROUP, entry.package, entry.name))


def _folder(told: metadata.Distribution) -> tuple[str, str]:
    """Name and version of a package, by its folder: `name-version.dist-info`."""
    name, version, *_ = *PurePath(str(getattr(told, "_path", ""))).stem.split("-"), "", ""
    return _plain(name or _told(told, "Name") or "?"), version


def _entries(
    package: str, version: str, told: metadata.Distribution, switches: Switches
) -> Iterator[Entry]:
    """The plugins of one package, and its faults."""
    nothing = Entry(package, version, package)
    if switches.bars(package):
        yield nothing._replace(fault=Fault("disabled"))
        return
    try:
        text = _plain_text(told, "entry_points.txt")
    except Exception as error:
        yield nothing._replace(fault=Fault("unreadable", described(error)))
        return
    for name, value in _lines(text):
        if not value:
            yield nothing._replace(fault=Fault("no_entry", shown(name)))
        elif switches.bars(name):
            yield Entry(package, version, name, fault=Fault("disabled"))
        elif switches.wants(name, package):
            yield Entry(package, version or _told(told, "Version"), name, value)


def _plain_text(package: metadata.Distribution, name: str) -> str:
    """What a file of a package says; nothing if there is none. OSError for a pipe or a device:
    nobody waits for it."""
    place = getattr(package, "_path", None)
    if place is not None:
        file = place.joinpath(name)
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise OSError(errno.EINVAL, "not a plain file", name)
    return package.read_text(name) or ""


def _told(package: metadata.Distribution, field: str) -> str:
    """A field of METADATA, if it can be had."""
    try:
        for name in ("METADATA", "PKG-INFO", ""):
            _plain_text(package, name)
        return package.metadata[field] or ""
    except Exception:
        return ""


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Name and value of each entry of our group, and as a name without a value each line, of any
    group, that is none."""
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif line and not line.startswith(("#", ";")):
            name, _, value = map(str.strip, line.partition("="))
            if not name or not value:
                yield line, ""
            elif group == GROUP:
                yield name, value


def _names(environ: Mapping[str, str], verb: str) -> frozenset[str] | None:
    text = environ.get(f"P2PTRUCO_{verb}_PLUGINS")
    names = None if text is None else text.replace(",", " ").split()
    return None if names is None else frozenset([*names, *map(_plain, names)])


def _plain(package: str) -> str:
    """A package's name in the one way of writing it that pip compares."""
    return re.sub(r"[-_.]+", "-", package).lower()
