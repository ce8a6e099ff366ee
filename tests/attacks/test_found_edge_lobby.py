"""Before the first card: what a guest of the lobby may make others see, sign and suffer (wire.md
§6, §7)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2ptruco.app.join import Guest, one_match
from p2ptruco.app.match import Player
from p2ptruco.app.stage import Stage
from p2ptruco.net.lobby import GuestLobby, HostLobby
from p2ptruco.net.lobby.sitting import NotSeated, Seated, Wish, host_table, join_table
from p2ptruco.net.mesh.events import Dropped
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.ticket import Ticket, new_ticket
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.store.home import Self
from p2ptruco.table.agreement import Agreement
from p2ptruco.table.identity import Identity
from tests.net.kit import meshes, next_of, seeded


@dataclass
class Open:
    """A host in its lobby, and others who hold its ticket; `signed` once the host has."""

    people: list[Identity]
    meshes: list[Mesh]
    ticket: Ticket
    host: HostLobby
    signed: list[Seated]
    late: list[str]
    """Who did not sign, as the host reads it."""

    async def until(self, condition) -> None:
        with trio.fail_after(60):
            while not condition():  # noqa: ASYNC110
                await trio.sleep(0.05)


@asynccontextmanager
async def open_lobby(people: int, seats: int) -> AsyncIterator[Open]:
    async with meshes(people) as (who, all_meshes), trio.open_nursery() as tasks:
        host, signed = HostLobby(all_meshes[0], who[0], "Ana", MINEIRO, seats), []
        late: list[str] = []

        async def stay() -> None:
            try:
                signed.append(await host.run())
            except NotSeated as refused:
                late.extend(refused.late)

        tasks.start_soon(stay)
        yield Open(who, all_meshes, let_in(who[0], all_meshes[0], seats - 1), host, signed, late)
        tasks.cancel_scope.cancel()


def let_in(host: Identity, mesh: Mesh, places: int) -> Ticket:
    ticket = new_ticket(mesh.addresses, host.public, seeded())
    mesh.door.open_to(ticket, {"seat": places})
    return ticket


def anything(agreement: Agreement) -> bool:
    return True


@pytest.mark.parametrize(
    "claim",
    [Wish("your own bot", 1, 1), Wish("Bob", 1, 0), Wish("Bob", None, 1)],
    ids=["name", "operator", "seat"],
)
async def test_the_host_signs_no_chair_that_its_room_did_not_show(
    claim: Wish, autojump_clock: MockClock
):
    """A guest would go by one name in the lobby, and by another in what the host signs, in its
    record and among the peers that it has met; or would be shown there as the host's own bot."""
    async with open_lobby(2, 2) as made:
        guest, mesh = made.people[1], made.meshes[1]
        host = await mesh.join(made.ticket)
        mesh.send(host, frames.Enter("Bob", None, None, False, True))
        await made.until(lambda: made.host.room.all_ready)
        made.host.start()
        with pytest.raises(NotSeated) as refused:
            await join_table(mesh, guest, host, claim, anything)
        assert refused.value.code == "malformed"
        assert not made.signed


async def test_whoever_has_no_chair_claims_none(autojump_clock: MockClock):
    """Somebody who was turned away, but whom the roster of the match before still lets in, would
    claim first and be seated in place of the guest that everybody saw."""
    async with open_lobby(3, 2) as made:
        bob = GuestLobby(made.meshes[1], made.people[1], made.people[0].public, "Bob")
        eve, mesh = made.people[2], made.meshes[2]
        made.meshes[0].door.set_roster(b"t" * 32, frozenset({eve.public}), frozenset())
        mesh.set_roster(b"t" * 32, {made.people[0].public: made.meshes[0].addresses})
        await mesh.all_linked()
        async with trio.open_nursery() as tasks:
            await made.meshes[1].join(made.ticket)
            tasks.start_soon(bob.run)
            await made.until(
                lambda: bob.room is not None and made.host.room.seat_of(made.people[1].public)
            )
            bob.ready()
            await made.until(lambda: made.host.room.all_ready)
            claim = frames.Claim(1, "Bob", 1, bytes(32), ())
            mesh.send(made.people[0].public, claim)
            made.host.start()
            mesh.send(made.people[0].public, claim)
            await made.until(lambda: bool(made.signed))
        assert made.signed[0].agreement.identities[1] == made.people[1].public


async def test_who_sat_in_the_match_before_hears_nothing_of_this_one(autojump_clock: MockClock):
    """A former player who has come in by the roster's door would read every entry and all talk of
    a match among others, as it is played."""
    async with meshes(3) as (people, (ana, eve, bob)), trio.open_nursery() as tasks:

        async def sit(mesh: Mesh, who: Identity) -> None:
            await mesh.join(let_in(people[0], ana, 1))
            tasks.start_soon(join_table, mesh, who, people[0].public, Wish("guest"), anything)
            await host_table(ana, people[0], Wish("Ana"), MINEIRO, 2)

        await sit(eve, people[1])
        eve.close(people[0].public, "leaving")
        await next_of(eve, Dropped)
        await eve.all_linked()
        await sit(bob, people[2])
        assert ana.linked == {people[2].public}
        with trio.fail_after(600):
            assert (await next_of(eve, Dropped))[1] == Dropped("table_full", theirs=True)
        tasks.cancel_scope.cancel()


async def test_changes_of_mind_have_a_rate(autojump_clock: MockClock):
    """One guest would have the host tell everybody its room thousands of times a second: their
    terminals scroll, their links fill, and whoever is slow to read is closed instead of it."""
    async with open_lobby(3, 4) as made:
        eve, bob = made.meshes[1], made.meshes[2]
        host = await bob.join(made.ticket)
        await eve.join(made.ticket)
        for change in range(200):
            eve.send(host, frames.Enter(f"Eve {change}", None, None, False, False))
        assert (await next_of(eve, Dropped))[1] == Dropped("too_fast", theirs=True)
        await trio.sleep(1)
        assert bob.events.statistics().current_buffer_used <= 20 + 2


async def test_no_other_guest_is_said_to_run_a_seat(autojump_clock: MockClock):
    """A guest would be shown, and signed for in the record, as a second seat of an honest one."""
    async with open_lobby(3, 4) as made:
        eve, bob = made.meshes[1], made.meshes[2]
        host = await bob.join(made.ticket)
        bob.send(host, frames.Enter("Bob", None, None, False, True))
        await eve.join(made.ticket)
        eve.send(host, frames.Enter("Eve", None, made.people[2].public, False, True))
        assert (await next_of(eve, Dropped))[1] == Dropped("malformed", theirs=True)


async def test_who_does_not_say_who_it_is_holds_no_place(autojump_clock: MockClock):
    """Three silent links would fill a table whose chairs are all shown as free: no guest comes in,
    and the host sees nobody whom it could turn away."""
    async with open_lobby(5, 4) as made:
        *silent, bob = made.meshes[1:]
        for mesh in silent:
            await mesh.join(made.ticket)
        with pytest.raises(Fault, match="table_full"):
            await bob.join(made.ticket)
        for mesh in silent:
            assert (await next_of(mesh, Dropped))[1] == Dropped("too_late", theirs=True)
        await bob.join(made.ticket)


async def test_who_was_turned_away_does_not_come_back(autojump_clock: MockClock):
    """A guest would be back before the host has read that it is gone, as often as it likes."""
    async with open_lobby(2, 4) as made:
        eve = made.meshes[1]
        for _ in range(2):
            host = await eve.join(made.ticket)
            eve.send(host, frames.Enter("Eve", None, None, False, True))
            await trio.sleep(1)
            if (seat := made.host.room.seat_of(made.people[1].public)) is not None:
                made.host.turn_away(seat)
            assert (await next_of(eve, Dropped))[1] == Dropped("turned_away", theirs=True)
        assert made.host.room.free == [1, 2, 3]


@pytest.mark.parametrize("claims", [True, False])
async def test_who_does_not_sign_goes_and_the_others_stay(claims: bool, autojump_clock: MockClock):
    """A ready guest that never signs would send all the others home, and stay itself."""
    async with open_lobby(4, 4) as made, trio.open_nursery() as tasks:
        eve, key = made.meshes[1], made.people[0].public
        honest = [
            GuestLobby(made.meshes[n], made.people[n], key, f"p{n}", bot=True) for n in (2, 3)
        ]
        ends: list[str] = []

        async def stay(guest: GuestLobby) -> None:
            with pytest.raises(NotSeated) as refused:
                await guest.run()
            ends.append(refused.value.code)

        for mesh in made.meshes[1:]:
            await mesh.join(made.ticket)
        eve.send(key, frames.Enter("Eve", 1, None, True, True))
        for guest in honest:
            tasks.start_soon(stay, guest)
        await made.until(lambda: made.host.room.all_ready)
        assert made.host.start()
        if claims:
            eve.send(key, frames.Claim(1, "Eve", None, bytes(32), ()))
        assert (await next_of(eve, Dropped))[1] == Dropped("too_late", theirs=True)
        await made.until(lambda: len(ends) == 2)
        assert ends == ["not_signed"] * 2
        assert made.late == ["Eve"], "the host reads for whom it waited"
        await trio.sleep(60)
        hosts, others = made.meshes[0], {who.public for who in made.people[2:]}
        assert hosts.linked == others
        assert not hosts.door.knows(made.people[1].public)


async def test_the_others_are_back_in_the_next_lobby(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The program of every other guest would end with whoever does not sign."""
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    async with open_lobby(4, 4) as made, trio.open_nursery() as tasks:
        eve, key = made.meshes[1], made.people[0].public
        guests = {"Bob": 2, "Caio": 3}

        async def stay(name: str) -> None:
            number = guests[name]
            me = Self(made.people[number], name, tmp_path, "")
            nobody: Any = None
            player, guest = Player(me, Stage(), None, nobody), Guest(name, bot=True)
            while await one_match(key, guest, player, made.meshes[number], []):
                pass

        for mesh in made.meshes[1:]:
            await mesh.join(made.ticket)
        eve.send(key, frames.Enter("Eve", 1, None, True, True))
        for name in guests:
            tasks.start_soon(stay, name)
        await made.until(lambda: made.host.room.all_ready)
        assert made.host.start()
        await next_of(eve, Dropped)
        second = HostLobby(made.meshes[0], made.people[0], "Ana", MINEIRO, 4)
        tasks.start_soon(second.run)
        await made.until(lambda: len(second.room.free) == 1)
        assert guests.keys() <= {chair.name for chair in second.room.chairs if chair}
        tasks.cancel_scope.cancel()


async def test_no_guest_passes_for_a_bot_of_the_host(autojump_clock: MockClock):
    """A guest would be shown to all, and in a record that the host itself signs, as run by the
    host: what this seat did and knew would be the host's. A bot that the host started is."""
    async with open_lobby(3, 4) as made:
        host, ours = made.people[0].public, made.people[2].public
        made.host._runs = ours.__eq__
        for number, name in ((1, "zap-2"), (2, "zap-3")):
            assert await made.meshes[number].join(made.ticket) == host
            made.meshes[number].send(host, frames.Enter(name, None, host, True, True))
        with trio.fail_after(60):
            _, dropped = await next_of(made.meshes[1], Dropped)
        assert (dropped.reason, dropped.theirs) == ("malformed", True)
        await made.until(lambda: made.host.room.chair_of(ours) is not None)
        taken = [chair for chair in made.host.room.chairs if chair is not None]
        assert [chair.identity for chair in taken] == [host, ours]
        assert {chair.operator for chair in taken} == {host}
