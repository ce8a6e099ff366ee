"""A lobby on a stage: who is ready for what."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app.lobby import Desk
from p2ptruco.app.stage import Stage
from p2ptruco.net.lobby import Chair, GuestLobby, Room
from p2ptruco.net.lobby.room import on_the_wire
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.ticket import new_ticket
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.variant import Variant
from p2ptruco.table.agreement import Times
from tests.net.kit import meshes, seeded

OTHERS = replace(MINEIRO, target=14)


@pytest.mark.parametrize(
    ("rooms", "ready"),
    [
        ([MINEIRO], [False, True]),
        ([MINEIRO, OTHERS], [False, True, False]),
        ([OTHERS], [False]),
        ([OTHERS, MINEIRO], [False]),
    ],
)
async def test_whoever_wants_another_match_is_ready_for_the_same_one_only(
    rooms: list[Variant], ready: list[bool], autojump_clock: MockClock
) -> None:
    """Gain: a host that changes the rules between two matches, and has them signed by everybody
    who wanted to play the old ones again."""
    async with meshes(2) as (people, (host, guest)), trio.open_nursery() as tasks:
        ana, bia = (one.public for one in people)
        lobby = GuestLobby(guest, people[1], ana, "Bia")
        desk = Desk(Stage(), lobby, bia, agreed=(MINEIRO, Times()))
        ticket = new_ticket(host.addresses, ana, seeded())
        host.door.open_to(ticket, {"seat": 1})
        await guest.join(ticket)
        tasks.start_soon(desk.end)
        chairs = Chair(ana, "Ana", ana, False, True), Chair(bia, "Bia", bia, False, False)
        for variant in rooms:
            host.send(bia, on_the_wire(Room(variant, Times(), chairs)))
            await trio.sleep(1)
        said: list[bool] = []
        while host.events.statistics().current_buffer_used:
            _, event = await host.events.receive()
            said += [event.ready] if isinstance(event, frames.Enter) else []
        assert [word for word, _ in groupby(said)] == ready
        tasks.cancel_scope.cancel()
