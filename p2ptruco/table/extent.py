"""How many bytes a MessagePack value takes, found without decoding it (table.md §1, record.md §1).

Laws:
1. Headers are read from the front, one after another: nothing is kept of what they claim, and no
   depth of arrays costs a call.
2. `Malformed` at the first header that no value of ours has, whatever follows it: an array that is
   too long or too deep, a map, the byte c1. What has a length is judged once its bytes are there.
3. Whole values can be decoded by any decoder: none meets a limit or a refusal of its own.
"""

from __future__ import annotations

from typing import Final

ARRAY_LIMIT: Final = 64
"""Items of an array: a decoder makes room for as many as an array claims to have."""
DEPTH_LIMIT: Final = 8
"""Arrays in one another."""
ANY: Final = 1 << 32


class Malformed(ValueError):
    """Bytes that are no canonical encoding of what was expected."""


PLAIN, BIN, TEXT, ARRAY, REFUSED, NEVER = range(6)
"""What a first byte begins. REFUSED: a float or an extension, whose size is known but which is
never ours; NEVER: a map, or the one byte that begins nothing."""

_FORMS: Final = [(PLAIN, 0, 0)] * 256
"""By first byte: the form, the bytes of its length, and what else it takes behind them."""
_FORMS[0x80:0x90] = [(NEVER, 0, 0)] * 16
_FORMS[0x90:0xA0] = [(ARRAY, 0, items) for items in range(16)]
_FORMS[0xA0:0xC0] = [(TEXT, 0, size) for size in range(32)]
_FORMS[0xC1] = (NEVER, 0, 0)
_FORMS[0xC4:0xC7] = [(BIN, width, 0) for width in (1, 2, 4)]
_FORMS[0xC7:0xCA] = [(REFUSED, width, 1) for width in (1, 2, 4)]
_FORMS[0xCA:0xCC] = [(REFUSED, 0, size) for size in (4, 8)]
_FORMS[0xCC:0xD4] = [(PLAIN, 0, size) for size in (1, 2, 4, 8, 1, 2, 4, 8)]
_FORMS[0xD4:0xD9] = [(REFUSED, 0, 1 + size) for size in (1, 2, 4, 8, 16)]
_FORMS[0xD9:0xDC] = [(TEXT, width, 0) for width in (1, 2, 4)]
_FORMS[0xDC:0xDE] = [(ARRAY, width, 0) for width in (2, 4)]
_FORMS[0xDE:0xE0] = [(NEVER, 0, 0)] * 2


def extent(data: bytes | bytearray, bins: int = ANY, texts: int = ANY) -> int | None:
    """The bytes of the value that `data` begins with; None if it goes on behind them.

    `Malformed` by the second law, also for a bin of more than `bins` or a text of more than
    `texts` bytes.
    """
    end, at, to_come = len(data), 0, [1]
    while to_come:
        if not to_come[-1]:
            to_come.pop()
            continue
        to_come[-1] -= 1
        if at == end:
            return None
        form, width, size = _FORMS[data[at]]
        if form == NEVER:
            raise Malformed("a map, or no MessagePack")
        at += 1 + width
        if at > end:
            return None
        if width:
            size += int.from_bytes(data[at - width : at], "big")
        if form == ARRAY:
            if size > ARRAY_LIMIT or len(to_come) > DEPTH_LIMIT:
                raise Malformed("an array too long or too deep")
            to_come.append(size)
            continue
        at += size
        if at > end:
            return None
        if form != PLAIN:
            _check(form, data[at - size : at], bins, texts)
    return at


def _check(form: int, content: bytes | bytearray, bins: int, texts: int) -> None:
    """What is looked at once it is there."""
    if form == REFUSED:
        raise Malformed("a float or an extension")
    if len(content) > (bins if form == BIN else texts):
        raise Malformed("a value over its limit")
    if form == TEXT and not _is_utf8(content):
        raise Malformed("not UTF-8")


def _is_utf8(text: bytes | bytearray) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
