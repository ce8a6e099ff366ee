"""Random values and coins take exactly the range they name, and take it evenly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2ptruco.mental import chance, coin, tokens
from p2ptruco.mental.group import Q
from p2ptruco.mental.shuffle import verify
from tests.mental.kit import CLEAN, context, deal, seeded

LAST = 2**512 - 1


def _giving(value: int, size: int = 64) -> chance.Source:
    """A source of one value, little-endian, that is asked for `size` bytes."""

    def source(asked: int) -> bytes:
        assert asked == size
        return value.to_bytes(size, "little")

    return source


@pytest.mark.parametrize(
    ("draw", "given", "drawn"),
    [
        (chance.scalar, 0, 0),
        (chance.scalar, Q - 1, Q - 1),
        (chance.scalar, Q, 0),
        (chance.scalar, LAST, LAST % Q),
        (chance.nonzero_scalar, 0, 1),
        (chance.nonzero_scalar, 1, 2),
        (chance.nonzero_scalar, Q - 2, Q - 1),
        (chance.nonzero_scalar, Q - 1, 1),
        (chance.nonzero_scalar, LAST, 1 + LAST % (Q - 1)),
    ],
)
def test_a_scalar_is_drawn_from_64_bytes_and_a_secret_one_is_never_zero(
    draw: Callable[[chance.Source], int], given: int, drawn: int
) -> None:
    """Gain, were it otherwise: a key of zero or a nonce that leaks by its bias."""
    assert draw(_giving(given)) == drawn


@pytest.mark.parametrize("bound", [1, 2, 3, 40, 100, 255, 256])
def test_small_numbers_are_even_over_all_bytes(bound: int) -> None:
    """Of the 256 bytes each number is drawn by equally many, the rest is drawn again."""
    counts = dict.fromkeys(range(bound), 0)
    for byte in range(256 - 256 % bound):
        counts[chance.below(_giving(byte, 1), bound)] += 1
    assert set(counts.values()) == {256 // bound}
    for byte in range(256 - 256 % bound, 256):
        stream = iter([bytes([byte]), b"\0"])
        assert chance.below(lambda size, stream=stream: next(stream), bound) == 0  # type: ignore[misc]
        assert next(stream, None) is None


@pytest.mark.parametrize("bound", [-1, 0, 257])
def test_a_bound_that_one_byte_cannot_hold_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        chance.below(seeded("b"), bound)


@pytest.mark.parametrize("broken", [b"", bytes(63), bytes(65), bytearray(64), None])
def test_a_source_that_gives_something_else_is_refused(broken: Any) -> None:
    """Gain, were it otherwise: a short read of the system's source becomes a weak key."""
    for draw in (chance.scalar, chance.nonzero_scalar):
        with pytest.raises(ValueError, match="source"):
            draw(lambda size: broken)


def test_the_weights_of_a_batch_are_four_of_128_bits() -> None:
    """Gain, were they shorter or dependent: two false equations that cancel each other."""
    drawn = bytes(range(64))
    parts = [drawn[at : at + 16] for at in (0, 16, 32, 48)]
    weights = verify._weights(lambda size: drawn[:size])
    assert weights == tuple(int.from_bytes(part, "big") for part in parts)


@pytest.mark.parametrize("outcomes", [2, 3, 4, 7, 40, 2**32 - 1, 2**32])
def test_a_coin_is_even_over_all_blocks(outcomes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last incomplete row of outcomes is drawn again, under the next attempt's number."""
    limit = 2**256 - 2**256 % outcomes
    asked: list[bytes] = []

    def digest(value: int) -> Callable[..., bytes]:
        def block(label: bytes, *items: tuple[bytes, bytes]) -> bytes:
            asked.append(dict(items)[b"attempt"])
            return (value if len(asked) == 1 else 1).to_bytes(32, "big")

        return block

    for value in (0, limit - 1, limit, 2**256 - 1):
        if value == 2**256:
            continue
        asked.clear()
        monkeypatch.setattr(coin, "digest", digest(value))
        taken = value < limit
        drawn = coin.draw(bytes(32), b"dealer", outcomes)
        assert drawn == (value % outcomes if taken else 1)
        assert asked == [bytes(8), (1).to_bytes(8, "big")][: 1 if taken else 2]


@pytest.mark.parametrize("nonce", [b"", bytes(31), bytes(33), bytearray(32)])
def test_a_coin_needs_a_whole_nonce(nonce: Any) -> None:
    with pytest.raises(ValueError, match="nonce"):
        coin.draw(nonce, b"dealer", 2)


@pytest.mark.parametrize("outcomes", [-1, 0, 2**32 + 1])
def test_a_coin_has_one_to_two_to_the_32_outcomes(outcomes: int) -> None:
    with pytest.raises(ValueError, match="outcomes"):
        coin.draw(bytes(32), b"dealer", outcomes)


def test_a_deck_without_a_vira_has_no_slot_after_its_last_card() -> None:
    """Eight seats hold all 24 cards of a clean deck: slot 24 is nobody's."""
    here = deal(context(8), CLEAN)
    deck = here.deck
    with pytest.raises(tokens.SlotError):
        tokens.release(here.joint, 0, here.pairs[0], deck, [24], seeded("t"))
    assert tokens.release(here.joint, 0, here.pairs[0], deck, [23], seeded("t"))
