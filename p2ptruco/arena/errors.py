"""What ends a pit, or keeps one from playing."""

from __future__ import annotations


class Unplayable(Exception):
    """A bot cannot be had: a code of `hooks.NoBot`, or `slow_load`, `load_crashed`, `no_pit`."""

    def __init__(self, code: str, name: str, detail: str = "") -> None:
        super().__init__(code, name, detail)
        self.code, self.name, self.detail = code, name, detail


class PitDied(Exception):
    """The process has ended, while it played the match at this place of those asked for."""

    def __init__(
        self, place: int, culprit: int | None, kind: str, last: int | None, words: str
    ) -> None:
        """`culprit` was deciding, or nobody was; `last` decided last; `words`: where it was."""
        super().__init__(place, culprit, kind, last, words)
        self.place, self.culprit, self.kind = place, culprit, kind
        self.last, self.words = last, words


class Closed(Exception):
    """The pits of this plan have been closed."""
