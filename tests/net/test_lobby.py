"""The lobby (wire.md §7): one room, seen by all, and nobody signs anything else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.lobby import GuestLobby, HostLobby, Line, Room
from p2ptruco.net.lobby.room import off_the_wire, on_the_wire
from p2ptruco.net.lobby.sitting import NotSeated, Seated, Wish, host_table, join_table
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.limits import TALK_BURST
from p2ptruco.net.transport.ticket import Ticket, new_ticket
from p2ptruco.rules.presets import MINEIRO, PAULISTA
from p2ptruco.table.agreement import Times
from p2ptruco.table.identity import Identity

from .kit import meshes, seeded


@dataclass
class Lobbies:
    """A host's lobby and its guests', running; `outcomes` by person, host first."""

    people: list[Identity]
    meshes: list[Mesh]
    host: HostLobby
    guests: list[GuestLobby]
    outcomes: list[object]

    async def until(self, condition: Callable[[], bool]) -> None:
        with trio.fail_after(60):
            while not condition():  # noqa: ASYNC110
                await trio.sleep(0.05)


@asynccontextmanager
async def lobbies(names: list[str], players: int) -> AsyncIterator[Lobbies]:
    async with meshes(len(names)) as (people, all_meshes):
        ticket = new_ticket(all_meshes[0].addresses, people[0].public, seeded())
        all_meshes[0].door.open_to(ticket, {"seat": players - 1})
        host = HostLobby(all_meshes[0], people[0], names[0], MINEIRO, players, Times(move=30))
        guests = [
            GuestLobby(all_meshes[n], people[n], people[0].public, names[n])
            for n in range(1, len(names))
        ]
        made = Lobbies(people, all_meshes, host, guests, [None] * len(names))

        async def stay(number: int) -> None:
            try:
                if number:
                    await all_meshes[number].join(ticket)
                    made.outcomes[number] = await guests[number - 1].run()
                else:
                    made.outcomes[0] = await host.run()
            except NotSeated as refused:
                made.outcomes[number] = refused.code

        async with trio.open_nursery() as tasks:
            for number in range(len(names)):
                tasks.start_soon(stay, number)
            yield made
            tasks.cancel_scope.cancel()


def names(room: Room | None) -> list[str | None]:
    assert room is not None
    return [None if chair is None else chair.name for chair in room.chairs]


async def test_everybody_sees_the_same_room_and_signs_it(autojump_clock: MockClock) -> None:
    async with lobbies(["Ana", "Bia", "Caio", "Davi"], 4) as made:
        await made.until(lambda: not made.host.room.free)
        assert not made.host.start(), "nobody is ready yet"
        for guest in made.guests:
            guest.ready()
        await made.until(lambda: made.host.room.all_ready)
        made.host.swap(1, 3)
        await made.until(lambda: all(guest.room == made.host.room for guest in made.guests))
        assert made.host.start()
        await made.until(lambda: None not in made.outcomes)
        seated = [outcome for outcome in made.outcomes if isinstance(outcome, Seated)]
        assert len(seated) == 4
        agreement = seated[0].agreement
        assert {one.agreement.id for one in seated} == {agreement.id}
        assert [place.name for place in agreement.terms.roster] == names(made.host.room)
        assert agreement.terms.times == Times(move=30)


async def test_guests_choose_seats_and_talk(autojump_clock: MockClock) -> None:
    async with lobbies(["Ana", "Bia"], 4) as made:
        (bia,) = made.guests
        await made.until(lambda: bia.room is not None and bia.room.seat_of(made.people[1].public))
        bia.sit(3)
        await made.until(lambda: names(made.host.room) == ["Ana", None, None, "Bia"])
        bia.sit(0)
        bia.talk("oi \x1b[2J\u202egente")
        lines: list[Line] = []
        with trio.fail_after(10):
            while not lines:
                news = await made.host.news.receive()
                lines += [news] if isinstance(news, Line) else []
        assert lines == [Line("Bia", "oi [2Jgente")]
        assert names(made.host.room) == ["Ana", None, None, "Bia"], "a taken seat stays taken"


async def test_a_flood_of_talk_is_cut(autojump_clock: MockClock) -> None:
    async with lobbies(["Ana", "Bia"], 2) as made:
        (bia,) = made.guests
        await made.until(lambda: not made.host.room.free)
        for number in range(100):
            bia.talk(f"linha {number}")
        await trio.sleep(2)
        heard = 0
        with trio.move_on_after(0.1):
            while True:
                heard += isinstance(await made.host.news.receive(), Line)
        assert 8 <= heard <= 12


async def test_talk_is_metered_before_it_is_cleaned(autojump_clock: MockClock) -> None:
    """A guest would have the host clean lines of nothing as fast as its link carries them."""
    async with lobbies(["Ana", "Bia"], 2) as made:
        await made.until(lambda: not made.host.room.free)
        for text in ["\x1b"] * int(TALK_BURST) + ["oi"]:
            made.host.hear(made.people[1].public, frames.Talk(text))
        await trio.sleep(1)
        made.host.hear(made.people[1].public, frames.Talk("later"))
        heard: list[object] = []
        while Line("Bia", "later") not in heard:
            heard.append(made.host.news.receive_nowait())
        assert Line("Bia", "oi") not in heard


async def test_a_line_longer_than_a_frame_holds_is_cut(autojump_clock: MockClock) -> None:
    """Whoever pasted one was thrown out of the lobby, `malformed`."""
    async with lobbies(["Ana", "Bia"], 2) as made:
        await made.until(lambda: not made.host.room.free)
        made.guests[0].talk("é" * 1000)
        with trio.fail_after(5):
            while not isinstance(news := await made.host.news.receive(), Line):
                pass
        assert news == Line("Bia", "é" * 200)
        assert not made.host.room.free


async def test_a_name_that_is_taken_and_a_name_with_escapes(autojump_clock: MockClock) -> None:
    async with lobbies(["Ana", "ANA", "b\x1b[2J"], 4) as made:
        await made.until(lambda: None not in made.outcomes[1:])
        assert made.outcomes[1:] == ["name_taken", "malformed"]
        assert names(made.host.room) == ["Ana", None, None, None]


async def test_turned_away_and_locked(autojump_clock: MockClock) -> None:
    async with lobbies(["Ana", "Bia"], 4) as made:
        await made.until(lambda: "Bia" in names(made.host.room))
        made.host.lock()
        made.host.turn_away(made.host.room.seat_of(made.people[1].public) or 0)
        await made.until(lambda: made.outcomes[1] is not None)
        assert made.outcomes[1] == "turned_away"
        assert names(made.host.room) == ["Ana", None, None, None]
    async with lobbies(["Ana"], 4) as made:
        made.host.lock()
        made.host.hear(b"x" * 32, frames.Enter("Zé", None, None, False, False))
        assert names(made.host.room) == ["Ana", None, None, None]


async def test_other_rules_end_consent(autojump_clock: MockClock) -> None:
    """A host that swaps the rules after everybody was ready must not bind anybody to them."""
    async with lobbies(["Ana", "Bia"], 2) as made:
        (bia,) = made.guests
        await made.until(lambda: not made.host.room.free)
        bia.ready()
        await made.until(lambda: made.host.room.all_ready)
        made.host._change(variant=PAULISTA)
        made.host._change(started=True)
        made.host._begun.set()
        await made.until(lambda: made.outcomes[1] is not None)
        assert made.outcomes[1] == "refused"


@pytest.mark.parametrize(
    "forged",
    [
        lambda room: replace(room, started=True),
        lambda room: replace(room, chairs=(room.chairs[1], room.chairs[0])),
        lambda room: replace(room, chairs=(room.chairs[0], None), started=True),
    ],
)
async def test_only_the_host_says_what_the_room_is(
    forged: Callable[[Room], Room], autojump_clock: MockClock
) -> None:
    """A guest that plays the host would start a table that nobody agreed to."""
    async with lobbies(["Ana", "Bia"], 2) as made:
        await made.until(lambda: not made.host.room.free)
        before = made.host.room
        made.host.hear(made.people[1].public, on_the_wire(forged(before)))
        assert made.host.room == before


@dataclass
class Next:
    """The lobby after a match between Ana, who hosts, and Bia; Caio has the ticket only."""

    people: list[Identity]
    meshes: list[Mesh]
    host: HostLobby
    ticket: Ticket

    @property
    def bia(self) -> bytes:
        return self.people[1].public


@asynccontextmanager
async def after_a_match(players: int = 2) -> AsyncIterator[Next]:
    """`players` at the table in both matches."""
    async with meshes(players + 1) as (people, all_meshes), trio.open_nursery() as tasks:
        ana, key = all_meshes[0], people[0].public
        ticket = new_ticket(ana.addresses, key, seeded())
        ana.door.open_to(ticket, {"seat": players - 1})
        names = ["Ana", "Bia", "Davi", "Eva"][:players]
        for number in range(1, players):
            await all_meshes[number].join(ticket)
            wish = Wish(names[number], number)
            tasks.start_soon(
                join_table, all_meshes[number], people[number], key, wish, lambda terms: True
            )
        seated = await host_table(ana, people[0], Wish("Ana"), MINEIRO, players)
        await ana.all_linked()
        former = {seat: place for seat, place in enumerate(seated.agreement.terms.roster) if seat}
        host = HostLobby(ana, people[0], "Ana", MINEIRO, players, former=former)
        ticket = new_ticket(ana.addresses, key, seeded(2))
        ana.door.open_to(ticket, {"seat": players - 1}, host.asks)
        tasks.start_soon(host.run)
        await trio.sleep(1)
        yield Next(people, all_meshes, host, ticket)
        tasks.cancel_scope.cancel()


async def test_who_has_not_answered_holds_the_seat_of_the_match_before(
    autojump_clock: MockClock,
) -> None:
    """Everybody sees for whom a seat is held; whoever comes is told so; the host frees it."""
    async with after_a_match() as made:
        chair = made.host.room.chairs[1]
        assert chair is not None
        assert (chair.name, chair.held, chair.ready) == ("Bia", True, False)
        assert off_the_wire(on_the_wire(made.host.room)) == made.host.room
        caio = made.meshes[2]
        with pytest.raises(Fault, match="seats_held"):
            await caio.join(made.ticket)
        assert made.host.turn_away(1)
        assert not made.host.turn_away(1), "there is nobody any more"
        await caio.join(made.ticket)
        guest = GuestLobby(caio, made.people[2], made.people[0].public, "Caio")
        with trio.move_on_after(60):
            await guest.run()
        assert names(guest.room) == ["Ana", "Caio"]
        assert made.meshes[0].linked == {made.people[2].public}, "Bia's roster opens no more"


async def test_whose_seat_was_freed_reads_why_and_may_come_again(
    autojump_clock: MockClock,
) -> None:
    """Late is not turned away: the ticket lets them in like anybody else."""
    async with after_a_match() as made:
        assert made.host.turn_away(1)
        host, bia = made.people[0].public, made.meshes[1]
        with pytest.raises(NotSeated, match="too_late"):
            await GuestLobby(bia, made.people[1], host, "Bia").run()
        await bia.join(made.ticket)
        with trio.move_on_after(5):
            await GuestLobby(bia, made.people[1], host, "Bia").run()
        assert names(made.host.room) == ["Ana", "Bia"]
        assert not made.host.room.held


async def test_who_answers_gets_the_held_seat_wherever_it_is_now(
    autojump_clock: MockClock,
) -> None:
    """The host may have moved it meanwhile: their program still wishes the one of before."""
    async with after_a_match(4) as made:
        assert made.host.room.held == [1, 2, 3]
        made.host.turn_away(3)
        made.host.swap(1, 3)
        lobby = GuestLobby(made.meshes[1], made.people[1], made.people[0].public, "Bia", seat=1)
        with trio.move_on_after(5):
            await lobby.run()
        assert names(lobby.room) == ["Ana", None, "Davi", "Bia"]
        assert made.host.room.held == [2]


async def test_a_held_seat_is_free_when_their_link_ends_and_held_when_it_is_back(
    autojump_clock: MockClock,
) -> None:
    """Whoever says no goes; whose link was lost for a moment finds the seat again."""
    async with after_a_match() as made:
        made.meshes[0].close(made.bia, "lost")
        seen: list[list[int]] = []
        with trio.move_on_after(20):
            while True:
                news = await made.host.news.receive()
                assert isinstance(news, Room)
                seen += [news.held] if news.held not in seen[-1:] else []
        assert seen[-3:] == [[1], [], [1]]


async def test_a_ready_chair_is_not_held(autojump_clock: MockClock) -> None:
    """A room that says both of one chair is none."""
    async with after_a_match() as made:
        chair = made.host.room.chairs[1]
        assert chair is not None
        both = replace(made.host.room, chairs=(chair, replace(chair, ready=True)))
        with pytest.raises(ValueError, match="ready"):
            off_the_wire(on_the_wire(both))


async def test_a_link_that_was_lost_and_is_back_is_not_lost(autojump_clock: MockClock) -> None:
    """Whoever answered after it read that the host has gone, and their program ended."""
    async with after_a_match() as made:
        made.meshes[1].close(made.people[0].public, "lost")
        await trio.sleep(5)
        assert made.people[0].public in made.meshes[1].linked
        lobby = GuestLobby(made.meshes[1], made.people[1], made.people[0].public, "Bia")
        with trio.move_on_after(5):
            await lobby.run()
        assert names(lobby.room) == ["Ana", "Bia"]
        assert not made.host.room.held
