"""The transcript is complete: nothing it absorbs can be left out, exchanged or run together."""

import json
import re
from collections.abc import Iterator

import pytest

from p2ptruco.mental import keys, shuffle, tokens
from p2ptruco.mental.shuffle import verify
from p2ptruco.mental.shuffle.statement import Challenger
from p2ptruco.mental.transcript import Transcript, digest
from tests.mental import kit, runner, vectors
from tests.mental.kit import context, deal

BOUND = (
    *("keys/commit-0", "keys/opening", "keys/join", "shuffle/prove", "shuffle/chain"),
    *("tokens/one", "tokens/three", "coin/purposes", "transcript/digest", "transcript/challenges"),
)
plain_absorb = Transcript.absorb


def _read(name: str) -> runner.Json:
    content = json.loads((vectors.ROOT / f"{name}.json").read_text())
    assert isinstance(content, dict)
    return content


class Absorbing:
    """Stands in for `Transcript.absorb`: leaves out or delays the items that it is told to."""

    def __init__(self, skipped: int = -1, delayed: int = -1) -> None:
        self.count, self.skipped, self.delayed = 0, skipped, delayed
        self.labels: list[bytes] = []
        self._held: tuple[Transcript, bytes, bytes] | None = None

    def __call__(self, bound: Transcript, label: bytes, value: bytes) -> None:
        at, self.count = self.count, self.count + 1
        self.labels.append(label)
        if at == self.delayed:
            self._held = (bound, label, value)
        elif at != self.skipped:
            plain_absorb(bound, label, value)
        if self._held and at == self.delayed + 1:
            plain_absorb(*self._held)
            self._held = None


def _run(vector: runner.Json, absorbing: Absorbing) -> runner.Json:
    with pytest.MonkeyPatch.context() as weaker:
        weaker.setattr(Transcript, "absorb", lambda *args: absorbing(*args))
        try:
            return runner.run(vector)
        except ArithmeticError:  # the chain fails, and each proof, looked at again unchanged, holds
            return {"expect": "bad_proof"}


def _items(vector: runner.Json) -> list[bytes]:
    absorbing = Absorbing()
    assert _run(vector, absorbing) == runner.outcome(vector)
    return absorbing.labels


@pytest.mark.parametrize("name", BOUND)
def test_dropping_any_absorbed_item_makes_a_vector_fail(name: str) -> None:
    """Gain: whatever a challenge does not bind can be chosen after it, E above all."""
    vector = _read(name)
    for at in range(len(_items(vector))):
        changed = _run(vector, Absorbing(skipped=at))
        assert changed != runner.outcome(vector), f"item {at} of {name} is bound by nothing"
        kit.refusals += 1


@pytest.mark.parametrize("name", BOUND)
def test_exchanging_two_absorbed_items_makes_a_vector_fail(name: str) -> None:
    """Gain: two orders of the items would be two statements with one challenge."""
    vector = _read(name)
    labels = _items(vector)
    for at in range(len(labels) - 1):
        changed = _run(vector, Absorbing(delayed=at))
        assert changed != runner.outcome(vector), f"items {at}, {at + 1} of {name} can be exchanged"
        kit.refusals += 1


PAGE = vectors.ROOT.parent / "deal.md"


def _page() -> dict[str, list[str]]:
    """The table of absorbed items of deal.md: name of the hash, its items in order."""
    rows: dict[str, list[str]] = {}
    name = ""
    table = PAGE.read_text().split("| name | items, in order | then |")[1].split("\n\n")[0]
    for line in table.splitlines()[2:]:
        first, items, _ = (cell.strip() for cell in line.strip("|").split("|"))
        name = first.strip("`") or name
        rows.setdefault(name, []).extend(re.findall(r"`([^`]+)`", items))
    return rows


def _joined(seats: int) -> list[str]:
    rows = _page()["hand-nonce"]
    return rows[:-2] + rows[-2:] * seats


@pytest.mark.parametrize(
    ("name", "hashes"),
    [
        ("keys/commit-0", ["commit"]),
        ("keys/opening", ["commit", "possession"]),
        ("keys/join", ["hand-nonce"]),
        ("tokens/three", ["hand-nonce", "token"]),
        ("shuffle/chain", ["hand-nonce", "shuffle", "shuffle"]),
        ("coin/purposes", ["coin"] * 3),
    ],
)
def test_what_is_absorbed_is_what_the_page_says(name: str, hashes: list[str]) -> None:
    """The table of absorbed items of deal.md, item by item, in order."""
    page = {**_page(), "hand-nonce": _joined(2)}
    wanted = [item for part in hashes for item in page[part]]
    assert [label.decode() for label in _items(_read(name))] == wanted


def test_prover_and_verifier_share_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gain: two versions of one statement differ some day; then one side proves something else."""
    here = deal(context(2))
    asked: list[str] = []
    for name in ("t", "lambda_x", "kappa"):
        plain = getattr(Challenger, name)

        def spy(
            self: Challenger, message: object, name: str = name, plain: object = plain
        ) -> object:
            asked.append(name)
            return plain(self, message)  # type: ignore[operator]

        monkeypatch.setattr(Challenger, name, spy)
    source = kit.seeded("share")
    sent = shuffle.shuffle(shuffle.prepare(here.joint, 0, 7, source), here.start, source)
    proving, asked[:] = list(asked), []
    shuffle.verify_one(here.joint, here.start, shuffle.parse(here.joint, 0, 7, *sent), source)
    assert proving == asked == ["t", "lambda_x", "kappa"]
    assert verify.Challenger is shuffle.prove.Challenger


@pytest.mark.parametrize("function", ["_statement", "_weights", "_ask"])
def test_both_sides_of_a_token_call_the_same_function(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gain: as above, for tokens."""
    here = deal(context(2))
    calls: list[str] = []
    plain = getattr(tokens, function)

    def spy(*args: object) -> object:
        calls.append(function)
        return plain(*args)

    monkeypatch.setattr(tokens, function, spy)
    data = tokens.release(here.joint, 0, here.pairs[0], here.deck, [0, 1], kit.seeded("t"))
    tokens.check(here.joint, 0, here.deck, [0, 1], data)
    assert calls == [function] * 2


def _splits(data: bytes) -> Iterator[tuple[tuple[bytes, bytes], ...]]:
    for at in range(len(data) + 1):
        for label in range(at + 1):
            yield ((data[:label], data[label:at]), (b"", data[at:]))


def test_separator_injection() -> None:
    """Gain: where items are joined with separators, one holding the separator is two statements."""
    data = b"a/1|2:\x00b,"
    splits = list(_splits(data))
    assert len({digest(b"label", *items) for items in splits}) == len(splits)
    assert len({Transcript(b"label", items).challenge(b"c") for items in splits}) == len(splits)
    kit.refusals += 2 * len(splits)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((b"ab", ()), (b"a", ((b"b", b""),))),
        ((b"a", ((b"b", b"c"),)), (b"a", ((b"b", b"c"), (b"", b"")))),
        ((b"a", ((b"x", b""), (b"y", b""))), (b"a", ((b"y", b""), (b"x", b"")))),
        ((b"a", ((b"x", bytes(8)),)), (b"a", ((b"x", bytes(7)),))),
    ],
)
def test_different_chains_have_different_digests(
    one: tuple[bytes, tuple[tuple[bytes, bytes], ...]],
    other: tuple[bytes, tuple[tuple[bytes, bytes], ...]],
) -> None:
    """Labels, lengths, counts and order all count."""
    assert digest(one[0], *one[1]) != digest(other[0], *other[1])
    assert Transcript(*one).challenge(b"c") != Transcript(*other).challenge(b"c")


def test_absorbing_a_challenge_is_not_squeezing_one() -> None:
    """Gain: an item that looks like a challenge would let its maker choose the challenge."""
    squeezed = Transcript(b"label")
    value = squeezed.challenge(b"c")
    pretended = Transcript(b"label")
    pretended.absorb(b"c", b"")
    pretended.absorb(b"c", value.to_bytes(64, "little"))
    assert squeezed.challenge(b"d") != pretended.challenge(b"d")
    assert squeezed.state() != pretended.state()


def test_challenges_differ_and_bind_those_before() -> None:
    """Squeezed challenges are absorbed again: none repeats, and a label in between changes all."""
    first = Transcript(b"label").challenges(b"t", 50)
    assert len(set(first)) == 50
    bound = Transcript(b"label")
    bound.challenge(b"other")
    assert not set(first) & set(bound.challenges(b"t", 50))


def test_nonces_need_secret_statement_and_fresh_bytes() -> None:
    """Gain: a nonce that repeats over two statements gives the secret away."""

    def fresh(byte: int) -> kit.Source:
        return lambda size: bytes([byte]) * size

    def first(label: bytes, secret: bytes, byte: int) -> list[int]:
        nonces = Transcript(label).nonces(secret, fresh(byte))
        return [next(nonces) for _ in range(3)]

    rows = [first(b"a", b"s", 0), first(b"b", b"s", 0), first(b"a", b"t", 0), first(b"a", b"s", 1)]
    assert len({value for row in rows for value in row}) == 12
    assert first(b"a", b"s", 0) == rows[0]


def test_a_broken_source_is_noticed() -> None:
    """A source that gives too little or no bytes at all stops the caller."""
    for broken in (
        lambda n: b"",
        lambda n: bytes(n - 1),
        lambda n: bytearray(n),
        lambda n: "x" * n,
    ):
        with pytest.raises(ValueError, match="source"):
            keys.draw(broken)  # type: ignore[arg-type,return-value]
