"""Attacks on tokens: mauled, permuted, re-targeted, of slots that nobody may see."""

import pytest

from p2ptruco.mental import tokens
from p2ptruco.mental.group import Point, Q, add, base_mult, encode_scalar, mult, sub
from p2ptruco.mental.keys import KeyPair
from p2ptruco.mental.transcript import Transcript
from tests.mental.kit import CARDS, Deal, context, deal, refused, seeded

HERE = deal(context(2), CARDS)
SHIFT = base_mult(12345)


def _send(slots: list[int], seat: int = 1, pair: KeyPair | None = None) -> bytes:
    pair = pair or HERE.pairs[seat]
    return tokens.release(HERE.joint, seat, pair, HERE.deck, slots, seeded("t"))


def _refuse(slots: list[int], data: bytes, seat: int = 1, here: Deal = HERE) -> None:
    with refused("bad_token", seat):
        tokens.check(here.joint, seat, here.deck, slots, data)


def _parts(data: bytes) -> list[bytes]:
    return [data[at : at + 32] for at in range(0, len(data), 32)]


@pytest.mark.parametrize("slots", [[0], [0, 1, 2], [6], [3, 1], [0, 1, 2, 3, 4, 5, 6]])
def test_honest_tokens_pass(slots: list[int]) -> None:
    """Any set of slots, in the order asked for."""
    taken = tokens.check(HERE.joint, 1, HERE.deck, slots, _send(slots))
    assert taken == tuple(tokens.own(HERE.pairs[1], HERE.deck, slot) for slot in slots)


def test_mauled_token() -> None:
    """Gain: the victim opens another card than its own, or none, and cannot say who did it."""
    cards = HERE.start.masked.b
    for slots in ([0], [0, 1, 2]):
        parts = _parts(_send(slots))
        for at in range(len(slots)):
            token = Point(parts[at])
            for other in (
                add(token, SHIFT),
                mult(2, token),
                mult(Q - 1, token),
                sub(token, sub(cards[9], cards[2])),
                HERE.deck.masked.a[slots[at]],
                HERE.joint.publics[1],
            ):
                _refuse(slots, b"".join([*parts[:at], other, *parts[at + 1 :]]))


def test_every_field_of_the_proof_changed() -> None:
    """Gain: a second proof of one message is a second body that says the same."""
    for slots in ([0], [0, 1, 2]):
        parts = _parts(_send(slots))
        for at in range(len(slots), len(parts)):
            value = int.from_bytes(parts[at], "little")
            for other in (value + 1, value - 1, -value, 2 * value, 0, value + 2**128):
                _refuse(slots, b"".join([*parts[:at], encode_scalar(other), *parts[at + 1 :]]))
        *some, challenge, response = parts
        _refuse(slots, b"".join([*some, response, challenge]))


def test_permuted_tokens() -> None:
    """Gain: the right tokens in the wrong places open three cards wrongly."""
    data = _send([0, 1, 2])
    a, b, c, challenge, response = _parts(data)
    for order in ([b, a, c], [a, c, b], [c, b, a], [b, c, a], [c, a, b], [a, a, a], [a, b, b]):
        _refuse([0, 1, 2], b"".join([*order, challenge, response]))
    for slots in ([1, 0, 2], [0, 2, 1], [2, 1, 0]):
        _refuse(slots, data)


def test_retargeted_token() -> None:
    """Gain: one slot's token taken for another's: who shuffled chooses what a victim sees."""
    for slot in range(7):
        data = _send([slot])
        for other in (s for s in range(7) if s != slot):
            _refuse([other], data)
    data = _send([0, 1, 2])
    for slots in ([3, 4, 5], [0, 1, 3], [0, 1, 6]):
        _refuse(slots, data)


def test_tokens_taken_apart_or_put_together() -> None:
    """Gain: one composite proof must not prove its parts, nor two proofs a whole."""
    a, b, c, challenge, response = _parts(_send([0, 1, 2]))
    _refuse([0], a + challenge + response)
    _refuse([0, 1], a + b + challenge + response)
    d, challenge_d, response_d = _parts(_send([3]))
    _refuse([0, 1, 2, 3], a + b + c + d + challenge + response)
    _refuse([0, 1, 2, 3], a + b + c + d + challenge_d + response_d)


def test_slot_that_is_nobodys() -> None:
    """Gain: tokens for cards in the stock would deal a seat more than its three."""
    for slot in (7, 8, 20, 39, 40, 1000, -1):
        with pytest.raises(ValueError, match="slot"):
            _send([slot])
        _refuse([slot], _send([0]))
        _refuse([0, slot], _send([0, 1]))


def test_slot_named_twice() -> None:
    """Gain: two tokens for one slot, of which the second may be anything."""
    with pytest.raises(ValueError, match="slot"):
        _send([0, 0])
    _refuse([0, 0], _send([0, 1]))


def test_no_slots_at_all() -> None:
    """An empty proof proves nothing; what carries no token carries no proof."""
    with pytest.raises(ValueError, match="slot"):
        _send([])
    with refused("malformed", 1):
        tokens.check(HERE.joint, 1, HERE.deck, [], _send([0])[32:])


def test_token_with_another_secret() -> None:
    """Gain: a wrong secret behind the right key makes the victim's card open to nothing."""
    for wrong in (1, 2, HERE.pairs[0].secret, HERE.pairs[1].secret + 1):
        _refuse([0, 1, 2], _send([0, 1, 2], pair=KeyPair(wrong, HERE.joint.publics[1], bytes(32))))


def test_it_decrypts_to_a_valid_card_is_no_proof() -> None:
    """Gain: a token moved by the difference of two cards opens the victim's slot to the other card.

    Whoever knows what the slot holds can do it, and a look-up among the cards finds nothing wrong.
    """
    own = tokens.own(HERE.pairs[0], HERE.deck, 0)
    honest = tokens.own(HERE.pairs[1], HERE.deck, 0)
    card = tokens.face(HERE.deck, 0, [own, honest])
    assert card is not None
    wanted = (card + 1) % 40
    difference = sub(HERE.start.masked.b[card], HERE.start.masked.b[wanted])
    bent = add(honest, difference)
    assert tokens.face(HERE.deck, 0, [own, bent]) == wanted
    parts = _parts(_send([0]))
    _refuse([0], bent + parts[1] + parts[2])


def test_errors_that_cancel_in_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: with a proof of the plain sum, one token up and one down by the same point pass."""

    def forge() -> bytes:
        good = [tokens.own(HERE.pairs[1], HERE.deck, slot) for slot in (0, 1)]
        bent = [add(good[0], SHIFT), sub(good[1], SHIFT)]
        secret, k = HERE.pairs[1].secret, 777
        bound = tokens._statement(HERE.joint, 1, HERE.deck, [0, 1], bent)
        weights = tokens._weights(bound, 2)
        a = HERE.deck.masked.a
        blinded = add(mult(k * weights[0], a[0]), mult(k * weights[1], a[1]))
        challenge = tokens._ask(bound, base_mult(k), blinded)
        return b"".join((*bent, encode_scalar(challenge), encode_scalar(k + challenge * secret)))

    _refuse([0, 1], forge())
    monkeypatch.setattr(tokens, "_weights", lambda bound, count: [1] * count)
    assert tokens.check(HERE.joint, 1, HERE.deck, [0, 1], forge())


def test_challenge_that_leaves_out_the_first_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: a proof for any token whatever: the challenge is known before R is chosen."""
    token = mult(5, HERE.deck.masked.a[0])

    def weak(bound: Transcript, first: Point, blinded: Point) -> int:
        return bound.challenge(b"challenge")

    bound = tokens._statement(HERE.joint, 1, HERE.deck, [0], [token])
    forged = token + encode_scalar(weak(bound, SHIFT, SHIFT)) + encode_scalar(4)
    _refuse([0], forged)
    monkeypatch.setattr(tokens, "_ask", weak)
    assert tokens.check(HERE.joint, 1, HERE.deck, [0], forged) == (token,)


def test_half_of_the_proof_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: a proof that R belongs to the key alone says nothing of the token."""

    def half(bound: Transcript, first: Point, blinded: Point) -> int:
        bound.absorb(b"first", first)
        return bound.challenge(b"challenge")

    secret, k = HERE.pairs[1].secret, 99
    token = mult(5, HERE.deck.masked.a[0])
    bound = tokens._statement(HERE.joint, 1, HERE.deck, [0], [token])
    challenge = half(bound, base_mult(k), SHIFT)
    forged = token + encode_scalar(challenge) + encode_scalar(k + challenge * secret)
    _refuse([0], forged)
    monkeypatch.setattr(tokens, "_ask", half)
    assert tokens.check(HERE.joint, 1, HERE.deck, [0], forged) == (token,)


def test_one_secret_alone_opens_what_the_others_paid_for() -> None:
    """What dropping x protects: with it, its owner's unseen cards lie open; without, nothing."""
    paid = tokens.own(HERE.pairs[1], HERE.deck, 0)
    mine = tokens.own(HERE.pairs[0], HERE.deck, 0)
    assert tokens.face(HERE.deck, 0, [mine, paid]) is not None
    for guess in range(50):
        assert tokens.face(HERE.deck, 0, [mult(guess, HERE.deck.masked.a[0]), paid]) is None
