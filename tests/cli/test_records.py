"""`verify` and `replay` on every record of the vectors: the verdict, the status, both languages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from p2ptruco.table.violation import LOG_WORDS, RECORD_WORDS
from p2ptruco.ui import reasons
from tests.kit.table_runner import ROOT, edited

from .calling import run

VECTORS = {path.stem: json.loads(path.read_text()) for path in (ROOT / "record").glob("*.json")}
GOOD = {"complete", "unsealed", "interrupted"}


def one_based(number: int | None) -> int | None:
    return None if number is None else number + 1


@pytest.fixture
def record(name: str, tmp_path: Path) -> str:
    given, path = VECTORS[name]["given"], tmp_path / "match.trec"
    blob = (ROOT / "record" / given["file"]).read_bytes() if "file" in given else b""
    path.write_bytes(edited(blob, given.get("edits", [])))
    return str(path)


def of(*expected: str) -> list[str]:
    return sorted(name for name, vector in VECTORS.items() if vector["expect"] in expected)


@pytest.mark.parametrize("name", of(*GOOD))
def test_a_good_record_is_told_as_what_it_is(name: str, record: str) -> None:
    """Status 0; a match that a violation ended is a good record, and the violation is named."""
    gives: dict[str, Any] = VECTORS[name]["gives"]
    done = run("verify", record, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["status"]) == (0, True, VECTORS[name]["expect"])
    for count in ("entries", "shuffles", "tokens"):
        assert found[count] == gives[count]
    assert found["hands"] == len(gives["hands"])
    assert found["unsealed_by"] == [seat + 1 for seat in gives["unsealed_by"]]
    if gives["violation"] is None:
        assert found["violation"] is None
    else:
        word, hand, step, seat = gives["violation"]
        told = {key: found["violation"][key] for key in ("kind", "hand", "step", "seat")}
        assert told == {"kind": word, "hand": hand + 1, "step": step + 1, "seat": seat + 1}
    if "winner" in gives:
        assert found["winner"] == (None if gives["winner"] is None else "AB"[gives["winner"]])
        assert found["score"] == dict(zip("AB", gives["score"], strict=True))
    else:
        assert found["winner"] is None


@pytest.mark.parametrize("name", of(*RECORD_WORDS))
def test_a_broken_record_is_named_with_its_place(name: str, record: str) -> None:
    """Status 1: kind, hand, step and seat of the first fault; `replay` refuses it by that name."""
    vector = VECTORS[name]
    done = run("verify", record, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"], found["status"]) == (1, False, None)
    told = {key: found["violation"][key] for key in ("kind", "hand", "step", "seat")}
    places = {key: one_based(vector[key]) for key in ("hand", "step", "seat")}
    assert told == {"kind": vector["expect"], **places}
    assert found["winner"] is None
    replayed = run("replay", record, "--json")
    assert replayed.returncode == 1
    assert json.loads(replayed.stdout)["error"]["code"] == vector["expect"]


@pytest.mark.parametrize("name", of("no_record"))
def test_what_is_no_record_is_wrong_use(name: str, record: str) -> None:
    """Status 2, for both commands."""
    for command in ("verify", "replay"):
        done = run(command, record, "--json")
        assert done.returncode == 2
        assert json.loads(done.stdout)["error"]["code"] == "no_record"


@pytest.mark.parametrize("name", sorted(VECTORS))
@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_every_verdict_has_its_words(name: str, record: str, language: str) -> None:
    """The text form never fails, and fits the terminal."""
    done = run("verify", record, "--verbose", "--lang", language)
    assert done.returncode in (0, 1, 2)
    assert max(map(len, [*done.stdout.splitlines(), ""])) <= 80
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", of(*GOOD))
def test_every_hand_of_a_good_record_is_replayed(name: str, record: str) -> None:
    """As many as were finished, and the one under way; the referee reads each of them, but for
    one that ended before its vira was shown, which is told in comments."""
    gives = VECTORS[name]["gives"]
    hands = json.loads(run("replay", record, "--json").stdout)["hands"]
    assert len(gives["hands"]) <= len(hands) <= len(gives["hands"]) + 1
    for text, (winner, points, how) in zip(hands, gives["hands"], strict=False):
        if text.startswith("# variant"):
            assert how in ("absent", "illegal")
            assert f"# result: {'AB'[winner]} {points} {how}" in text
            continue
        verdict = json.loads(run("judge", "-", "--json", text=text).stdout)
        assert verdict["illegal"] is None
        if how in ("absent", "illegal"):
            assert verdict["result"] is None
        else:
            letter = None if winner is None else "AB"[winner]
            assert verdict["result"] == {"winner": letter, "points": points, "how": how}


def test_a_whole_replay_is_judged_from_one_file() -> None:
    """Hand by hand, as `replay` writes them."""
    hand = "hand 1: 4c 7h 3s\nhand 2: As 2d Kd\n"
    text = f"{hand}1: fold\n---\nscore 0 2\n{hand}1: truco\n2: 4c\n"
    done = run("judge", "-", "--json", text=text)
    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert [one["score"] for one in told["hands"]] == [{"A": 0, "B": 2}, {"A": 0, "B": 2}]
    assert told["illegal"]["hand"] == 2
    assert told["illegal"]["code"] == "call_pending"
    said = run("judge", "-", "--lang", "pt-BR", text=text)
    assert "Mão 1" in said.stdout
    assert "Mão 2" in said.stdout
    assert said.stderr.startswith("Mão 2: linha 9, jogada 2: ")
    assert "call_pending" not in said.stderr


def test_every_kind_has_its_sentence() -> None:
    """No word of a violation without its explanation, none explained that is no word."""
    assert set(reasons.VIOLATIONS) == LOG_WORDS | RECORD_WORDS


@pytest.mark.parametrize(
    ("name", "why"), [("none.truco", "there is no such file"), ("", "it is a folder")]
)
def test_a_hand_that_cannot_be_read_is_told_from_one_that_is_wrong(
    tmp_path: Path, name: str, why: str
) -> None:
    """People hear what the system says; for programs the code is `syntax`, of no line."""
    done = run("judge", str(tmp_path / name), "--json")
    illegal = json.loads(done.stdout)["illegal"]
    assert done.returncode == 2
    assert (illegal["code"], illegal["line"], illegal["move"]) == ("syntax", None, None)
    assert why in illegal["message"]
    assert why in run("judge", str(tmp_path / name)).stderr


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_record_may_come_through_a_pipe(command: str) -> None:
    """As the shell's `<(...)` names one: it is read whole, for it cannot be rewound."""
    blob = (ROOT / "record" / "complete.record").read_bytes()
    out, into = os.pipe()
    os.write(into, blob)
    os.close(into)
    assert run(command, f"/dev/fd/{out}").returncode == 0
    os.close(out)


def test_a_place_that_is_not_known_is_not_told(tmp_path: Path) -> None:
    """A signature that nobody's key made is no seat's."""
    vector = VECTORS["forged"]
    blob = edited(
        (ROOT / "record" / vector["given"]["file"]).read_bytes(), vector["given"]["edits"]
    )
    (path := tmp_path / "forged.trec").write_bytes(blob)
    done = run("verify", str(path))
    assert done.returncode == 1
    assert "seat -" not in done.stdout
    assert f"(hand {vector['hand'] + 1}, step {vector['step'] + 1}" in done.stdout
