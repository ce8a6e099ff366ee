"""An agreement that cannot be is refused, whoever proposes it."""

from __future__ import annotations

from dataclasses import replace

import msgpack
import msgspec
import pytest

from p2ptruco.rules.presets import CORE, MANO_A_MANO, MINEIRO, PAULISTA
from p2ptruco.rules.scale import Scale
from p2ptruco.table.agreement import (
    LIMIT,
    BadSignature,
    Signed,
    Terms,
    Times,
    propose,
    read_agreement,
    read_signed,
    signed,
)
from p2ptruco.table.codec import Malformed, encode, strict
from p2ptruco.table.identity import AGREEMENT, ENTRY, Identity, published_seed
from tests.kit.ed25519 import of_mixed_order
from tests.kit.seats import agreement, identity, place

GOOD = agreement(2).terms
PUBLISHED = {name: Identity(published_seed(name)).public for name in ("vector-0", "authority")}


def changed(**fields: object) -> bytes:
    """The good terms, otherwise in some fields."""
    return encode(msgspec.structs.replace(GOOD, **fields))


def toggled(name: str, value: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value if key == name else was) for key, was in GOOD.toggles)


def seated(**fields: object) -> tuple[object, ...]:
    """The good roster, otherwise in some fields of the second seat."""
    first, second = GOOD.roster
    return (first, msgspec.structs.replace(second, **fields))


MIXED = of_mixed_order(GOOD.roster[1].identity)
"""The key of the second seat with a part of small order: for peers of other programs another."""
SPELT_AGAIN = (2**255 - 19 + 3).to_bytes(32, "little")

REFUSED = {
    "another protocol": {"protocol": "p2ptruco/2"},
    "another purpose": {"purpose": "entry"},
    "another suite": {"suite": "secp256k1"},
    "an epoch below nil": {"epoch": -1},
    "a later epoch, which is to come": {"epoch": 1},
    "no toggles": {"toggles": ()},
    "a toggle too few": {"toggles": GOOD.toggles[:-1]},
    "a toggle twice": {"toggles": (*GOOD.toggles, GOOD.toggles[0])},
    "a toggle that is none": {"toggles": (*GOOD.toggles, ("wind", "north"))},
    "toggles in another order": {"toggles": GOOD.toggles[::-1]},
    "a toggle written another way": {"toggles": toggled("fold", "YES")},
    "manilhas written another way": {"toggles": toggled("manilhas", "4c,7h,As,7d")},
    "a scale written another way": {"toggles": toggled("scale", "2,truco:4,seis:6,dez:10,doze:12")},
    "a value that is none": {"toggles": toggled("iron", "golden")},
    "a target of nil": {"toggles": toggled("target", "0")},
    "a size it does not allow": {"toggles": toggled("players", "4,6")},
    "a deck too small": {"toggles": toggled("ranks", "A23")},
    "a name of a variant with blanks": {"variant": "my variant"},
    "a name of a variant that climbs": {"variant": "../etc"},
    "a name of a variant too long": {"variant": "v" * 41},
    "one seat": {"roster": GOOD.roster[:1]},
    "nine seats": {"roster": tuple(place(seat % 8) for seat in range(9))},
    "three seats": {"roster": tuple(place(seat) for seat in range(3))},
    "one key in two seats": {"roster": (GOOD.roster[0], GOOD.roster[0])},
    "a published key": {"roster": seated(identity=PUBLISHED["vector-0"])},
    "the authority's key": {"roster": seated(identity=PUBLISHED["authority"])},
    "a key of small order": {"roster": seated(identity=bytes(31) + b"\x80")},
    "a key of mixed order": {"roster": seated(identity=MIXED)},
    "a second spelling of a point": {"roster": seated(identity=SPELT_AGAIN)},
    "a key that is no point": {"roster": seated(identity=b"\x02" + bytes(31))},
    "a key too short": {"roster": seated(identity=bytes(31))},
    "no name": {"roster": seated(name="")},
    "a name that turns the line round": {"roster": seated(name="ana\u202e")},
    "a name with an escape": {"roster": seated(name="\x1b[2J")},
    "a name not in NFC": {"roster": seated(name="Ze\u0301")},
    "a name with a blank at the end": {"roster": seated(name="Bia ")},
    "a name too long": {"roster": seated(name="b" * 25)},
    "an operator who is not there": {"roster": seated(operator=2)},
    "a nonce too short": {"roster": seated(nonce=bytes(31))},
    "an extension": {"times": (30, 15, 60, 0)},
    "times below nil": {"times": (-1, 15, 60)},
    "spectators perhaps": {"spectators": 2},
}


@pytest.mark.parametrize("fields", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_agreed_on_is_refused(fields: dict[str, object]):
    with pytest.raises(Malformed):
        read_agreement(changed(**fields))


def test_too_long_is_refused_before_it_is_read():
    with pytest.raises(Malformed):
        read_agreement(msgpack.packb([bytes(LIMIT)]))


@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_what_is_proposed_is_read_back_as_the_same_table(players: int):
    made = agreement(players)
    assert read_agreement(made.blob) == made
    assert read_agreement(made.blob).id == made.id
    assert made.players == players
    assert made.variant == MINEIRO


@pytest.mark.parametrize("variant", CORE.values(), ids=CORE)
def test_a_variant_travels_by_value_whatever_it_is_called(variant):
    """A peer needs no plugin: name and toggles say all."""
    house = replace(variant, name="casa-da-vo", scale=Scale.parse("2,truco:4,seis:8"))
    made = agreement(2, house)
    assert read_agreement(made.blob).variant == house


def test_the_table_id_binds_every_field():
    ids = {agreement(2).id, agreement(2, MANO_A_MANO).id, agreement(2, PAULISTA).id}
    ids.add(agreement(2, name="others").id)
    for fields in (
        {"spectators": True},
        {"times": msgspec.structs.replace(GOOD.times, grace=16)},
        {"roster": GOOD.roster[::-1]},
        {"roster": seated(name="Bea")},
        {"roster": seated(operator=0)},
        {"roster": seated(nonce=bytes(32))},
        {"variant": "mineiro-2"},
    ):
        ids.add(read_agreement(changed(**fields)).id)
    assert len(ids) == 11


def test_every_seat_signs_and_one_that_did_not_is_named():
    made = agreement(4)
    signatures = [made.sign(identity(seat)) for seat in range(4)]
    assert read_signed(signed(made, signatures)) == made
    for seat in range(4):
        wrong = signatures.copy()
        wrong[seat] = signatures[(seat + 1) % 4]
        with pytest.raises(BadSignature) as refused:
            read_signed(signed(made, wrong))
        assert refused.value.seat == seat
    for count in (2, 3, 5):
        with pytest.raises(Malformed):
            read_signed(signed(made, [*signatures, signatures[0]][:count]))


def test_a_signature_of_another_purpose_or_table_is_none():
    """Gain: somebody sits at a table it never agreed to."""
    made, me = agreement(2), identity(0)
    assert made.signed_by(0, me.sign(AGREEMENT, made.id))
    assert not made.signed_by(0, me.sign(ENTRY, made.id))
    assert not made.signed_by(0, me.sign(AGREEMENT, made.blob))
    assert not made.signed_by(0, agreement(2, PAULISTA).sign(me))


def test_bytes_of_an_agreement_and_signatures_have_one_spelling():
    made = agreement(2)
    wire = signed(made, [made.sign(identity(seat)) for seat in range(2)])
    assert strict(Signed, encode(wire), 1 << 14) == wire
    assert strict(Terms, made.blob, LIMIT) == made.terms
    with pytest.raises(Malformed):
        read_agreement(made.blob + b"\x00")


def test_propose_refuses_what_could_not_be_read():
    with pytest.raises(ValueError, match="seats"):
        propose(MANO_A_MANO, [place(seat) for seat in range(4)])


def test_the_times_that_are_proposed_are_agreed_on():
    """Else everybody plays without the clock that the host has shown to them."""
    times = Times(move=45, grace=20, deal=90)
    assert propose(MINEIRO, GOOD.roster, times=times).terms.times == times
    assert propose(MINEIRO, GOOD.roster).terms.times == Times()
