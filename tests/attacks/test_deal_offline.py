"""Attacks on the offline part of a shuffle: one witness, one deck, once."""

import copy
import pickle

import pytest

from p2ptruco.mental import shuffle
from p2ptruco.mental.deck import start_deck
from p2ptruco.mental.group import Q
from p2ptruco.mental.shuffle import Offline, OfflineSpent, Shuffled, prove
from p2ptruco.mental.shuffle.statement import Challenger
from tests.attacks.dishonest import claim, witness
from tests.mental.kit import CARDS, Deal, context, deal, seeded


def _spend_twice(here: Deal) -> tuple[prove.Masks, list[Shuffled]]:
    """What the API prevents: one witness, two input decks."""
    masks, committed = witness(here, 1)
    other = deal(here.context, CARDS, "another first shuffle").shuffles[0].masked
    decks = (here.shuffles[0].masked, other)
    return masks, [
        claim(here, 1, masks, committed, before, prove.apply_masks(masks, before))
        for before in decks
    ]


def test_offline_part_used_twice_gives_the_order_to_everybody() -> None:
    """Gain: f - f' of two proofs is t_π(i) - t'_π(i); matching it against all t - t' reads π."""
    here = deal(context(2), CARDS)
    other = deal(here.context, CARDS, "another first shuffle").shuffles[0].masked
    masks, proofs = _spend_twice(here)
    t, t2 = (
        Challenger(here.joint, 1, before, made.masked).t(made.proof.first)
        for before, made in zip((here.shuffles[0].masked, other), proofs, strict=True)
    )
    differences = {(a - b) % Q: j for j, (a, b) in enumerate(zip(t, t2, strict=True))}
    f, f2 = (made.proof.second.f for made in proofs)
    read = tuple(differences[(a - b) % Q] for a, b in zip(f, f2, strict=True))
    assert read == masks.order


def test_offline_part_cannot_be_used_twice() -> None:
    """The second use raises, and there is no way to have a second one."""
    here = deal(context(2))
    offline = shuffle.prepare(here.joint, 0, 7, seeded("p"))
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            attempt(offline)
    assert isinstance(offline, Offline)
    assert not offline.spent
    shuffle.shuffle(offline, here.start, seeded("s"))
    with pytest.raises(OfflineSpent):
        shuffle.shuffle(offline, here.start, seeded("s"))
    with pytest.raises(OfflineSpent):
        offline.take()


@pytest.mark.parametrize("cards", [6, 8, 40])
def test_offline_part_meets_no_deck_of_another_size(cards: int) -> None:
    """Gain: a seat whose shuffle is used up on a deck that is none, and that has none to send."""
    here = deal(context(2))
    offline = shuffle.prepare(here.joint, 0, 7, seeded("p"))
    with pytest.raises(ValueError, match="another number of cards"):
        shuffle.shuffle(offline, start_deck(CARDS[:cards]), seeded("s"))
    assert not offline.spent


def test_source_that_repeats_itself_repeats_no_nonce() -> None:
    """Gain: a machine copied with its random state would answer two statements with one nonce."""
    first, again = (deal(context(2, attempt=n)) for n in (0, 1))
    blinders = [
        prove.commit_masks(here.joint, 0, witness(first, 0)[0], lambda n: bytes(n)).blinders
        for here in (first, again)
    ]
    assert not set(blinders[0].d) & set(blinders[1].d)
    masks, committed = witness(first, 0)
    responses = []
    for before in (first.start.masked, again.shuffles[0].masked):
        after = prove.apply_masks(masks, before)
        made = prove.prove(first.joint, 0, masks, committed, before, after, lambda n: bytes(n))
        t = Challenger(first.joint, 0, before, after).t(made.first)
        mask = sum(t[j] * r for j, r in zip(masks.order, masks.rho, strict=True))
        responses.append((made.second.Z - mask) % Q)
    assert responses[0] != responses[1]
