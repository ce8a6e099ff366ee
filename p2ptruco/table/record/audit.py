"""Verifying a record with no network and no trust in whoever sent it (record.md).

Laws:
1. A file is read once. Lengths, shapes, signatures and the chain of heads of the whole come first,
   then the same table that the players had is fed from what was read: replaying is auditing.
2. It stops at the first fault and names hand, step, seat and kind.
3. What a file raises that nobody foresaw is a record that is malformed, at the place reached.
4. What is in a good record holds for the keys shown, and nothing more (`README`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

from ...mental.chance import Source
from ..agreement import Agreement, BadSignature, Signed, read_agreement, read_signed
from ..codec import Malformed
from ..entries import (
    Content,
    Entry,
    Leave,
    Parsed,
    Position,
    Seal,
    Shuffle,
    parse,
)
from ..identity import TRAILER, verify
from ..steps.playing import tokens_of
from ..steps.sealing import Sealing
from ..table import Checked, Equivocation, Table
from ..unforeseen import unforeseen
from ..violation import LinkFault, Violation
from .ahead import UNKNOWN, Ahead, Pool
from .file import (
    Cut,
    Item,
    NoRecord,
    Proof,
    Reader,
    Said,
    Trailed,
    Trailer,
    read_trailer,
    trailer_of,
)
from .heads import Breach, Broken, Heads, broken

Progress = Callable[[float], None]
"""Called with the share of the work that is done, 0 to 1."""
Value = Parsed | Equivocation | Trailer
"""What a record holds behind its agreement, its shape, signatures and head good."""


@dataclass
class Audit:
    """What verifying a record found. `breach` is None where everything in it holds."""

    agreement: Agreement
    table: Table
    status: str | None = None
    """complete, unsealed or interrupted; None for a broken record."""
    unsealed_by: tuple[int, ...] = ()
    breach: Breach | None = None
    written_by: int | None = None
    """The seat that signed a trailer."""
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.breach is None

    @property
    def violation(self) -> Violation | None:
        """What ended the match before its time; the first illegal move, if nothing did."""
        found = self.table.violations
        ending = next((v for v in found if v.ends_match), None)
        return ending if ending or not found or self._left else found[0]

    @property
    def _left(self) -> bool:
        """Whether somebody left: no log goes on after that."""
        said = (parsed.body.content for step in self.table.steps for parsed in step.entries)
        return any(isinstance(content, Leave) for content in said)


def audit(
    file: BinaryIO,
    source: Source,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> Audit:
    """Verify a whole record from where a file stands; `NoRecord` if it is none.

    With a pool of threads, deals are verified in it ahead of the replay; it is the caller's to
    shut down, and what waits in it then may be cancelled.
    """
    reader = Reader(file)
    try:
        with unforeseen("an agreement", NoRecord, OSError):
            signed = reader.signed()
            agreement = _unsigned(signed)
            result = Audit(agreement, Table(agreement, source))
    except LinkFault as fault:
        raise NoRecord(str(fault)) from fault
    result.counts = dict.fromkeys(("entries", "shuffles", "tokens"), 0)
    try:
        _signatures(signed)
        values = _signed_and_chained(reader, agreement)
        said = [value for value in values if isinstance(value, Parsed)]
        ahead = Ahead(agreement, said, source, pool) if pool else None
        _replay(values, result, ahead, progress or (lambda share: None))
    except Broken as broken:
        result.breach, result.status = broken.breach, None
    return result


@contextmanager
def _malformed(where: Callable[[], Position]) -> Iterator[None]:
    """What the block raises that nobody foresaw is a value that is malformed."""
    try:
        with unforeseen("a record", Broken, NoRecord, OSError):
            yield
    except LinkFault as fault:
        raise broken("malformed", where(), None, str(fault)) from fault


def _unsigned(signed: Signed) -> Agreement:
    try:
        return read_agreement(signed.agreement)
    except Malformed as error:
        raise NoRecord(f"no agreement that this program can read: {error}") from error


def _signatures(signed: Signed) -> None:
    """That each seat signed the agreement: a fault of it is in no hand."""
    try:
        with unforeseen("signatures", BadSignature, Malformed):
            read_signed(signed)
    except BadSignature as error:
        raise Broken(Breach("bad_signature", seat=error.seat, detail="agreement")) from error
    except (Malformed, LinkFault) as error:
        raise Broken(Breach("malformed", detail=str(error))) from error


# First pass: lengths, shapes, signatures, heads.


def _signed_and_chained(reader: Reader, agreement: Agreement) -> list[Value]:
    heads, values = Heads(agreement), list[Value]()
    with _malformed(lambda: heads.position):
        for item in _items(reader, lambda: heads.position):
            match item:
                case Said():
                    said = _parse(agreement, Entry(item.body, item.signature), heads.position)
                    heads.take(said)
                    values.append(said)
                case Proof():
                    first = _parse(agreement, item.first, heads.position)
                    heads.prove(first)
                    second = _parse(agreement, item.second, heads.position)
                    values.append(Equivocation(first, second))
                case Trailed():
                    values.append(_read_trailer(agreement, item, heads.position))
    return values


def _items(reader: Reader, where: Callable[[], Position]) -> Iterator[Item]:
    try:
        yield from reader
    except Cut as error:
        raise broken("incomplete", where(), None, str(error)) from error
    except Malformed as error:
        raise broken("malformed", where(), None, str(error)) from error


def _parse(agreement: Agreement, entry: Entry, where: Position) -> Parsed:
    """An entry whose signature holds, or the breach in the words of the door."""
    try:
        return parse(agreement, entry)
    except LinkFault as fault:
        raise broken(fault.word, where, None, str(fault)) from fault


def _read_trailer(agreement: Agreement, trailed: Trailed, where: Position) -> Trailer:
    """A trailer that a seat of the roster signed."""
    try:
        trailer = read_trailer(trailed)
    except Malformed as error:
        raise broken("malformed", where, None, str(error)) from error
    if trailer.table != agreement.id or trailer.epoch != agreement.terms.epoch:
        raise broken("bad_trailer", where, None, "of another table")
    if trailer.seat >= agreement.players:
        raise broken("malformed", where, None, "a trailer of no such seat")
    key = agreement.identities[trailer.seat]
    if not verify(key, TRAILER, trailed.body, trailed.signature):
        raise broken("bad_signature", where, trailer.seat, "trailer")
    return trailer


# Second pass: the table itself.


def _replay(values: Sequence[Value], found: Audit, ahead: Ahead | None, progress: Progress) -> None:
    table = found.table
    for number, value in enumerate(values, 1):
        if found.status == "interrupted":
            raise broken("not_due", table.open.position, None, "after the trailer")
        with _malformed(lambda: table.open.position):
            match value:
                case Parsed():
                    _take(found, value, ahead)
                case Equivocation():
                    _prove(table, value)
                case Trailer():
                    _close(found, value)
        progress(number / len(values))
    with _malformed(lambda: table.open.position):
        _conclude(found)


def _take(found: Audit, parsed: Parsed, ahead: Ahead | None) -> None:
    table = found.table
    here, seat = table.open, parsed.body.seat
    if parsed.place != here[:2]:
        raise broken("not_due" if table.outcome else "bad_head", here.position, seat)
    try:
        ruling = ahead.ruling(parsed) if ahead and seat in table.owed else UNKNOWN
        known = ruling is not UNKNOWN
        checked = Checked(parsed, here.phase, ruling) if known else table.check(parsed)
        news = table.submit(checked)
    except LinkFault as fault:
        if fault.word == "malformed":  # what nobody foresaw: no seat is blamed
            raise
        sealing = isinstance(here.phase, Sealing) and isinstance(parsed.body.content, Seal)
        word = "bad_seal" if sealing else fault.word
        raise broken(word, here.position, seat, str(fault)) from fault
    if not news:
        raise broken("not_due", here.position, seat, "said twice")
    _count(found.counts, parsed.body.content)


def _count(counts: dict[str, int], content: Content) -> None:
    counts["entries"] += 1
    counts["shuffles"] += isinstance(content, Shuffle)
    counts["tokens"] += tokens_of(content)


def _prove(table: Table, proof: Equivocation) -> None:
    first, second = proof
    here = table.open.position
    if table.outcome is not None or table.paid:
        raise broken("not_due", here, first.body.seat, "the log is not cut")
    if first.entry.body >= second.entry.body:
        raise broken("malformed", here, first.body.seat, "proof not in order")
    try:
        table.prove(proof)
    except LinkFault as fault:
        word = "bad_head" if fault.word == "wrong_table" else fault.word
        raise broken(word, here, first.body.seat, str(fault)) from fault


def _close(found: Audit, trailer: Trailer) -> None:
    """A trailer ends a log that has no end, and says exactly where."""
    table = found.table
    if table.outcome is not None or trailer != trailer_of(table, trailer.seat):
        raise broken("bad_trailer", table.open.position, trailer.seat)
    found.status, found.written_by = "interrupted", trailer.seat


def _conclude(found: Audit) -> None:
    table = found.table
    if found.status == "interrupted":
        return
    if not table.sealed_by and table.equivocation is None:
        raise broken("incomplete", table.open.position, None, "neither seal, proof nor trailer")
    unsealed = set(range(table.agreement.players)) - table.sealed_by
    found.unsealed_by = tuple(sorted(unsealed))
    found.status = "unsealed" if unsealed else "complete"
