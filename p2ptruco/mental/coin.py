"""Fair coins from the hand nonce (deal.md §7): uniform, one for each purpose."""

from __future__ import annotations

from itertools import count

from p2ptruco.mental.transcript import digest, number


def draw(nonce: bytes, purpose: bytes, n: int) -> int:
    """Uniform in 0..n-1, fixed by the 32-byte hand nonce, the purpose and n; by rejection."""
    if type(nonce) is not bytes or len(nonce) != 32 or not 1 <= n <= 2**32:
        raise ValueError("a 32-byte nonce and 1 to 2**32 outcomes")
    limit = 2**256 - 2**256 % n
    for attempt in count():
        items = ((b"nonce", nonce), (b"purpose", purpose), (b"outcomes", number(n)))
        block = digest(b"p2ptruco/1/coin", *items, (b"attempt", number(attempt)))
        if (value := int.from_bytes(block, "big")) < limit:
            return value % n
    raise AssertionError("unreachable")  # pragma: no cover
