"""What is shown of others fails: no peer is blamed, and no table or lobby ends by it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app.lobby import Desk
from p2ptruco.app.stage import Stage
from p2ptruco.net.lobby import Chair, Line, Room
from p2ptruco.net.session import Session
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.agreement import Times
from p2ptruco.ui.terminal import lobby as shown
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.face import Terminal
from tests.kit.opendeck import open_deck
from tests.kit.raising import ANYTHING, Raising, for_others
from tests.kit.tables_over_links import Evening, Noting
from tests.kit.wall import Chatty, same_match
from tests.net.kit import identities


def shown_to(
    fails: Callable[[], BaseException], over: tuple[str, ...] = ("changed", "said")
) -> type[Chatty]:
    """A peer whose screen stumbles over every move, or over all that is said."""

    def stumble(*_: object) -> None:
        raise fails()

    class Shown(Chatty):
        def __init__(self, evening: Evening, seat: int) -> None:
            super().__init__(evening, seat)
            here = self.mesh, self.table, self.local
            self.session = Noting(*here, **dict.fromkeys(over, stumble))

    return Shown


@pytest.mark.unforeseen
@pytest.mark.parametrize("error", ANYTHING[:3])
async def test_what_cannot_be_shown_blames_no_peer(
    error: Callable[[], BaseException], autojump_clock: MockClock
) -> None:
    """Gain: a move, or a line, over which a screen stumbles, ends the program, or has it throw out
    those who passed it on."""
    evening = Evening(2, {0: shown_to(error), 1: Chatty}, pause=(0.1, 0.3))
    with open_deck():
        await evening.play()
        same_match(evening)
    assert evening.closed == []


@pytest.mark.parametrize("over", ["changed", "said"])
async def test_a_screen_that_is_gone_ends_the_program_and_blames_no_peer(
    over: str, autojump_clock: MockClock
) -> None:
    """A pipe that nobody reads any more is our own end, also while a peer is heard."""
    gone = shown_to(lambda: BrokenPipeError(32, "gone"), (over,))
    evening = Evening(2, {0: gone, 1: Chatty}, pause=(0.1, 0.3))
    with open_deck(), pytest.RaisesGroup(BrokenPipeError, flatten_subgroups=True):
        await evening.play()
    assert evening.closed == []


async def test_what_we_fail_at_when_an_entry_is_logged_is_our_end(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat that does not notice that the table has moved would be waited for all evening, and
    the peer who brought the entry would be thrown out for it."""

    def fail(session: Session) -> None:
        if for_others.get():
            raise KeyError(session)
        note(session)

    note = Session._note
    monkeypatch.setattr(Session, "_note", fail)
    evening = Evening(2, pause=(0.1, 0.3))
    marked = Raising(0, 1).at()
    with open_deck(), marked, pytest.raises(ExceptionGroup) as raised:
        await evening.play()
    assert raised.value.split(KeyError)[1] is None
    assert evening.closed == []


@pytest.mark.unforeseen
async def test_a_room_that_cannot_be_shown_ends_no_lobby(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: a host's room, or a guest's name, over which the screens of all others stumble."""
    tell, news = trio.open_memory_channel[Room | Line](3)
    ana, bia = (one.public for one in identities(2))
    chairs = Chair(ana, "Ana", ana, False, True), Chair(bia, "Bia", bia, False, False)
    room = Room(MINEIRO, Times(), chairs)
    for said in (room, Line("Ana", "oi"), room):
        tell.send_nowait(said)

    def stumble(*_: object) -> None:
        raise KeyError(_)

    monkeypatch.setattr(shown, "rules", stumble)
    lobby: Any = SimpleNamespace(
        news=news, room=room, run=trio.sleep_forever, hears=lambda peer: True
    )
    stage = Stage()
    Terminal(Console(), stage)
    with trio.move_on_after(1.0):
        await Desk(stage, lobby, bia).end()
    assert "Ana: oi" in capsys.readouterr().out
