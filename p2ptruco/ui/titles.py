"""What the core variants are called by people."""

from __future__ import annotations

from p2ptruco.hooks import Offer
from p2ptruco.ui.words import N_, _

CORE_TITLES = {
    "mineiro": N_("Mineiro: fixed manilhas, 2-4-6-10-12"),
    "mineiro-escala-longa": N_("Mineiro on the long scale, 1-3-6-9-12 (manilha velha)"),
    "mano-a-mano": N_("Mano a mano: two players; a call in the mão de dez loses the match"),
    "mineiro-dealer": N_("Mineiro where three ties are the dealer's; no face-down cards"),
    "paulista": N_("Paulista: the vira names the manilhas, 1-3-6-9-12"),
}


def title_of(offer: Offer) -> str:
    """The title of a variant on offer, in the language spoken if it is one of ours."""
    return _(CORE_TITLES.get(offer.variant.name, "")) if offer.source == "core" else offer.title
