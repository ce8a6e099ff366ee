"""Verifying a record with no network and no trust in whoever sent it (record.md).

Laws:
1. Lengths, shapes, signatures and the chain of heads of the whole file come first, then the
   same table that the players had is fed from it: replaying is auditing.
2. It stops at the first fault and names hand, step, seat and kind. The file is gone over more
   than once, and one that does not stay the same meanwhile is malformed.
3. What a file raises that nobody foresaw is a record that is malformed, at the place reached.
4. What is in a good record holds for the keys shown, and nothing more (`README`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
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
    read_parsed,
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
Readers = Callable[[], Reader]
"""Readers of one file, from its beginning, all of which find the same bytes."""


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
    """Verify a whole record from a seekable file; `NoRecord` if it is none.

    With a pool of threads, deals are verified in it ahead of the replay; it is the caller's to
    shut down, and what waits in it then may be cancelled.
    """
    file.seek(0, 2)
    size = max(file.tell(), 1)
    readers = partial(Reader, file, {})
    try:
        with unforeseen("an agreement", NoRecord, OSError):
            signed = readers().signed()
            agreement = _unsigned(signed)
            result = Audit(agreement, Table(agreement, source))
    except LinkFault as fault:
        raise NoRecord(str(fault)) from fault
    result.counts = dict.fromkeys(("entries", "shuffles", "tokens"), 0)
    try:
        with _malformed(lambda: result.table.open.position):
            _signatures(signed)
        _signed_and_chained(readers, agreement)
        ahead = _ahead(readers, result, pool) if pool else None
        _replay(readers, result, ahead, progress or (lambda share: None), size)
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
    try:
        read_signed(signed)
    except BadSignature as error:
        raise Broken(Breach("bad_signature", seat=error.seat, detail="agreement")) from error
    except Malformed as error:
        raise Broken(Breach("malformed", detail=str(error))) from error


# First pass: lengths, shapes, signatures, heads.


def _signed_and_chained(readers: Readers, agreement: Agreement) -> None:
    heads = Heads(agreement)
    with _malformed(lambda: heads.position):
        for item in _items(readers, lambda: heads.position):
            match item:
                case Said():
                    heads.take(_parse(agreement, Entry(item.body, item.signature), heads.position))
                case Proof():
                    heads.prove(_parse(agreement, item.first, heads.position))
                    _parse(agreement, item.second, heads.position)
                case Trailed():
                    _read_trailer(agreement, item, heads.position)


def _items(readers: Readers, where: Callable[[], Position]) -> Iterator[Item]:
    with _malformed(where):
        reader = readers()
        try:
            reader.signed()
            yield from reader
        except NoRecord as error:  # it began with an agreement when it was read before
            raise broken("malformed", where(), None, "the file changes as it is read") from error
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


def _ahead(readers: Readers, found: Audit, pool: Pool) -> Ahead:
    """A second reading of the file, for the deals of later hands."""
    said = (
        read_parsed(Entry(item.body, item.signature))
        for item in _items(readers, lambda: found.table.open.position)
        if isinstance(item, Said)
    )
    return Ahead(found.agreement, said, found.table.source, pool)


def _replay(
    readers: Readers, found: Audit, ahead: Ahead | None, progress: Progress, size: int
) -> None:
    table, done = found.table, 0
    for item in _items(readers, lambda: table.open.position):
        if found.status == "interrupted":
            raise broken("not_due", table.open.position, None, "after the trailer")
        with _malformed(lambda: table.open.position):
            match item:
                case Said():
                    done += len(item.body) + len(item.signature)
                    _take(found, read_parsed(Entry(item.body, item.signature)), ahead)
                case Proof():
                    _prove(table, item)
                case Trailed():
                    _close(found, item)
        progress(done / size)
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


def _prove(table: Table, item: Proof) -> None:
    first, second = read_parsed(item.first), read_parsed(item.second)
    here = table.open.position
    if table.outcome is not None or table.paid:
        raise broken("not_due", here, first.body.seat, "the log is not cut")
    if item.first.body >= item.second.body:
        raise broken("malformed", here, first.body.seat, "proof not in order")
    try:
        table.prove(Equivocation(first, second))
    except LinkFault as fault:
        word = "bad_head" if fault.word == "wrong_table" else fault.word
        raise broken(word, here, first.body.seat, str(fault)) from fault


def _close(found: Audit, trailed: Trailed) -> None:
    """A trailer ends a log that has no end, and says exactly where."""
    table = found.table
    trailer = read_trailer(trailed)
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
