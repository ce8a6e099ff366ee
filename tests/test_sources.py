"""Where the code names a section of the protocol, the page has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "protocol").glob("*.md")}
NAMED = re.compile(r"(\w+\.md) ((?:§[\d.]+(?:, | to | and )?)+)")


@pytest.mark.parametrize("page", PAGES)
def test_every_section_that_is_named_is_there(page: str) -> None:
    """A reader who wants to check a line against its source finds it."""
    there = set(re.findall(r"^#+ (\d[\d.]*)\. ", PAGES[page], re.MULTILINE))
    named = {
        (path.name, section.rstrip("."))
        for path in (ROOT / "p2ptruco").rglob("*.py")
        for name, sections in NAMED.findall(path.read_text(encoding="utf-8"))
        for section in re.findall(r"§([\d.]+)", sections)
        if name == page
    }
    assert [one for one in sorted(named) if one[1] not in there] == []
