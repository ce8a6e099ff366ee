"""Random legal matches on sans-IO tables: every peer ends with the same log, score and record."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2ptruco.mental import tokens
from p2ptruco.mental.group import encode_scalar
from p2ptruco.rules.play import audience
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.seating import Slot, slots_of
from p2ptruco.rules.variant import Variant
from p2ptruco.table.record.audit import audit
from p2ptruco.table.steps.playing import Choosing, Revealing
from tests.kit.opendeck import open_deck
from tests.kit.party import Party, Peer, stayer, uniform
from tests.kit.variants import PRESETS, tables


def game_of(peer: Peer):
    phase = peer.table.open.phase
    return phase.game if isinstance(phase, (Choosing, Revealing)) else None


def within_audience(peer: Peer) -> None:
    """Whatever this peer can open, the rules entitle it to see."""
    game = game_of(peer)
    if game is None:
        return
    shown = {slot for slot, by_seat in game.opened.items() if len(by_seat) == game.players}
    seen = peer.keeper.sees(game)
    for slot in set(seen) | shown:
        assert peer.seat in audience(game.hand, slot), (slot, game.hand)
    for slot in game.opened:
        assert audience(game.hand, slot), "a token is out for a slot that nobody may see"


def check_ending(party: Party) -> None:
    first = party.peers[0].table
    assert first.finished
    for peer in party.peers:
        table = peer.table
        assert table.outcome == first.outcome
        assert table.hands == first.hands
        assert [step.after for step in table.steps] == [step.after for step in first.steps]
        assert not table.violations
    records = {party.record(peer.seat) for peer in party.peers}
    assert len(records) == 1
    found = party.audit()
    assert found.ok
    assert found.status == "complete"
    assert found.table.hands == first.hands
    assert found.table.outcome == first.outcome


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.integers(0, 2**32), st.sampled_from([uniform, stayer]))
def test_every_peer_ends_with_the_same_match(table, seed, choose):
    """All presets, all sizes, random toggles, entries in disorder and doubled: one match."""
    variant, players = table
    with open_deck():
        party = Party(variant, players, seed, choose)
        party.watch = within_audience
        check_ending(party.play())


@pytest.mark.parametrize(("variant", "players"), PRESETS, ids=lambda v: getattr(v, "name", v))
def test_every_preset_in_every_size_plays_to_its_end(variant: Variant, players: int):
    with open_deck():
        for seed in range(3):
            check_ending(Party(variant, players, seed, stayer).play())


@pytest.mark.parametrize(
    ("name", "players", "seed"), [("mineiro", 2, 1), ("paulista", 2, 2), ("mineiro-dealer", 4, 3)]
)
def test_the_real_deck_plays_the_same_match(name: str, players: int, seed: int):
    """Real keys, shuffles and tokens; a face never revealed is in no entry, log or record."""
    party = Party(CORE[name], players, seed, stayer)
    owners_tokens: dict[tuple[int, Slot], bytes] = {}
    secrets: set[bytes] = set()

    def watch(peer: Peer) -> None:
        within_audience(peer)
        game = game_of(peer)
        if game is None:
            return
        assert peer.keeper._held is not None
        keys = peer.keeper._held.keys
        secrets.add(encode_scalar(keys.secret))
        for slot in slots_of(peer.seat):
            place = (len(peer.table.hands), slot)
            if place not in owners_tokens:
                owners_tokens[place] = bytes(tokens.own(keys, game.deck, slot))

    party.watch = watch
    party.play()
    check_ending(party)
    hands, record = party.peers[0].table.hands, party.record()
    everybody = frozenset(range(players))
    for (number, slot), token in owners_tokens.items():
        assert (token in record) == (audience(hands[number], slot) == everybody)
    assert secrets
    for secret in secrets:
        assert secret not in record


def test_entries_come_in_any_order_and_late():
    """A peer that hears nothing for a whole hand catches up from what the others hold."""
    with open_deck():
        party = Party(CORE["mineiro"], 4, 5, stayer)
        for _ in range(400):
            party.turn(party.rng.choice([p for p in party.peers if p.due or p.inbox]))
        deaf = party.peers[2]
        lost, deaf.inbox = deaf.inbox, []
        party.play(until=lambda: not any(p.due or p.inbox for p in party.peers))
        random.Random(1).shuffle(lost)
        deaf.inbox = list(party.peers[0].table.held(deaf.table.open.position)) + lost
        check_ending(party.play())


def test_an_interrupted_match_says_so_and_is_signed():
    """A log that does not reach the end carries a trailer: who wrote it, who owes."""
    with open_deck():
        party = Party(CORE["mineiro"], 2, 3, stayer)
        party.play(steps=120)
        found = audit(io.BytesIO(party.record(1)), party.source)
    assert found.ok
    assert found.status == "interrupted"
    assert found.written_by == 1
    assert found.table.outcome is None


def test_a_card_laid_blind_is_not_opened_by_its_own_token_twice():
    """Two seats, blind iron hand: between play and reveal the owner's token is public and the
    other one is missing; the owner must not take its own for it."""
    with open_deck():
        party = Party(CORE["paulista"], 2, 2, uniform)
        party.watch = within_audience
        check_ending(party.play())
