"""A party in which several seats say something else than honest ones, each in one kind of step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2ptruco.rules.variant import Variant
from p2ptruco.table.entries import Content, Entry, Shuffle, read_parsed
from p2ptruco.table.steps.dealing import Shuffling
from p2ptruco.table.steps.phases import Phase
from tests.kit.court import cards_only, resigned
from tests.kit.party import Party, Peer

Lie = Callable[[Content], Content]


class Liars(Party):
    """`lies`: what each of these seats says in place of its content, in every phase of `kind`."""

    def __init__(
        self,
        variant: Variant,
        players: int,
        lies: Mapping[int, Lie],
        kind: type[Phase] = Shuffling,
        seed: int = 1,
    ) -> None:
        super().__init__(variant, players, seed, cards_only)
        self.lies, self.kind = lies, kind

    def word_of(self, peer: Peer) -> Entry:
        entry, lie = super().word_of(peer), self.lies.get(peer.seat)
        if lie is None or not isinstance(peer.table.open.phase, self.kind):
            return entry
        return resigned(peer, entry, content=lie(read_parsed(entry).body.content))


def falsely_proved(content: Content) -> Content:
    """A shuffle whose proof does not hold: z_Δ is another."""
    assert isinstance(content, Shuffle)
    proof = content.proof
    return Shuffle(content.deck, proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:])


def without_a_deck(content: Content) -> Content:
    """A shuffle of a wrong length."""
    return Shuffle(b"", b"")


def with_no_point(content: Content) -> Content:
    """A shuffle with a card that is no point."""
    assert isinstance(content, Shuffle)
    return Shuffle(b"\xff" * 32 + content.deck[32:], content.proof)


def with_no_scalar(content: Content) -> Content:
    """A shuffle with a response that is no scalar."""
    assert isinstance(content, Shuffle)
    return Shuffle(content.deck, content.proof[:-32] + b"\xff" * 32)
