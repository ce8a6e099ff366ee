"""Events and questions as plain JSON objects, commands off them.

Laws:
1. One object an event; its keys are the fields, its values what people read: seats, hands, tricks
   and places count from 1, teams are A and B, cards are written `4c`.
2. The type of a field says how it is written; there is one table of types. Moments are written as
   seconds, ago or left.
3. A command that cannot be read is refused with an event, and nothing else happens.

Source: front.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import msgspec
import trio

from ..rules.cards import Card
from ..rules.hand import Hand
from ..rules.moves import Play, Word
from ..rules.play import speaker, to_act
from ..rules.presets import MINEIRO
from ..rules.seating import Seat, Team
from ..rules.tricks import taker
from ..rules.variant import Variant, differs, toggles
from ..rules.view import View
from ..table.steps.phases import Choice, Duty
from . import commands
from .commands import Command
from .events import NTH, Event
from .questions import Question
from .telling import own_cards, partners_cards

Plain = dict[str, Any]

TEAMS: Final = "AB"
"""How teams are called before people."""
LONGEST = 4096
"""Bytes of a command."""


def event(happened: Event) -> Plain:
    """An event as a JSON object."""
    return {"event": happened.name, **_fields(happened)}


def question(asked: Question) -> Plain:
    """A question as a JSON object."""
    return {"question": asked.name, **_fields(asked)}


def command(line: bytes) -> Command:
    """A command as it was sent. ValueError: it is none, and why: too_long, no_object,
    unknown_command."""
    if len(line) > LONGEST:
        raise ValueError("too_long")
    try:
        return msgspec.json.decode(line, type=commands.ANY)
    except msgspec.ValidationError as error:
        raise ValueError("unknown_command") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError("no_object") from error


# Writing.


def _hand(hand: Hand) -> Plain:
    """The public state of a hand."""
    next_call, pending = hand.next_call, hand.pending
    won = [sum(trick.winner == team for trick in hand.tricks) for team in (0, 1)]
    takes = taker(hand.variant, hand.vira, hand.table)
    speaks = speaker(hand)
    return {
        "kind": hand.kind.value,
        "dealer": hand.dealer + 1,
        "eldest": hand.eldest + 1,
        "leader": hand.leader + 1,
        "score": list(hand.score),
        "worth": hand.value,
        "next_call": next_call and {"word": next_call.word, "points": next_call.points},
        "pending": pending
        and {"word": pending.word, "by": pending.by + 1, "points": pending.points},
        "vira": None if hand.vira is None else str(hand.vira),
        "trick": min(len(hand.tricks) + 1, 3),
        "tricks_won": won,
        "table": [
            {"seat": lay.seat + 1, "card": None if lay.card is None else str(lay.card)}
            for lay in hand.table
        ],
        "takes": None if takes is None else TEAMS[takes],
        "asked": [seat + 1 for seat in to_act(hand)],
        "speaker": None if speaks is None else speaks + 1,
    }


def _variant(variant: Variant) -> Plain:
    """A variant with every toggle, and those that differ from mineiro."""
    scale = variant.scale
    return {
        "name": variant.name,
        "base": scale.base,
        "calls": [{"word": call.word, "points": call.points} for call in scale.calls],
        "target": variant.target,
        "toggles": toggles(variant),
        "differs": differs(variant, MINEIRO),
    }


def _view(view: View) -> Plain:
    """What a question for a move shows beside its choices."""
    mates = partners_cards(0, view)
    return {
        "seat": view.seat + 1,
        "hand": _hand(view.hand),
        "cards": [_fields(held) for held in own_cards(0, view).cards],
        "partners": [
            {"seat": mate.seat + 1, "cards": [_fields(held) for held in mate.cards]}
            for mate in mates
        ],
    }


NAMED: Final[Mapping[Any, Callable[[Any], Any]]] = {
    Seat: lambda seat: seat + 1,
    Team: lambda team: TEAMS[team],
    NTH: lambda number: number + 1,
}
"""How a number is written, by the type that its field declares."""
WRITTEN: Final[Mapping[type, Callable[[Any], Any]]] = {
    Card: str,
    Hand: _hand,
    Variant: _variant,
    View: _view,
    Play: lambda play: {"play": play.slot % 3 + 1, "face_down": play.face_down},
    Word: lambda word: {"say": word.value},
    Choice: lambda choice: "move",
    Duty: lambda duty: duty.kind,
}
"""How a value is written, by its own type."""

AGO: Final = "since"
AHEAD: Final = "deadline"


@cache
def _hints(sort: Any) -> Mapping[str, Any]:
    return get_type_hints(sort, include_extras=True)


def _fields(value: Any) -> Plain:
    """The fields of a dataclass or a named tuple."""
    hints = _hints(value.__class__)
    names = [field.name for field in fields(value)] if is_dataclass(value) else value._fields
    written: Plain = {}
    for name in names:
        content = getattr(value, name)
        if name == AGO:
            written["seconds_ago"] = round(trio.current_time() - content, 1)
        elif name == AHEAD:
            left = None if content is None else round(content - trio.current_time(), 1)
            written["seconds_left"] = left
        else:
            written[name] = _value(hints[name], content)
    return written


def _value(hint: Any, content: Any) -> Any:
    """A value by the type that its field declares, or by its own."""
    if content is None:
        return None
    named = _named(hint)
    if named is not None:
        return NAMED[named](content)
    sort = type(content)
    if sort in WRITTEN:
        return WRITTEN[sort](content)
    if is_dataclass(content) or hasattr(content, "_fields"):
        return _fields(content)
    if isinstance(content, tuple):
        inner = next(iter(get_args(hint)), Any)
        return [_value(inner, item) for item in content]
    if isinstance(content, Mapping):
        return dict(content)
    return content.value if isinstance(content, Enum) else content


def _named(hint: Any) -> Any:
    """What a hint says of a plain number, if it says something."""
    if get_origin(hint) is Annotated:
        return hint.__metadata__[0]
    if get_origin(hint) is tuple:
        return None
    return next((one for one in (hint, *get_args(hint)) if one in (Seat, Team)), None)
