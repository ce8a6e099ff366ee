"""Plugins of strangers, good and bad: each is listed, none stops the program."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2ptruco.hooks import NoBot, NoVariant, Shelf, find_bot, find_variant, load
from p2ptruco.hooks.files import NO_BOT, NO_VARIANT
from p2ptruco.hooks.offers import FAULTS, Plugin
from p2ptruco.ui import reasons

GOOD = """
import p2ptruco

def choose(view):
    return view.legal[0]

@p2ptruco.hookimpl
def p2ptruco_register_bots(register):
    register("first", lambda: choose, title="The first legal move")
"""


class Installation:
    """A folder of packages, each with one module and one entry point."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, name: str, source: str) -> None:
        module = f"stranger_{name.replace('-', '_')}"
        (self.folder / f"{module}.py").write_text(source, encoding="utf-8")
        told = self.folder / f"{module}-1.0.dist-info"
        told.mkdir()
        (told / "entry_points.txt").write_text(f"[p2ptruco]\n{name} = {module}\n")

    def load(self, **environ: str) -> Shelf:
        importlib.invalidate_caches()
        return load(environ, [str(self.folder)])

    def plugin(self, name: str) -> Plugin:
        return next(plugin for plugin in self.load().plugins if plugin.name == name)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Installation(tmp_path)
    for name in [name for name in sys.modules if name.startswith("stranger_")]:
        del sys.modules[name]


BROKEN: dict[str, tuple[str, str]] = {
    "no-such-import": ("import no_such_module_anywhere", "broken"),
    "leaves": ("raise SystemExit(3)", "broken"),
    "syntax": ("def (", "broken"),
    "too-new": ("P2PTRUCO_PLUGIN_API = 2\n" + GOOD, "newer_api"),
    "api-nonsense": ("P2PTRUCO_PLUGIN_API = 'x'\n" + GOOD, "newer_api"),
    "misspelt": (GOOD.replace("_register_bots", "_register_bot"), "unknown_hook"),
    "unmarked": (GOOD.replace("@p2ptruco.hookimpl", ""), "unmarked_hook"),
    "argument": (GOOD.replace("(register)", "(registrar)"), "broken"),
    "crashes": (GOOD.replace('    register("first"', "    1 / 0\n    register('x'"), "hook_failed"),
    "leaves-later": (
        GOOD.replace('    register("first"', "    raise SystemExit\n    register('x'"),
        "hook_failed",
    ),
    "bad-name": (GOOD.replace('"first"', '"First Bot"'), "bad_name"),
    "no-name": (GOOD.replace('"first"', "None"), "bad_name"),
    "taken-core": (
        "import p2ptruco\n@p2ptruco.hookimpl\ndef p2ptruco_register_variants(register):\n"
        "    register(p2ptruco.MINEIRO)\n",
        "name_taken",
    ),
    "no-maker": (GOOD.replace("lambda: choose", "42"), "bad_offer"),
    "no-variant": (
        "import p2ptruco\n@p2ptruco.hookimpl\ndef p2ptruco_register_variants(register):\n"
        "    register('mineiro-2')\n",
        "bad_offer",
    ),
    "impossible": (
        "import dataclasses, p2ptruco\n@p2ptruco.hookimpl\n"
        "def p2ptruco_register_variants(register):\n"
        "    register(dataclasses.replace(p2ptruco.MINEIRO, name='x', target=2))\n",
        "hook_failed",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_faulty_plugin_is_listed_and_stops_nobody(installed: Installation, name: str) -> None:
    """Its fault is named; a good plugin beside it is offered all the same."""
    source, code = BROKEN[name]
    installed.add(name, source)
    installed.add("zz-good", GOOD.replace('"first"', '"second"'))
    assert [fault.code for fault in installed.plugin(name).faults] == [code]
    assert "second" in installed.load().bots


def test_a_name_belongs_to_the_first(installed: Installation) -> None:
    """A name twice is the later one's fault; what else it offers stays."""
    installed.add("a", GOOD)
    installed.add("b", GOOD + '    register("other", lambda: choose)\n')
    assert installed.load().bots["first"].plugin == "a"
    late = installed.plugin("b")
    assert (late.bots, [fault.code for fault in late.faults]) == (("other",), ["name_taken"])
    assert late.faults[0].detail == "first"


def test_a_plugin_that_registers_one_name_twice_is_told(installed: Installation) -> None:
    """Within one plugin too."""
    installed.add("a", GOOD + '    register("first", lambda: choose)\n')
    assert [fault.code for fault in installed.plugin("a").faults] == ["name_taken"]


@pytest.mark.parametrize(
    ("environ", "bots"),
    [
        ({}, {"first", "second"}),
        ({"P2PTRUCO_LOAD_PLUGINS": "a"}, {"first"}),
        ({"P2PTRUCO_LOAD_PLUGINS": "a, b"}, {"first", "second"}),
        ({"P2PTRUCO_LOAD_PLUGINS": ""}, set()),
        ({"P2PTRUCO_DISABLE_PLUGINS": "a"}, {"second"}),
        ({"P2PTRUCO_LOAD_PLUGINS": "a", "P2PTRUCO_DISABLE_PLUGINS": "a"}, set()),
    ],
)
def test_the_environment_chooses(
    installed: Installation, environ: dict[str, str], bots: set[str]
) -> None:
    """A named set, or none; some kept out."""
    installed.add("a", GOOD)
    installed.add("b", GOOD.replace('"first"', '"second"'))
    assert set(installed.load(**environ).bots) == bots


def test_a_plugin_kept_out_is_not_even_imported(installed: Installation) -> None:
    """It is listed as kept out."""
    installed.add("a", "raise RuntimeError")
    shelf = installed.load(P2PTRUCO_DISABLE_PLUGINS="a")
    assert [fault.code for plugin in shelf.plugins for fault in plugin.faults] == ["disabled"]


def test_titles_and_errors_reach_no_terminal_unclean(installed: Installation) -> None:
    """What a stranger writes can neither steer a terminal nor turn the line around."""
    installed.add(
        "a", GOOD.replace("The first legal move", "\\x1b[2J red \\u202e\\u0000 " + "x" * 999)
    )
    installed.add("b", "raise ValueError('\\x1b]0;owned\\x07\\n\\u2066' + 'y' * 9999)")
    shelf = installed.load()
    texts = [shelf.bots["first"].title, shelf.plugins[1].faults[0].detail]
    for text in texts:
        assert text
        assert text.isprintable()
        assert not {"\x1b", "\u202e", "\u2066", "\n"} & set(text)
        assert len(text) <= 240


def test_every_fault_has_its_sentence() -> None:
    """No code is without words, no words without a code."""
    assert set(reasons.PLUGIN_FAULTS) == FAULTS
    assert set(reasons.NO_BOT) == NO_BOT
    assert set(reasons.NO_VARIANT) == NO_VARIANT


def test_our_own_plugins_come_through_the_same_door() -> None:
    """Installed: the bots, a page's variant and house rules, by entry points of the group."""
    shelf = load({"P2PTRUCO_LOAD_PLUGINS": "p2ptruco"})
    assert set(shelf.bots) == {"zap", "random", "mestre", "mestre:medio", "mestre:facil"}
    assert shelf.variants["mineiro-2-4-8-12"].source == "variants-minas"
    assert [plugin.faults for plugin in shelf.plugins] == [()] * 4


def test_the_variant_of_our_plugin_is_the_page_s() -> None:
    """mineiro-2-4-8-12: as the long scale's preset, on the short scale with nove worth twelve."""
    variant = load({}).variants["mineiro-2-4-8-12"].variant
    assert str(variant.scale) == "2-4-8-12"
    assert [call.word for call in variant.scale.calls] == ["truco", "seis", "nove"]
    assert (variant.partners_tie, variant.face_down_from, variant.iron) == ("tie", 1, "blind")
    assert variant.players == {2, 4, 6, 8}


# Bots by path.


def test_a_file_may_simply_hold_choose(tmp_path: Path) -> None:
    """No registration is needed to try a bot out."""
    path = tmp_path / "mine.py"
    path.write_text("def choose(view):\n    return 'chosen'\n")
    bot = find_bot(str(path))
    assert bot.name == "mine"
    made: Callable[[object], object] = bot.make()  # type: ignore[assignment]
    assert made(None) == "chosen"


@pytest.mark.parametrize("name", ["mine.txt", "mine"])
def test_a_bot_s_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    """That it is not there would not be so."""
    path = tmp_path / name
    path.write_text("def choose(view):\n    return 'chosen'\n")
    assert find_bot(str(path)).name == "mine"


def test_a_file_offers_what_it_registers(tmp_path: Path) -> None:
    """The hook of the documented example."""
    path = tmp_path / "registered.py"
    path.write_text(GOOD)
    assert find_bot(str(path)).name == "first"
    assert find_bot(f"{path}:first").title == "The first legal move"
    assert find_bot(f"{path}:choose").name == "registered"


@pytest.mark.parametrize(
    ("source", "suffix", "code"),
    [
        ("def choose(view): ...", ":other", "no_bot_in_file"),
        ("x = 1", "", "no_bot_in_file"),
        ("1 / 0", "", "broken_file"),
        ("raise SystemExit(0)", "", "broken_file"),
        ("P2PTRUCO_PLUGIN_API = 9\n" + GOOD, "", "broken_file"),
        (GOOD + '    register("other", lambda: choose)\n', "", "several_bots"),
    ],
)
def test_a_file_without_a_bot_says_why(tmp_path: Path, source: str, suffix: str, code: str) -> None:
    """Every way in which a file is no bot has a name."""
    path = tmp_path / "bad.py"
    path.write_text(source)
    with pytest.raises(NoBot) as missing:
        find_bot(f"{path}{suffix}")
    assert missing.value.code == code


def test_no_such_file_and_no_such_name_are_told_apart(tmp_path: Path) -> None:
    """A path is looked for on the disk, a name on the shelf."""
    for text, code in ((f"{tmp_path}/none.py", "no_file"), ("none", "unknown_bot")):
        with pytest.raises(NoBot) as missing:
            find_bot(text)
        assert missing.value.code == code


def test_a_file_that_may_not_be_looked_at_is_told(tmp_path: Path) -> None:
    """Not that it ended the process that loads it. Here its name is too long."""
    for find, missing in ((find_bot, NoBot), (find_variant, NoVariant)):
        with pytest.raises(missing) as caught:
            find(f"{tmp_path}/{'n' * 300}.py")
        assert caught.value.code == "broken_file"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (GOOD.replace("@p2ptruco.hookimpl", ""), "write @p2ptruco.hookimpl above it"),
        (GOOD.replace('"first"', '"Meu Bot"'), "Meu Bot: not a name (lower-case letters"),
        (GOOD.replace("lambda: choose", "3"), "first: neither a bot's maker nor a variant"),
        ("P2PTRUCO_PLUGIN_API = 9\n" + GOOD, "version 9 of the plugin API"),
        (GOOD.replace('register("first', '1 / 0; register("first'), "a hook of it failed: Zero"),
        (GOOD.replace("(register)", "(registre)"), "does not load: PluginValidationError"),
        ("1 / 0", "does not load: ZeroDivisionError: division by zero"),
    ],
)
def test_a_file_that_offers_badly_is_told_what_to_mend(
    tmp_path: Path, source: str, said: str
) -> None:
    """In the same words as an installed plugin."""
    path = tmp_path / "bad.py"
    path.write_text(source)
    with pytest.raises(NoBot) as missing:
        find_bot(str(path))
    assert f"{path} does not load: " in reasons.no_bot(missing.value)
    assert said in reasons.no_bot(missing.value)
