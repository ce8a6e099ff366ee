"""House rules: what tables and other programs play otherwise, as toggles and nothing else."""

from __future__ import annotations

from dataclasses import replace

import p2ptruco
from p2ptruco import MINEIRO, MINEIRO_ESCALA_LONGA, PAULISTA, AllTied, Iron, PartnersTie

P2PTRUCO_PLUGIN_API = 1

HOUSE = {
    "Paulista, baralho limpo: sem 4, 5, 6 e 7": replace(
        PAULISTA, name="paulista-limpo", ranks="QJKA23"
    ),
    "Mineiro, melhor de três": replace(MINEIRO, name="mineiro-melhor-de-tres", best_of=3),
    "Mineiro: três cangas, ganha o mão": replace(
        MINEIRO, name="mineiro-canga-do-mao", all_tied=AllTied.ELDEST
    ),
    "Mineiro, mão de ferro aberta": replace(MINEIRO, name="mineiro-ferro-aberto", iron=Iron.OPEN),
    "Escala longa em duplas": replace(
        MINEIRO_ESCALA_LONGA,
        name="duplas-escala-longa",
        players=frozenset({4}),
        partners_tie=PartnersTie.TRICK,
    ),
}
"""Title → variant."""


@p2ptruco.hookimpl
def p2ptruco_register_variants(register: p2ptruco.RegisterVariant) -> None:
    """Offer them all."""
    for title, variant in HOUSE.items():
        register(variant, title=title)
