"""The Mineiro whose nove is worth the match: 2-4-8-12."""

from __future__ import annotations

from dataclasses import replace

import p2ptruco

P2PTRUCO_PLUGIN_API = 1

MINEIRO_2_4_8_12 = replace(
    p2ptruco.MINEIRO_ESCALA_LONGA,
    name="mineiro-2-4-8-12",
    scale=p2ptruco.Scale.parse("2-4-8-12"),
)
"""The short scale of the same page as `mineiro-escala-longa`; everything else as there."""


@p2ptruco.hookimpl
def p2ptruco_register_variants(register: p2ptruco.RegisterVariant) -> None:
    """Offer the variant."""
    register(MINEIRO_2_4_8_12, title="Mineiro, escala 2-4-8-12")
