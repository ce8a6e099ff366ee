"""Who may know whom. The arrows stand in pyproject.toml; here they are checked, and a few finer
laws that an import linter cannot say."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2ptruco.cli.command import SUMMARIES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "p2ptruco"

PURE = frozenset(
    {
        "__future__",
        "bisect",
        "collections",
        "contextlib",
        "contextvars",
        "copy",
        "dataclasses",
        "enum",
        "functools",
        "hashlib",
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "types",
        "typing",
        "unicodedata",
    }
)
"""What arithmetic needs of the standard library: no chance, no clock, no file, no socket."""

MORE = {
    "rules/view.py": {"random"},  # the type of a bot's own source
    "mental/group.py": {"atexit", "ctypes", "os", "rbcl", "sys"},  # the binding
    "mental/keys.py": {"hmac"},
    "table/codec.py": {"msgpack", "msgspec"},
    "table/identity.py": {"base64", "cryptography"},
    "table/unforeseen.py": {"traceback"},
}
"""File → what it alone may import besides."""

TABLE_MORE = {"msgspec", "logging"}


def imports(path: Path) -> Iterator[str]:
    """The top-level names that a file imports from outside its own package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def files(*rings: str) -> list[Path]:
    return [path for ring in rings for path in sorted((PACKAGE / ring).rglob("*.py"))]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_arrow_points_inwards() -> None:
    """The contracts of pyproject.toml hold."""
    linted = run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")
    assert linted.returncode == 0, linted.stdout + linted.stderr


@pytest.mark.parametrize("path", files("rules", "mental", "table"), ids=str)
def test_the_inner_rings_know_neither_chance_nor_clock(path: Path) -> None:
    """What rules, mental and table may import is written down, file by file."""
    place = path.relative_to(PACKAGE).as_posix()
    allowed = PURE | {"p2ptruco"} | MORE.get(place, set())
    if place.startswith("table/"):
        allowed |= TABLE_MORE
    assert set(imports(path)) <= allowed


@pytest.mark.parametrize("path", sorted((ROOT / "plugins").rglob("*.py")), ids=str)
def test_a_plugin_needs_the_public_names_only(path: Path) -> None:
    """Our own plugins are written as a stranger's: `p2ptruco` itself and nothing below it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            assert not node.module.startswith("p2ptruco."), node.module
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("p2ptruco.") for alias in node.names)


HEAVY = (
    "textual starlette anycorn anyio jinja2 zeroconf trio msgspec msgpack cryptography rbcl rich "
    "asyncio ssl hypothesis pytest babel p2ptruco.mental p2ptruco.net p2ptruco.players"
)


@pytest.mark.parametrize(
    ("program", "also"),
    [
        ("import p2ptruco", "click pluggy p2ptruco.rules"),
        ("import p2ptruco; p2ptruco.View; p2ptruco.MINEIRO; p2ptruco.hookimpl", "click"),
        ("from p2ptruco.cli.entry import run; run(['--help'])", "pluggy p2ptruco.rules"),
        ("from p2ptruco.cli.entry import run; run(['bots'])", ""),
    ],
)
def test_nothing_is_loaded_that_is_not_used(program: str, also: str) -> None:
    """A bot author's import and the help page stay light."""
    listed = run(sys.executable, "-c", f"{program}\nimport sys\nprint('|', *sys.modules)")
    assert listed.returncode == 0, listed.stderr
    loaded = set(listed.stdout.rpartition("|")[2].split())
    assert not loaded & {*HEAVY.split(), *also.split()}


def test_the_help_page_loads_no_command() -> None:
    """`p2ptruco --help` costs what it shows: no command's module is imported for it."""
    program = (
        "from p2ptruco.cli.entry import run; run(['--help'])\nimport sys\nprint('|', *sys.modules)"
    )
    listed = run(sys.executable, "-c", program)
    loaded = set(listed.stdout.rpartition("|")[2].split())
    assert "p2ptruco.cli.root" in loaded
    assert not loaded & {f"p2ptruco.cli.commands.{name}" for name in SUMMARIES}


WEB = {"starlette", "anycorn", "anyio", "jinja2", "h11", "wsproto", "p2ptruco.ui.web"}


@pytest.mark.parametrize(
    "modules", ["cli.commands.demo cli.seats cli.seat", "cli.people cli.program app.host app.join"]
)
def test_the_page_is_loaded_by_whoever_serves_it(modules: str) -> None:
    """Neither a demo nor a person at a terminal needs a package of it."""
    imports = "\n".join(f"import p2ptruco.{name}" for name in modules.split())
    listed = run(sys.executable, "-c", f"{imports}\nimport sys\nprint('|', *sys.modules)")
    assert listed.returncode == 0, listed.stderr
    assert not set(listed.stdout.rpartition("|")[2].split()) & WEB


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy",),
    ],
    ids=" ".join,
)
def test_the_tools_have_nothing_to_say(command: tuple[str, ...]) -> None:
    """ruff and mypy --strict are clean."""
    checked = run(str(Path(sys.executable).with_name(command[0])), *command[1:])
    assert checked.returncode == 0, checked.stdout + checked.stderr
