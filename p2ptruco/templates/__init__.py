"""The projects that `p2ptruco new` writes.

A file of a template is its path with `.tmpl` behind; in its text `$name`, `$module`, `$title` and
`$version` are replaced. The folder MODULE gets the module's name; of `README.<language>.md` one
becomes the project's README.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template

SUFFIX = ".tmpl"


def fill(kind: str, language: str, values: Mapping[str, str]) -> dict[str, str]:
    """Path → text of every file of a `bot` or `variant` project."""
    written = {}
    for path, text in sorted(_texts(files(__name__) / kind, "")):
        place = path.removesuffix(SUFFIX).replace("MODULE", values["module"])
        if place.startswith("README.") and place != f"README.{language}.md":
            continue
        place = place.replace(f".{language}.", ".")
        written[place] = Template(text).substitute(values)
    return written


def _texts(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _texts(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(SUFFIX):
            found.append((prefix + entry.name, entry.read_text(encoding="utf-8")))
    return found
