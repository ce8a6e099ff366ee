"""Who we are and what can be played here: what every page of ours may ask for."""

from __future__ import annotations

from typing import Any

from p2ptruco.hooks import shelf
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.variant import differs, toggles
from p2ptruco.store.home import Self
from p2ptruco.table.identity import fingerprint
from p2ptruco.ui.front.sentences import in_words
from p2ptruco.ui.titles import title_of
from p2ptruco.ui.web.matches import Matches
from p2ptruco.ui.words import LANGUAGES, spoken


async def welcome(me: Self, matches: Matches) -> dict[str, Any]:
    """As a program has it that plays one table and has no start page (`home`)."""
    offered = shelf()
    return {
        "home": False,
        "nick": me.nick,
        "fingerprint": fingerprint(me.identity.public),
        "language": spoken(),
        "languages": list(LANGUAGES),
        "playing": True,
        "interrupted": None,
        "variants": [
            {
                "name": offer.variant.name,
                "title": title_of(offer),
                "seats": sorted(offer.variant.players),
                "toggles": toggles(offer.variant),
                "differs": differs(offer.variant, MINEIRO),
                "words": in_words(offer.variant),
            }
            for offer in offered.variants.values()
        ],
        "bots": [{"name": bot.name, "title": bot.title} for bot in offered.bots.values()],
        "matches": await matches.listed(),
    }
