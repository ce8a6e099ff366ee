"""The page's own words in every language: what its scripts and templates mark as `_("…")`, and both
forms of what they mark as `ngettext("…", "…", n)`.

A marked text is one literal in double quotes, as JSON has it.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Iterator
from typing import Final

from p2ptruco.ui.web.files import STATIC
from p2ptruco.ui.web.pages import TEMPLATES
from p2ptruco.ui.words import DOMAIN, FOLDER

TEXT: Final = r'("(?:[^"\\\n]|\\.)*")'
ONE: Final = re.compile(rf"(?<![\w$])_\(\s*{TEXT}")
TWO: Final = re.compile(rf"(?<![\w$])ngettext\(\s*{TEXT}\s*,\s*{TEXT}")


def marked() -> Iterator[tuple[str, str | None]]:
    """Every text that is marked, and its plural where it has one."""
    for path in (*sorted(STATIC.rglob("*.js")), *sorted(TEMPLATES.rglob("*.html"))):
        source = path.read_text(encoding="utf-8")
        yield from ((json.loads(found[1]), None) for found in ONE.finditer(source))
        yield from ((json.loads(one[1]), json.loads(one[2])) for one in TWO.finditer(source))


def strings(language: str) -> dict[str, str]:
    """Text → what it is in a language; a plural's forms are those of 1 and of 2."""
    spoken = gettext.translation(DOMAIN, FOLDER, [language.replace("-", "_")], fallback=True)
    found: dict[str, str] = {}
    for text, plural in marked():
        if plural is None:
            found[text] = spoken.gettext(text)
        else:
            found[text] = spoken.ngettext(text, plural, 1)
            found[plural] = spoken.ngettext(text, plural, 2)
    return found
