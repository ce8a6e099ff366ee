"""The referee's answers, and that what is written is read back with the same result."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.rules.hand import How, begin
from p2ptruco.rules.match import score_after
from p2ptruco.rules.moves import CALL
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.notation.writing import spell, write
from p2ptruco.rules.play import act, audience, legal, lose, to_act
from p2ptruco.rules.presets import CORE, MINEIRO, PAULISTA
from p2ptruco.rules.seating import Slot
from p2ptruco.rules.variant import from_toggles

from .kit import Dealt, deals, variants, walk

EXAMPLE = """\
# a truco that is raised and refused
variant mineiro
score 8 4
dealer 2
hand 1: 4c 7h 3s
hand 2: As 2d Kd
1: truco
2: seis
1: run
"""


def test_the_example_of_the_specification() -> None:
    """The object, key by key."""
    assert json.loads(json.dumps(judge(EXAMPLE).json())) == {
        "variant": "mineiro",
        "players": 2,
        "dealer": 2,
        "kind": "normal",
        "tricks": [],
        "table": [],
        "value": 4,
        "pending": None,
        "to_act": [],
        "legal": [],
        "result": {"winner": "B", "points": 4, "how": "run"},
        "score": {"A": 8, "B": 8},
        "match": None,
        "illegal": None,
    }


def test_an_unfinished_hand() -> None:
    """Tricks with their cards, winner and next lead; the table; the pending call."""
    text = "hand 1: 4c 7h 3s\nhand 2: As 2d Kd\n1: 3s\n2: As\n2: x Kd\n1: truco\n"
    told = judge(text).json()
    assert told["tricks"] == [{"cards": [[1, "3s"], [2, "As"]], "winner": "B", "lead": 2}]
    assert told["table"] == [[2, "x"]]
    assert told["pending"] == {"call": "truco", "by": 1, "points": 4}
    assert (told["to_act"], told["legal"]) == ([2], ["accept", "run", "seis"])


def test_an_illegal_move() -> None:
    """Line and move from 1; everything else is the state before that move."""
    before = judge(EXAMPLE.replace("1: run\n", ""))
    verdict = judge(EXAMPLE.replace("1: run\n", "2: run\n"))
    told = verdict.json(lambda code: f"because {code}")
    wrong = {"line": 9, "move": 3, "code": "not_your_turn", "message": "because not_your_turn"}
    assert told == before.json() | {"illegal": wrong}
    assert (before.exit, verdict.exit) == (0, 1)


def test_a_wrong_file() -> None:
    """Every key is null but `illegal`, whose move is null."""
    verdict = judge("variant nowhere\n")
    told = verdict.json()
    wrong = told.pop("illegal")
    assert set(told.values()) == {None}
    assert (wrong["line"], wrong["move"], wrong["code"]) == (1, None, "bad_header")
    assert verdict.exit == 2


@settings(max_examples=150, deadline=None)
@given(deals(), st.booleans())
def test_what_is_written_is_judged_the_same(dealt: Dealt, with_faces: bool) -> None:
    """Any hand at any point, known or told from public facts alone, is judged as it went."""
    for hand in walk(dealt):
        if hand.awaited is not None:
            continue
        text = write(hand, dealt.faces if with_faces else None, "a hand\nat random")
        verdict = judge(text)
        assert verdict.illegal is None, text
        assert verdict.hand is not None
        assert verdict.hand.result == hand.result
        assert verdict.hand.tricks == hand.tricks or not with_faces
        told = verdict.json()
        winners = [trick.winner for trick in hand.tricks]
        assert [trick["winner"] for trick in told["tricks"]] == [
            None if winner is None else "AB"[winner] for winner in winners
        ]
        score = score_after(hand)
        assert told["score"] == {"A": score[0], "B": score[1]}
        assert (told["value"], told["kind"]) == (hand.value, hand.kind)
        assert told["to_act"] == [seat + 1 for seat in to_act(hand)]
        if with_faces and to_act(hand):
            assert len(told["legal"]) == len(legal(hand, to_act(hand)[0]))


@settings(max_examples=80, deadline=None)
@given(deals())
def test_no_hidden_face_is_written(dealt: Dealt) -> None:
    """Told from public facts, a hand names no card that not all have seen."""
    for hand in walk(dealt):
        words = write(hand).replace("=", " ").replace(",", " ").split()
        body = words[words.index("dealer") :]
        hidden = [
            str(card)
            for slot, card in dealt.faces.items()
            if len(audience(hand, slot)) < hand.players or slot not in hand.faces
        ]
        assert not set(hidden) & set(body)


@settings(max_examples=150, deadline=None)
@given(variants())
def test_variants_are_spelt_by_value(variant: object) -> None:
    """A core preset and every toggle that differs say all but the name."""
    name, *pairs = spell(variant).split()
    toggles = dict(pair.split("=") for pair in pairs)
    again = from_toggles(variant.name, toggles, CORE[name])
    assert again == variant


def test_a_plugins_variant_needs_no_plugin() -> None:
    """The nearest core preset and the toggles that differ; a core preset is only named."""
    house = from_toggles(
        "mineiro-2-4-8-12",
        {"scale": "2-4-8-12", "face_down_from": "1", "partners_tie": "tie"},
    )
    assert spell(house) == "mineiro-escala-longa scale=2-4-8-12"
    assert spell(PAULISTA) == "paulista"
    assert spell(from_toggles("mineiro", {"fold": "no"})) == "mineiro fold=no"


DIVIDED = """players 4
hand 1: 7h 4d 5d
hand 2: Qh 3s 6d
hand 3: 2d 3d 6s
hand 4: Kc As Jd
1: 4d
2: truco
1: accept
2: 3s
3: seis
4: accept
3: 3d
4: Kc
2: x 6d
"""


def test_a_trick_divided_by_calls_has_one_comment_that_holds_it_whole() -> None:
    """A replay reads right: the calls stand between the cards, the comment after the last."""
    hand = judge(DIVIDED).hand
    assert hand is not None
    lines = write(hand).splitlines()
    comments = {place: line for place, line in enumerate(lines) if line.startswith("#")}
    assert comments == {len(lines) - 2: "# trick 1: 1 4d, 2 3s, 3 3d, 4 Kc: tied, 2 leads"}
    assert lines[-3:] == ["4: Kc", *comments.values(), "2: x ?"]


@settings(max_examples=40, deadline=None)
@given(deals())
def test_every_finished_trick_of_a_replay_is_told_whole(dealt: Dealt) -> None:
    """All its cards in order, `x` for a face-down one, who takes it, right after its last card."""
    *_, hand = walk(dealt)
    lines = write(hand, dealt.faces).splitlines()
    told = [line for line in lines if line.startswith("# trick")]
    for number, (line, trick) in enumerate(zip(told, hand.tricks, strict=True), 1):
        head, cards, taken = line.split(": ")
        assert head == f"# trick {number}"
        assert cards.split(", ") == [
            f"{lay.seat + 1} {'x' if lay.face_down else lay.card}" for lay in trick.lays
        ]
        lead = trick.lead + 1
        won = None if trick.winner is None else "AB"[trick.winner]
        assert taken == (f"{lead} takes it for {won}" if won else f"tied, {lead} leads")
        before = [re.fullmatch(r"\d: (x )?\S[chsd]", said) for said in lines[: lines.index(line)]]
        assert sum(map(bool, before)) == number * hand.players


def test_what_the_notation_cannot_say_is_a_comment() -> None:
    """A hand lost by absence stays open for the referee; its result is in the last comment."""
    called = act(begin(MINEIRO, 2, 1), 0, CALL)
    text = write(lose(called, 1, How.ABSENT))
    assert text.splitlines()[-1] == "# result: A 2 absent"
    assert judge(text).json()["result"] is None
    assert judge(text).json()["pending"] == {"call": "truco", "by": 1, "points": 4}


def test_a_hand_whose_vira_was_never_shown_is_all_comments() -> None:
    """It ended before its first card, and the notation knows no hand without its vira."""
    text = write(lose(begin(PAULISTA, 2, 1), 1, How.ABSENT))
    assert text.splitlines()[0] == "# variant paulista"
    assert text.splitlines()[-1] == "# result: A 1 absent"
    assert all(line.startswith("# ") for line in text.splitlines())


def test_a_card_laid_but_never_shown_is_left_out() -> None:
    """A blind card whose face was never opened cannot be written as a move."""
    hand = begin(MINEIRO, 2, 1, (10, 10))
    hand = act(hand, 0, legal(hand, 0)[0])
    assert hand.awaited == Slot(0)
    text = write(hand)
    assert text.splitlines()[-1] == "# 1 laid a card that was never shown"
    assert judge(text).exit == 0
