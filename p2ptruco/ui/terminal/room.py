"""The lobby as lines: the rules in full, who sits where, and whether they are ready."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.app.events import Lobby
from p2ptruco.rules.presets import CORE, MINEIRO
from p2ptruco.rules.variant import Variant
from p2ptruco.ui.terminal.cards import TEAMS
from p2ptruco.ui.toggles import unlike
from p2ptruco.ui.words import N_, _

MEETINGS = {
    "new": "",
    "known": N_("met before"),
    "renamed": N_("met before under another name"),
    "other_key": N_("CAREFUL: you met this name with another key"),
}


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


def seats(lobby: Lobby) -> Iterator[str]:
    """One line a seat."""
    for seat, chair in enumerate(lobby.chairs):
        head = f"{seat + 1} {TEAMS[seat % 2]}  "
        if chair is None:
            yield head + _("(free)")
            continue
        if chair.held:
            sentence = _("held for {name}, who has not answered yet")
            yield head + sentence.format(name=chair.player)
            continue
        parts = [chair.player, chair.fingerprint]
        parts += [_("you")] * chair.me
        parts += [_("bot")] * chair.bot
        if chair.operator is not None:
            parts.append(_("run by seat {seat}").format(seat=chair.operator + 1))
        parts += [_("ready") if chair.ready else _("not ready")]
        parts += [note] if (note := _(MEETINGS.get(chair.meeting, ""))) else []
        yield head + " · ".join(parts)


def lacking(lobby: Lobby) -> Iterator[str]:
    """What keeps a match from being started, seat by seat, as parts of a sentence."""
    for seat, chair in enumerate(lobby.chairs, 1):
        if chair is None:
            yield _("seat {seat} is free").format(seat=seat)
        elif chair.held:
            yield _("{name} has not answered").format(name=chair.player)
        elif not chair.ready:
            yield _("{name} is not ready").format(name=chair.player)
