"""A match of the arena: who is asked what, who is told what, and what comes of a bad answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import p2ptruco
from p2ptruco.arena import seated as seated_module
from p2ptruco.arena.game import play_match
from p2ptruco.arena.plan import Fixture
from p2ptruco.arena.seated import made
from p2ptruco.hooks.specs import EVENTS
from p2ptruco.rules.match import Match, score_after
from p2ptruco.rules.moves import FOLD, Move, Play
from p2ptruco.rules.play import audience, default, legal, speaker
from p2ptruco.rules.seating import Seat, Slot, team_of
from p2ptruco.rules.view import View, view_of
from tests.arena.kit import court, plan, play
from tests.kit.variants import tables


def any_move(view: View) -> Move:
    assert view.rng is not None
    return view.rng.choice(view.legal)


def no_fold(view: View) -> Move:
    assert view.rng is not None
    return view.rng.choice([move for move in view.legal if move is not FOLD])


class Spy:
    """Plays at random and keeps every view that it gets."""

    def __init__(self, log: list[tuple[str, View]]) -> None:
        self.log = log
        for event in EVENTS:
            setattr(self, event, self._listener(event))

    def _listener(self, event: str) -> Callable[[View], None]:
        return lambda view: self.log.append((event, view))

    def choose(self, view: View) -> Move:
        self.log.append(("choose", view))
        return no_fold(view)


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 2**32), st.integers(0, 1))
def test_a_view_is_the_one_of_the_rules(
    table: tuple[p2ptruco.Variant, int], seed: int, leg: int
) -> None:
    """What a bot sees is exactly what `view_of` makes of the faces that it may see, in every
    variant and size; it is asked only where it speaks for its team."""
    variant, players = table
    log: list[tuple[str, View]] = []
    played = plan(variant=variant, seats=players, seed=seed)
    game = play(played, lambda: Spy(log), lambda: Spy(log), leg=leg)
    assert game.faults == ()
    for event, view in log:
        hand, seat = view.hand, view.seat
        told = {**dict(view.own), **view.partner_cards, **view.hidden}
        entitled = {slot for slot in told if seat in audience(hand, slot)}
        assert entitled == {slot for slot, face in told.items() if face is not None}
        seen = {slot: face for slot, face in told.items() if face is not None}
        match, past, names = view.match, view.past, view.names
        assert view == view_of(
            hand, seat, seen, budget_ms=played.budget_ms, match=match, past=past, names=names
        )
        assert [hand.result is not None for hand in past] == [True] * len(past)
        assert match.score == (score_after(past[-1]) if past else (0, 0))
        assert len(names) == players
        if event == "choose":
            assert seat == speaker(hand)


def test_the_two_legs_are_dealt_the_same_cards() -> None:
    """Hand by hand, the same dealer and the same cards at the same seats, the bots swapped."""
    legs: list[list[tuple[Seat, dict[Slot, Any]]]] = []
    for leg in (0, 1):
        log: list[tuple[str, View]] = []
        spy = partial(Spy, log)
        play(plan(seats=4), spy, spy, leg=leg)
        starts = [view for event, view in log if event == "hand_started"]
        legs.append([(view.dealer, dict(view.own)) for view in starts])
    shared = min(map(len, legs))
    assert shared >= 8
    assert legs[0][:shared] == legs[1][:shared]


@pytest.mark.parametrize(("leg", "teams"), [(0, {0: {0}, 1: {1}}), (1, {0: {1}, 1: {0}})])
def test_a_bot_plays_for_a_whole_team(leg: int, teams: dict[int, set[int]]) -> None:
    """Of four seats two each; in the other leg the other two."""
    seats: dict[int, set[Seat]] = {0: set(), 1: set()}

    def watching(entrant: int) -> Callable[[], Callable[[View], Move]]:
        def choose(view: View) -> Move:
            seats[entrant].add(view.seat)
            return no_fold(view)

        return lambda: choose

    play(plan(seats=4), watching(0), watching(1), leg=leg)
    assert {entrant: {team_of(seat) for seat in taken} for entrant, taken in seats.items()} == teams
    assert all(len(taken) == 2 for taken in seats.values())


def test_every_seat_of_every_match_has_a_bot_of_its_own() -> None:
    """make() is called once a match and seat; no instance meets another's hands."""
    made_bots: list[Spy] = []

    def make() -> Spy:
        made_bots.append(Spy([]))
        return made_bots[-1]

    here = court(plan(seats=4), make, make)
    for leg in (0, 1):
        play_match(here, Fixture(0, 1, 0, leg))
    assert len(made_bots) == 8
    for bot in made_bots:
        assert len({view.seat for _, view in bot.log}) == 1
        assert [event for event, _ in bot.log].count("match_started") == 1


def test_the_lifecycle_comes_in_order() -> None:
    """A match starts once; each hand starts, has its tricks and is done; the match is done last,
    and what a bot is asked comes after what it is told."""
    log: list[tuple[str, View]] = []
    game = play(plan(), lambda: Spy(log), lambda: no_fold)
    events = [event for event, _ in log]
    assert events[:2] == ["match_started", "hand_started"]
    assert events[-2:] == ["hand_done", "match_done"]
    assert events.count("hand_started") == events.count("hand_done") == game.hands
    tricks = 0
    for event, view in log:
        if event == "hand_started":
            tricks = 0
            assert view.tricks == ()
        elif event == "trick_done":
            tricks += 1
            assert len(view.tricks) == tricks
        elif event == "choose":
            assert len(view.tricks) == tricks
    last = log[-1][1]
    assert last.hand.result is not None
    assert last.match is not None
    assert last.match.winner is not None
    assert game.winner == game.fixture.entrant(last.match.winner)


def test_a_bot_s_chance_is_its_own() -> None:
    """It comes from the seed, the pair, the seat and the name; not from the opponent, nor from how
    often that one asks its own."""

    def drawn(seed: int, pair: int, name: str, other: Callable[[View], Move]) -> float:
        numbers: list[float] = []

        def choose(view: View) -> Move:
            assert view.rng is not None
            numbers.append(view.rng.random())
            return view.legal[0]

        here = court(plan(seed=seed), lambda: choose, lambda: other, names=(name, "other"))
        play_match(here, Fixture(0, 1, pair, 0))
        return numbers[0]

    first = drawn(1, 0, "a", lambda view: view.legal[0])
    assert first == drawn(1, 0, "a", any_move)
    others = (drawn(2, 0, "a", any_move), drawn(1, 1, "a", any_move), drawn(1, 0, "b", any_move))
    assert len({first, *others}) == 4


def test_points_and_hands_add_up() -> None:
    """In a match of one set the winner's points are the target's, the other's fewer; by leg they
    are credited to the bot, not to the team."""
    for leg in (0, 1):
        for pair in range(5):
            game = play(plan(), lambda: any_move, lambda: any_move, pair=pair, leg=leg)
            scored = dict(zip(game.fixture[:2], game.points, strict=True))
            assert scored[game.winner] == 12
            assert min(scored.values()) < 12
            assert game.hands > 0


# Bad answers.


def raising(view: View) -> Move:
    raise RuntimeError("no idea")


def leaving(view: View) -> Move:
    raise SystemExit(0)


class Curious:
    """Compares equal by raising."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("never compare me")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("choose", "kind", "detail"),
    [
        (raising, "crash", "RuntimeError: no idea"),
        (leaving, "crash", "SystemExit"),
        (lambda view: None, "illegal", "None"),
        (lambda view: Play(Slot(99)), "illegal", "Play(slot=99"),
        (lambda view: Play([1]), "illegal", "Play(slot=[1]"),  # type: ignore[arg-type]
        (lambda view: "truco", "illegal", "'truco'"),
        (lambda view: Curious(), "crash", "never compare me"),
        (lambda view: view.nonsense, "crash", "AttributeError"),
    ],
)
def test_a_bad_answer_is_a_fault_and_the_rules_move(
    choose: Callable[[View], Any], kind: str, detail: str
) -> None:
    """As at a table; the match goes on to its end, and the fault says what it was and where."""
    game = play(plan(), lambda: choose, lambda: no_fold)
    assert game.forfeit == ""
    assert game.hands > 0
    [fault] = game.faults
    assert (fault.entrant, fault.kind) == (0, kind)
    assert fault.times > 3
    assert detail in fault.detail
    assert "variant mineiro\nplayers 2\n" in fault.detail
    assert "hand 2: ? ? ?" in fault.detail or "hand 1: ? ? ?" in fault.detail


def test_the_default_of_the_rules_is_what_is_played() -> None:
    """A bot that answers nothing plays exactly as one that answers the default."""

    def by_the_rules(view: View) -> Move:
        return default(view.hand, view.seat, view.cards)

    lazy = play(plan(seats=4), lambda: lambda view: None, lambda: no_fold)
    keen = play(plan(seats=4), lambda: by_the_rules, lambda: no_fold)
    assert lazy[:-1] == keen[:-1]
    assert keen.faults == ()


@pytest.mark.parametrize("event", EVENTS)
def test_a_listener_that_raises_loses_only_news(event: str) -> None:
    """The fault is counted; the match is played as if it had been silent."""

    class Deaf:
        def choose(self, view: View) -> Move:
            return no_fold(view)

    def broken(self: object, view: View) -> None:
        raise KeyError("what")

    deaf = type("Broken", (Deaf,), {event: broken})
    game = play(plan(), deaf, lambda: no_fold)
    silent = play(plan(), Deaf, lambda: no_fold)
    assert game[:-1] == silent[:-1]
    assert {fault.kind for fault in game.faults} == {"crash"}


def test_a_bot_that_is_not_made_has_lost() -> None:
    """make() that raises loses the match for its entrant, in either leg."""

    def broken() -> Any:
        raise OSError("no weights")

    for leg in (0, 1):
        game = play(plan(), broken, lambda: no_fold, leg=leg)
        assert (game.winner, game.forfeit, game.points, game.hands) == (1, "crash", (0, 0), 0)
        assert "no weights" in game.faults[0].detail


def test_out_of_time_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision that comes back too late is a timeout and the end of the match, though its move
    was legal; one just in time is neither."""
    now = 0

    def clock() -> int:
        return now

    def taking(ms: int) -> Callable[[View], Move]:
        def choose(view: View) -> Move:
            nonlocal now
            now += ms * 1_000_000
            return view.legal[0]

        return choose

    monkeypatch.setattr(seated_module, "perf_counter_ns", clock)
    late = play(plan(budget_ms=100), lambda: taking(101), lambda: no_fold)
    assert (late.winner, late.forfeit) == (1, "timeout")
    assert [(fault.kind, fault.times) for fault in late.faults] == [("timeout", 1)]
    just = play(plan(budget_ms=100), lambda: taking(100), lambda: no_fold)
    assert (just.forfeit, just.faults) == ("", ())


def test_a_late_listener_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bot does when it is told something is on its own time too."""
    now = 0

    class Slow:
        def choose(self, view: View) -> Move:
            return view.legal[0]

        def hand_done(self, view: View) -> None:
            nonlocal now
            now += 10**10

    monkeypatch.setattr(seated_module, "perf_counter_ns", lambda: now)
    game = play(plan(), Slow, lambda: no_fold)
    assert (game.winner, game.forfeit) == (1, "timeout")


def test_memory_used_up_is_not_survived() -> None:
    """The process can no longer be trusted, so the match does not go on in it; the mark still
    names the bot."""

    def hungry(view: View) -> Move:
        raise MemoryError

    here = court(plan(), lambda: hungry, lambda: no_fold)
    with pytest.raises(MemoryError):
        play_match(here, Fixture(0, 1, 0, 0))
    assert here.mark.read().inside == 0


class Number(int):
    """A slot as another library's integer."""


def test_what_equals_a_legal_move_is_that_move() -> None:
    """A slot may be of another integer type; what reaches the rules is their own move."""
    hand = Match(p2ptruco.MINEIRO, 2, Seat(0)).hand()
    seat = speaker(hand)
    assert seat is not None
    odd = Play(Number(legal(hand, seat)[0].slot))  # type: ignore[union-attr, arg-type]
    after = made(hand, seat, odd)
    assert after is not None
    assert type(after.laid[0].slot) is int
    assert made(hand, seat, Play(Slot(0))) is None  # another's card
