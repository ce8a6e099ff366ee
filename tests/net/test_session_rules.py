"""What a session does with one event, beside a table and a mesh that only take notes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from msgspec.structs import replace

from p2ptruco.net.mesh.events import Dropped, Linked
from p2ptruco.net.session import partners as module_of_partners
from p2ptruco.net.session import session as module
from p2ptruco.net.session.intake import INBOX
from p2ptruco.net.session.partners import TRIES, game_of
from p2ptruco.net.session.session import Session
from p2ptruco.net.session.situation import Leaving, Situation
from p2ptruco.net.transport import frames
from p2ptruco.players.offload import in_thread
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.seating import Seat
from p2ptruco.table.entries import Entry, Leave
from p2ptruco.table.private import Advice, Cards, Signal, write_private
from p2ptruco.table.steps.dealing import Committing
from p2ptruco.table.steps.playing import Choosing, Revealing
from p2ptruco.table.table import Open, Table
from p2ptruco.table.violation import BrokenTable, LinkFault
from tests.kit.party import Party


class Notes:
    """A mesh that notes what is asked of it."""

    def __init__(self) -> None:
        self.said: list[tuple[str, Any]] = []
        self.linked: set[bytes] = set()

    def __getattr__(self, name: str) -> Any:
        return lambda *args: self.said.append((name, args))

    def of(self, name: str) -> list[Any]:
        return [args for said, args in self.said if said == name]


@pytest.fixture
async def session(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> Session:
    """The session of seat 0 at a table of four where nothing has been said."""
    party = Party(MINEIRO, 4, 1)
    table = Table(party.agreement, party.source)
    keeper = SimpleNamespace(for_partners=lambda game: {})

    async def speak(here: Open) -> None:
        """Nothing."""

    local: Any = SimpleNamespace(
        seat=Seat(0),
        keeper=keeper,
        note=lambda: None,
        leaving=False,
        offload=in_thread,
        speak=speak,
    )
    made = Session(Notes(), table, local)  # type: ignore[arg-type]
    made._tasks = nursery
    return made


def peer(session: Session, seat: int) -> bytes:
    return session.table.agreement.identities[seat]


def entry(text: bytes) -> Entry:
    return Entry(text, bytes(64))


class Beside:
    """The table, but for what is said here."""

    def __init__(self, table: Any, **more: Any) -> None:
        self._table, self._more = table, more

    def __getattr__(self, name: str) -> Any:
        return self._more[name] if name in self._more else getattr(self._table, name)


def beside(session: Session, **more: Any) -> None:
    """Another table, that answers so."""
    table: Any = Beside(session.table, **more)
    session.table = session._healing._table = session._intake._table = session._turns._table = table


async def test_our_cards_are_shown_again_to_a_partner_whose_link_is_back_and_to_nobody_else(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: an opponent that drops and dials has us make a proof each time."""
    shown: list[bytes] = []

    async def show(game: object, to: bytes) -> None:
        shown.append(to)

    monkeypatch.setattr(module, "game_of", lambda table: object())
    session._partners.show = show  # type: ignore[method-assign,assignment]
    for seat in (1, 2, 3):
        session._hear(peer(session, seat), Linked(""))
    await trio.testing.wait_all_tasks_blocked()
    assert shown == [peer(session, 2)]


async def test_a_kept_entry_that_is_not_due_closes_nobodys_link(session: Session) -> None:
    """Gain: a cheat sends ahead what will not be due; whoever then opens that step is cut off."""
    late = entry(b"late")

    def check(one: object) -> Any:
        if one is late:
            raise LinkFault("not_due")
        return SimpleNamespace(parsed=SimpleNamespace(entry=one))

    session._pass_on = lambda news, origin: None  # type: ignore[method-assign]
    ripe = [[late], []]
    beside(session, check=check, submit=lambda checked: True, ripe=lambda: ripe.pop(0))
    await session._intake.take(entry(b"good"), peer(session, 1))
    assert not session.mesh.of("close")  # type: ignore[attr-defined]


async def test_both_halves_of_a_proof_are_passed_on(session: Session) -> None:
    """Gain: who hears the second half only has no proof, and goes on with the match."""
    one, other = (SimpleNamespace(entry=entry(text)) for text in (b"one", b"other"))
    for news, said, passed in (
        (one, (one,), [b"one"]),
        (other, (one, other), [b"one", b"other"]),
    ):
        session.mesh.said.clear()  # type: ignore[attr-defined]
        beside(session, beside=lambda parsed, said=said: said)
        session._pass_on(news, peer(session, 1))  # type: ignore[arg-type]
        floods = session.mesh.of("flood")  # type: ignore[attr-defined]
        assert [args[0].body for args in floods] == passed
        assert {args[1:] for args in floods} == {(peer(session, 1),) if len(said) == 1 else ()}


async def test_what_a_step_asked_of_us_is_given_up_when_the_table_moves_on(
    session: Session,
) -> None:
    here = session.table.open
    asked = []

    async def speak(one: Open) -> None:
        asked.append(one)
        try:
            await trio.sleep_forever()
        finally:
            asked.remove(one)

    session.local.speak = speak  # type: ignore[method-assign]
    for _ in range(2):
        session._note()
        await trio.testing.wait_all_tasks_blocked()
        assert asked == [here]
    there = here._replace(head=b"other" * 8)
    beside(session, open=there)
    session._note()
    await trio.testing.wait_all_tasks_blocked()
    assert asked == [there]


@pytest.mark.parametrize("over", [False, True])
async def test_the_end_is_told_at_once_and_what_peers_say_of_it_is_waited_for(
    session: Session, over: bool
) -> None:
    """Before it heartbeats are enough, and wake nobody: a flood of them costs nothing."""
    beside(session, outcome="won" if over else None)
    session._note()
    floods = session.mesh.of("flood")  # type: ignore[attr-defined]
    assert len(floods) == over
    assert all(isinstance(args[0], frames.Pulse) for args in floods)
    waiting = session._moved
    session._hear(peer(session, 1), session._healing.pulse())
    assert waiting.is_set() == over


async def test_our_own_entry_that_is_refused_stops_the_table(session: Session) -> None:
    """It is our fault and nobody else's."""

    def check(one: object) -> None:
        raise LinkFault("not_due")

    beside(session, check=check)
    with pytest.raises(BrokenTable, match="our own entry"):
        await session._intake.take_own(entry(b"ours"))
    assert not session.mesh.of("close")  # type: ignore[attr-defined]


async def test_we_advise_a_partner_and_not_ourselves(session: Session) -> None:
    here = session.table.open
    asked = {}
    for seat in range(4):
        phase = object.__new__(Choosing)
        game = SimpleNamespace(hand=SimpleNamespace())
        object.__setattr__(phase, "game", game)
        beside(session, open=Open(here.position, here.head, phase))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Choosing, "speaker", Seat(seat))
            asked[seat] = session._turns.partner_asked(session.table.open)
    assert asked == {0: False, 1: True, 2: True, 3: True}


def private(message: Any) -> frames.Private:
    return frames.pad(write_private(message))


async def test_what_is_no_private_message_closes_its_link(session: Session) -> None:
    """And is foreseen: no word of it in the log as of a fault of ours."""
    table = session.table.agreement.id
    good = Signal(table, 0, "zap")
    wrong = {
        "malformed": [
            frames.pad(b"\x00"),
            frames.Private(b"\xff" * len(private(good).payload)),
        ],
        "wrong_table": [private(Signal(bytes(32), 0, "zap")), private(Signal(table, 1, "zap"))],
    }
    for word, messages in wrong.items():
        for message in messages:
            with pytest.raises(LinkFault) as fault:
                await session._private(peer(session, 2), message)
            assert fault.value.word == word


async def test_signals_and_advice_are_a_partners_only(session: Session) -> None:
    """Gain: an opponent answers in our partner's place, or talks to us as if in private."""
    table = session.table.agreement.id
    heard: list[object] = []
    session.local.hear = lambda partner, advice: heard.append((partner, advice))  # type: ignore
    session.talk.hear = lambda who, text, private: heard.append((who, text))  # type: ignore
    advice = Advice(table, 0, 0, 0, 9, bytes(32), "run")
    for seat in (1, 2, 3):
        for message in (Signal(table, 0, "zap"), advice):
            await session._private(peer(session, seat), private(message))
    assert heard == [(peer(session, 2), "zap"), (2, advice)]


async def test_a_step_is_waited_for_since_it_was_opened(
    session: Session, autojump_clock: object
) -> None:
    """The screen says how long the table waits for somebody: not since that peer's last word."""
    await trio.sleep(3)
    session._time(session.table.open)
    assert trio.current_time() - session.since == 3
    session._time(Open(*session.table.open))
    assert trio.current_time() == session.since


async def test_only_the_roster_is_heard(session: Session) -> None:
    """Gain: whoever is linked, to watch or by an old ticket, fills what a seat keeps."""
    stranger = bytes(32)
    for message in (frames.Talk("zap"), frames.Ask(0, 0, 0, 0)):
        session._hear(stranger, message)
    assert session.mesh.said == []  # type: ignore[attr-defined]


async def test_a_frame_that_no_table_takes_closes_its_link(session: Session) -> None:
    session._hear(peer(session, 1), frames.Welcome())
    assert session.mesh.of("close") == [(peer(session, 1), "not_due")]  # type: ignore[attr-defined]


async def test_a_peer_that_sends_more_than_is_checked_is_too_fast(session: Session) -> None:
    """Gain: memory without end, a little for each entry that waits."""
    for number in range(INBOX + 1):
        assert session.mesh.said == []  # type: ignore[attr-defined]
        session._intake.put(peer(session, 1), entry(b"%d" % number))
    assert session.mesh.of("close") == [(peer(session, 1), "too_fast")]  # type: ignore[attr-defined]


async def test_we_have_left_when_our_own_word_says_so(session: Session) -> None:
    """Another's leave in the same step is not ours."""

    def said(seat: int) -> Any:
        return SimpleNamespace(body=SimpleNamespace(seat=seat, content=Leave()))

    for seats, left in (((), False), ((1, 2), False), ((1, 0), True)):
        beside(session, paid=[said(seat) for seat in seats])
        assert session.left == left


def test_the_hand_under_way_is_the_one_that_is_played() -> None:
    """While cards are laid or owed, and neither in a deal nor at the end: of that hand partners
    get to see our cards."""
    for kind, played in ((Choosing, True), (Revealing, True), (Committing, False)):
        phase = object.__new__(kind)
        if played:
            object.__setattr__(phase, "game", kind)
        table: Any = SimpleNamespace(open=SimpleNamespace(phase=phase))
        assert game_of(table) is (kind if played else None)


async def test_a_partners_tokens_are_tried_afresh_in_each_hand(session: Session) -> None:
    """Four times in one, however often they come; in the next one again."""
    tried: list[int] = []
    partners, table = session._partners, session.table.agreement.id

    def take(game: Any, partner: Seat, tokens: bytes) -> bool:
        tried.append(game.joint.context.hand)
        return False

    session.local.keeper.from_partner = take  # type: ignore[method-assign]
    session.local.stir = lambda: None  # type: ignore[method-assign]
    with pytest.MonkeyPatch.context() as patch:
        for hand in (0, 1):
            context = SimpleNamespace(hand=hand, attempt=0)
            game = SimpleNamespace(joint=SimpleNamespace(context=context))
            patch.setattr(module_of_partners, "game_of", lambda table, game=game: game)
            for _ in range(TRIES + 2):
                await partners.hear(Seat(2), Cards(table, 0, hand, 0, b""))
    assert tried == [0] * TRIES + [1] * TRIES


async def test_a_seat_is_heard_by_us_or_by_a_peer_that_we_hear(session: Session) -> None:
    """Who has our link need not be heard by anybody else."""
    hearing, mesh = session._hearing, session.mesh
    mesh.missing = dict  # type: ignore[method-assign,assignment]
    mesh.linked = {peer(session, 1)}  # type: ignore[misc]
    hearing.note(peer(session, 1), frames.Pulse(0, 0, 0, 0, bytes(32), 0b0100, bytes(32)))
    hearing.note(peer(session, 3), frames.Pulse(0, 0, 0, 0, bytes(32), 0b1000, bytes(32)))
    found = {seat: (one.linked, one.heard) for seat, one in hearing.contacts().items()}
    assert found == {1: (True, True), 2: (False, True), 3: (False, False)}


@pytest.mark.parametrize("due", [False, True])
@pytest.mark.parametrize("leaving", Leaving)
def test_whoever_owes_nothing_where_no_turn_may_come_just_goes(due: bool, leaving: Leaving) -> None:
    now = Situation((), (), 0.0, due, leaving, False)
    assert now.parting == (not due and leaving in (Leaving.HANGS, Leaving.NOBODY))


@pytest.mark.parametrize(
    ("reason", "theirs", "left"),
    [("leaving", True, True), ("leaving", False, False), ("lost", True, False)],
)
async def test_who_says_goodbye_is_waited_for_no_more_at_the_end(
    session: Session, reason: Any, theirs: bool, left: bool
) -> None:
    """Whoever only loses its link is: it may come back with another seal."""
    other = replace(session._healing.pulse(), known=b"other" * 8)
    session._hear(peer(session, 1), other)
    assert not session._healing.agreed()
    session._hear(peer(session, 1), Dropped(reason, theirs))
    assert session._healing.agreed() == left


async def test_who_speaks_of_the_next_match_is_waited_for_no_more(session: Session) -> None:
    """At the end: while the match is on it means nothing."""
    other = replace(session._healing.pulse(), known=b"other" * 8)
    for over in (False, True):
        beside(session, outcome="won" if over else None)
        session._hear(peer(session, 1), other)
        session._goes_on(peer(session, 1))
        assert session._healing.agreed() == over
