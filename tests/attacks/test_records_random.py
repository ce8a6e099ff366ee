"""Two thousand random changes, cuts and insertions in whole matches of 2 to 8 seats.

Longer, outside the suite: `python -m tests.soak.attack_records 3600`.
"""

from __future__ import annotations

import pytest

from tests.kit.mutate import OPEN, REAL, attacks, survives
from tests.kit.opendeck import open_deck
from tests.kit.records import word_of
from tests.kit.remembering import remembering


@pytest.mark.parametrize("name", OPEN)
def test_random_attacks_on_whole_matches(name: str):
    """Gain: a forged match that verifies, or a verifier that crashes on a crafted one."""
    record, players = OPEN[name]()
    with open_deck(), remembering():
        assert word_of(record) in ("complete", "interrupted")
        for what, blob in attacks(record, 425, seed=7):
            assert survives(record, players, blob, word_of(blob)), what


@pytest.mark.parametrize("name", REAL)
def test_random_attacks_on_matches_with_real_proofs(name: str):
    """Gain: the same, where a proof or a point may be what was hit."""
    record, players = REAL[name]()
    with remembering():
        assert word_of(record) in ("complete", "interrupted")
        for what, blob in attacks(record, 75, seed=8):
            assert survives(record, players, blob, word_of(blob)), what


def test_the_attacks_are_two_thousand():
    """Fewer would be a promise that nobody keeps."""
    assert 425 * len(OPEN) + 75 * len(REAL) >= 2000
