"""What holds for every command, read off the command line before click sees it.

The language must be known before any sentence is made, and how errors are printed before any
error; so these three are looked up first, wherever they stand, and click only checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """The language asked for (None: the locale's), JSON or text, a log or none. What another
    program is the face of is JSON."""

    language: str | None = None
    json: bool = False
    verbose: bool = False

    @classmethod
    def read(cls, argv: Sequence[str]) -> Wanted:
        """The wishes in an argument list; what follows a bare `--` is no option."""
        ours = list(argv[: argv.index("--")] if "--" in argv else argv)
        as_json = "--json" in ours or _last_value("--front", ours) == "jsonl"
        return cls(_last_value("--lang", ours), as_json, "--verbose" in ours)


def _last_value(option: str, argv: Sequence[str]) -> str | None:
    value = None
    for word, following in zip(argv, [*argv[1:], None], strict=False):
        if word == option:
            value = following
        elif word.startswith(option + "="):
            value = word.removeprefix(option + "=")
    return value
