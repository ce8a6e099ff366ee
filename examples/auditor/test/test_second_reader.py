"""Both programs over a few random records and what was made of them (tests/soak/second_reader)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.second_reader import theirs
from tests.soak.second_reader import compared, versions


@pytest.mark.parametrize("seed", range(1001, 1004))
def test_two_programs_say_the_same(seed: int, tmp_path: Path) -> None:
    """Verdict, first bad entry, word, score and counts, of records that hold and that do not."""
    with theirs(tmp_path) as reader:
        words = {name: compared(reader, blob) for name, blob in versions(seed)}
    assert [(name, word) for name, word in words.items() if word.startswith("DIFFERENT")] == []
