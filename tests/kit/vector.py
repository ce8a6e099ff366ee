"""The form of a vector of the table (protocol/README.md)."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
Named = tuple[str, Json]


def vector(about: str, check: str, given: Json, expect: str, **more: Any) -> Json:
    return {"about": about, "check": check, "given": given, "expect": expect, **more}
