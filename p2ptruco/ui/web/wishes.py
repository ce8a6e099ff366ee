"""What the start page asks for, off the wire: one type a request, strict and bounded.

Laws:
1. A variant and a bot are names that plugins offer, never a file: a page runs nothing.
2. What cannot be played is refused with the sentence that a command line gets.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeVar

import msgspec
import trio
from msgspec import Meta
from starlette.requests import ClientDisconnect, Request

from p2ptruco.hooks import NoBot, NoVariant, find_bot, find_variant, is_path
from p2ptruco.rules.variant import Variant, from_toggles
from p2ptruco.text import clean
from p2ptruco.ui.reasons import no_bot, no_variant
from p2ptruco.ui.web.refused import Refused
from p2ptruco.ui.words import LANGUAGES, _

LARGEST: Final = 16 << 10
"""Bytes of a request's body."""
SECONDS: Final = 5.0
"""For all of it to come."""

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Toggle = Annotated[str, Meta(max_length=256)]
Seats = Annotated[int, Meta(ge=2, le=8)]
Seconds = Annotated[int, Meta(ge=0, le=600)]
Wish = TypeVar("Wish", bound="_Wish")


class _Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class _Table(_Wish, frozen=True):
    variant: Name = "mineiro"
    toggles: dict[Name, Toggle] = {}
    seats: Seats = 2
    bots: Annotated[list[Name], Meta(max_length=7)] = []
    seconds: Seconds = 0
    name: Name | None = None


class Play(_Table, frozen=True):
    """Against bots, at once. A list of bots that is too short is repeated."""


class Host(_Table, frozen=True, kw_only=True):
    """A table that others join; `bots` sit on the last seats."""

    seats: Seats = 4
    seconds: Seconds = 30
    private: bool = False


class Join(_Wish, frozen=True):
    """A seat at somebody's table: by a ticket, or by the number of one in sight; by neither one is
    chosen from those in sight."""

    ticket: Annotated[str, Meta(max_length=600)] | None = None
    table: int | None = None
    name: Name | None = None


class Settings(_Wish, frozen=True):
    """How the page speaks, and what we are called."""

    language: Name | None = None
    nick: Name | None = None


async def wish(request: Request, kind: type[Wish]) -> Wish:
    """The body of a request. Refused."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise Refused("no_json", _("This is no request of the page."), 415)
    with trio.move_on_after(SECONDS):
        content = await _body(request)
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refused("bad_request", _("This is no request of the page.")) from error
    raise Refused("too_late", _("This is no request of the page."), 408)


async def _body(request: Request) -> bytes:
    content = bytearray()
    try:
        async for chunk in request.stream():
            content += chunk
            if len(content) > LARGEST:
                raise Refused("too_large", _("This is no request of the page."), 413)
    except ClientDisconnect as gone:
        raise Refused("gone", _("This is no request of the page.")) from gone
    return bytes(content)


def variant_of(table: Play | Host) -> Variant:
    """The rules that are wished for. Refused."""
    try:
        if is_path(table.variant):
            raise NoVariant("unknown_variant", table.variant)
        offered = find_variant(table.variant).variant
    except NoVariant as missing:
        raise Refused(missing.code, no_variant(missing)) from missing
    try:
        chosen = from_toggles(offered.name, table.toggles, offered) if table.toggles else offered
    except ValueError as error:
        sentence = _("{name} cannot be played with {toggles}.")
        pairs = " ".join(f"{name}={value}" for name, value in table.toggles.items())
        said = sentence.format(name=offered.name, toggles=clean(pairs, 120, 60) or "?")
        raise Refused("bad_variant", said) from error
    if table.seats not in chosen.players:
        sizes = ", ".join(map(str, sorted(chosen.players)))
        sentence = _("{variant} is not played by {seats}; it is by {sizes}.")
        said = sentence.format(variant=chosen.name, seats=table.seats, sizes=sizes)
        raise Refused("wrong_size", said)
    return chosen


def bots_of(table: Play | Host) -> list[str]:
    """The bots that are wished for, each of which is there. Refused."""
    if len(table.bots) >= table.seats:
        sentence = _("{count} bots are too many for {seats} seats.")
        said = sentence.format(count=len(table.bots), seats=table.seats)
        raise Refused("too_many_bots", said)
    try:
        for bot in table.bots:
            if is_path(bot):
                raise NoBot("unknown_bot", bot)
            find_bot(bot)
    except NoBot as missing:
        raise Refused(missing.code, no_bot(missing)) from missing
    return list(table.bots)


def name_of(text: str | None, nick: str) -> str:
    """What to be called. Refused: it cannot be shown."""
    if text is None:
        return nick
    shown = clean(text)
    if not shown or shown != text.strip():
        sentence = _("This name cannot be shown: letters and digits, 24 at most.")
        raise Refused("bad_name", sentence)
    return shown


def language_of(settings: Settings) -> str | None:
    """The language that is wished for. Refused."""
    if settings.language is not None and settings.language not in LANGUAGES:
        raise Refused("unknown_language", _("This language is not spoken here."))
    return settings.language


Json = dict[str, Any]
