"""Whole entries of a record dropped, swapped, moved, borrowed and signed anew."""

from __future__ import annotations

import random
from itertools import combinations

import msgspec
import pytest

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.table.agreement import Signed
from p2ptruco.table.chain import Step, first_head
from p2ptruco.table.codec import encode, strict
from p2ptruco.table.entries import (
    Commit,
    Lay,
    Parsed,
    Position,
    Ready,
    Say,
    Seal,
    parse,
    write,
)
from p2ptruco.table.identity import Identity
from p2ptruco.table.record.file import Proof, Said
from tests.kit.court import ONE_HAND, caller, cards_only
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, stayer
from tests.kit.pieces import body_of, changed, entry_of, pieces, said, trailed
from tests.kit.records import word_of
from tests.kit.remembering import remembering


@pytest.fixture(autouse=True)
def _open():
    with open_deck(), remembering():
        yield


def hand(seed: int = 1, choose=caller, variant=ONE_HAND) -> tuple[Party, list[bytes]]:
    """A match, and its record in pieces: agreement, log, two seals."""
    party = Party(variant, 2, seed, choose).play()
    return party, pieces(party.record())


def keys(party: Party) -> list[Identity]:
    return [peer.identity for peer in party.peers]


def word(parts: list[bytes]) -> str:
    return word_of(b"".join(parts))


def test_each_entry_dropped():
    """Gain: what one said is unsaid. Without a seal a match is unsealed, no more."""
    _, parts = hand()
    words = [word(parts[:at] + parts[at + 1 :]) for at in range(1, len(parts))]
    assert set(words[:-2]) == {"bad_head"}
    assert words[-2:] == ["unsealed", "unsealed"]
    assert word(parts[1:]) == "no_record"
    assert word(parts[:-2]) == "incomplete"


def test_each_two_entries_swapped():
    """Gain: whose turn it was, or who saw whose card first."""
    _, parts = hand()
    for one, other in combinations(range(1, len(parts)), 2):
        swapped = parts.copy()
        swapped[one], swapped[other] = parts[other], parts[one]
        assert word(swapped) in ("bad_head", "not_due"), (one, other)


def test_each_entry_doubled_and_moved():
    """Gain: a word said twice, or where it suited better."""
    _, parts = hand()
    for one in range(1, len(parts)):
        for at in range(1, len(parts) + 1):
            doubled = [*parts[:at], parts[one], *parts[at:]]
            assert word(doubled) in ("bad_head", "not_due"), (one, at)


def test_each_entry_borrowed_from_another_match_of_the_same_seats():
    """Gain: a card of yesterday. Another table has another id."""
    _, parts = hand(1)
    _, others = hand(2)
    for at in range(1, len(parts)):
        borrowed = [*parts[:at], others[min(at, len(others) - 1)], *parts[at + 1 :]]
        assert word(borrowed) == "wrong_table"


def test_each_entry_borrowed_from_another_course_of_the_same_table():
    """The same agreement, played twice: what one said there is on a head that is not here."""
    party, parts = hand(1, caller)
    other, others = hand(1, cards_only)
    assert party.agreement.id == other.agreement.id
    differ = [i for i in range(1, min(len(parts), len(others))) if parts[i] != others[i]]
    assert differ
    for at in differ:
        borrowed = [*parts[:at], others[at], *parts[at + 1 :]]
        assert word(borrowed) in ("bad_head", "not_due"), at
        spliced = [*parts[:at], *others[at:]]
        assert word(spliced) in ("bad_head", "not_due", "complete")
    assert word([parts[0], *others[1:]]) == "complete"


def test_each_entry_signed_by_another_key():
    """Gain: to speak for somebody. Another key, another seat's key, another purpose's label."""
    party, parts = hand()
    stranger = Identity(bytes(32))
    for at in range(1, len(parts)):
        entry, seat = entry_of(parts[at]), body_of(parts[at]).seat
        for key in (stranger, keys(party)[1 - seat]):
            resigned = [*parts[:at], said(entry.body, key), *parts[at + 1 :]]
            assert word(resigned) == "bad_signature"


def test_each_entry_signed_for_another_seat():
    """Gain: a seat speaks in the place of its neighbour, with its own key and name."""
    party, parts = hand()
    for at in range(1, len(parts)):
        seat = body_of(parts[at]).seat
        moved = changed(parts[at], keys(party)[1 - seat], seat=1 - seat)
        assert word([*parts[:at], moved, *parts[at + 1 :]]) in ("bad_head", "not_due")


@pytest.mark.parametrize("content", [Say("fold"), Ready(), Lay(0, False, bytes(96))])
def test_a_seat_rewrites_what_it_said(content):
    """Gain: another card than it played, found out later. All that follows is on the old head."""
    party, parts = hand()
    for at in range(1, len(parts) - 2):
        if body_of(parts[at]).content == content:
            continue
        rewritten = changed(parts[at], keys(party)[body_of(parts[at]).seat], content=content)
        assert word([*parts[:at], rewritten, *parts[at + 1 :]]) in ("bad_head", "not_due")


def test_every_field_of_a_place_changed_by_its_author():
    """Gain: one's own word taken for another hand, step or table than it was said at."""
    party, parts = hand()
    fields = {
        "hand": 1,
        "attempt": 1,
        "step": 40,
        "head": bytes(32),
        "epoch": 1,
        "table": bytes(32),
    }
    words = {"epoch": "wrong_table", "table": "wrong_table"}
    for at in range(1, len(parts)):
        key = keys(party)[body_of(parts[at]).seat]
        for name, value in fields.items():
            moved = changed(parts[at], key, **{name: value})
            found = word([*parts[:at], moved, *parts[at + 1 :]])
            assert found in (words.get(name), "bad_head", "not_due"), (at, name)


def test_a_false_seal():
    """Gain: a signed end that never was. Only what the log says can be sealed."""
    party, parts = hand()
    for at in (len(parts) - 2, len(parts) - 1):
        key, true = keys(party)[body_of(parts[at]).seat], body_of(parts[at]).content
        assert isinstance(true, Seal)
        for false in (
            Seal(1 - (true.winner or 0), true.score, true.won),
            Seal(None, true.score, true.won),
            Seal(true.winner, (true.score[0] + 1, true.score[1]), true.won),
            Seal(true.winner, true.score, (true.won[0], true.won[1] + 1)),
        ):
            forged = changed(parts[at], key, content=false)
            assert word([*parts[:at], forged, *parts[at + 1 :]]) == "bad_seal"


def next_hand(party: Party, parts: list[bytes], after: int) -> bytes:
    """A commitment of seat 0 for the hand after, on the head that would be its first."""
    tokens = [body_of(part) for part in parts[1:after] if body_of(part).step == 5]
    closed = Step(Position(0, 0, 5), tokens[0].head, tuple(_parsed(party, parts, 5)))
    head = first_head(party.agreement, 1, 0, closed.after)
    me = party.peers[0].identity
    entry = write(party.agreement, Position(1, 0, 0), 0, head, Commit(bytes(32)), me)
    return encode(Said(entry.body, entry.signature))


def _parsed(party: Party, parts: list[bytes], step: int) -> list[Parsed]:
    found = [parse(party.agreement, entry_of(part)) for part in parts[1:]]
    return [parsed for parsed in found if parsed.position.step == step]


def test_a_hand_that_goes_on_after_the_end():
    """Gain: a match that was lost has another hand. Its head is right; the match is over."""
    party, parts = hand()
    more = next_hand(party, parts, len(parts))
    assert word([*parts[:-2], more]) == "not_due"
    assert word([*parts, more]) in ("bad_head", "not_due")


def test_a_hand_that_was_never_finished():
    """Gain: the cards are out, and one asks for others."""
    party, parts = hand()
    for after in range(11, len(parts) - 2):
        assert word([*parts[:after], next_hand(party, parts, after)]) == "bad_head"


def test_two_seals_are_no_equivocation():
    """Gain: a winner whose match is cut because of what a seal says."""
    party, parts = hand()
    for at in (-2, -1):
        true = body_of(parts[at]).content
        assert isinstance(true, Seal)
        false = Seal(None, true.score, true.won)
        forged = changed(parts[at], keys(party)[body_of(parts[at]).seat], content=false)
        pair = sorted((entry_of(parts[at]), entry_of(forged)), key=lambda entry: entry.body)
        assert word([*parts[:-2], encode(Proof(*pair))]) == "not_due"


def test_no_proof_is_made_of_what_honest_seats_said():
    """Gain: an honest seat framed with two of its own words, or with its neighbour's."""
    _, parts = hand()
    log = parts[1:-2]
    for one, other in combinations(log, 2):
        pair = sorted((entry_of(one), entry_of(other)), key=lambda entry: entry.body)
        proof = encode(Proof(*pair))
        for piece in (one, other):
            step = body_of(piece).step
            before = [part for part in log if body_of(part).step < step]
            found = word([parts[0], *before, proof])
            assert found in ("malformed", "bad_head", "not_due"), (body_of(one), body_of(other))


def left_after(steps: int, seed: int = 6, variant=MINEIRO) -> tuple[Party, list[bytes]]:
    """A match that ended too early, as seat 1 wrote it."""
    party = Party(variant, 2, seed, cards_only).play(steps)
    return party, pieces(party.record(1))


def test_a_trailer_over_a_log_shorter_than_its_writer_signed():
    """Gain: the hand that one lost is missing, and somebody else seems to have left."""
    _, parts = left_after(260)
    log, trailer = parts[:-1], parts[-1]
    assert word(parts) == "interrupted"
    for gone in range(1, len(log)):
        assert word([*log[:-gone], trailer]) == "bad_trailer", gone
    assert word(log) == "incomplete"


def test_a_trailer_says_where_and_who_owes_or_nothing():
    """Gain: an end that never was, or another seat shown as the one that left."""
    party, parts = left_after(130)
    log, trailer = parts[:-1], parts[-1]
    writer = party.peers[1].identity
    lies = {
        "owing": (0, 1, 1),
        "step": 200,
        "hand": 9,
        "attempt": 1,
        "epoch": 1,
        "head": bytes(32),
        "table": bytes(32),
        "seat": 0,
    }
    for nobody in (2, 7):
        assert word([*log, trailed(trailer, writer, seat=nobody)]) == "malformed"
    for name, value in lies.items():
        lie = trailed(trailer, writer, **{name: value})
        assert word([*log, lie]) in ("bad_trailer", "bad_signature"), name
    assert word([*log, trailer, trailer]) == "not_due"
    assert word([log[0], trailer, *log[1:]]) in ("not_due", "bad_trailer")
    assert word([*log, trailed(trailer, party.peers[0].identity)]) == "bad_signature"


def test_a_trailer_in_the_place_of_seals():
    """Gain: a lost match that looks as if the other had left."""
    _, parts = hand(1)
    _, earlier = left_after(30, 1, ONE_HAND)
    assert word(earlier) == "interrupted"
    assert word([*parts[:-2], earlier[-1]]) == "bad_trailer"
    assert word([*parts, earlier[-1]]) in ("bad_trailer", "not_due")


def test_a_trailer_signed_at_the_end_of_a_match():
    """Gain: whoever lost calls the match interrupted, with a trailer that fits the log."""
    party, parts = hand(1)
    _, earlier = left_after(30, 1, ONE_HAND)
    end = body_of(parts[-1])
    lie = trailed(
        earlier[-1],
        keys(party)[1],
        **{name: getattr(end, name) for name in ("hand", "attempt", "step", "head")},
        owing=(0, 1),
    )
    assert word([*parts[:-2], lie]) == "bad_trailer"
    assert word([*parts[:-1], lie]) == "bad_trailer"


def test_as_many_signatures_as_seats():
    """Gain: a third name under an agreement of two, or one too few."""
    _, parts = hand()
    wire = strict(Signed, parts[0], 1 << 14)
    for signatures in (wire.signatures[:1], (*wire.signatures, wire.signatures[0])):
        more = encode(msgspec.structs.replace(wire, signatures=signatures))
        assert word([more, *parts[1:]]) in ("malformed", "no_record")


def test_random_rearrangements_of_a_long_match():
    """Gain: another course of the match from words that were all said."""
    _, parts = hand(3, stayer, MINEIRO)
    rng = random.Random(3)
    for _ in range(60):
        mixed = parts.copy()
        for _ in range(rng.randrange(1, 4)):
            mixed.insert(rng.randrange(1, len(mixed)), mixed.pop(rng.randrange(1, len(mixed))))
        if mixed != parts:
            assert word(mixed) in ("bad_head", "not_due")
