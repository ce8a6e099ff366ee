"""A person over a console of the test's own: what a line means, what is said, what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2ptruco.app import events
from p2ptruco.app.commands import Ahead, Command, Leave, Talk, Wink
from p2ptruco.app.mind import Person as Mind
from p2ptruco.app.parting import Parting
from p2ptruco.app.stage import Stage
from p2ptruco.net.session.situation import Leaving, Missing, Owing, Situation
from p2ptruco.rules.cards import parse_cards
from p2ptruco.rules.hand import Hand, Phase
from p2ptruco.rules.match import Match
from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play
from p2ptruco.rules.notation.judge import judge
from p2ptruco.rules.play import act, show
from p2ptruco.rules.presets import CORE, MANO_A_MANO, MINEIRO, PAULISTA
from p2ptruco.rules.scale import Scale
from p2ptruco.rules.seating import Seat, Slot, slots_of, team_of
from p2ptruco.rules.variant import Variant
from p2ptruco.rules.view import View, view_of
from p2ptruco.table.private import SINAIS
from p2ptruco.table.steps.phases import Choice
from p2ptruco.ui.terminal.console import Console, folded
from p2ptruco.ui.terminal.face import Terminal
from p2ptruco.ui.terminal.phrases import SHOUTS, read
from p2ptruco.ui.terminal.prompts import manual, prompt

CARDS = dict(enumerate(parse_cards("4c Qd 2s 7h 3d Ks 6c 5d Ah Jc 2h 3s")))


class Paper(Console):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def say(self, *lines: str) -> None:
        self.lines += lines


class Person:
    """A person at a terminal whose lines go to this paper, at a table of two; `heard`: what they
    ask for that is no matter of their cards."""

    def __init__(self, paper: Paper, seat: int = 1, players: int = 2, seconds: int = 0) -> None:
        self.stage, self.heard = Stage(), list[Command]()
        self.deadline: Callable[[], float | None] = lambda: None
        self.number = 0
        self.mind = Mind(self.stage, lambda: self.deadline(), lambda: self.number)
        self.choose, self.in_time = self.mind.choose, self.mind.in_time
        Terminal(paper, self.stage)
        self._hearing = [self.stage.heard_by(self._hear)]
        self._hearing[0].__enter__()
        names = [
            events.Player(Seat(n), team_of(Seat(n)), name, "AAAA", None, n == seat)
            for n, name in enumerate(NAMES[:players])
        ]
        seated = events.Seated(Seat(seat), tuple(names), MINEIRO, seconds, "PRINT")
        said = list(paper.lines)
        self.stage.tell(events.Scene(events.Place.MATCH), seated)
        paper.lines = said
        assert paper._hears is not None
        self.hear = paper._hears

    def _hear(self, command: Command) -> bool:
        self.heard.append(command)
        if isinstance(command, Ahead):
            self.heard.pop()
            return self.mind.hear(command)
        return True

    async def begin(self, view: View) -> None:
        """A hand is dealt."""
        await self.mind.tell("hand_started", view)


NAMES = ("Ana", "Bia", "Caio", "Davi")


def hand(score: tuple[int, int] = (0, 0), players: int = 2) -> Hand:
    return Match(MINEIRO, players, Seat(0), score).hand()


def view(of: Hand, seat: int, *, seen: Iterable[int] | None = None) -> View:
    slots = range(3 * of.players) if seen is None else seen
    return view_of(of, Seat(seat), {Slot(slot): CARDS[slot] for slot in slots})


def played(of: Hand, seat: int, position: int) -> Hand:
    slot = slots_of(Seat(seat))[position]
    return show(act(of, Seat(seat), Play(slot)), slot, CARDS[slot])


TURN = view(hand(), 1)
ANSWER = view(act(hand(), Seat(1), CALL), 0)
DECISION = view(hand((10, 0)), 0)


@pytest.mark.parametrize(
    ("line", "seen", "move"),
    [
        ("1", TURN, Play(Slot(3))),
        ("3", TURN, Play(Slot(5))),
        ("KS", TURN, Play(Slot(5))),
        ("truco", TURN, CALL),
        ("Truco!", TURN, CALL),
        ("t", TURN, CALL),
        ("f", TURN, FOLD),
        ("desisto", TURN, FOLD),
        ("a", ANSWER, ACCEPT),
        ("quero", ANSWER, ACCEPT),
        ("corro", ANSWER, RUN),
        ("seis", ANSWER, CALL),
        ("jogo", DECISION, PLAY_ON),
        ("n", DECISION, REFUSE),
    ],
)
def test_a_move_is_read_in_both_languages(line: str, seen: View, move: Move) -> None:
    """By position, by name, by its word."""
    typed = read(line, seen, asked=True)
    assert (typed.kind, typed.move) == ("move", move)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("4", "nothing"),
        ("0", "undo"),
        ("x 1", "not_now"),
        ("x1", "not_now"),
        ("4c", "nothing"),
        ("a", "not_now"),
        ("seis", "not_now"),
        ("", "nothing"),
        ("١", "nothing"),
        ("say", "nothing"),
        ("!7", "nothing"),
        ("!x", "nothing"),
        ("!²", "nothing"),
        ("say oi", "talk"),
        (". oi", "talk"),
        ("!1", "talk"),
        ("sinal tenho o zap", "signal"),
        ("?", "help"),
        ("ver", "look"),
        ("sair", "leave"),
        ("9" * 5000, "nothing"),
    ],
)
def test_what_is_no_move_makes_none(line: str, kind: str) -> None:
    """In the first trick, where nothing may be laid face down."""
    assert read(line, TURN, asked=True).kind == kind


def test_before_ones_turn_only_a_card_is_kept() -> None:
    for line, kind in (("1", "early"), ("x 1", "early"), ("truco", "not_now"), ("f", "not_now")):
        assert read(line, TURN, asked=False).kind == kind
    assert read("1", None, asked=False).kind == "nothing"


def test_a_call_is_its_word_in_any_case_of_its_letters() -> None:
    """ß stays one letter, as the log has it."""
    house = replace(MINEIRO, scale=Scale.parse("2,ßão:4"))
    turn = view(Match(house, 2, Seat(0)).hand(), 1)
    for line in ("ßão", "ẞÃO", "ßÃo!"):
        assert read(line, turn, asked=True).move is CALL
    assert read("ssão", turn, asked=True).kind == "nothing"


def test_every_shout_has_a_number() -> None:
    said = [read(f"!{number}", None, asked=False).text for number in range(1, len(SHOUTS) + 1)]
    assert said == list(SHOUTS)


def test_a_long_line_goes_on_below_and_a_path_stays_whole() -> None:
    """80 columns, never in the middle of a word."""
    assert max(map(len, folded("truco " * 40))) < 80
    assert folded("record: /" + "x" * 200) == ["record: /" + "x" * 200]
    assert folded("short") == ["short"]


async def asked(person: Person, seen: View, *lines: str) -> Move:
    """The move after these lines."""
    moves: list[Move] = []

    async def choose() -> None:
        moves.append(await person.choose(seen))

    async with trio.open_nursery() as tasks:
        tasks.start_soon(choose)
        await wait_all_tasks_blocked()
        for line in lines:
            person.hear(line)
    return moves[0]


async def test_a_prompt_says_what_is_needed_and_a_line_answers_it() -> None:
    """Score, worth, scale, cards with their positions, choices with their costs."""
    paper = Paper()
    person = Person(paper)
    assert await asked(person, TURN, "nonsense", "a", "?", "l", "truco") is CALL
    said = "\n".join(paper.lines)
    for text in (
        "A 0  B 0   this hand: 2 (scale: 2, truco 4 seis 6 dez 10 doze 12)",
        "Your cards: 1: 7♥*   2: 3♦   3: K♠",
        "> a number plays that card (worth 2), truco (worth 4; if they run, you score 2), "
        "f folds (they score 2), leave (loses the hand and the match)",
        "truco, seis, dez, doze calls the next step",
        "Not understood",
        "That cannot be done now.",
        "!1 Well played!",
        "You are seat 2, team B; 1 deals, 2 leads.",
    ):
        assert text in said


async def test_a_card_face_down_too_early_is_refused_with_the_reason() -> None:
    paper = Paper()
    assert await asked(Person(paper), TURN, "x 2", "f") is FOLD
    assert "No card may be laid face down before trick 2." in paper.lines


async def test_an_answer_and_a_decision_say_their_costs() -> None:
    paper = Paper()
    person = Person(paper, seat=0)
    assert await asked(person, ANSWER, "x 1", "seis") is CALL
    assert "2 calls TRUCO!: the hand would be worth 4." in paper.lines
    leave = "leave (loses the hand and the match)"
    seis = "seis (worth 6; if they run, you score 4)"
    assert f"> {seis}, a accepts (worth 4), r runs (they score 2), {leave}" in paper.lines
    assert await asked(person, DECISION, "p") is PLAY_ON
    win = "worth 4; if you win it, you win the match"
    assert f"> p plays it ({win}), n refuses (they score 2), {leave}" in paper.lines


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (
            (8, 0),
            "> a number plays that card (worth 2), truco (worth 4; if you lose it, you lose the "
            "match; if they run, you score 2), f folds (they score 2)",
        ),
        (
            (8, 8),
            "> a number plays that card (worth 2), truco (worth 4; whoever wins it wins the match; "
            "if they run, you score 2), f folds (they score 2)",
        ),
        (
            (10, 8),
            "> a number plays that card (worth 4; whoever wins it wins the match), f folds (they "
            "score 4 and win the match)",
        ),
        ((10, 10), "> a number plays that card (worth 2; whoever wins it wins the match)"),
    ],
)
def test_a_prompt_says_what_the_score_makes_of_the_points(
    score: tuple[int, int], told: str
) -> None:
    """Points that would reach the target are the match; seat 2 of team B is asked."""
    at = hand(score)
    at = act(at, Seat(0), PLAY_ON) if at.special is not None else at
    assert prompt(view(at, 1), 0) == f"{told}, leave (loses the hand and the match)"


def test_running_prices_the_match_too() -> None:
    """A at eight: what B runs from, accepts and raises."""
    at = act(act(act(hand((8, 2)), Seat(1), CALL), Seat(0), CALL), Seat(1), CALL)
    at = act(at, Seat(0), CALL)
    assert prompt(view(at, 1), 30).startswith(
        "> 30 s: a accepts (worth 12; whoever wins it wins the match), r runs (they score 10 and "
        "win the match), "
    )


def test_every_choice_of_every_variant_has_its_prices() -> None:
    """Calls by their own words on every scale; where a call loses the match, that is its price."""
    for variant in (*CORE.values(), replace(MANO_A_MANO, scale=Scale.parse("2-4-8-12"))):
        at = turn(variant, (0, 0))
        call, base = variant.scale.calls[0], variant.scale.base
        told = prompt(at, 0)
        assert f"{call.word} (worth {call.points}; if they run, you score {base})" in told
        at = turn(variant, (variant.special_at, 0))
        forfeit = variant.call_in_special == "forfeit"
        assert (f", {call.word} loses the match, " in prompt(at, 0)) == forfeit


def test_leaving_a_set_of_matches_costs_the_set() -> None:
    """Said with every prompt."""
    best_of = turn(replace(MINEIRO, best_of=3), (0, 0))
    assert prompt(best_of, 0).endswith(", leave (loses the hand and the whole set of matches)")


def turn(variant: Variant, score: tuple[int, int]) -> View:
    """What a seat sees whose turn it is to lay the first card, in a special hand once it plays."""
    at = Match(variant, 2, Seat(1), score).hand()
    at = show(at, at.awaited, CARDS[9]) if at.awaited is not None else at
    at = act(at, Seat(0), PLAY_ON) if at.phase is Phase.DECIDING else at
    return view(at, 0)


FORFEIT = turn(MANO_A_MANO, (10, 4))


def test_the_manual_names_what_this_table_has() -> None:
    """The calls of its scale and the score of its special hand."""
    told = "\n".join(manual(turn(replace(PAULISTA, players=frozenset({2})), (0, 0)), None))
    assert "truco, seis, nove, doze calls the next step" in told
    assert "p plays a mão de 11, n refuses it" in told


@pytest.mark.parametrize(
    ("without", "line"),
    [
        ({"face_down_from": None}, "face down"),
        ({"fold": False}, "f folds"),
        ({"special_decision": False}, "n refuses"),
    ],
)
def test_the_manual_offers_nothing_that_this_table_lacks(
    without: dict[str, Any], line: str
) -> None:
    usual, other = (
        "\n".join(manual(turn(rules, (0, 0)), None))
        for rules in (MINEIRO, replace(MINEIRO, **without))
    )
    assert line in usual
    assert line not in other


async def test_what_loses_the_match_is_asked_once_more() -> None:
    """A call in the mão de dez, mano a mano; asked by any of its words, and again after anything
    else was typed."""
    paper = Paper()
    person = Person(paper, seat=0)
    again = "truco loses the match here. Type it again to do it."
    assert await asked(person, FORFEIT, "truco", "l", "t", "say oi", "truco", "1") == Play(Slot(0))
    assert paper.lines.count(again) == 3
    assert paper.lines[paper.lines.index(again) + 1].startswith("> a number plays that card")
    assert await asked(person, FORFEIT, "truco", "Truco!") is CALL


@pytest.mark.parametrize(
    ("seen", "line", "move", "question"),
    [
        (turn(MINEIRO, (10, 8)), "f", FOLD, "Folding loses the match here."),
        (ANSWER, "r", RUN, None),
        (TURN, "f", FOLD, None),
        (
            view(act(act(hand((2, 8)), Seat(1), CALL), Seat(0), CALL), 1),
            "corro",
            RUN,
            None,
        ),
        (
            view(act(act(hand((8, 2)), Seat(1), CALL), Seat(0), CALL), 1),
            "corro",
            RUN,
            "Running loses the match here.",
        ),
    ],
)
async def test_folding_and_running_are_asked_where_they_lose_the_match(
    seen: View, line: str, move: Move, question: str | None
) -> None:
    """By the points that the others would have; nowhere else."""
    paper = Paper()
    person = Person(paper, seen.seat)
    lines = [line, line] if question else [line]
    assert await asked(person, seen, *lines) is move
    assert [told for told in paper.lines if "loses the match here" in told] == (
        [f"{question} Type it again to do it."] if question else []
    )


LAST_CARD = judge(
    "score 10 8\nhand 1: 4c Qd 2h\nhand 2: 7h 3d 3s\n1: play\n1: Qd\n2: 3d\n2: 7h\n1: 4c\n1: 2h\n"
)


async def test_a_card_that_loses_the_match_is_asked_where_another_would_not() -> None:
    """The last card of the hand, hidden by a slip; chosen beforehand it waits for a word too."""
    assert LAST_CARD.hand is not None
    seen = view_of(LAST_CARD.hand, Seat(1), LAST_CARD.known)
    paper = Paper()
    person = Person(paper)
    question = "Card 3 face down loses the match here. Type it again to do it."
    hidden, opened = Play(Slot(5), face_down=True), Play(Slot(5))
    assert await asked(person, seen, "x 3", "3") == opened
    assert await asked(person, seen, "x3", "x 3s") == hidden
    person = Person(paper)
    await person.begin(TURN)
    person.hear("x 3")
    assert paper.lines.count(question) == 2
    assert await asked(person, seen, "x 3") == hidden
    assert paper.lines.count(question) == 3


async def test_cards_are_shown_as_the_rules_allow() -> None:
    """The partner's in a mão de dez, nobody's in a mão de ferro."""
    paper = Paper()
    person = Person(paper, seat=0, players=4)
    await asked(person, view(hand((10, 0), players=4), 0), "p")
    assert "Partner 3 holds: 6♣  5♦  A♥" in paper.lines
    person = Person(paper)
    await asked(person, view(hand((10, 10)), 1, seen=()), "2")
    assert "Your cards: 1: ░░   2: ░░   3: ░░" in paper.lines
    assert "Mão de ferro: nobody sees their own cards; choose a position." in paper.lines


async def test_a_card_chosen_early_waits_for_the_turn_where_there_is_no_clock() -> None:
    """And can be taken back."""
    paper = Paper()
    person = Person(paper)
    await person.begin(TURN)
    person.hear("2")
    assert "Noted: it is played when your turn comes; 0 takes it back." in paper.lines
    assert await person.choose(TURN) == Play(Slot(4))
    person.hear("2")
    assert paper.lines[-1] == "It is not your turn to say that; ? says what can be typed."
    person.hear("3")
    person.hear("0")
    assert paper.lines[-1] == "Taken back."
    again = played(played(hand(), 1, 1), 0, 0)
    assert await asked(person, view(again, again.leader), "f") is FOLD


async def test_a_card_chosen_early_is_played_when_time_runs_out(autojump_clock: MockClock) -> None:
    """The clock speaks before; the choice is good for once, and only while it is legal."""
    paper = Paper()
    person = Person(paper, seconds=30)
    await person.begin(TURN)
    person.hear("2")
    with trio.move_on_after(30) as clock:
        person.deadline = lambda: clock.deadline
        await person.choose(TURN)
    assert [line for line in paper.lines if "left" in line] == [
        f"{n} seconds left" for n in (20, 10, 5, 3)
    ]
    assert person.in_time(TURN) == Play(Slot(4))
    assert person.in_time(TURN) is None
    assert paper.lines[-2:] == [
        "Time is up: the card that you had chosen is played.",
        "Time is up: the rules decide for you.",
    ]
    person.hear("x 1")
    assert person.in_time(TURN) is None, "not in the first trick"


async def test_the_table_is_shown_whole_after_a_call(autojump_clock: MockClock) -> None:
    """A call between two cards of a trick hides none of them; the prompt has the time left."""
    paper = Paper()
    person, before = Person(paper, seat=0, seconds=30), played(hand(), 1, 0)
    end = trio.current_time() + 30
    person.deadline = lambda: end
    await trio.sleep(12.5)
    called = act(act(before, Seat(0), CALL), Seat(1), ACCEPT)
    assert await asked(person, view(called, 0), "f") is FOLD
    assert "On the table: 2 7♥" in paper.lines
    assert paper.lines[-1].startswith("> 18 s: ")


QUIET = Situation((), (), 0.0, False, Leaving.LOSES, False)


@dataclass
class Sitting:
    """As much of a session as whoever leaves needs."""

    now: Situation = QUIET
    left: list[bool] = field(default_factory=list)
    local: Any = field(default_factory=lambda: SimpleNamespace(leaving=False))

    def situation(self) -> Situation:
        return self.now

    def leave(self) -> None:
        self.left.append(True)


def leaving(person: Person, sitting: Any) -> None:
    """Let the person leave a session."""
    parting = Parting(person.stage, sitting)

    def hear(command: Command) -> bool:
        if isinstance(command, Leave):
            parting.wanted()
        return isinstance(command, Leave)

    person._hearing.append(person.stage.heard_by(hear))
    person._hearing[-1].__enter__()


async def test_leaving_takes_two_words_or_the_end_of_input() -> None:
    """One slip of the finger gives no match away."""
    sitting = Sitting()
    person = Person(Paper())
    leaving(person, sitting)
    for line in ("leave", "say oi", "leave"):
        person.hear(line)
    assert sitting.left == []
    person.hear("sair")
    assert sitting.left == [True]
    person.hear(None)
    assert sitting.left == [True, True]


async def test_what_leaving_would_do_is_asked_at_that_moment() -> None:
    """The match given away, or no winner: it depends on whom the table waits for."""
    paper = Paper()
    person = Person(paper)
    owing = Owing(Seat(0), Choice(Seat(0)), True, False)
    stuck = Situation((), (owing,), 0.0, False, Leaving.NOBODY, False)
    leaving(person, Sitting(stuck))
    for _ in range(2):
        person.hear("leave")
    assert paper.lines == [
        "The table waits for Ana (1). If you leave now, nobody wins: type it again if you mean it.",
        "Leaving while the table waits for Ana (1).",
    ]


async def test_whoever_looks_is_told_who_is_missing_before_the_first_hand_too() -> None:
    """While nothing is dealt, `l` was not understood."""
    paper = Paper()
    person = Person(paper)
    gone = Situation((Missing(Seat(0), 0.0, True),), (), 0.0, False, Leaving.LOSES, False)
    person.stage.tell(events.Standing(gone))
    paper.lines.clear()
    person.hear("l")
    assert paper.lines[1:3] == ["1 A  Ana", "2 B  Bia · you"]
    assert paper.lines[3].startswith("Ana (1) ended their program at ")
    await person.begin(TURN)
    person.hear("l")
    assert len([line for line in paper.lines if "ended their program" in line]) == 2


async def test_between_two_hands_the_table_shows_how_the_last_one_ended() -> None:
    """It showed the cards of the hand before, covered, and the score of before it."""
    paper = Paper()
    person = Person(paper, seat=0)
    await person.begin(view(hand(), 0))
    over = act(hand(), Seat(1), FOLD)
    assert over.result is not None
    person.stage.tell(events.HandOver(0, over, *over.result, (2, 0), (0, 0)))
    paper.lines.clear()
    person.hear("l")
    assert paper.lines[-1].strip().startswith("A wins the hand: the others folded")
    assert paper.lines[-1].endswith("A 2  B 0")
    assert not [line for line in paper.lines if "Your cards" in line]


async def test_talk_and_signals_go_where_they_should() -> None:
    """A signal is for partners; who has none is told so."""
    paper = Paper()
    person = Person(paper, seat=0, players=4)
    for line in ("say boa noite", "!6", "signal zap"):
        person.hear(line)
    assert person.heard == [Talk("boa noite"), Talk(SHOUTS[5]), Wink("zap")]
    assert paper.lines == [], "what becomes of a line is what the table says of it"
    person.stage.tell(events.Sent(True, (Seat(2),), (), ""))
    person.stage.refuse(Wink("zap"), "no_partner")
    assert paper.lines == ["Told to your partners only.", "You have no partner at this table."]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("sinal ZAP", "zap"),
        ("signal três", "tres"),
        ("psst copeta", "copas"),
        ("signal é o zap", "é o zap"),
    ],
)
async def test_one_of_the_eight_sinais_is_its_agreed_word(line: str, text: str) -> None:
    """Whatever it is typed as, so that every face can draw it; other text passes as it is."""
    person = Person(Paper(), seat=0, players=4)
    person.hear(line)
    assert person.heard == [Wink(text)]


def test_every_sinal_is_said_as_the_face_it_is() -> None:
    paper = Paper()
    person = Person(paper, seat=0, players=4)
    for word in SINAIS:
        person.stage.tell(events.Wink(Seat(2), "Caio", word, word))
    person.stage.tell(events.Wink(Seat(2), "Caio", "zap?", None))
    *drawn, other = paper.lines
    assert len(set(drawn)) == len(SINAIS) == 8
    assert drawn[0] == "Caio winks an eye at you alone: zap"
    assert other == "Caio to you alone: zap?"


async def test_no_clock_no_alarm(autojump_clock: MockClock) -> None:
    paper = Paper()
    person = Person(paper)
    with trio.move_on_after(math.inf), trio.move_on_after(600):
        await person.choose(TURN)
    assert not [line for line in paper.lines if "left" in line]
