"""The page's own files: what they name is there, and nothing in them that its policy forbids."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2ptruco.ui.web.files import STATIC, TYPES, static
from p2ptruco.ui.web.pages import TEMPLATES

SCRIPTS = sorted(STATIC.rglob("*.js"))
SHEETS = sorted(STATIC.rglob("*.css"))


def test_there_is_a_page() -> None:
    assert {"match.js", "start.js"} <= {path.name for path in SCRIPTS}
    assert all(path.suffix in TYPES for path in STATIC.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_script_imports_what_is_there(path: Path) -> None:
    """By names that the other script exports, and from nowhere else."""
    source = path.read_text(encoding="utf-8")
    for names, where in re.findall(r'^import (.+?) from "(.+?)";$', source, re.MULTILINE):
        other = (path.parent / where).resolve()
        assert where.startswith(".")
        assert static(other.relative_to(STATIC.resolve()).as_posix()) is not None, where
        exported = re.findall(
            r"^export (?:async )?(?:function|const|class) (\w+)", other.read_text(), re.MULTILINE
        )
        if names.startswith("{"):
            assert {name.strip() for name in names.strip("{} ").split(",")} <= set(exported), where


def test_nothing_is_asked_of_anywhere_else() -> None:
    """No address of another machine, but the name of SVG; no style that the policy forbids."""
    for path in (*SCRIPTS, *SHEETS, *sorted(TEMPLATES.rglob("*.html"))):
        source = path.read_text(encoding="utf-8")
        found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`]*", source))
        assert found <= {"http://www.w3.org/2000/svg"}, path
        assert "@import" not in source
        assert not re.search(r"\burl\((?!#)", source), path


def test_templates_have_no_inline_script_or_style() -> None:
    for path in sorted(TEMPLATES.rglob("*.html")):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", source), path
        for name in re.findall(r'(?:src|href)="/static/([^"]+)"', source):
            assert static(name) is not None, name
