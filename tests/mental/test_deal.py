"""Whole deals: every card is dealt once, and opens to those who hold all tokens, to nobody else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2ptruco.mental import coin, shuffle, tokens
from p2ptruco.mental.context import Context
from p2ptruco.mental.deck import Deck, start_deck
from p2ptruco.mental.group import IDENTITY
from p2ptruco.mental.keys import KeyPair
from p2ptruco.mental.shuffle import OfflineSpent
from tests.mental.kit import CARDS, CLEAN, FEW, Deal, context, deal, join, seeded


def _faces(here: Deal, deck: Deck) -> list[int | None]:
    """What each slot that is somebody's, and the vira's place, opens to with all tokens."""
    seats = here.context.seats
    slots = range(min(3 * seats + 1, len(deck)))
    sent = [
        tokens.check(
            here.joint,
            seat,
            deck,
            slots,
            tokens.release(here.joint, seat, pair, deck, slots, seeded("t", seat)),
        )
        for seat, pair in enumerate(here.pairs)
    ]
    return [tokens.face(deck, slot, [part[slot] for part in sent]) for slot in slots]


@pytest.mark.parametrize("cards", [CARDS, CLEAN], ids=["40", "24"])
@pytest.mark.parametrize("seats", range(2, 9))
def test_every_slot_opens_to_a_card_and_no_two_to_the_same(
    seats: int, cards: tuple[str, ...]
) -> None:
    """The chain verifies, and with all tokens the slots are distinct cards of the deck."""
    here = deal(context(seats), cards)
    deck = shuffle.verify_chain(here.joint, here.start, here.shuffles, seeded("v"))
    assert deck.masked == here.shuffles[-1].masked, "the deck dealt is the last seat's"
    faces = _faces(here, deck)
    assert None not in faces
    assert len(set(faces)) == len(faces)


def test_all_cards_are_in_the_deck_exactly_once() -> None:
    """Opening the whole deck with the sum of the secrets gives each card once."""
    here = deal(context(3), CARDS)
    secret = KeyPair(sum(pair.secret for pair in here.pairs), IDENTITY, b"")
    opened = [
        tokens.face(here.deck, slot, [tokens.own(secret, here.deck, slot), IDENTITY, IDENTITY])
        for slot in range(40)
    ]
    assert sorted(card for card in opened if card is not None) == list(range(40))


def test_a_missing_token_opens_nothing() -> None:
    """With any one seat's token replaced by the identity a slot opens to no card."""
    here = deal(context(4), CARDS)
    for slot in range(12):
        sent = [tokens.own(pair, here.deck, slot) for pair in here.pairs]
        for seat in range(4):
            assert tokens.face(here.deck, slot, [*sent[:seat], IDENTITY, *sent[seat + 1 :]]) is None


def test_a_card_needs_one_token_of_each_seat() -> None:
    """Too few or too many tokens are the caller's mistake."""
    here = deal(context(2))
    own = tokens.own(here.pairs[0], here.deck, 0)
    for sent in ([], [own], [own] * 3):
        with pytest.raises(ValueError, match="one token"):
            tokens.face(here.deck, 0, sent)


def test_own_token_is_the_one_that_would_be_released() -> None:
    """The owner computes for itself what it would send with a play."""
    here = deal(context(2))
    data = tokens.release(here.joint, 0, here.pairs[0], here.deck, [1], seeded("t"))
    assert tokens.check(here.joint, 0, here.deck, [1], data) == (
        tokens.own(here.pairs[0], here.deck, 1),
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(0, 8), st.integers(0, 10**9))
def test_random_deals_verify_and_open(seats: int, spare: int, seed: int) -> None:
    """Any number of cards from 3n up, any randomness."""
    here = deal(context(seats), CARDS[: 3 * seats + spare], str(seed))
    deck = shuffle.verify_chain(here.joint, here.start, here.shuffles, seeded("v", seed))
    faces = _faces(here, deck)
    assert None not in faces
    assert len(set(faces)) == len(faces)


def test_the_same_randomness_makes_the_same_bytes() -> None:
    """Everything random is an argument."""
    first, second = (deal.__wrapped__(context(2), FEW, "again") for _ in range(2))
    assert (first.openings, first.sent) == (second.openings, second.sent)


def test_no_repr_shows_a_secret() -> None:
    """What a log or a traceback would print holds neither x, nonce, order nor masks."""
    pairs, joint = join(context(2))
    offline = shuffle.prepare(joint, 0, 7, seeded("p"))
    assert repr(offline) == "Offline(seat=0, spent=False)"
    masks, committed = offline.take()
    for shown in (repr(pairs[0]), str(pairs[0])):
        assert str(pairs[0].secret) not in shown
        assert repr(pairs[0].nonce) not in shown
    for secret in (masks, committed, committed.blinders):
        assert repr(secret).startswith("<")


def test_discarded_offline_part_is_gone() -> None:
    """A hand that is given up leaves no offline part behind."""
    _, joint = join(context(2))
    offline = shuffle.prepare(joint, 0, 7, seeded("p"))
    offline.discard()
    assert offline.spent
    with pytest.raises(OfflineSpent):
        shuffle.shuffle(offline, start_deck(FEW), seeded("s"))


def test_an_offline_part_takes_only_the_deck_of_its_seat() -> None:
    """A wrong deck is the caller's mistake and does not spend the offline part."""
    here, other = deal(context(3), CARDS[:9]), deal(context(3), CARDS[:9], "other")
    longer = deal(context(3), CARDS[:10])
    assert longer.joint == here.joint
    offline = shuffle.prepare(here.joint, 1, 9, seeded("p"))
    wrong = (here.start, here.shuffles[1], other.shuffles[0], longer.shuffles[0], longer.start)
    for deck in wrong:
        with pytest.raises(ValueError, match=r"deck|cards"):
            shuffle.shuffle(offline, deck, seeded("s"))
    assert not offline.spent
    shuffle.shuffle(offline, here.shuffles[0], seeded("s"))
    assert offline.spent


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6, 8, 40])
def test_coins_are_fair_and_fixed(n: int) -> None:
    """Each outcome comes about equally often; the same nonce and purpose give the same one."""
    draws = [coin.draw(i.to_bytes(32, "big"), b"dealer", n) for i in range(200 * n)]
    assert draws == [coin.draw(i.to_bytes(32, "big"), b"dealer", n) for i in range(200 * n)]
    counted = [draws.count(face) for face in range(n)]
    chi_squared = sum((c - 200) ** 2 / 200 for c in counted)
    assert chi_squared < n + 5 * (2 * n) ** 0.5
    assert set(draws) == set(range(n))


GOOD = context(2)


@pytest.mark.parametrize(
    "change",
    [
        {"table": b"short"},
        {"table": bytearray(32)},
        {"table": bytes(33)},
        *({name: n} for name in ("epoch", "hand", "attempt") for n in (-1, 2**32)),
        {"identities": (bytes(32), bytearray(32))},
        {"identities": (bytes(32),)},
        {"identities": (bytes(32),) * 9},
        {"identities": (bytes(32), bytes(31))},
    ],
)
def test_a_context_checks_itself(change: dict[str, object]) -> None:
    """Lengths and ranges of what every hash absorbs."""
    with pytest.raises(ValueError, match=r".*"):
        context(2, **change)
    assert isinstance(GOOD, Context)


@pytest.mark.parametrize("n", [0, 1, 2**32 - 1])
def test_a_context_counts_to_32_bits(n: int) -> None:
    """Epoch, hand and attempt: whatever the log can number."""
    here = context(2, epoch=n, hand=n, attempt=n)
    assert (here.epoch, here.hand, here.attempt) == (n, n, n)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_context_knows_its_own_seats_only(seat: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        GOOD.seat_items(seat)


def test_a_chain_takes_shuffles_of_its_number_of_cards_only() -> None:
    """A shuffle of more or fewer cards, under the very same keys, is another deal's."""
    here, longer = deal(context(3), CARDS[:9]), deal(context(3), CARDS[:10])
    for at in range(3):
        shuffles = [*here.shuffles]
        shuffles[at] = longer.shuffles[at]
        for start in (here.start, longer.start):
            with pytest.raises(ValueError, match="another deal"):
                shuffle.verify_chain(here.joint, start, shuffles, seeded("v"))


NAMES = tuple(f"{number:04d}" for number in range(129))


@pytest.mark.parametrize("size", [6, 7, 40, 127, 128])
def test_a_starting_deck_has_6_to_128_cards(size: int) -> None:
    """Of one to four letters or digits each, in the order given."""
    start = start_deck(NAMES[:size])
    assert (len(start), start.cards) == (size, NAMES[:size])


@pytest.mark.parametrize(
    "cards",
    [
        *(CARDS[:5], NAMES, (*CARDS[:5], "12345"), CARDS[:6] + CARDS[:1]),
        *(("4c", "4h", "4s", "4d", "5c", ""), (*CARDS[:5], "ção")),
    ],
    ids=["five", "129", "long name", "doubled", "no name", "not ASCII"],
)
def test_a_starting_deck_is_distinct_short_notations(cards: tuple[str, ...]) -> None:
    """Doubled, empty, non-ASCII or too few cards are the caller's mistake."""
    with pytest.raises(ValueError, match="card"):
        start_deck(cards)
