"""What holds for every command: help, JSON, exit codes, one sentence a failure, two languages."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest

from p2ptruco import hooks
from p2ptruco.app.listening import port_of
from p2ptruco.cli.command import SUMMARIES
from p2ptruco.cli.entry import explain
from p2ptruco.cli.failure import ENDINGS, Failure, Terminated
from p2ptruco.cli.root import Commands, root
from p2ptruco.cli.running import run as run_trio
from p2ptruco.net.transport.ticket import Address
from tests.kit.signals import restored

from .calling import P2PTRUCO, run


def every_command() -> Iterator[tuple[str, ...]]:
    """The words of every command, those of groups included."""
    assert isinstance(root, Commands)
    context = click.Context(root)
    for name in SUMMARIES:
        command = root.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.commands)
        else:
            yield (name,)


EVERY = list(every_command())


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    """-h and --help: usage, an example that names the command, the common options."""
    short, long = run(*words, "-h"), run(*words, "--help")
    assert short.returncode == long.returncode == 0
    assert short.stdout == long.stdout
    assert f"p2ptruco {' '.join(words)}" in long.stdout.split("Example:")[1]
    for option in ("--lang", "--verbose", "--json"):
        assert option in long.stdout
    assert max(map(len, long.stdout.splitlines())) <= 80


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_speaks_portuguese(words: tuple[str, ...]) -> None:
    """--lang before or after the command: no English is left in its help."""
    before, after = run("--lang", "pt-BR", *words, "-h"), run(*words, "-h", "--lang=pt-BR")
    assert before.stdout == after.stdout
    assert "Exemplo:" in before.stdout
    english = {"the", "of", "and", "Options", "Usage", "Show", "message", "record", "play"}
    told = re.sub(r"p2ptruco .*|--\S+|[A-Z]{3,}|<\w+>|\[.*?\]", "", before.stdout)
    assert not english & set(re.findall(r"\w+", told))


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_wrong_use_is_a_sentence_and_two(words: tuple[str, ...]) -> None:
    """An option that is none: status 2, one object with a code, a reason, no traceback."""
    wrong = run(*words, "--no-such-option", "--json")
    assert wrong.returncode == 2
    error = json.loads(wrong.stdout)["error"]
    assert set(error) == {"code", "message"}
    assert error["code"] == "usage"
    assert wrong.stderr.startswith("Error: ")
    assert "Traceback" not in wrong.stdout + wrong.stderr


JSON = {
    ("bots",): {"bots"},
    ("plugins",): {"plugins"},
    ("variants",): {"variants"},
    ("variants", "paulista"): {"variants"},
    ("matches",): {"matches"},
    ("tables", "--wait", "0.2"): {"tables"},
    ("identity",): {"fingerprint", "nick", "path", "created"},
    ("bench", "rules", "--seconds", "0.2"): {"matches_per_s", "moves_per_s"},
}


@pytest.mark.parametrize("words", JSON, ids=" ".join)
def test_json_is_one_object_and_nothing_else(words: tuple[str, ...]) -> None:
    """On standard output, with the keys of the contract."""
    done = run(*words, "--json")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert JSON[words] <= set(json.loads(done.stdout))


@pytest.mark.parametrize("words", JSON, ids=" ".join)
def test_what_prints_json_prints_text_too(words: tuple[str, ...]) -> None:
    """In both languages, and not the same in both where there is prose."""
    for language in ("en", "pt-BR"):
        done = run(*words, "--lang", language)
        assert done.returncode == 0
        assert done.stdout.strip()


def test_the_listings_have_the_shape_of_the_contract() -> None:
    """Every key, and nothing missing."""
    bots = json.loads(run("bots", "--json").stdout)["bots"]
    assert [set(bot) for bot in bots] == [{"name", "title", "plugin", "version"}] * 5
    for plugin in json.loads(run("plugins", "--json").stdout)["plugins"]:
        assert set(plugin) == {"name", "version", "api", "bots", "variants", "error"}
        assert plugin["error"] is None
    variants = json.loads(run("variants", "--json").stdout)["variants"]
    assert {v["name"]: v["source"] for v in variants}["mineiro-2-4-8-12"] == "variants-minas"
    for variant in variants:
        assert set(variant) == {"name", "title", "source", "toggles", "differs"}
        assert len(variant["toggles"]) == 13
        assert variant["differs"].items() <= variant["toggles"].items()
    assert variants[0]["differs"] == {}


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("verify", "{none}"), 2, "unreadable"),
        (("verify", "{folder}"), 2, "unreadable"),
        (("verify", "{empty}"), 2, "no_record"),
        (("verify", "{garbage}"), 2, "no_record"),
        (("replay", "{none}"), 2, "unreadable"),
        (("replay", "{garbage}"), 2, "no_record"),
        (("variants", "mineir"), 2, "unknown_variant"),
        (("demo", "--variant", "nothing"), 2, "unknown_variant"),
        (("demo", "--seats", "3"), 2, "wrong_size"),
        (("demo", "--seats", "4", "--variant", "mano-a-mano"), 2, "wrong_size"),
        (("demo", "--seats", "8", "--variant", "paulista"), 2, "wrong_size"),
        (("demo", "--seats", "2", "--bots", "zap,zap,zap"), 2, "too_many_bots"),
        (("demo", "--variant", "mineiro fold=perhaps"), 2, "bad_variant"),
        (("demo", "--variant", "mineiro fold=no fold=no"), 2, "bad_variant"),
        (("variants", "mineiro target=3"), 2, "bad_variant"),
        (("demo", "--bots", "zup"), 2, "unknown_bot"),
        (("demo", "--bots", "./none.py"), 2, "no_file"),
        (("demo", "--record", "{none}/x.trec"), 2, "no_folder"),
        (("play", "--seats", "3"), 2, "wrong_size"),
        (("play", "--bots", "zup"), 2, "unknown_bot"),
        (("play", "--record", "{none}/x.trec"), 2, "no_folder"),
        (("host", "--variant", "nothing"), 2, "unknown_variant"),
        (("host", "--seats", "2", "--bots", "2"), 2, "too_many_bots"),
        (("host", "--name", "a\x1b"), 2, "bad_name"),
        (("host", "--time", "-1"), 2, "usage"),
        (("join", "TRUCO:AAAA"), 2, "bad_ticket"),
        (("join", "-"), 2, "bad_ticket"),
        (("join", "--bot", "./none.py"), 2, "no_file"),
        (("matches", "verify"), 2, "no_match"),
        (("matches", "delete", "7"), 2, "no_match"),
        (("matches", "export"), 2, "usage"),
        (("matches", "keep"), 2, "usage"),
        (("tables", "--wait", "0"), 2, "usage"),
        (("bench", "deal", "--seats", "3"), 2, "usage"),
        (("--lang", "tlh", "bots"), 2, "usage"),
        (("nonsense",), 2, "usage"),
        (("verify",), 2, "usage"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_bad_input_is_a_sentence(
    words: tuple[str, ...], status: int, code: str, language: str, tmp_path: Path
) -> None:
    """The status, the code, the reason on standard error; never a traceback."""
    places = {"none": tmp_path / "none", "folder": tmp_path, "empty": tmp_path / "empty"}
    places["garbage"] = tmp_path / "garbage"
    places["empty"].write_bytes(b"")
    places["garbage"].write_bytes(os.urandom(500))
    spoken = () if "--lang" in words else ("--lang", language)
    done = run(*(word.format(**places) for word in words), "--json", *spoken)
    assert done.returncode == status
    assert json.loads(done.stdout)["error"]["code"] == code
    assert "Traceback" not in done.stderr
    reason = done.stderr.splitlines()[0]
    assert reason.startswith(("Error: ", "Erro: "))
    assert json.loads(done.stdout)["error"]["message"] in reason


def test_a_near_miss_is_guessed() -> None:
    """Commands, variants and bots."""
    assert "Did you mean verify?" in run("verfy").stderr
    assert "Did you mean mineiro?" in run("variants", "mineir").stderr
    assert "Did you mean zap?" in run("demo", "--bots", "zip").stderr


def test_what_is_typed_cannot_steer_the_terminal() -> None:
    """Arguments come back clean."""
    for words in (("\x1b[2Jx",), ("variants", "\x1b[2J\u202e"), ("verify", "\x1b]0;x\x07")):
        done = run(*words)
        assert done.returncode == 2
        assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout + done.stderr)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Failure("x", "y", 2), 2, "x"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (Terminated(), 143, "terminated"),
        (BaseExceptionGroup("", [ValueError(), KeyboardInterrupt()]), 130, "interrupted"),
        (BaseExceptionGroup("", [BaseExceptionGroup("", [Terminated()])]), 143, "terminated"),
        (click.UsageError("u"), 2, "usage"),
        (PermissionError(13, "no"), 1, "system"),
        (RuntimeError("secret"), 1, "internal"),
        (MemoryError(), 1, "internal"),
    ],
)
def test_every_exception_becomes_a_failure(error: BaseException, status: int, code: str) -> None:
    """In one place; what is inside an unexpected one is not shown."""
    failure = explain(error)
    assert (failure.status, failure.code) == (status, code)
    assert "secret" not in failure.message


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_command_cleanly(number: int, status: int) -> None:
    """130 after Ctrl-C, 143 after SIGTERM, and no traceback."""
    with subprocess.Popen(
        [P2PTRUCO, "bench", "rules", "--seconds", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restored,
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert process.returncode == status
    assert "Traceback" not in out + err


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_was_ignored_stays_so(number: signal.Signals) -> None:
    """`nohup p2ptruco arena …` goes on when the terminal is closed; another signal ends it."""

    def ignored() -> None:
        restored()
        signal.signal(number, signal.SIG_IGN)

    other = signal.SIGINT if number == signal.SIGTERM else signal.SIGTERM
    with subprocess.Popen(
        [P2PTRUCO, "bench", "rules", "--seconds", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=ignored,
    ) as process:
        for _ in range(2):
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.7)
            process.send_signal(number)
        process.send_signal(other)
        process.communicate(timeout=20)
    assert process.returncode == (130 if other == signal.SIGINT else 143)


def test_children_are_waited_for_though_a_parent_ignores_its_own(tmp_path: Path) -> None:
    """With SIGCHLD ignored the system told nobody how a bot's process had ended."""
    bot = tmp_path / "leaves.py"
    bot.write_text("import os\nos._exit(3)\n")
    done = subprocess.run(
        [P2PTRUCO, "arena", str(bot), "zap"],
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
        capture_output=True,
        check=False,
    )
    assert b" ends the process that loads it: exit 3" in done.stderr


def test_signals_that_are_all_ignored_stay_so() -> None:
    """`trap '' INT TERM HUP` before a match: it was an error inside."""

    async def work() -> str:
        return "done"

    before = {number: signal.signal(number, signal.SIG_IGN) for number in ENDINGS}
    try:
        assert run_trio(work) == "done"
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_reader_that_leaves_is_no_error() -> None:
    """`p2ptruco … | head -0`: nothing is complained about."""
    done = subprocess.run(
        f"{P2PTRUCO} variants paulista | head -c 1 | wc -c",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("1", "")


def test_verbose_writes_a_log_into_the_data_folder(home: Path) -> None:
    """The traceback of an unexpected error goes there, never to the terminal."""
    done = run("bots", "--verbose")
    assert str(home / "p2ptruco.log") in done.stderr
    assert (home / "p2ptruco.log").exists()


def test_nothing_is_kept_without_need(home: Path) -> None:
    """Listings make no data folder."""
    for words in ("bots", "variants", "plugins"):
        run(words)
    assert not home.exists()


def test_the_version_is_the_package_s() -> None:
    """p2ptruco --version, and a bare p2ptruco prints its help."""
    from importlib.metadata import version

    assert run("--version").stdout == f"p2ptruco {version('p2ptruco')}\n"
    assert run().stdout == run("--help").stdout
    assert list(SUMMARIES) == [
        line.split()[0]
        for line in run("--help").stdout.split("Commands:")[1].split("Example")[0].splitlines()
        if line.strip() and not line.startswith("   ")
    ]


@pytest.mark.parametrize(
    ("fault", "told"), [("broken", True), ("hook_failed", True), ("disabled", False)]
)
@pytest.mark.parametrize(
    "words",
    [("variants", "mine"), ("demo", "--bots", "mine"), ("arena", "mine", "zap", "--pairs", "1")],
    ids=" ".join,
)
def test_an_unknown_name_may_be_that_of_a_plugin_that_did_not_load(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], fault: str, told: bool
) -> None:
    """Then the sentence says where to look; a plugin that was kept out on purpose is no hint."""
    there = hooks.shelf()
    plugin = hooks.Plugin("mine", "1", 1, faults=(hooks.Fault(fault, "x"),))
    monkeypatch.setattr(hooks, "shelf", lambda: replace(there, plugins=(*there.plugins, plugin)))
    done = run(*words)
    assert done.returncode == 2
    assert ("`p2ptruco plugins` says why" in done.stderr) == told


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_a_ticket_has_the_port_that_ipv4_listens_on(order: slice) -> None:
    """Systems differ in which family they name first, and each gets a port of its own."""
    listens = (Address("0.0.0.0", 4000), Address("::", 6000))
    assert port_of(listens[order]) == 4000
