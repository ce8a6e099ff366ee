"""What a dishonest seat may do, by name, for tests of the table alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgpack

from p2ptruco.mental import keys
from p2ptruco.mental.group import Point
from p2ptruco.rules.moves import Play
from p2ptruco.rules.play import legal
from p2ptruco.rules.presets import PAULISTA
from p2ptruco.rules.seating import owner_of, slots_of
from p2ptruco.table.entries import (
    Commit,
    Content,
    Entry,
    Lay,
    Leave,
    Open,
    Ready,
    Reveal,
    Say,
    Seal,
    Shuffle,
    Tokens,
    read_parsed,
)
from p2ptruco.table.identity import AGREEMENT, ENTRY
from p2ptruco.table.steps.dealing import Committing, Opening, Readying, Shuffling
from p2ptruco.table.steps.playing import Choosing, Revealing, Tokening
from p2ptruco.table.steps.sealing import Sealing
from tests.kit.court import TO_IRON, Cheat, Court, Deed, Moment, Told, at, cards_only, resigned
from tests.kit.ed25519 import sign_again
from tests.kit.party import Peer
from tests.mental.rfc9496 import disguised

NO_POINT = b"\xff" * 32
Change = Callable[[bytes], bytes]


def spliced(blob: bytes, at_byte: int, new: bytes) -> bytes:
    return blob[:at_byte] + new + blob[at_byte + len(new) :]


def first_bit(blob: bytes) -> bytes:
    return spliced(blob, 0, bytes([blob[0] ^ 1]))


def last_bit(blob: bytes) -> bytes:
    return spliced(blob, len(blob) - 1, bytes([blob[-1] ^ 1]))


def no_point(blob: bytes) -> bytes:
    return spliced(blob, 0, NO_POINT)


def identity_point(blob: bytes) -> bytes:
    return spliced(blob, 0, bytes(32))


def identity_in_disguise(blob: bytes) -> bytes:
    """With bit 255 set."""
    return spliced(blob, 0, bytes(31) + b"\x80")


def shorter(blob: bytes) -> bytes:
    return blob[:-1]


def card_twice(deck: bytes) -> bytes:
    return spliced(deck, 0, deck[64:128])


def cards_swapped(deck: bytes) -> bytes:
    return deck[64:128] + deck[:64] + deck[128:]


# Moments.


def turn(peer: Peer) -> bool:
    """The crook's own turn to lay a card."""
    phase = peer.table.open.phase
    if not isinstance(phase, Choosing) or phase.speaker != peer.seat:
        return False
    return any(isinstance(move, Play) for move in legal(phase.game.hand, peer.seat))


def first_trick(peer: Peer) -> bool:
    return turn(peer) and not peer.table.open.phase.game.hand.tricks


def later_trick(peer: Peer) -> bool:
    return turn(peer) and bool(peer.table.open.phase.game.hand.tricks)


def face_down_allowed(peer: Peer) -> bool:
    return turn(peer) and any(down.face_down for down in plays(peer))


def others_turn(peer: Peer) -> bool:
    phase = peer.table.open.phase
    return isinstance(phase, Choosing) and phase.speaker != peer.seat


def plays(peer: Peer) -> list[Play]:
    moves = legal(peer.table.open.phase.game.hand, peer.seat)
    return [move for move in moves if isinstance(move, Play)]


# Deeds.


def to_all(make: Callable[[Peer], Content]) -> Deed:
    """One content to everybody, the crook's own table included."""
    return lambda court, peer: court.everybody(court.said(peer, make(peer)))


def to_others(make: Callable[[Peer], Content], **fields: object) -> Deed:
    """One content to the others, in a body with these fields changed."""
    return lambda court, peer: court.others(court.said(peer, make(peer), **fields))


def raw(make: Callable[[Court, Peer, Entry], Entry]) -> Deed:
    """An entry to the others, made of the honest one; the crook is silent afterwards."""
    return lambda court, peer: court.others(make(court, peer, court.word_of(peer)))


def laying(slot_of: Callable[[Peer], int], face_down: bool = False) -> Deed:
    def make(peer: Peer) -> Content:
        return peer.keeper.say(peer.table.open.phase.game, Play(slot_of(peer), face_down))

    return to_all(make)


def any_slot(peer: Peer) -> int:
    return plays(peer)[0].slot


def neighbours_slot(peer: Peer) -> int:
    return slots_of((peer.seat + 1) % peer.table.agreement.players)[0]


def laid_slot(peer: Peer) -> int:
    laid = peer.table.open.phase.game.hand.laid
    return next(card.slot for card in laid if owner_of(card.slot) == peer.seat)


def nobodys_card(peer: Peer) -> Content:
    return Lay(24, False, b"")


def word(said: Any) -> Callable[[Peer], Content]:
    return lambda peer: Say(said)


def opening(change: Change) -> Deed:
    return to_all(lambda peer: Open(change(peer.keeper.pay(peer.table.open.phase).opening)))


def key_in_disguise(peer: Peer) -> Content:
    """A commitment to a key with bit 255 set, which is opened and proved as it stands."""
    phase = peer.table.open.phase
    peer.keeper.pay(phase)
    held = peer.keeper._held
    held.keys = replace(held.keys, public=Point(disguised(held.keys.public)))
    return Commit(keys.commit(phase.context, peer.seat, held.keys))


def shuffle(change: Change) -> Deed:
    def make(peer: Peer) -> Content:
        honest = peer.keeper.pay(peer.table.open.phase)
        return Shuffle(change(honest.deck), honest.proof)

    return to_all(make)


def tokens(change: Callable[[Peer, tuple[bytes, ...]], tuple[bytes, ...]]) -> Deed:
    def make(peer: Peer) -> Content:
        return Tokens(change(peer, peer.keeper.pay(peer.table.open.phase).batches))

    return to_all(make)


def first_batch(change: Change) -> Deed:
    return tokens(lambda peer, batches: (change(batches[0]), *batches[1:]))


def for_own_slots(peer: Peer, batches: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Good tokens, but of the crook's own cards."""
    return (peer.keeper._release(peer.table.open.phase, slots_of(peer.seat)), *batches[1:])


def token(change: Change, face_down: bool = False) -> Deed:
    """A card legally laid with another token than its own."""

    def make(peer: Peer) -> Content:
        lay = peer.keeper.say(peer.table.open.phase.game, Play(any_slot(peer)))
        return Lay(lay.slot, face_down, change(lay.token))

    return to_all(make)


def token_of_another_slot(peer: Peer) -> Content:
    game, (first, *_, last) = peer.table.open.phase.game, slots_of(peer.seat)
    return Lay(first, False, peer.keeper.say(game, Play(last)).token)


# Two bodies on one head.


def second(peer: Peer, honest: Content) -> Content:
    """Another content for the same step, of the same kind where there is one."""
    match honest:
        case Commit():
            return Commit(first_bit(honest.commitment))
        case Open():
            return Open(first_bit(honest.opening))
        case Shuffle():
            return Shuffle(honest.deck[::-1], honest.proof)
        case Tokens():
            return Tokens(honest.batches[:-1])
        case Reveal():
            return Reveal(first_bit(honest.token))
        case Lay() | Say():
            return another_move(peer, honest)
    return Leave()


def another_move(peer: Peer, honest: Content) -> Content:
    game = peer.table.open.phase.game
    said = (peer.keeper.say(game, move) for move in legal(game.hand, peer.seat))
    return next((content for content in said if content != honest), Leave())


def both(court: Court, peer: Peer) -> tuple[Entry, Entry]:
    honest = court.word_of(peer)
    return honest, court.said(peer, second(peer, content_of(honest)))


def content_of(entry: Entry) -> Content:
    return read_parsed(entry).body.content


def apart(court: Court, peer: Peer) -> Told:
    """One body to half the table, the other to the rest; of two seats the one gets both."""
    one, other = both(court, peer)
    if len(court.peers) == 2:
        return court.everybody(one, other)
    half = court.honest[0].seat
    return {p.seat: [other if p.seat == half else one] for p in court.peers}


def late(court: Court, peer: Peer) -> Told:
    """The second body comes when everybody has closed the step."""
    one, other = both(court, peer)
    place = peer.table.open.position
    court.take(peer, one)
    court.play(until=lambda: all(p.table.open.position > place for p in court.honest))
    return court.others(other)


# Bytes.


def relabelled(index: int, value: object) -> Deed:
    """Another value in one place of the body's array, well signed."""

    def make(court: Court, peer: Peer, honest: Entry) -> Entry:
        fields = msgpack.unpackb(honest.body)
        fields[index] = value
        body = msgpack.packb(fields)
        return Entry(body, peer.identity.sign(ENTRY, body))

    return raw(make)


def respelled(court: Court, peer: Peer, honest: Entry) -> Entry:
    body = honest.body.replace(b"\xa5entry", b"\xd9\x05entry", 1)
    return Entry(body, peer.identity.sign(ENTRY, body))


def garbage(court: Court, peer: Peer, honest: Entry) -> Entry:
    body = court.source(100)
    return Entry(body, peer.identity.sign(ENTRY, body))


def forged(court: Court, peer: Peer, honest: Entry) -> Entry:
    return Entry(honest.body, last_bit(honest.signature))


def other_purpose(court: Court, peer: Peer, honest: Entry) -> Entry:
    return Entry(honest.body, peer.identity.sign(AGREEMENT, honest.body))


def in_anothers_name(court: Court, peer: Peer, honest: Entry) -> Entry:
    return resigned(peer, honest, seat=(peer.seat + 1) % len(court.peers))


def signed_twice(court: Court, peer: Peer) -> Told:
    """Two good signatures on one body, one to each half of the table."""
    honest = court.word_of(peer)
    again = Entry(honest.body, sign_again(peer.identity.seed, ENTRY + honest.body))
    assert again.signature != honest.signature
    first, *rest = court.honest
    return {
        peer.seat: [honest],
        first.seat: [again, honest],
        **{other.seat: [honest, again] for other in rest},
    }


def elsewhere(court: Court, peer: Peer, honest: Entry) -> Entry:
    return resigned(peer, honest, head=b"\x00" * 32)


def then_honest(make: Callable[[Court, Peer, Entry], Entry]) -> Deed:
    def deed(court: Court, peer: Peer) -> Told:
        honest = court.word_of(peer)
        return {peer.seat: [honest], **court.others(make(court, peer, honest), honest)}

    return deed


def false_seal(peer: Peer) -> Content:
    seal = peer.table.open.phase.seal
    return Seal(1 - seal.winner, seal.score, seal.won)


def seals_twice(court: Court, peer: Peer) -> Told:
    honest = court.word_of(peer)
    return court.everybody(honest, court.said(peer, false_seal(peer)))


def silence(court: Court, peer: Peer) -> Told:
    return {}


def opens_as_another(court: Court, peer: Peer) -> Told:
    """Wait for an opening, and send the same."""
    peer.said.add(peer.table.open[:2])
    court.play(until=lambda: bool(peer.table.paid))
    return court.everybody(court.said(peer, peer.table.paid[0].body.content))


def caught(word: str, deed: Deed, moment: Moment, **more: Any) -> Cheat:
    return Cheat(deed, moment, f"caught {word}", **more)


def proved(word: str, deed: Deed, moment: Moment, **more: Any) -> Cheat:
    """Caught with the real deck only."""
    return caught(word, deed, moment, real=True, **more)


def closes(word: str, deed: Deed, moment: Moment, **more: Any) -> Cheat:
    return Cheat(deed, moment, f"link {word}", **more)


def to_two(kind: str, moment: Moment, **more: Any) -> dict[str, Cheat]:
    return {
        f"two {kind}, to two peers": caught("equivocation", apart, moment, **more),
        f"two {kind}, one of them late": caught("equivocation", late, moment, **more),
    }


IRON = {"variant": TO_IRON, "choose": cards_only}

CHEATS: Mapping[str, Cheat] = {
    # Moves.
    "lays a card that it has laid": caught("illegal_move", laying(laid_slot), later_trick),
    "lays a card of another seat": caught("illegal_move", laying(neighbours_slot), turn),
    "lays a card that nobody has": caught(
        "illegal_move", to_all(lambda p: Lay(24, False, b"")), turn
    ),
    "lays face down too early": caught("illegal_move", laying(any_slot, True), first_trick),
    "lays face down in an iron hand": caught(
        "illegal_move", laying(any_slot, True), at(Choosing, 2), **IRON
    ),
    "accepts a call that nobody made": caught(
        "illegal_move", to_all(lambda p: Say("accept")), turn
    ),
    "calls in an iron hand": caught("illegal_move", to_all(word("call")), at(Choosing, 2), **IRON),
    "speaks out of turn": closes("not_due", to_others(word("call")), others_turn, uninvited=True),
    # The deal.
    "opens what it did not commit to": proved("bad_opening", opening(last_bit), at(Opening)),
    "opens with another's opening": proved("bad_opening", opens_as_another, at(Opening)),
    "opens with the identity": proved("not_in_group", opening(identity_point), at(Opening)),
    "opens with no point": proved("not_in_group", opening(no_point), at(Opening)),
    "opens with the identity in disguise": proved(
        "not_in_group", opening(identity_in_disguise), at(Opening)
    ),
    "commits to a key in disguise": proved("not_in_group", to_all(key_in_disguise), at(Committing)),
    "opens too little": proved("bad_opening", opening(shorter), at(Opening)),
    "puts a card twice into the deck": proved("bad_proof", shuffle(card_twice), at(Shuffling)),
    "changes the deck after its proof": proved("bad_proof", shuffle(cards_swapped), at(Shuffling)),
    "cuts the deck": proved("bad_proof", shuffle(lambda deck: deck[64:]), at(Shuffling)),
    "puts no point into the deck": proved("not_in_group", shuffle(no_point), at(Shuffling)),
    "puts the identity in disguise into the deck": proved(
        "not_in_group", shuffle(identity_in_disguise), at(Shuffling)
    ),
    # Tokens.
    "sends no tokens": caught("bad_token", tokens(lambda p, batches: ()), at(Tokening)),
    "sends a token of another value": proved("bad_token", first_batch(last_bit), at(Tokening)),
    "sends no point for a token": proved("not_in_group", first_batch(no_point), at(Tokening)),
    "sends the identity in disguise for a token": proved(
        "not_in_group", first_batch(identity_in_disguise), at(Tokening)
    ),
    "sends too short a batch": proved("bad_token", first_batch(shorter), at(Tokening)),
    "sends tokens of its own cards": proved("bad_token", tokens(for_own_slots), at(Tokening)),
    "sends tokens in another order": proved(
        "bad_token", tokens(lambda p, batches: batches[::-1]), at(Tokening), variant=PAULISTA
    ),
    "lays open without a token": caught("bad_token", token(lambda blob: b""), turn),
    "lays open with another's token": proved(
        "bad_token", to_all(token_of_another_slot), first_trick
    ),
    "lays open with no point": proved("not_in_group", token(no_point), turn),
    "lays open with the identity in disguise": proved(
        "not_in_group", token(identity_in_disguise), turn
    ),
    "lays face down with a token": caught("bad_token", token(bytes, True), face_down_allowed),
    "opens a blind card wrongly": caught(
        "bad_token",
        to_all(lambda p: Reveal(last_bit(p.keeper.pay(p.table.open.phase).token))),
        at(Revealing),
        **IRON,
    ),
    "opens a blind card with the identity in disguise": proved(
        "not_in_group",
        to_all(lambda p: Reveal(identity_in_disguise(p.keeper.pay(p.table.open.phase).token))),
        at(Revealing),
        **IRON,
    ),
    # Two bodies on one head.
    **to_two("commitments", at(Committing)),
    **to_two("openings", at(Opening)),
    **to_two("shuffles", at(Shuffling)),
    **to_two("words of ready", at(Readying)),
    **to_two("sets of tokens", at(Tokening)),
    **to_two("moves", turn),
    "two moves in a later hand": caught(
        "equivocation", late, lambda p: p.table.hands and turn(p), choose=cards_only
    ),
    **to_two("tokens for a blind card", at(Revealing), **IRON),
    "two seals": Cheat(seals_twice, at(Sealing), "healed"),
    # The door.
    "garbage": closes("malformed", raw(garbage), turn),
    "a second spelling": closes("malformed", raw(respelled), turn),
    "an unknown content": closes("malformed", relabelled(9, ["shout", "!"]), turn),
    "another version": closes("wrong_version", relabelled(0, "p2ptruco/2"), turn),
    "another purpose": closes("malformed", relabelled(1, "agreement"), turn),
    "another table": closes("wrong_table", relabelled(2, bytes(32)), turn),
    "another epoch": closes("wrong_table", relabelled(3, 1), turn),
    "a seat that is not there": closes("malformed", relabelled(7, 7), turn),
    "in another's name": closes("bad_signature", raw(in_anothers_name), turn),
    "a forged signature": closes("bad_signature", raw(forged), turn),
    "a signature of another purpose": closes("bad_signature", raw(other_purpose), turn),
    "a content of another step": closes("not_due", to_others(lambda p: Ready()), turn),
    "a seal before the end": closes("not_due", to_others(lambda p: Seal(1, (0, 12), (0, 0))), turn),
    "a false seal": closes("not_due", to_others(false_seal), at(Sealing)),
    # Heads and repetition.
    "another head": Cheat(raw(elsewhere), turn, "suspended"),
    "another head, then this one": Cheat(then_honest(elsewhere), turn, "healed"),
    "the same entry twice": Cheat(then_honest(lambda court, p, honest: honest), turn, "healed"),
    "two signatures on one body": Cheat(signed_twice, turn, "healed"),
    "silence": Cheat(silence, turn, "suspended"),
}
