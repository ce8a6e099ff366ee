"""House rules as plugins: toggles and nothing else, joined by peers that lack the plugin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2ptruco.hooks import shelf
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.variant import differs
from p2ptruco.testing import check_variant

from ..cli.calling import run
from .kit import write_bot
from .test_tables import talking, ticket_in, type_until_over

HOUSE = {
    "paulista-limpo": {
        "players": "2,4,6",
        "ranks": "QJKA23",
        "manilhas": "vira",
        "scale": "1-3-6-9-12",
    },
    "mineiro-melhor-de-tres": {"best_of": "3"},
    "mineiro-canga-do-mao": {"all_tied": "eldest"},
    "mineiro-ferro-aberto": {"iron": "open"},
    "duplas-escala-longa": {"players": "4", "scale": "1-3-6-9-12", "face_down_from": "1"},
}


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_rule_is_a_few_toggles(name: str) -> None:
    """It differs from Mineiro in what it is named after and nowhere else, and can be played."""
    offer = shelf().variants[name]
    assert offer.source == "variants-house"
    assert offer.title != name
    assert differs(offer.variant, MINEIRO) == HOUSE[name]
    check_variant(offer.variant)


def test_there_is_no_other_house_rule() -> None:
    """The list above is the plugin's."""
    offers = shelf().variants.values()
    assert {o.variant.name for o in offers if o.source == "variants-house"} == set(HOUSE)


def test_a_table_with_a_plugin_s_variant_is_joined_without_the_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variant travels by value: the guest has no plugin at all, sees what differs, plays by
    it, and its record holds."""
    bot = write_bot(tmp_path, "def choose(view):\n    return view.legal[0]\n")
    variant = ("--variant", "mineiro-canga-do-mao")
    hosting = ("host", "--seats", "2", *variant, "--private", "--no-record")
    with talking(tmp_path / "host", *hosting) as (host, printed):
        ticket = ticket_in(printed)
        monkeypatch.setenv("P2PTRUCO_LOAD_PLUGINS", "")
        joining = ("join", ticket, "--bot", bot, "--record", str(tmp_path / "guest.trec"))
        with talking(tmp_path / "guest", *joining) as (guest, heard):
            type_until_over(host, guest)
            assert host.wait(10) == 0
            assert guest.wait(20) == 0
    told = "".join(heard)
    assert "mineiro-canga-do-mao" in told
    assert "eldest" in told
    assert "won the match" in told
    verified = json.loads(run("verify", str(tmp_path / "guest.trec"), "--json").stdout)
    assert (verified["ok"], verified["variant"]) == (True, "mineiro-canga-do-mao")
