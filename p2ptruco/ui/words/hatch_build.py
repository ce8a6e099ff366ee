"""The build hook that compiles each catalogue (`pt_BR.po`) where gettext looks for it.

It runs for a wheel and for an editable install alike; the compiled files are build products and
are never committed. This file itself is not in the wheel.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WORDS = Path("p2ptruco/ui/words")


class Catalogues(BuildHookInterface[Any]):
    """`words/LANG.po` becomes `words/LANG/LC_MESSAGES/p2ptruco.mo`."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in sorted((Path(self.root) / WORDS).glob("*.po")):
            target = source.with_suffix("") / "LC_MESSAGES" / "p2ptruco.mo"
            target.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as catalogue:
                messages = read_po(catalogue, locale=source.stem)
            with target.open("wb") as compiled:
                write_mo(compiled, messages)
