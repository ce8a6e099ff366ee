"""The budget of a deal is a count of multiplications by a variable base (deal.md §8)."""

import pytest

from p2ptruco.mental import keys, shuffle, tokens
from p2ptruco.mental.group import counting
from p2ptruco.mental.shuffle import prove
from tests.mental.kit import CARDS, context, deal, seeded


def test_offline_part_costs_4n_minus_1() -> None:
    """Masks cost N, commitments 3N - 1: the committed order itself costs none."""
    here = deal(context(2), CARDS)
    with counting() as masks:
        drawn = prove.draw_masks(here.joint, 40, seeded("masks"))
    with counting() as commitments:
        prove.commit_masks(here.joint, 0, drawn, seeded("commit"))
    assert (masks.mults, commitments.mults) == (40, 119)


def test_online_part_costs_3n() -> None:
    """Applying the masks costs none, the proof 3N."""
    here = deal(context(2), CARDS)
    masks, committed = shuffle.prepare(here.joint, 0, 40, seeded("p")).take()
    before = here.start.masked
    with counting() as applied:
        after = prove.apply_masks(masks, before)
    with counting() as proved:
        prove.prove(here.joint, 0, masks, committed, before, after, seeded("q"))
    assert (applied.mults, proved.mults) == (0, 120)


def test_one_proof_costs_208() -> None:
    """5N + 8 on a deck that is not the starting one."""
    here = deal(context(2), CARDS)
    with counting() as counts:
        shuffle.verify_one(here.joint, here.shuffles[0], here.shuffles[1], seeded("v"))
    assert counts.mults == 208


@pytest.mark.parametrize(("seats", "mults"), [(2, 255), (4, 429), (8, 777)])
def test_chain_costs_87n_plus_81(seats: int, mults: int) -> None:
    """One equation checks all shuffles of a deal."""
    here = deal(context(seats), CARDS)
    with counting() as counts:
        shuffle.verify_chain(here.joint, here.start, here.shuffles, seeded("v"))
    assert counts.mults == mults


@pytest.mark.parametrize(("slots", "made", "checked"), [([0], 2, 3), ([0, 1, 2], 6, 7)])
def test_tokens_cost_2k_and_2k_plus_1(slots: list[int], made: int, checked: int) -> None:
    """One composite proof for all the slots of a receiver."""
    here = deal(context(2), CARDS)
    with counting() as releasing:
        data = tokens.release(here.joint, 1, here.pairs[1], here.deck, slots, seeded("t"))
    with counting() as checking:
        tokens.check(here.joint, 1, here.deck, slots, data)
    assert (releasing.mults, checking.mults) == (made, checked)


def test_keys_cost_no_variable_base_but_one_to_check() -> None:
    """Commit and open multiply the base point only."""
    here = context(2)
    with counting() as counts:
        pair = keys.draw(seeded("k"))
        commitment = keys.commit(here, 0, pair)
        opening = keys.open_keys(here, 0, pair, seeded("o"))
    assert (counts.mults, counts.bases) == (0, 2)
    with counting() as counts:
        keys.check_opening(here, 0, commitment, opening)
    assert (counts.mults, counts.bases) == (1, 1)
