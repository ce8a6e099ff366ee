"""Packages in whatever state, and code that raises whatever: listed, and all else works."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import p2ptruco
from p2ptruco.hooks import Plugin, load
from p2ptruco.hooks.finding import Switches, entries
from p2ptruco.hooks.strangers import Broken, attempted
from p2ptruco.ui.reasons import plugin_fault

from .test_hooks import GOOD, Installation, installed

__all__ = ["installed"]

Packages = dict[str, bytes]
"""Path → content of the files of packages."""

FOO = "foo-1.0.dist-info"
METADATA = b"Metadata-Version: 2.1\nName: foo\nVersion: 1.0\n"
POINTS = b"[p2ptruco]\nfoo = stranger_foo\n"
MODULE = b"x = 1\n"

STATES: dict[str, tuple[Packages, list[str]]] = {
    "a malformed line of another group": (
        {f"{FOO}/METADATA": METADATA, f"{FOO}/entry_points.txt": b"[console_scripts]\nfoo\n"},
        ["no_entry"],
    ),
    "a malformed line beside a good one": (
        {f"{FOO}/entry_points.txt": b"foo\n" + POINTS, "stranger_foo.py": MODULE},
        ["no_entry", ""],
    ),
    "an entry without a value": ({f"{FOO}/entry_points.txt": b"[p2ptruco]\nx =\n"}, ["no_entry"]),
    "an entry without a name": ({f"{FOO}/entry_points.txt": b"[p2ptruco]\n= x\n"}, ["no_entry"]),
    "a name that is not UTF-8": (
        {f"{FOO}/METADATA": METADATA, f"{FOO}/entry_points.txt": b"[p2ptruco]\nf\xe9 = foo\n"},
        ["unreadable"],
    ),
    "no METADATA": ({f"{FOO}/entry_points.txt": POINTS, "stranger_foo.py": MODULE}, [""]),
    "METADATA without a name": (
        {
            f"{FOO}/METADATA": b"Version: 1.0\n",
            f"{FOO}/entry_points.txt": POINTS,
            "stranger_foo.py": MODULE,
        },
        [""],
    ),
    "METADATA that is not UTF-8": (
        {
            "foo.egg-info/PKG-INFO": b"Name: f\xe9\n",
            "foo.egg-info/entry_points.txt": POINTS,
            "stranger_foo.py": MODULE,
        },
        [""],
    ),
    "an empty folder that pip left": ({"~oo-1.0.dist-info/x": b""}, []),
    "a folder without a name": ({"-1.0.dist-info/entry_points.txt": POINTS}, ["broken"]),
    "half of it uninstalled": ({f"{FOO}/entry_points.txt": POINTS}, ["broken"]),
    "a file instead of a folder": ({FOO: b"rubbish"}, []),
    "a folder instead of a file": ({f"{FOO}/entry_points.txt/x": b""}, []),
    "a value that names no module": (
        {f"{FOO}/entry_points.txt": b"[p2ptruco]\na = not a module!\nb = :x\nc = .\nd = [x]\n"},
        ["broken"] * 4,
    ),
    "an attribute that is not there": (
        {f"{FOO}/entry_points.txt": b"[p2ptruco]\na = os:none.such\n"},
        ["broken"],
    ),
    "what is no module": (
        {f"{FOO}/entry_points.txt": b"[p2ptruco]\na = os:sep\nb = os:environ\nc = os : getpid\n"},
        ["", "", ""],
    ),
    "a module twice": (
        {
            f"{FOO}/entry_points.txt": b"[p2ptruco]\na = stranger_foo\nb = stranger_foo\n",
            "stranger_foo.py": MODULE,
        },
        ["", ""],
    ),
    "a plugin's name twice": (
        {
            f"{FOO}/entry_points.txt": POINTS,
            "bar-1.0.dist-info/entry_points.txt": POINTS,
            "stranger_foo.py": MODULE,
        },
        ["", ""],
    ),
    "control characters": (
        {f"{FOO}/entry_points.txt": b"[p2ptruco]\n\x1b[2J\x07 = \x00os\n\x01 = \x1b]0;\n"},
        ["broken", "broken"],
    ),
}


def written(folder: Path, packages: Packages) -> Path:
    for name, content in packages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def fit_to_be_shown(plugin: Plugin) -> None:
    """Every text of it, and the sentence of each fault."""
    texts = [plugin.name, plugin.version, *map(plugin_fault, plugin.faults)]
    assert plugin.name
    assert all(text.isprintable() for text in texts)


@pytest.mark.parametrize("state", STATES)
def test_a_package_in_any_state_is_listed_and_stops_nobody(
    installed: Installation, state: str
) -> None:
    """One line each; a good plugin beside it is offered all the same."""
    packages, codes = STATES[state]
    installed.add("zz-good", GOOD)
    written(installed.folder, packages)
    shelf = installed.load()
    *found, good = sorted(shelf.plugins, key=lambda plugin: plugin.name == "zz-good")
    assert [plugin.faults[0].code if plugin.faults else "" for plugin in found] == codes
    assert good.bots == ("first",)
    for plugin in found:
        fit_to_be_shown(plugin)


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_file_that_the_system_refuses_is_listed(installed: Installation) -> None:
    """Here a link to itself."""
    (installed.folder / FOO).mkdir()
    (installed.folder / FOO / "entry_points.txt").symlink_to("entry_points.txt")
    (plugin,) = installed.load().plugins
    assert plugin.faults[0].code == "unreadable"
    fit_to_be_shown(plugin)


@pytest.mark.skipif(os.name != "posix", reason="pipes")
@pytest.mark.parametrize("name", ["entry_points.txt", "PKG-INFO"])
def test_nobody_waits_for_a_pipe_in_a_package(installed: Installation, name: str) -> None:
    """It would hang every command for good."""
    package = {"foo.egg-info/entry_points.txt": POINTS, "stranger_foo.py": MODULE}
    written(installed.folder, package)
    pipe = installed.folder / "foo.egg-info" / name
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    (plugin,) = installed.load().plugins
    expected = ["unreadable"] if name == "entry_points.txt" else []
    assert [fault.code for fault in plugin.faults] == expected
    fit_to_be_shown(plugin)


@settings(max_examples=150, deadline=None)
@given(
    points=st.one_of(
        st.binary(max_size=200),
        st.lists(
            st.sampled_from(["[p2ptruco]", "[", "]", "=", "a = b", "a=os:x.y", "#", "\0", "é"])
        )
        .map("\n".join)
        .map(str.encode),
    ),
    told=st.binary(max_size=100),
    name=st.sampled_from(
        [FOO, "foo.egg-info", "-.dist-info", "p2ptruco-9.dist-info", "é-1.egg-info"]
    ),
)
def test_whatever_the_bytes_of_a_package_are(points: bytes, told: bytes, name: str) -> None:
    """Nothing is raised, and everything is fit to be shown."""
    with tempfile.TemporaryDirectory() as folder:
        written(
            Path(folder),
            {
                f"{name}/entry_points.txt": points,
                f"{name}/METADATA": told,
                f"{name}/PKG-INFO": told,
            },
        )
        for plugin in load({}, [folder]).plugins:
            fit_to_be_shown(plugin)


def test_what_finds_packages_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a stranger's too."""

    def found(**_: object) -> Iterator[metadata.Distribution]:
        yield from ()
        raise RuntimeError("no idea")

    monkeypatch.setattr(metadata, "distributions", found)
    assert [plugin.faults[0].code for plugin in load({}).plugins] == ["unreadable"]


# What the environment keeps out.


def test_nothing_is_looked_at_if_nothing_is_to_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty P2PTRUCO_LOAD_PLUGINS is the way out of anything."""
    monkeypatch.setattr(metadata, "distributions", lambda **_: pytest.fail("looked"))
    assert load({"P2PTRUCO_LOAD_PLUGINS": ""}).plugins == ()


@pytest.mark.parametrize(
    ("name", "typed"), [("foo", "foo"), ("Foo-Bar", "foo-bar"), ("Foo-Bar", "Foo.Bar")]
)
def test_a_package_that_is_kept_out_is_not_read(tmp_path: Path, name: str, typed: str) -> None:
    """By its name, whatever is in it; the name is that of its folder."""
    folder = f"{name.replace('-', '_')}-1.0.dist-info"
    written(tmp_path, {f"{folder}/entry_points.txt": b"\xff", f"{folder}/METADATA": b"\xff"})
    barred = {"P2PTRUCO_DISABLE_PLUGINS": typed}
    (entry,) = entries(Switches.read(barred), [str(tmp_path)])
    assert entry.fault is not None
    assert (entry.fault.code, entry.version) == ("disabled", "1.0")


def test_a_package_may_be_asked_for_by_its_name(installed: Installation) -> None:
    """Every plugin of it."""
    installed.add("a", GOOD)
    installed.add("b", GOOD.replace('"first"', '"second"'))
    assert set(installed.load(P2PTRUCO_LOAD_PLUGINS="stranger-b").bots) == {"second"}


# Code that raises.

RAISES = {
    "exits": "raise SystemExit",
    "interrupts": "raise KeyboardInterrupt",
    "closes": "raise GeneratorExit",
    "own": "class Own(BaseException): pass\n{0}raise Own('x')",
    "grouped": "raise BaseExceptionGroup('x', [KeyboardInterrupt(), ValueError()])",
    "untold": "class Untold(BaseException):\n{0}    def __str__(self): raise self\n{0}raise Untold",
    "deep": "f = lambda: f()\n{0}f()",
}


@pytest.mark.parametrize("kind", RAISES)
def test_whatever_an_import_raises_is_a_fault(installed: Installation, kind: str) -> None:
    """And so in a file."""
    source = RAISES[kind].format("")
    installed.add("a", source)
    installed.add("b", GOOD)
    plugin = installed.plugin("a")
    assert [fault.code for fault in plugin.faults] == ["broken"]
    assert plugin.faults[0].detail
    fit_to_be_shown(plugin)
    assert "first" in installed.load().bots


@pytest.mark.parametrize("kind", RAISES)
def test_whatever_a_hook_raises_is_a_fault(installed: Installation, kind: str) -> None:
    """What it offered before stays."""
    installed.add("a", GOOD + "    " + RAISES[kind].format("    "))
    plugin = installed.plugin("a")
    assert plugin.bots == ("first",)
    assert [fault.code for fault in plugin.faults] == ["hook_failed"]
    fit_to_be_shown(plugin)


NONSENSE = {
    "attributes that fail": ("def __getattr__(name):\n    raise KeyboardInterrupt\n", "broken"),
    "names that fail": ("def __dir__():\n    1 / 0\n", "broken"),
    "a version beyond printing": ("P2PTRUCO_PLUGIN_API = 10 ** 5000\n", "broken"),
    "a version that is yes": ("P2PTRUCO_PLUGIN_API = True\n", "newer_api"),
    "an answer": (GOOD + "    return 42, ...\n", ""),
    "no arguments": (GOOD + "    register()\n", "hook_failed"),
    "a name of bytes": (GOOD.replace('"first"', "b'first'"), "bad_name"),
    "a name with control characters": (GOOD.replace('"first"', "'fir\\x1bst\\n'"), "bad_name"),
    "a name that fails": (
        GOOD.replace('"first"', "type('N', (), {'__str__': lambda self: 1 / 0})()"),
        "hook_failed",
    ),
    "a title that fails": (
        GOOD.replace('"The first legal move"', "type('T', (), {'__repr__': 3})()"),
        "hook_failed",
    ),
    "a variant with code": (
        "import p2ptruco\nclass Mine(p2ptruco.Variant):\n"
        "    target = property(lambda self: 1 / 0, lambda self, value: None)\n"
        "@p2ptruco.hookimpl\ndef p2ptruco_register_variants(register):\n"
        "    register(Mine(name='mine'))\n",
        "hook_failed",
    ),
    "a variant of a subclass": (
        "import p2ptruco\nclass Mine(p2ptruco.Variant): pass\n"
        "@p2ptruco.hookimpl\ndef p2ptruco_register_variants(register):\n"
        "    register(Mine(name='mine'))\n",
        "bad_offer",
    ),
    "a variant changed into none": (
        "import p2ptruco, dataclasses\n"
        "@p2ptruco.hookimpl\ndef p2ptruco_register_variants(register):\n"
        "    v = dataclasses.replace(p2ptruco.MINEIRO, name='mine')\n"
        "    object.__setattr__(v, 'target', None)\n    register(v)\n",
        "hook_failed",
    ),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_a_fault(installed: Installation, kind: str) -> None:
    """Of a module, of its hooks, of what they hand in."""
    source, code = NONSENSE[kind]
    installed.add("a", source)
    plugin = installed.plugin("a")
    assert [fault.code for fault in plugin.faults] == [code] * bool(code)
    fit_to_be_shown(plugin)


# Signals are the person's.


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Also where the tests run with Ctrl-C ignored or blocked."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    blocked = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    signal.signal(signal.SIGINT, before)


def swallowing() -> None:
    with suppress(BaseException):
        signal.raise_signal(signal.SIGINT)


def turning_into_another() -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        raise SystemExit


def stealing() -> None:
    signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize("code", [swallowing, turning_into_another, stealing])
@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_while_a_plugin_loads_ends_the_command(code: Callable[[], None]) -> None:
    """Whatever the plugin makes of it."""
    with pytest.raises(KeyboardInterrupt):
        attempted(code)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_plugin_cannot_take_ctrl_c_for_good() -> None:
    """Nor does its own KeyboardInterrupt count as one."""
    with pytest.raises(Broken):
        attempted(lambda: signal.default_int_handler(signal.SIGINT, None))
    attempted(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))


# The whole of it, through the real command.


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A path with every state, and every way to raise, at once."""
    folder = tmp_path_factory.mktemp("zoo")
    states = [packages for packages, _ in STATES.values()]
    for number, packages in enumerate(states):
        for name, content in packages.items():
            written(folder, {name.replace("foo", f"foo{number}"): content})
    for number, source in enumerate(RAISES.values()):
        stem = f"raises_{number}"
        points = f"[p2ptruco]\n{stem} = {stem}\n".encode()
        written(
            folder,
            {
                f"{stem}.py": source.format("").encode(),
                f"{stem}-1.dist-info/entry_points.txt": points,
            },
        )
    return folder


def command(path: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(path), "P2PTRUCO_HOME": str(path / "home")}
    return subprocess.run(
        [sys.executable, "-m", "p2ptruco", *words],
        env={**surroundings, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "words", [("bots", "--json"), ("variants", "paulista", "--json"), ("matches", "--json")]
)
def test_every_command_works_beside_all_of_them(zoo: Path, words: tuple[str, ...]) -> None:
    """One stray package made each of them end with an error inside."""
    done = command(zoo, *words)
    assert (done.returncode, done.stderr) == (0, "")
    json.loads(done.stdout)


def test_plugins_lists_all_of_them(zoo: Path) -> None:
    """With a sentence each; none of them, if the environment says so."""
    listed = json.loads(command(zoo, "plugins", "--json").stdout)["plugins"]
    ours, strangers = listed[:4], listed[4:]
    names = {"bots-basic", "bots-mestre", "variants-house", "variants-minas"}
    assert {plugin["name"] for plugin in ours} == names
    assert all(plugin["error"] is None for plugin in ours)
    assert sum(plugin["error"] is not None for plugin in strangers) >= len(RAISES) + 10
    out = command(zoo, "plugins", P2PTRUCO_LOAD_PLUGINS="bots-basic", P2PTRUCO_DISABLE_PLUGINS="x")
    assert out.stdout.startswith("bots-basic")
    assert command(zoo, "plugins", P2PTRUCO_LOAD_PLUGINS="").stdout == "No plugin is installed.\n"


def test_a_thread_that_a_plugin_leaves_keeps_no_command_running(tmp_path: Path) -> None:
    """Each command answered, and then never ended; what is to be done at the end is done."""
    source = (
        "import atexit, threading\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "atexit.register(print, 'good night')\n"
    )
    points = {f"{FOO}/entry_points.txt": POINTS, "stranger_foo.py": source.encode()}
    done = command(written(tmp_path, points), "variants", "none-such", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "unknown_variant"
    assert "good night" in done.stderr


def test_a_leftover_of_ours_does_not_hide_us(tmp_path: Path) -> None:
    """The version, and the plugins, are those of the installation that is whole."""
    (tmp_path / "p2ptruco-0.0.1.dist-info").mkdir()
    assert command(tmp_path, "--version").stdout == f"p2ptruco {p2ptruco.__version__}\n"
    assert "bots-basic" in command(tmp_path, "plugins").stdout
