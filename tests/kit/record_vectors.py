"""The record files of the vectors, whole ones and what is done to them (record.md)."""

from __future__ import annotations

from dataclasses import replace

from p2ptruco.rules.presets import MINEIRO
from p2ptruco.rules.scale import Scale
from p2ptruco.table.entries import Leave
from tests.kit.broken_vectors import change_entries, change_proofs, change_trailers
from tests.kit.court import Cheat, Court, caller, cards_only
from tests.kit.crooks import CHEATS, caught, to_all, turn
from tests.kit.ended_vectors import ended
from tests.kit.liars import Liars, falsely_proved, without_a_deck
from tests.kit.made import Made
from tests.kit.party import Party, Peer
from tests.kit.pieces import SMALL, pieces

CHEATED = {
    "illegal-move": "accepts a call that nobody made",
    "bad-opening": "opens what it did not commit to",
    "bad-proof": "changes the deck after its proof",
    "not-in-group": "puts no point into the deck",
    "bad-token": "sends a token of another value",
    "equivocation": "two moves, one of them late",
    "equivocation-in-the-deal": "two openings, one of them late",
}


DISGUISED = {
    "disguised-key": ("bad-opening", "commits to a key in disguise", 1),
    "disguised-nobody": ("bad-opening", "opens with the identity in disguise", 1),
    "disguised-card": ("not-in-group", "puts the identity in disguise into the deck", 1),
    "disguised-token": ("bad-token", "sends the identity in disguise for a token", 1),
    "disguised-play": ("illegal-move", "lays open with the identity in disguise", 1),
    "disguised-reveal": ("kinds", "opens a blind card with the identity in disguise", 4),
}
"""Which record begins the same, what seat 1 does, the seed."""


def records() -> Made:
    made = Made()
    one = Party(SMALL, 2, 1, caller).play()
    three = Party(SMALL, 2, 4, cards_only).play().record()
    made.file("complete", "one hand with a call, sealed by both", one.record(), "complete")
    four = Party(SMALL, 4, 5, cards_only).play().record()
    made.file("four-seats", "two pairs, one hand after another to the end", four, "complete")
    made.file("kinds", "a normal, a special and a blind iron hand", three, "complete")
    forty = replace(MINEIRO, target=4, scale=Scale.parse("1,truco:2"))
    long = Party(forty, 2, 2, caller)
    long.play(until=lambda: all(peer.table.hands for peer in long.peers))
    made.file("interrupted", "forty cards, ended after a hand", long.record(), "interrupted")
    early = Party(SMALL, 2, 3, caller)
    early.play(until=lambda: one_opening(early.peers[1]))
    about = "one opening is in; seat 1 wrote the trailer"
    made.file("interrupted-in-a-step", about, early.record(1), "interrupted")
    for name, cheat in CHEATED.items():
        made.file(name, f"seat 1: {cheat}", cheated(CHEATS[cheat]), "complete")
    for name, (of, cheat, seed) in DISGUISED.items():
        blob = cheated(CHEATS[cheat], seed)
        made.edit(of, name, f"seat 1: {cheat}", "complete", [blob])
    broken = Liars(SMALL, 2, {0: falsely_proved, 1: without_a_deck}).play().record()
    about = "seat 1's shuffle is none, seat 0's before it is falsely proved"
    made.edit("not-in-group", "broken-off", about, "complete", [broken])
    leaves = caught("", to_all(lambda peer: Leave()), turn)
    made.file("left", "seat 1 leaves", cheated(leaves), "complete")
    for end, blob in ended():
        if end.like is None:
            made.file(end.name, end.about, blob, "complete")
        else:
            made.edit(end.like, end.name, end.about, "complete", [blob])
    change_entries(made, [peer.identity for peer in one.peers], pieces(three)[1])
    change_trailers(made, early.peers[1].identity, early.peers[0].identity)
    change_proofs(made)
    return made


def one_opening(peer: Peer) -> bool:
    return peer.table.open.position.step == 1 and len(peer.table.paid) == 1


def cheated(cheat: Cheat, seed: int = 1) -> bytes:
    """What seat 0 holds in the end when seat 1 cheats."""
    court = Court(replace(cheat, variant=SMALL, choose=cards_only), 2, seed, crook=1)
    court.play()
    assert court.done
    return court.record(0)
