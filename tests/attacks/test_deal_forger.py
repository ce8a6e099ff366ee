"""A prover of another hand, from deal.md alone: its honest proofs hold, its forged ones do not.

Gain: a mistake that the program's prover and verifier share would let a proof of nothing pass, and
tests that forge with the program's own prover could not show it. The long run is
`tests.soak.forger`.
"""

from __future__ import annotations

from functools import cache

import pytest

from p2ptruco.table.entries import Open, Shuffle
from tests.kit.forger import openings, tokens
from tests.kit.forger.judging import SEATS, Court
from tests.kit.forger.prover import Shuffler
from tests.kit.forger.shuffles import WHOLE, ECancels, Mixed, MixedSolved, NoBlinders
from tests.mental.kit import refused


@cache
def court() -> Court:
    return Court(1)


def test_what_is_proved_from_the_page_alone_holds() -> None:
    """Openings, both shuffles, tokens of three slots and of one."""
    here, last = court(), court().chain[-1][0]
    for seat in range(SEATS):
        for slots in (here.theirs(seat), here.theirs(seat)[:1]):
            here.tokens(seat, slots, here.deal.release(seat, last, slots))
    assert here.at_a_table(1, 0, Open(here.deal.opening(0)), first=None) == ""


MENDED = [
    *((kind, ()) for kind in (Mixed, MixedSolved, ECancels, NoBlinders)),
    *((kind, omit) for kind, omit in WHOLE if omit),
]


@pytest.mark.parametrize(("kind", "omit"), MENDED, ids=[kind.__name__ for kind, _ in MENDED])
def test_shuffle_mended_where_it_can_be(kind: type[Shuffler], omit: tuple[bytes, ...]) -> None:
    here = court()
    deck, proof = kind(here.deal, 1, here.before(1), omit).made()
    with refused("not_in_group" if kind is NoBlinders else "bad_proof", 1):
        here.shuffled(1, deck, proof)
    assert here.at_a_table(3, 1, Shuffle(deck, proof), first=None) in ("bad_proof", "not_in_group")


def test_rogue_keys() -> None:
    here = court()
    for _, commitment, data in openings._rogue(here.deal, 1):
        with refused("bad_opening", 1):
            here.opening(1, commitment, data)


def test_tokens_whose_errors_cancel() -> None:
    here, last, slots = court(), court().chain[-1][0], court().theirs(0)
    for omit in ((), (b"tokens",)):
        data = here.deal.release(0, last, slots, omit, spoil=tokens._cancel)
        with refused("bad_token", 0):
            here.tokens(0, slots, data)
