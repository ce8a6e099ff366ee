"""The core variants. Where two pages of rules disagree, a toggle differs, never the engine."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from p2ptruco.rules.options import AllTied, CallInSpecial, Iron, PartnersTie
from p2ptruco.rules.scale import SCALES
from p2ptruco.rules.variant import Variant

MINEIRO: Final = Variant(name="mineiro")

MINEIRO_ESCALA_LONGA: Final = Variant(
    name="mineiro-escala-longa",
    scale=SCALES["1-3-6-9-12"],
    partners_tie=PartnersTie.TIE,
    face_down_from=1,
)

MANO_A_MANO: Final = Variant(
    name="mano-a-mano",
    players=frozenset({2}),
    call_in_special=CallInSpecial.FORFEIT,
    special_decision=False,
    face_down_from=1,
)

MINEIRO_DEALER: Final = Variant(
    name="mineiro-dealer",
    all_tied=AllTied.DEALER,
    iron=Iron.OPEN,
    face_down_from=None,
)

PAULISTA: Final = Variant(
    name="paulista",
    players=frozenset({2, 4, 6}),
    manilhas=(),
    scale=SCALES["1-3-6-9-12"],
)

CORE: Final[Mapping[str, Variant]] = MappingProxyType(
    {
        variant.name: variant
        for variant in (MINEIRO, MINEIRO_ESCALA_LONGA, MANO_A_MANO, MINEIRO_DEALER, PAULISTA)
    }
)
"""Every core variant by name; the first is the default."""
