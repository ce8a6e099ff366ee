"""What the makers of record vectors collect: files, and what is done to them."""

from __future__ import annotations

from typing import Any

from tests.kit.pieces import pieces
from tests.kit.vector import Named, vector


class Made:
    """Record files, and vectors about them."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.found: list[Named] = []

    def file(self, name: str, about: str, blob: bytes, expect: str) -> list[bytes]:
        """A file and its vector; its values."""
        self.files[name] = blob
        self.found.append((name, vector(about, "record", {"file": f"{name}.record"}, expect)))
        return pieces(blob)

    def edit(self, of: str, name: str, about: str, expect: str, *parts: list[bytes]) -> None:
        """A vector that says how to make the bytes of `parts` of a file."""
        blob = b"".join(piece for part in parts for piece in part)
        edits = [difference(self.files[of], blob)]
        given = {"file": f"{of}.record", "edits": edits}
        self.found.append((name, vector(about, "record", given, expect)))


def difference(old: bytes, new: bytes) -> list[Any]:
    """The edit that makes `new` of `old`: at which byte, how many go, what comes."""
    shortest = min(len(old), len(new))
    at = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    rest = shortest - at
    same = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return [at, len(old) - at - same, new[at : len(new) - same].hex()]
