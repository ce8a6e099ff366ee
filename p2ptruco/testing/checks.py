"""What a check found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2ptruco.ui.words import _


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to be looked at: its name, whether it is as it should be (None: not examined), what
    was found, and where it is not, the hand in the notation if there is one."""

    name: str
    ok: bool | None
    message: str
    hand: str | None = None


def demand(subject: str, checks: Sequence[Check]) -> None:
    """AssertionError that tells every check which failed."""
    failed = [check for check in checks if check.ok is False]
    if failed:
        told = [f"{check.name}: {check.message}\n{check.hand or ''}".rstrip() for check in failed]
        heading = _("{subject} fails {count} of {all} checks.").format(
            subject=subject, count=len(failed), all=len(checks)
        )
        raise AssertionError("\n\n".join([heading, *told]))
