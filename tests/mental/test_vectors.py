"""The vectors of the deal say what a second implementation must do; this one does it."""

import json
from pathlib import Path

import pytest

from tests.mental import runner, vectors

FILES = sorted(
    path for folder in vectors.FOLDERS for path in (vectors.ROOT / folder).glob("*.json")
)
ACCEPTED = {
    *("transcript/" + name for name in ("challenges", "digest", "nonces")),
    *(f"transcript/split-{n}" for n in (1, 2, 3)),
    *("group/hash-to-point", "group/point", "group/scalar"),
    *("group/rfc-hash-to-point", "group/rfc-multiples"),
    *("keys/commit-0", "keys/commit-1", "keys/opening", "keys/join"),
    *("shuffle/prove", "shuffle/chain", "deal/forty-cards", "deal/three-seats"),
    "deal/tokens-of-seat-0",
    *("tokens/one", "tokens/three", "tokens/face", "tokens/face-none"),
    *("deal/card-0", "deal/card-1", "deal/card-2", "coin/draws", "coin/purposes"),
}


def _name(path: Path) -> str:
    return path.relative_to(vectors.ROOT).with_suffix("").as_posix()


def read(path: Path) -> runner.Json:
    """A vector from its file."""
    content = json.loads(path.read_text())
    assert isinstance(content, dict)
    return content


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_vector(path: Path) -> None:
    """The code gives what the file says: values, or the violation's word and the seat."""
    vector = read(path)
    assert runner.run(vector) == runner.outcome(vector)


def test_only_the_good_ones_are_accepted() -> None:
    """The list of vectors that pass is written down here, not computed."""
    assert {_name(p) for p in FILES if read(p)["expect"] == "accepted"} == ACCEPTED


def test_every_word_of_a_refusal_has_a_vector() -> None:
    """Each violation of the deal is shown at least once."""
    words = {read(path)["expect"] for path in FILES}
    assert words == {
        "accepted",
        "malformed",
        "not_in_group",
        "bad_opening",
        "bad_proof",
        "bad_token",
    }


def test_vectors_are_made_from_seeded_bytes() -> None:
    """Made again, every file is the same; none is left over and none is missing."""
    made = vectors.made()
    assert {_name(path) for path in FILES} == set(made)
    for path in FILES:
        assert read(path) == made[_name(path)], _name(path)


def test_borders_between_items_are_bound() -> None:
    """The three splits hash the same bytes, divided otherwise, and agree on nothing."""
    given = [read(vectors.ROOT / "transcript" / f"split-{n}.json")["gives"] for n in (1, 2, 3)]
    assert len({json.dumps(one) for one in given}) == 3
