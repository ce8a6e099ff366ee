"""The lobby as lines: the rules in full, who sits where, and whether they are ready."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2ptruco.net.lobby import Room
from p2ptruco.rules.presets import CORE, MINEIRO
from p2ptruco.rules.variant import Variant
from p2ptruco.table.identity import fingerprint
from p2ptruco.ui.terminal.cards import TEAMS
from p2ptruco.ui.toggles import unlike
from p2ptruco.ui.words import _

Remark = Callable[[bytes, str], str]
"""What is to be pointed out about a peer (key, name); mostly nothing."""


def rules(variant: Variant, seconds: int) -> Iterator[str]:
    """The variant written out: its scale, and in words each toggle that differs from mineiro, and
    from the preset whose name it has."""
    scale = variant.scale
    steps = ", ".join(f"{call.word} {call.points}" for call in scale.calls)
    yield _("{variant}: {base}, {steps}; to {target}").format(
        variant=variant.name, base=scale.base, steps=steps, target=variant.target
    )
    preset = CORE.get(variant.name, MINEIRO)
    for base in dict.fromkeys((MINEIRO, preset)):
        yield from unlike(variant, base)
    clock = _("{n} seconds to move").format(n=seconds) if seconds else _("no clock")
    yield clock


def seats(room: Room, me: bytes, remark: Remark) -> Iterator[str]:
    """One line a seat."""
    for seat, chair in enumerate(room.chairs):
        head = f"{seat + 1} {TEAMS[seat % 2]}  "
        if chair is None:
            yield head + _("(free)")
            continue
        if chair.held:
            sentence = _("held for {name}, who has not answered yet")
            yield head + sentence.format(name=chair.name)
            continue
        parts = [chair.name, fingerprint(chair.identity)]
        parts += [_("you")] * (chair.identity == me)
        parts += [_("bot")] * chair.bot
        operator = room.seat_of(chair.operator)
        if chair.operator != chair.identity and operator is not None:
            parts.append(_("run by seat {seat}").format(seat=operator + 1))
        parts += [_("ready") if chair.ready else _("not ready")]
        parts += [note] if (note := remark(chair.identity, chair.name)) else []
        yield head + " · ".join(parts)


def lacking(room: Room) -> Iterator[str]:
    """What keeps a match from being started, seat by seat, as parts of a sentence."""
    for seat, chair in enumerate(room.chairs, 1):
        if chair is None:
            yield _("seat {seat} is free").format(seat=seat)
        elif chair.held:
            yield _("{name} has not answered").format(name=chair.name)
        elif not chair.ready:
            yield _("{name} is not ready").format(name=chair.name)
