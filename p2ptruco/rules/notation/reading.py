"""The hand notation: one hand of truco as a text that a person can type at the table.

A file is read in two passes, so that what a line may say can depend on any other: first every
line by itself (`lines`), then all of them against the table that they describe. Of the faults that
make a file unreadable the first code of `syntax`, `bad_header`, `bad_deal` counts wherever it
stands, and of one code the first line; what is missing has no line and comes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2ptruco.rules.cards import Card
from p2ptruco.rules.notation.lines import (
    DIVIDER,
    HEADERS,
    HIDDEN,
    OPEN,
    Fault,
    Line,
    card_of,
    decoded,
    is_card,
    lines_of,
)
from p2ptruco.rules.notation.writing import write as write
from p2ptruco.rules.presets import CORE
from p2ptruco.rules.scale import RESERVED, Scale
from p2ptruco.rules.seating import CARDS_EACH, SIZES, Seat
from p2ptruco.rules.spelling import number
from p2ptruco.rules.variant import Variant, from_toggles


@dataclass(frozen=True, slots=True)
class Written:
    """A move as the file writes it: OPEN, HIDDEN, or the word that was said."""

    line: int
    seat: Seat
    word: str
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One hand as the file tells it; `cards` by seat in the order dealt, None for `?`."""

    variant: Variant
    players: int
    score: tuple[int, int]
    dealer: Seat
    vira: Card | None
    cards: tuple[tuple[Card | None, ...], ...]
    moves: tuple[Written, ...]


def parse(text: str | bytes, variants: Mapping[str, Variant] = CORE) -> Sheet:
    """Read a file of one hand; Fault for what is not one."""
    return _sheet(list(lines_of(decoded(text))), variants)


def parse_match(text: str | bytes, variants: Mapping[str, Variant] = CORE) -> tuple[Sheet, ...]:
    """Read a file of several hands, divided by `---`; Fault at the first that is not one."""
    return tuple(_sheet(lines, variants) for lines in _divided(text))


def parse_each(
    text: str | bytes, variants: Mapping[str, Variant] = CORE
) -> Iterator[Sheet | Fault]:
    """The hands of such a file one by one, each read or with what is wrong with it, but those that
    are told in comments only; lines count from the start of the file. Fault if it is no text."""
    hands = _divided(text)
    for lines in filter(None, hands) if any(hands) else hands:
        try:
            yield _sheet(lines, variants)
        except Fault as fault:
            yield fault


def _divided(text: str | bytes) -> list[list[Line]]:
    hands: list[list[Line]] = [[]]
    for line in lines_of(decoded(text)):
        if line.key == DIVIDER:
            hands.append([])
        else:
            hands[-1].append(line)
    return hands


def _sheet(lines: Sequence[Line], variants: Mapping[str, Variant]) -> Sheet:
    header = {line.key: line for line in reversed(lines) if line.key in HEADERS}
    players = number(header["players"].words[0]) if "players" in header else 2
    variant, scale = _variant(header.get("variant"), variants)
    _refuse("syntax", _not_lines(lines, players, scale))
    _refuse("bad_header", _bad_headers(lines, header, variant, players))
    assert variant is not None
    _refuse("bad_deal", _bad_deals(lines, variant, players))
    score = header["score"].words if "score" in header else ("0", "0")
    vira = card_of(header["vira"].words[0]) if "vira" in header else None
    dealer = header["dealer"].seat if "dealer" in header else players
    hands = {line.seat: tuple(map(card_of, line.words)) for line in lines if line.key == "hand"}
    return Sheet(
        variant=variant,
        players=players,
        score=(number(score[0]), number(score[1])),
        dealer=Seat(dealer - 1),
        vira=vira,
        cards=tuple(hands[seat] for seat in range(1, players + 1)),
        moves=tuple(_written(line) for line in lines if line.key == "move"),
    )


def _written(line: Line) -> Written:
    seat, first, card = Seat(line.seat - 1), line.words[0], card_of(line.words[-1])
    word = OPEN if card is not None and first != HIDDEN else first
    return Written(line.number, seat, word, card)


def _refuse(code: str, lines: Iterable[int | None]) -> None:
    found = list(lines)
    if found:
        raise Fault(code, min((line for line in found if line is not None), default=None))


def _variant(
    line: Line | None, variants: Mapping[str, Variant]
) -> tuple[Variant | None, Scale | None]:
    """The variant named, and its scale even where another toggle is wrong; None: not known."""
    name, *pairs = line.words if line else (next(iter(CORE)),)
    base = variants.get(name)
    if base is None:
        return None, None
    toggles = dict(pair.split("=") for pair in pairs)
    return _overridden(base, pairs, toggles), _scale(base, toggles)


def _overridden(base: Variant, pairs: Sequence[str], toggles: Mapping[str, str]) -> Variant | None:
    try:
        return from_toggles(base.name, toggles, base) if len(toggles) == len(pairs) else None
    except ValueError:
        return None


def _scale(base: Variant, toggles: Mapping[str, str]) -> Scale | None:
    try:
        return Scale.parse(toggles["scale"]) if "scale" in toggles else base.scale
    except ValueError:
        return None


def _not_lines(lines: Sequence[Line], players: int, scale: Scale | None) -> Iterator[int]:
    moved = False
    for line in lines:
        moved = moved or line.key == "move"
        late = moved and line.key != "move"
        if late or line.key in ("", DIVIDER) or not _is_of_table(line, players, scale):
            yield line.number


def _is_of_table(line: Line, players: int, scale: Scale | None) -> bool:
    return _is_seated(line, players) and (line.key != "move" or _is_said(line.words, scale))


def _is_seated(line: Line, players: int) -> bool:
    if line.key not in ("hand", "move", "dealer"):
        return True
    return 1 <= line.seat <= (players if players in SIZES else max(SIZES))


def _is_said(words: Sequence[str], scale: Scale | None) -> bool:
    if len(words) == 2 or is_card(words[0]) or words[0] in RESERVED or scale is None:
        return True
    return any(call.word == words[0] for call in scale.calls)


def _bad_headers(
    lines: Sequence[Line], header: Mapping[str, Line], variant: Variant | None, players: int
) -> Iterator[int | None]:
    yield from (line.number for line in lines if header.get(line.key, line) is not line)
    numbers = {key: line.number for key, line in header.items()}
    if players not in SIZES:
        yield numbers.get("players")
    if variant is None:
        yield numbers.get("variant")
        return
    if players not in variant.players:
        yield numbers.get("players")
    if "score" in header and any(number(a) >= variant.target for a in header["score"].words):
        yield numbers["score"]
    if variant.has_vira != ("vira" in header):
        yield numbers.get("vira")


def _bad_deals(lines: Sequence[Line], variant: Variant, players: int) -> Iterator[int | None]:
    seats, seen = set(), set()
    for line in lines:
        if line.key not in ("hand", "vira"):
            continue
        for card in filter(None, map(card_of, line.words)):
            if card in seen or not variant.has(card):
                yield line.number
            seen.add(card)
        if line.key == "hand":
            if line.seat in seats or len(line.words) != CARDS_EACH:
                yield line.number
            seats.add(line.seat)
    if len(seats) < players:
        yield None
