"""Sitting down at given addresses (wire.md §6): nobody signs what it did not claim."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
import trio
from trio.testing import MockClock

from p2ptruco.net.lobby.signing import Signing
from p2ptruco.net.lobby.sitting import NotSeated, Seated, Wish, host_table, join_table
from p2ptruco.net.mesh.events import Dropped
from p2ptruco.net.mesh.mesh import Mesh
from p2ptruco.net.transport import frames
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.ticket import Address, Ticket, new_ticket
from p2ptruco.rules.presets import MINEIRO, PAULISTA
from p2ptruco.table.agreement import (
    Agreement,
    Place,
    Times,
    propose,
    read_agreement,
    read_signed,
    signed,
)
from p2ptruco.table.codec import encode
from p2ptruco.table.identity import Identity

from .kit import acquaint, meshes, next_of, seeded


def open_door(
    people: list[Identity],
    all_meshes: list[Mesh],
    host: int = 0,
    where: tuple[Address, ...] | None = None,
) -> Ticket:
    mesh = all_meshes[host]
    ticket = new_ticket(where or mesh.addresses, people[host].public, seeded())
    mesh.door.open_to(ticket, {"seat": len(people) - 1})
    return ticket


def any_terms(agreement: Agreement) -> bool:
    return True


async def sit(
    people: list[Identity],
    all_meshes: list[Mesh],
    wishes: list[Wish],
    *,
    host: int = 0,
    consents: Callable[[Agreement], bool] = any_terms,
    where: tuple[Address, ...] | None = None,
) -> list[object]:
    """Everybody's outcome: Seated or NotSeated; None for who was still waiting after a minute."""
    ticket = open_door(people, all_meshes, host, where)
    outcomes: list[object] = [None] * len(people)

    async def one(number: int) -> None:
        me, mesh, wish = people[number], all_meshes[number], wishes[number]
        try:
            if number == host:
                outcomes[number] = await host_table(mesh, me, wish, MINEIRO, len(people))
            else:
                key = await mesh.join(ticket)
                outcomes[number] = await join_table(mesh, me, key, wish, consents)
        except NotSeated as refused:
            outcomes[number] = refused

    with trio.move_on_after(60):
        async with trio.open_nursery() as tasks:
            for number in range(len(people)):
                tasks.start_soon(one, number)
    return outcomes


def seated(outcome: object) -> Seated:
    assert isinstance(outcome, Seated), outcome
    return outcome


@pytest.mark.parametrize("count", [2, 4, 6, 8])
@pytest.mark.parametrize("host", [0, 1])
async def test_everybody_ends_with_one_signed_agreement(
    count: int, host: int, autojump_clock: MockClock
) -> None:
    """The host's key need not be the lowest."""
    async with meshes(count) as (people, all_meshes):
        wishes = [Wish(f"p{n}") for n in range(count)]
        outcomes = list(map(seated, await sit(people, all_meshes, wishes, host=host)))
        assert len({outcome.agreement.id for outcome in outcomes}) == 1
        assert len({outcome.signatures for outcome in outcomes}) == 1
        agreement = outcomes[0].agreement
        assert read_signed(signed(agreement, outcomes[0].signatures)).id == agreement.id
        assert sorted(outcome.seat for outcome in outcomes) == list(range(count))
        for person, wish, outcome in zip(people, wishes, outcomes, strict=True):
            place = agreement.terms.roster[outcome.seat]
            assert place == Place(person.public, wish.name, outcome.seat, wish.nonce)
        for mesh in all_meshes:
            await mesh.all_linked()


async def test_wished_seats_and_operators(autojump_clock: MockClock) -> None:
    """One person may run several seats: everybody sees it, and so does the record."""
    async with meshes(4) as (people, all_meshes):
        wishes = [Wish("a", 2, 2), Wish("b", 0, 2), Wish("c", None, 2), Wish("d", 3)]
        outcomes = list(map(seated, await sit(people, all_meshes, wishes)))
        assert [outcome.seat for outcome in outcomes] == [2, 0, 1, 3]
        roster = outcomes[3].agreement.terms.roster
        assert [place.operator for place in roster] == [2, 2, 2, 3]


async def test_a_taken_seat(autojump_clock: MockClock) -> None:
    async with meshes(4) as (people, all_meshes):
        wishes = [Wish("a"), Wish("b", 1), Wish("c", 1), Wish("d", 3)]
        outcomes = await sit(people, all_meshes, wishes)
        codes = [outcome.code for outcome in outcomes if isinstance(outcome, NotSeated)]
        assert codes == ["table_full"]


async def test_a_guest_who_does_not_consent_signs_nothing(autojump_clock: MockClock) -> None:
    """Whoever expects one variant must not be bound to another."""
    async with meshes(2) as (people, all_meshes):
        outcomes = await sit(
            people,
            all_meshes,
            [Wish("a"), Wish("b")],
            consents=lambda agreement: agreement.variant == PAULISTA,
        )
        assert isinstance(outcomes[1], NotSeated)
        assert outcomes[1].code == "refused"
        assert outcomes[0] is None


async def test_a_guest_who_leaves_frees_its_seat(autojump_clock: MockClock) -> None:
    async with meshes(3) as (people, all_meshes):
        ticket = new_ticket(all_meshes[0].addresses, people[0].public, seeded())
        all_meshes[0].door.open_to(ticket, {"seat": 1})
        outcomes: dict[str, Seated] = {}

        async def host() -> None:
            outcomes["host"] = await host_table(all_meshes[0], people[0], Wish("a"), MINEIRO, 2)

        async with trio.open_nursery() as tasks:
            tasks.start_soon(host)
            # links, claims nothing, leaves
            await all_meshes[1].join(ticket)
            all_meshes[1].close(people[0].public, "leaving")
            await next_of(all_meshes[1], Dropped)
            await trio.sleep(1)
            key = await all_meshes[2].join(ticket)
            await join_table(all_meshes[2], people[2], key, Wish("c"), any_terms)
        assert outcomes["host"].agreement.identities == (people[0].public, people[2].public)


@pytest.mark.parametrize(
    "claim",
    [
        frames.Claim(None, "a\x1b[2J", None, b"n" * 32, ()),
        frames.Claim(None, "a‮b", None, b"n" * 32, ()),
        frames.Claim(None, " a ", None, b"n" * 32, ()),
        frames.Claim(None, "a", 5, b"n" * 32, ()),
    ],
    ids=["escape", "bidirectional", "blanks", "an operator who is not there"],
)
async def test_claims_that_no_agreement_can_hold(
    claim: frames.Claim, autojump_clock: MockClock
) -> None:
    """One guest's name must neither reach a terminal nor spoil the table for the others."""
    async with meshes(2) as (people, all_meshes), trio.open_nursery() as tasks:
        ticket = open_door(people, all_meshes)
        tasks.start_soon(host_table, all_meshes[0], people[0], Wish("a"), MINEIRO, 2)
        key = await all_meshes[1].join(ticket)
        all_meshes[1].send(key, claim)
        assert (await next_of(all_meshes[1], Dropped))[1] == Dropped("malformed", theirs=True)
        tasks.cancel_scope.cancel()


Twist = Callable[[tuple[Place, ...], Identity], tuple[Place, ...]]
TWISTS: dict[str, Twist] = {
    "another nonce": lambda roster, _: (roster[0], msgspec_replace(roster[1], nonce=b"x" * 32)),
    "another name": lambda roster, _: (roster[0], msgspec_replace(roster[1], name="fool")),
    "another operator": lambda roster, _: (roster[0], msgspec_replace(roster[1], operator=0)),
    "another seat": lambda roster, _: (
        msgspec_replace(roster[1], operator=0),
        msgspec_replace(roster[0], operator=1),
    ),
    "without the guest": lambda roster, third: (
        roster[0],
        msgspec_replace(roster[1], identity=third.public),
    ),
    "without the host": lambda roster, third: (
        msgspec_replace(roster[0], identity=third.public),
        roster[1],
    ),
}


def msgspec_replace(place: Place, **changes: object) -> Place:
    return msgspec.structs.replace(place, **changes)


async def propose_to(
    people: list[Identity], all_meshes: list[Mesh], bend: Callable[[Agreement], frames.Proposal]
) -> str:
    """A dishonest host: what the guest makes of the bent proposal."""
    ticket = new_ticket(all_meshes[0].addresses, people[0].public, seeded())
    all_meshes[0].door.open_to(ticket, {"seat": 1})
    answer: list[str] = []

    async def guest() -> None:
        key = await all_meshes[1].join(ticket)
        try:
            await join_table(all_meshes[1], people[1], key, Wish("b", 1), any_terms)
        except NotSeated as refused:
            answer.append(refused.code)

    async with trio.open_nursery() as tasks:
        tasks.start_soon(guest)
        _, claim = await next_of(all_meshes[0], frames.Claim)
        assert isinstance(claim, frames.Claim)
        roster = (
            Place(people[0].public, "a", 0, b"h" * 32),
            Place(people[1].public, claim.name, 1, claim.nonce),
        )
        proposal = bend(propose(MINEIRO, roster))
        all_meshes[0].send(people[1].public, proposal)
        with trio.move_on_after(5):
            await next_of(all_meshes[0], frames.Signature)
            pytest.fail("the guest has signed")
        tasks.cancel_scope.cancel()
    return answer[0]


@pytest.mark.parametrize("twist", TWISTS, ids=str)
async def test_an_agreement_that_is_not_as_claimed(twist: str, autojump_clock: MockClock) -> None:
    """The host seats somebody else, or reuses a nonce: an old table's signatures would count."""
    async with meshes(3) as (people, all_meshes):

        def bend(agreement: Agreement) -> frames.Proposal:
            roster = TWISTS[twist](agreement.terms.roster, people[2])
            return frames.Proposal(propose(MINEIRO, roster).blob, ((), ()))

        assert await propose_to(people, all_meshes, bend) == "bad_proposal"


async def test_proposals_that_are_none(autojump_clock: MockClock) -> None:
    async def bent(bend: Callable[[Agreement], frames.Proposal]) -> str:
        async with meshes(2) as (people, all_meshes):
            return await propose_to(people, all_meshes, bend)

    assert await bent(lambda one: frames.Proposal(b"\x90", ((), ()))) == "bad_proposal"
    assert await bent(lambda one: frames.Proposal(one.blob + b"\0", ((), ()))) == "bad_proposal"
    assert await bent(lambda one: frames.Proposal(one.blob, ((), (), ()))) == "bad_proposal"
    assert await bent(lambda one: frames.Proposal(later_epoch(one), ((), ()))) == "bad_proposal"


def later_epoch(agreement: Agreement) -> bytes:
    return encode(msgspec.structs.replace(agreement.terms, epoch=1))


async def test_forged_signatures(autojump_clock: MockClock) -> None:
    """A seat bound by a signature that is not its own would be bound to anything."""
    async with meshes(4) as (people, all_meshes):
        places = [Place(who.public, f"p{n}", n, bytes([n]) * 32) for n, who in enumerate(people)]
        agreement = propose(MINEIRO, places)
        signing = {
            "bad_signature": frames.Signature(agreement.id, 1, people[2].sign(b"x", agreement.id)),
            "wrong_table": frames.Signature(b"o" * 32, 1, agreement.sign(people[1])),
        }
        for word, forged in signing.items():
            acquaint(people, all_meshes)
            await all_meshes[0].all_linked()
            async with trio.open_nursery() as tasks:
                tasks.start_soon(wait_for_signatures, all_meshes[0], people[0], agreement)
                await trio.sleep(0.1)
                assert all_meshes[2].send(people[0].public, forged)
                with trio.fail_after(10):
                    _, event = await next_of(all_meshes[2], Dropped)
                assert event == Dropped(word, theirs=True)  # type: ignore[arg-type]
                tasks.cancel_scope.cancel()


async def wait_for_signatures(mesh: Mesh, me: Identity, agreement: Agreement) -> None:
    await Signing(mesh, me, agreement, ((),) * agreement.players).finish()


async def test_who_links_late_learns_every_signature(autojump_clock: MockClock) -> None:
    """A signature that was flooded before two peers met must not be lost between them."""
    async with meshes(4) as (people, all_meshes):
        wishes = [Wish(f"p{n}") for n in range(4)]
        outcomes = list(map(seated, await sit(people, all_meshes, wishes)))
        known = [
            frames.Signature(outcomes[0].agreement.id, seat, signature)
            for seat, signature in enumerate(outcomes[0].signatures)
        ]
        for mesh in all_meshes:
            assert mesh._greeting == tuple(map(frames.write, known))


async def test_the_ticket_ends_with_the_agreement(autojump_clock: MockClock) -> None:
    async with meshes(3) as (people, all_meshes):
        await sit(people[:2], all_meshes[:2], [Wish("a"), Wish("b")])
        ticket = new_ticket(all_meshes[0].addresses, people[0].public, seeded())
        with pytest.raises(Fault, match="bad_ticket"):
            await all_meshes[2].join(ticket)


async def test_what_comes_early_is_kept(autojump_clock: MockClock) -> None:
    """A peer that was ready first may already play."""
    async with meshes(2) as (people, all_meshes):
        ticket = open_door(people, all_meshes)
        early = frames.EntryFrame(b"commit", b"s" * 64)
        result: list[Seated] = []

        async def host() -> None:
            result.append(await host_table(all_meshes[0], people[0], Wish("a"), MINEIRO, 2))

        async with trio.open_nursery() as tasks:
            tasks.start_soon(host)
            key = await all_meshes[1].join(ticket)
            claim = Wish("b", 1)
            all_meshes[1].send(key, frames.Claim(1, "b", None, claim.nonce, ()))
            _, proposal = await next_of(all_meshes[1], frames.Proposal)
            assert isinstance(proposal, frames.Proposal)
            agreement = read_agreement(proposal.agreement)
            all_meshes[1].send(key, early)
            all_meshes[1].send(key, frames.Signature(agreement.id, 1, agreement.sign(people[1])))
        assert result
        with trio.fail_after(1):
            while await all_meshes[0].queues.for_table() != (people[1].public, early):
                pass


async def test_times_travel_in_the_agreement(autojump_clock: MockClock) -> None:
    async with meshes(2) as (people, all_meshes):
        ticket = open_door(people, all_meshes)
        result: list[Seated] = []

        async def host() -> None:
            result.append(
                await host_table(
                    all_meshes[0], people[0], Wish("a"), MINEIRO, 2, times=Times(30, 10, 20)
                )
            )

        async with trio.open_nursery() as tasks:
            tasks.start_soon(host)
            key = await all_meshes[1].join(ticket)
            await join_table(all_meshes[1], people[1], key, Wish("b"), any_terms)
        assert result[0].agreement.terms.times == Times(30, 10, 20)


async def test_a_guest_that_listens_everywhere_is_found_where_it_is_heard(
    autojump_clock: MockClock,
) -> None:
    """0.0.0.0 means nothing to anybody else; the host heard it from somewhere."""
    async with meshes(4) as (people, all_meshes):
        for mesh in all_meshes:
            mesh.addresses = (Address("::", 7777), Address("0.0.0.0", 7000))
        ticket_addresses = (Address("10.0.0.0", 7000),)
        outcomes = await sit(
            people, all_meshes, [Wish(name) for name in "abcd"], where=ticket_addresses
        )
        assert all(isinstance(outcome, Seated) for outcome in outcomes)
        for mesh in all_meshes:
            await mesh.all_linked()
