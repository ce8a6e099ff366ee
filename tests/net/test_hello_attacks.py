"""Attacks on ticket proof and HELLO (wire.md §3), over real TLS on memory streams."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from p2ptruco.net.transport import frames, ticket
from p2ptruco.net.transport.certificate import fresh_leaf
from p2ptruco.net.transport.channel import Channel, open_channel
from p2ptruco.net.transport.fault import Fault
from p2ptruco.net.transport.hello import Acquainted, Errand, _hello, _Line
from p2ptruco.net.transport.limits import LIMITS
from p2ptruco.net.transport.ticket import Ticket, proof
from p2ptruco.table.identity import HELLO, Identity, published_seed

from ..kit.ed25519 import of_mixed_order
from .kit import Both, Chaos, Host, both, host, identities


def reason(outcome: object) -> str:
    assert isinstance(outcome, Fault), outcome
    return outcome.reason


async def meet(house: Host, errand: Errand | None = None) -> Both:
    near, far = memory_stream_pair()
    return await both(lambda: house.dial(near, errand), lambda: house.accept(far))


async def against_host(house: Host, attacker) -> Both:  # type: ignore[no-untyped-def]
    """An attacker with an honest channel dials: it gets the channel and a line to speak on."""
    near, far = memory_stream_pair()

    async def evil() -> object:
        channel = await open_channel(near, fresh_leaf(), dialling=True)
        try:
            return await attacker(channel, _Line(channel))
        finally:
            await channel.aclose()

    return await both(evil, lambda: house.accept(far))


async def against_guest(house: Host, attacker) -> Both:  # type: ignore[no-untyped-def]
    near, far = memory_stream_pair()

    async def evil() -> object:
        channel = await open_channel(far, fresh_leaf(), dialling=False)
        try:
            return await attacker(channel, _Line(channel))
        finally:
            await channel.aclose()

    return await both(lambda: house.dial(near), evil)


def knock(house: Host, channel: Channel) -> frames.Knock:
    key = house.ticket.key("seat")
    return frames.Knock("seat", proof(key, "guest", channel.other, channel.own))


async def test_both_sides_learn_who_is_there() -> None:
    """What the attacks below bend, unbent."""
    house = host()
    result = await meet(house)
    assert isinstance(result.dialling, Acquainted)
    assert isinstance(result.accepting, Acquainted)
    assert result.dialling.identity == house.identity.public
    assert result.accepting.identity == house.guest.public
    assert result.dialling.dialled_by == result.accepting.dialled_by == house.guest.public


async def test_wrong_ticket() -> None:
    """Who was not asked must not sit down, nor learn who the host is."""
    house = host()
    forged = Ticket(house.ticket.addresses, house.ticket.fingerprint, b"0" * 10)
    result = await meet(house, house.errand(forged))
    assert reason(result.dialling) == reason(result.accepting) == "bad_ticket"
    assert isinstance(result.dialling, Fault)
    assert result.dialling.theirs


@pytest.mark.parametrize("state", ["wrong secret", "closed", "not in the roster", "other purpose"])
async def test_no_answer_tells_a_wrong_secret_from_a_closed_table(state: str) -> None:
    """Else a secret could be tried against a table that is not even open."""
    house = host()
    errand = house.errand()
    if state == "wrong secret":
        errand = Errand("seat", b"k" * 32, lambda who: True)
    elif state == "closed":
        house.door.close()
    elif state == "other purpose":
        errand = Errand("watch", house.ticket.key("watch"), lambda who: True)
    else:
        house.door.set_roster(b"t" * 32, frozenset([b"somebody"]), frozenset())
        errand = Errand("roster", ticket.derive(b"t" * 32, "roster"), lambda who: True)
    assert reason((await meet(house, errand)).dialling) == "bad_ticket"


async def test_wrong_secret_and_closed_table_send_the_same_bytes() -> None:
    """Bytes that differ would tell a guesser that a table is there at all."""

    async def answer(house: Host) -> list[frames.Message]:
        heard: list[frames.Message] = []

        async def evil(channel: Channel, line: _Line) -> None:
            await line.say(frames.Knock("seat", b"x" * 32))
            try:
                while True:
                    heard.append(await line._next())
            except (Fault, trio.BrokenResourceError):
                pass

        await against_host(house, evil)
        return heard

    shut = host()
    shut.door.close()
    assert await answer(host()) == await answer(shut) == [frames.Bye("bad_ticket")]


async def test_the_ticket_ends_when_the_table_is_made() -> None:
    """Whoever kept or found an old ticket would come into a match under way."""
    house = host()
    house.door.set_roster(b"t" * 32, frozenset([house.guest.public]), frozenset())
    house.door.close()
    assert reason((await meet(house)).dialling) == "bad_ticket"
    key = ticket.derive(b"t" * 32, "roster")
    welcome = await meet(house, Errand("roster", key, house.identity.public.__eq__))
    assert isinstance(welcome.dialling, Acquainted)


async def test_a_table_that_closes_during_the_greeting() -> None:
    """Who has proved the ticket a moment too late learns no more than who comes later."""
    house = host()

    async def slow(channel: Channel, line: _Line) -> object:
        await line.say(knock(house, channel))
        await line.hear(frames.Answer)
        await line.hear(frames.Hello)
        house.door.close()
        await line.say(_hello(house.guest, "dialling", channel))
        return await line.hear(frames.Welcome)

    result = await against_host(house, slow)
    assert reason(result.dialling) == reason(result.accepting) == "bad_ticket"


async def test_full_table() -> None:
    """A guest too many would have the place of one who sits, or a look at all names."""
    house = host(places=2, present=2)
    result = await meet(house)
    assert reason(result.dialling) == reason(result.accepting) == "table_full"


async def test_a_ticket_to_watch_opens_no_seat() -> None:
    """A spectator who sat down would have a say."""
    house = host()
    errand = Errand("seat", house.ticket.to_watch().key("watch"), lambda who: True)
    assert reason((await meet(house, errand)).dialling) == "bad_ticket"


async def test_host_without_the_secret() -> None:
    """Somebody at the host's address would learn the guest's name and collect its signature."""
    house = host()

    async def evil(channel: Channel, line: _Line) -> object:
        await line.hear(frames.Knock)
        await line.say(frames.Answer(b"x" * 32), _hello(house.identity, "accepting", channel))
        return await line.hear(frames.Bye)

    assert reason((await against_guest(house, evil)).dialling) == "bad_ticket"


async def test_mirrored_ticket_proof() -> None:
    """A host that knows no secret sends the guest's own proof back."""
    house = host()

    async def evil(channel: Channel, line: _Line) -> object:
        said = await line.hear(frames.Knock)
        await line.say(frames.Answer(said.proof), _hello(house.identity, "accepting", channel))
        return await line.hear(frames.Bye)

    assert reason((await against_guest(house, evil)).dialling) == "bad_ticket"


async def test_stolen_ticket_proof() -> None:
    """A proof overheard at one end of an attacker's channel is carried to a channel of its own."""
    house = host()
    stolen: list[frames.Knock] = []

    async def listen(channel: Channel, line: _Line) -> None:
        stolen.append(await line.hear(frames.Knock))

    async def carry(channel: Channel, line: _Line) -> object:
        await line.say(stolen[0])
        return await line.hear(frames.Answer)

    await against_guest(house, listen)
    assert reason((await against_host(house, carry)).accepting) == "bad_ticket"


async def test_replayed_hello() -> None:
    """A HELLO that its author spoke on another channel would let the thief sit as its author."""
    house = host()
    spoken: list[frames.Hello] = []

    async def record(channel: Channel, line: _Line) -> None:
        await line.say(knock(house, channel))
        await line.hear(frames.Answer)
        await line.hear(frames.Hello)
        spoken.append(_hello(house.guest, "dialling", channel))

    async def replay(channel: Channel, line: _Line) -> object:
        await line.say(knock(house, channel), spoken[0])
        await line.hear(frames.Answer)
        await line.hear(frames.Hello)
        return await line.hear(frames.Welcome)

    await against_host(house, record)
    assert reason((await against_host(house, replay)).accepting) == "bad_signature"


async def test_hello_mirrored_to_its_author() -> None:
    """The host's own HELLO sent back would seat the attacker as the host."""
    house = host()

    async def evil(channel: Channel, line: _Line) -> object:
        await line.say(knock(house, channel))
        await line.hear(frames.Answer)
        theirs = await line.hear(frames.Hello)
        await line.say(frames.Hello(theirs.identity, "dialling", theirs.signature))
        return await line.hear(frames.Welcome)

    assert reason((await against_host(house, evil)).accepting) == "bad_signature"


async def test_our_own_identity_at_the_other_end() -> None:
    """A second process of one identity would sign a second body on one head."""
    house = host()
    house.guest = house.identity
    assert reason((await meet(house)).accepting) == "wrong_peer"


async def test_hello_of_the_wrong_role() -> None:
    """A HELLO spoken as host, taken from a guest, could be mirrored from one to the other."""
    house = host()

    async def evil(channel: Channel, line: _Line) -> object:
        await line.say(knock(house, channel), _hello(house.guest, "accepting", channel))
        await line.hear(frames.Answer)
        await line.hear(frames.Hello)
        return await line.hear(frames.Welcome)

    assert reason((await against_host(house, evil)).accepting) == "malformed"


SMALL_ORDER = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


@dataclass
class Puppet:
    """A signer whose key and signature are given."""

    public: bytes
    signature: bytes = bytes(64)

    def sign(self, label: bytes, message: bytes) -> bytes:
        return self.signature


@pytest.mark.parametrize(
    "who",
    [
        Puppet(SMALL_ORDER, SMALL_ORDER + bytes(32)),
        Puppet(b"\x01" + bytes(31), b"\x01" + bytes(63)),
        Puppet(of_mixed_order(Identity(b"\x07" * 32).public)),
        Puppet((2**255 - 19 + 3).to_bytes(32, "little")),
        Puppet(b"\xff" * 32),
        Identity.from_seed(published_seed("vector-0")),
        Identity.from_seed(published_seed("authority")),
    ],
    ids=[
        *("small order", "identity element", "mixed order", "second spelling", "no point"),
        *("of the vectors", "the authority"),
    ],
)
async def test_identity_keys_that_are_nobodys(who: Puppet | Identity) -> None:
    """A key that many can sign with is no seat: its bearer can always say it was another."""
    house = host()
    house.guest = who  # type: ignore[assignment]
    assert reason((await meet(house)).accepting) == "bad_signature"


async def test_signature_for_another_purpose() -> None:
    """A signature collected elsewhere would pass for a HELLO if labels did not part them."""
    house = host()

    signer = house.guest

    class Confused:
        public = signer.public

        def sign(self, label: bytes, message: bytes) -> bytes:
            return signer.sign(b"p2ptruco/1/entry", message)

    house.guest = Confused()  # type: ignore[assignment]
    assert reason((await meet(house)).accepting) == "bad_signature"
    assert HELLO != b"p2ptruco/1/entry"


async def test_man_in_the_middle_on_a_lan_table() -> None:
    """An open ticket is known to all, so its proof stops nobody; the host's fingerprint does.

    The attacker answers at the host's address with valid proofs and its own identity.
    """
    house = host()
    _, _, mallory = identities(3, seed=99)

    async def evil(channel: Channel, line: _Line) -> object:
        await line.hear(frames.Knock)
        key = house.ticket.key("seat")
        answer = frames.Answer(proof(key, "host", channel.own, channel.other))
        await line.say(answer, _hello(mallory, "accepting", channel))
        return await line.hear(frames.Hello)

    result = await against_guest(house, evil)
    assert reason(result.dialling) == "wrong_peer"
    assert reason(result.accepting) == "wrong_peer"  # and the guest has not said its name


async def test_man_in_the_middle_relays_what_he_hears() -> None:
    """Two channels, one attacker: proofs and HELLOs copied across are bound to the wrong keys."""
    house = host()
    guest_near, guest_far = memory_stream_pair()
    host_near, host_far = memory_stream_pair()

    async def middle() -> object:
        to_guest = await open_channel(guest_far, fresh_leaf(), dialling=False)
        to_host = await open_channel(host_near, fresh_leaf(), dialling=True)

        async def copy(source: Channel, sink: Channel) -> None:
            try:
                while data := await source.receive_some():
                    await sink.send_all(data)
            except (Fault, trio.BrokenResourceError, trio.ClosedResourceError):
                pass
            await sink.aclose()

        async with trio.open_nursery() as tasks:
            tasks.start_soon(copy, to_guest, to_host)
            tasks.start_soon(copy, to_host, to_guest)
        return None

    outcomes: list[Both] = []

    async def ends() -> None:
        outcomes.append(await both(lambda: house.dial(guest_near), lambda: house.accept(host_far)))

    async with trio.open_nursery() as tasks:
        tasks.start_soon(middle)
        tasks.start_soon(ends)
    assert reason(outcomes[0].accepting) == "bad_ticket"
    assert reason(outcomes[0].dialling) == "bad_ticket"


@pytest.mark.parametrize("side", ["dialling", "accepting"])
async def test_handshake_that_never_ends(side: str, autojump_clock: MockClock) -> None:
    """Strangers who say nothing would hold every place at the door."""
    house = host()
    near, _far = memory_stream_pair()
    run = house.dial if side == "dialling" else house.accept
    before = trio.current_time()
    with pytest.raises(Fault, match="too_late"):
        await run(near)
    assert trio.current_time() - before == LIMITS.handshake_seconds


async def test_handshake_that_drips(autojump_clock: MockClock) -> None:
    """The time is for all of it: a byte now and then does not buy more."""
    house = host()
    near, far = memory_stream_pair()
    slow = Chaos(near, 1, delay=(0.4, 0.5), split=1.0)
    before = trio.current_time()
    result = await both(lambda: house.dial(slow), lambda: house.accept(far))
    assert reason(result.accepting) == "too_late"
    assert trio.current_time() - before <= LIMITS.handshake_seconds + 1


async def test_silence_after_the_channel_is_open(autojump_clock: MockClock) -> None:
    """Who has proved the ticket and says no more would hold a place at the door."""
    house = host()

    async def evil(channel: Channel, line: _Line) -> None:
        await line.say(knock(house, channel))
        await trio.sleep(60)

    assert reason((await against_host(house, evil)).accepting) == "too_late"


@pytest.mark.parametrize(
    "message",
    [
        frames.Welcome(),
        frames.Hello(b"i" * 32, "dialling", bytes(64)),
        frames.EntryFrame(b"b", bytes(64)),
        frames.Pulse(0, 0, 0, 0, bytes(32), 0, bytes(32)),
    ],
    ids=lambda message: type(message).__name__,
)
@pytest.mark.parametrize("knocked", [False, True])
async def test_anything_else_than_the_next_word(message: frames.Message, knocked: bool) -> None:
    """A handshake with a second road is two handshakes."""
    house = host()
    if knocked and isinstance(message, frames.Hello):
        return

    async def evil(channel: Channel, line: _Line) -> None:
        await line.say(*([knock(house, channel)] if knocked else []), message)
        while not isinstance(await line._next(), frames.Bye):
            pass

    assert reason((await against_host(house, evil)).accepting) == "malformed"


async def test_nothing_is_acted_on_before_welcome() -> None:
    """In TLS 1.3 the dialling side is done before the host has judged it."""
    house = host()

    async def evil(channel: Channel, line: _Line) -> object:
        await line.hear(frames.Knock)
        key = house.ticket.key("seat")
        answer = frames.Answer(proof(key, "host", channel.own, channel.other))
        await line.say(answer, frames.EntryFrame(b"play this", bytes(64)))
        return await line.hear(frames.Bye)

    assert reason((await against_guest(house, evil)).dialling) == "malformed"


def test_a_handshake_survives_fragments_and_no_flipped_bit_passes() -> None:
    """80 seeded runs: cut anywhere it completes; with bits flipped it ends with a reason."""

    async def run(seed: int, flip: float) -> Both:
        house = host()
        near, far = memory_stream_pair()
        near = Chaos(near, seed, delay=(0, 0.001), split=0.9, flip=flip)
        far = Chaos(far, seed + 1, delay=(0, 0.001), split=0.9, flip=flip)
        return await both(lambda: house.dial(near), lambda: house.accept(far))

    flipped = 0
    for seed in range(40):
        clock = MockClock(autojump_threshold=0)
        clean = trio.run(run, seed, 0.0, clock=clock)
        assert isinstance(clean.dialling, Acquainted)
        assert isinstance(clean.accepting, Acquainted)
        broken = trio.run(run, seed, 0.05, clock=MockClock(autojump_threshold=0))
        flipped += isinstance(broken.dialling, Fault) or isinstance(broken.accepting, Fault)
    assert flipped > 20


async def test_what_follows_welcome_in_the_same_packet_is_kept() -> None:
    """Else whoever owns the network chooses, by packets, which first word is lost."""
    house = host()
    near, far = memory_stream_pair()

    async def accepting() -> object:
        who = await house.accept(far)
        await who.channel.send_all(frames.write(frames.Ask(0, 0, 0, 0)))
        return who

    result = await both(lambda: house.dial(near), accepting)
    assert isinstance(result.dialling, Acquainted)
    if (message := result.dialling.reader.next()) is None:
        result.dialling.reader.feed(await result.dialling.channel.receive_some())
        message = result.dialling.reader.next()
    assert message == frames.Ask(0, 0, 0, 0)


async def test_secrets_are_not_shown() -> None:
    """Whoever reads a log or a report of a fault would have a ticket."""
    house = host()
    result = await meet(house)
    for shown in (repr(house.errand()), repr(result.dialling), repr(house.identity)):
        assert house.ticket.key("seat").hex() not in shown
        assert repr(house.ticket.key("seat"))[2:-1] not in shown
