"""One vector, before its outcome is known: what it is about, what is checked, what is given."""

from __future__ import annotations

from typing import Any

from tests.mental.kit import Deal

Json = dict[str, Any]
Named = tuple[str, Json]


def vector(about: str, check: str, given: Json, here: Deal | None = None, **deal: Any) -> Json:
    base: Json = {"about": about, "check": check}
    if here is not None:
        base["deal"] = {**_deal(here), **deal}
    return {**base, "given": given}


def _deal(here: Deal) -> Json:
    at = here.context
    return {
        "table": at.table.hex(),
        "epoch": at.epoch,
        "hand": at.hand,
        "attempt": at.attempt,
        "identities": [key.hex() for key in at.identities],
        "publics": [pair.public.hex() for pair in here.pairs],
        "nonces": [pair.nonce.hex() for pair in here.pairs],
    }
