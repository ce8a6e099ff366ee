"""`new` and `check`: from nothing to a plugin that is installed, listed and fit, without a change
to this repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from ..cli.calling import run
from .kit import write_bot

KINDS = {"bot": "meu-bot", "variant": "minha_casa-2"}


def pip(python: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), *words],
        check=True,
        capture_output=True,
        env=os.environ | {"PIP_CONFIG_FILE": os.devnull},
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with a new project of each kind, installed beside p2ptruco."""
    folder = tmp_path_factory.mktemp("fresh")
    for kind, name in KINDS.items():
        assert run("new", kind, name, "--in", str(folder)).returncode == 0
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    found = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    )
    beside = Path(found.stdout.strip()) / "beside.pth"
    beside.write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    pip(python, "install", *offline, *(str(folder / name) for name in KINDS.values()))
    return folder


def there(
    installed: Path, *words: str, within: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """A program of the fresh environment, outside this repository."""
    python = installed / "venv" / "bin" / "python"
    home = {"P2PTRUCO_HOME": str(installed / "home"), "LANG": "C.UTF-8"}
    return subprocess.run(
        [python, "-m", *words],
        cwd=within or installed,
        env=os.environ | home,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_project_passes_its_own_tests(installed: Path, kind: str) -> None:
    """As it stands, in a fresh environment."""
    done = there(installed, "pytest", "-q", "-p", "no:cacheprovider", KINDS[kind])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_project_does_not_take_the_settings_of_a_folder_above(
    installed: Path, tmp_path: Path, kind: str
) -> None:
    """Written inside a clone, say of p2ptruco, it is tested by its own settings all the same."""
    above = "[tool.pytest.ini_options]\nfilterwarnings = ['error']\nno_such_option = true\n"
    (tmp_path / "pyproject.toml").write_text(above, encoding="utf-8")
    assert run("new", kind, KINDS[kind], "--in", str(tmp_path)).returncode == 0
    project = str(tmp_path / KINDS[kind])
    done = there(installed, "pytest", "-q", "-p", "no:cacheprovider", project, within=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_an_installed_project_is_listed_and_fit(installed: Path) -> None:
    """By name, with its title, its version and no fault; the check says so."""
    bots = json.loads(there(installed, "p2ptruco", "bots", "--json").stdout)["bots"]
    assert bots[-1] == {
        "name": "meu-bot",
        "title": "meu-bot",
        "plugin": "meu-bot",
        "version": "0.1.0",
    }
    variants = json.loads(there(installed, "p2ptruco", "variants", "--json").stdout)["variants"]
    mine = next(variant for variant in variants if variant["name"] == "minha_casa-2")
    assert mine["source"] == "minha_casa-2"
    assert mine["differs"] == {"scale": "1-3-6-9-12", "all_tied": "eldest", "fold": "no"}
    plugins = json.loads(there(installed, "p2ptruco", "plugins", "--json").stdout)["plugins"]
    assert [plugin["error"] for plugin in plugins] == [None] * len(plugins)
    for kind, name in KINDS.items():
        done = there(installed, "p2ptruco", "check", kind, name, "--json")
        answer = json.loads(done.stdout)
        assert (done.returncode, answer["ok"], answer[kind]) == (0, True, name)


@pytest.mark.parametrize("language", ["en", "pt-BR"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_project_speaks_the_language_of_its_author(
    tmp_path: Path, kind: str, language: str
) -> None:
    """One README, in the language spoken; the steps that come next are printed."""
    done = run("new", kind, "x", "--in", str(tmp_path), "--lang", language)
    assert done.returncode == 0
    assert f"p2ptruco check {kind} x" in done.stdout
    assert [path.name for path in (tmp_path / "x").glob("README*")] == ["README.md"]
    text = (tmp_path / "x" / "README.md").read_text(encoding="utf-8")
    assert ("sem servidor" in text) == (language == "pt-BR")
    written = [path for path in (tmp_path / "x").rglob("*") if path.is_file()]
    assert all("$" not in path.read_text(encoding="utf-8") for path in written)
    assert f"p2ptruco_{kind}_x/__init__.py" in {
        str(path.relative_to(tmp_path / "x")) for path in written
    }


def test_new_says_what_it_wrote(tmp_path: Path) -> None:
    """As one object."""
    told = json.loads(run("new", "bot", "x", "--in", str(tmp_path), "--json").stdout)
    assert (told["name"], told["kind"], told["path"]) == ("x", "bot", str(tmp_path / "x"))
    assert all((tmp_path / "x" / path).is_file() for path in told["files"])
    assert "tests/test_bot.py" in told["files"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("new", "bot", "zap"), "name_taken"),
        (("new", "variant", "mineiro"), "name_taken"),
        (("new", "bot", "Meu Bot"), "bad_name"),
        (("new", "bot", "../x"), "bad_name"),
        (("new", "bot", "x-"), "bad_name"),
        (("new", "bot", "there", "--in", "{folder}"), "exists"),
        (("check", "bot", "zup"), "unknown_bot"),
        (("check", "bot", "{folder}/none.py"), "no_file"),
        (("check", "variant", "mineir"), "unknown_variant"),
        (("check", "variant", "{folder}/none.py"), "no_file"),
    ],
)
def test_what_cannot_be_is_a_sentence(tmp_path: Path, words: tuple[str, ...], code: str) -> None:
    """Nothing is written over, no name is taken twice; wrong use ends with 2."""
    (tmp_path / "there").mkdir()
    done = run(*(word.format(folder=tmp_path) for word in words), "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == code
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["there"]


def test_check_bot_tells_what_fails_with_its_hand(tmp_path: Path) -> None:
    """One object of checks; as text the hand is there to be copied, and judged."""
    bot = write_bot(tmp_path, "def choose(view):\n    return view.plays[-1]\n")
    done = run("check", "bot", bot, "--json", "--budget", "5000")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["ok"], answer["bot"]) == (1, False, bot)
    assert {frozenset(check) for check in answer["checks"]} == {
        frozenset(("name", "ok", "message", "hand"))
    }
    (failed,) = [check for check in answer["checks"] if check["ok"] is False]
    assert failed["name"] == "no_exception"
    assert "IndexError" in failed["message"]
    judged = run("judge", "-", "--json", text=failed["hand"])
    assert judged.returncode == 0
    assert json.loads(judged.stdout)["pending"] is not None
    text = run("check", "bot", bot).stdout
    assert "    players 2" in text
    assert "IndexError" in text


@pytest.mark.parametrize(
    ("source", "ok", "message"),
    [
        ("register(replace(p2ptruco.MINEIRO, name='x', best_of=3))", True, "x"),
        ("register(replace(p2ptruco.MINEIRO, name='x', target=3))", False, "passes the target"),
        ("register('x')", False, "does not load"),
        ("pass", False, "registers no variant"),
        ("[register(replace(p2ptruco.MINEIRO, name=n)) for n in 'ab']", False, "several"),
    ],
)
def test_check_variant_takes_files(tmp_path: Path, source: str, ok: bool, message: str) -> None:
    """A variant that cannot be is a check that fails, not an error of ours."""
    path = write_bot(
        tmp_path,
        "from dataclasses import replace\nimport p2ptruco\n\n@p2ptruco.hookimpl\n"
        f"def p2ptruco_register_variants(register):\n    {source}\n",
    )
    done = run("check", "variant", path, "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["ok"], answer["variant"]) == (0 if ok else 1, ok, path)
    assert answer["checks"][0]["name"] == "loads"
    assert message in answer["checks"][0]["message"]


VARIANT_FILE = (
    "from dataclasses import replace\nimport p2ptruco\n\n@p2ptruco.hookimpl\n"
    "def p2ptruco_register_variants(register):\n"
    "    [register(replace(p2ptruco.MINEIRO, name=n, best_of=3)) for n in {names!r}]\n"
)


@pytest.mark.parametrize(
    ("names", "after", "toggles"),
    [
        ("a", "", {"best_of": "3"}),
        ("a", " fold=no  best_of=1", {"best_of": "1", "fold": "no"}),
        ("ab", ":a", {"best_of": "3"}),
        ("ab", ":a all_tied=eldest", {"best_of": "3", "all_tied": "eldest"}),
    ],
)
def test_a_variant_is_played_by_its_file(
    tmp_path: Path, names: str, after: str, toggles: dict[str, str]
) -> None:
    """As bots are, with toggles after it; the folder may have a blank in its name."""
    folder = tmp_path / "minha casa"
    folder.mkdir()
    text = write_bot(folder, VARIANT_FILE.format(names=names), "mine") + after
    (told,) = json.loads(run("variants", text, "--json").stdout)["variants"]
    assert told["name"] == "a"
    assert {name: told["toggles"][name] for name in toggles} == toggles
    assert run("check", "variant", text).returncode == 0
    played = run("arena", "random", "random", "--pairs", "1", "--variant", text, "--json")
    assert json.loads(played.stdout)["variant"] == "a"


@pytest.mark.parametrize(
    ("names", "after", "code"),
    [
        ("a", ":b", "no_variant_in_file"),
        ("ab", "", "several_variants"),
        ("a", " fold=perhaps", "bad_variant"),
        ("a", " fold=no fold=yes", "bad_variant"),
        (["mineiro"], "", "broken_file"),
        ([""], "", "broken_file"),
        ("a", "x", "no_file"),
    ],
)
@pytest.mark.parametrize("command", ["demo", "play", "host", "arena"])
def test_a_file_without_the_variant_is_wrong_use(
    tmp_path: Path, command: str, names: object, after: str, code: str
) -> None:
    """Of every command that plays: one sentence, before anybody sits down."""
    text = write_bot(tmp_path, VARIANT_FILE.format(names=names), "mine") + after
    bots = ("random", "zap") if command == "arena" else ()
    done = run(command, *bots, "--variant", text, "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (2, code)
