"""People at pseudo-terminals play whole matches with the real commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.calling import run

from .script import WANTED, alone, answer
from .terminal import Terminal, play, terminals

BOTS = Path(__file__).parent / "bots"


def everything_happened(terminal: Terminal, wanted: tuple[str, ...] = WANTED) -> None:
    """All of it was shown, and no place of a hand ever showed two cards."""
    for text in wanted:
        assert text in terminal.screen, f"no {text!r} in\n{terminal.screen}"
    for hand in terminal.screen.split("\nHand ")[1:]:
        held = " ".join(re.findall(r"^Your cards: (.*)$", hand, re.MULTILINE))
        faces = set(re.findall(r"(\d): (\S+)", held))
        assert len({place for place, _ in faces}) == len(faces), hand


def verified(terminal: Terminal) -> dict[str, object]:
    record = re.findall(r"^record: (.*\.trec)$", terminal.screen, re.MULTILINE)[-1]
    done = run("verify", record, "--json")
    assert done.returncode == 0
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_two_terminals_play_a_whole_match_and_another(tmp_path: Path) -> None:
    """Lobby, rules, agreement, every kind of move and hand, records that verify, a rematch in the
    same seats, and a host who goes home."""
    with terminals() as opened:
        ana = opened(tmp_path / "ana", "host", "--seats", "2", "--name", "Ana", "--private")
        ticket = ana.expect(r"Ticket: (\S+)")[1]
        bia = opened(tmp_path / "bia", "join", ticket, "--name", "Bia")
        for one in (ana, bia):
            one.expect("mineiro: 2, truco 4, seis 6, dez 10, doze 12; to 12")
        ana.type("start")
        ana.expect("Not everybody is here and ready")
        bia.type("say oi")
        ana.expect("Bia: oi")
        bia.type("ready")
        ana.expect("type start")
        ana.type("start")
        prints = {one.expect(r"Signed by all, (\S+):")[1] for one in (ana, bia)}
        assert len(prints) == 1
        play({ana: answer, bia: answer}, "Another match?")
        for one in (ana, bia):
            everything_happened(one)
            assert verified(one)["status"] == "complete"
            told = [line for line in one.screen.splitlines() if len(line.split()) > 2]
            assert max(map(len, told)) < 80
        again(ana, bia)


def again(ana: Terminal, bia: Terminal) -> None:
    """A rematch, the guest first, who is ready by having asked for it, and leaves in the middle of
    it."""
    bia.type("y")
    ana.type("y")
    ana.expect(r"2 B  Bia .* met before")
    bia.expect(r"1 A  Ana .* met before")
    ana.expect("type start")
    ana.type("start")
    for one in (ana, bia):
        one.expect("Hand 1")
    bia.type("leave")
    bia.expect("type it again if you mean it")
    bia.type("leave")
    play({ana: answer, bia: answer}, "Another match?")
    for one in (ana, bia):
        one.expect("A won the match")
        one.expect(r"Bia \(2\) left the match\.")
        assert verified(one)["winner"] == "A"
    ana.type("n")
    assert ana.ended() == 0
    bia.type("y")
    assert bia.ended() == 0, bia.screen[-600:]
    bia.expect("The host has gone home")


def test_two_people_and_two_bots_play_at_one_table(tmp_path: Path) -> None:
    """Four seats; the bots are seen as the host's; a signal is heard by nobody but the partner,
    and the cards of the mão de dez are shown to one team only."""
    with terminals() as opened:
        bot = str(BOTS / "quiet.py")
        host = ("host", "--bots", "2", "--bot", bot, "--name", "Ana", "--private")
        ana = opened(tmp_path / "ana", *host)
        ticket = ana.expect(r"Ticket: (\S+)")[1]
        ana.shows("3 A .* bot · run by seat 1 · ready")
        ana.shows("4 B .* bot · run by seat 1 · ready")
        bia = opened(tmp_path / "bia", "join", ticket, "--name", "Bia")
        bia.expect("2 B  Bia")
        bia.type("ready")
        ana.expect("type start")
        ana.type("start")
        for one in (ana, bia):
            one.expect("4 B  quiet-4 · run by seat 1")
            one.expect("Your cards")
        ana.type("signal tenho o zap")
        ana.expect("Told to your partners only")
        play({ana: answer, bia: answer}, "won the match")
        for one in (ana, bia):
            everything_happened(one)
            assert "tenho o zap" not in one.screen
        shown = ["Partner 3 holds: " in ana.screen, "Partner 4 holds: " in bia.screen]
        assert sorted(shown) == [False, True]
        ana.expect("Another match?")
        assert verified(ana)["peers"][2]["operator"] == 1  # type: ignore[index]


def test_one_person_plays_three_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`play --plain`: every kind of move and hand against bots; the record, in `matches` too; the
    result as one object for a program."""
    with terminals() as opened:
        words = ("play", "--plain", "--seats", "4", "--bots", str(BOTS / "obliging.py"), "--json")
        ana = opened(tmp_path / "ana", *words)
        play({ana: alone}, "Another match?")
        everything_happened(ana, tuple(text for text in WANTED if text != "refuses it"))
        assert "Partner 3 holds: " in ana.screen
        assert verified(ana)["status"] == "complete"
        ana.end_input()
        assert ana.ended() == 0
        (match,) = json.loads(ana.screen.splitlines()[-1])["matches"]
        assert set(match) == {"seat", "seats", "variant", "winner", "score", "hands", "record"}
        assert (match["seat"], match["seats"], match["score"][match["winner"]]) == (1, 4, 12)
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "ana"))
    the_history_is_kept(match, tmp_path)


def the_history_is_kept(match: dict[str, object], folder: Path) -> None:
    """List, verify, replay, export, delete."""
    (kept,) = json.loads(run("matches", "--json").stdout)["matches"]
    assert (kept["number"], kept["variant"], kept["path"]) == (1, "mineiro", match["record"])
    assert json.loads(run("matches", "verify", "--json").stdout)["winner"] == match["winner"]
    hands = json.loads(run("matches", "replay", "1", "--json").stdout)["hands"]
    assert len(hands) == match["hands"]
    copy = folder / "copy.trec"
    assert run("matches", "export", "1", str(copy)).returncode == 0
    assert run("matches", "export", "1", str(copy)).returncode == 2, "nothing is written over"
    assert copy.read_bytes() == Path(str(match["record"])).read_bytes()
    assert run("matches", "delete", "1").returncode == 0
    assert json.loads(run("matches", "--json").stdout) == {"matches": []}
