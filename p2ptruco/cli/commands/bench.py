"""`p2ptruco bench deal|rules`: how fast this machine deals, and how fast it plays."""

from __future__ import annotations

from typing import Any

import click

from p2ptruco.cli.command import SETTINGS, common, summary
from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, table, tell
from p2ptruco.ui.words import _


@click.group("bench", help=summary("bench"), context_settings=SETTINGS)
@common
def command() -> None:
    """A group of two."""


@make(
    "deal",
    help=_("Measure the dealing: every operation, its group operations, and a whole cold deal."),
    example="p2ptruco bench deal --seats 2",
)
@click.option(
    "--seats",
    type=click.Choice(["2", "4", "6", "8"]),
    default="4",
    show_default=True,
    help=_("How many seats share the dealing."),
)
def deal(seats: str, as_json: bool) -> None:
    """One row an operation."""
    from p2ptruco.bench.deal import run

    measured = run(int(seats), progress=lambda name: tell(_("measuring {name}").format(name=name)))
    if as_json:
        emit(measured)
    else:
        say(deal_table(measured))


def deal_table(measured: dict[str, Any]) -> str:
    """The measurements as columns, then the cold deal."""
    head = (_("operation"), "ms", "mult", "base", "add", _("floor ms"), _("ratio"))
    rows = [
        (
            name,
            f"{row['ms']:.2f}",
            *(f"{row[count]:g}" for count in ("mults", "bases", "adds")),
            f"{row['floor_ms']:.2f}",
            f"{row['ratio']:.2f}",
        )
        for name, row in measured["operations"].items()
    ]
    whole = _("A cold deal of {seats} seats takes {ms:.0f} ms; its group operations, {floor:.0f}.")
    closing = whole.format(
        seats=measured["seats"], ms=measured["cold_deal_ms"], floor=measured["cold_deal_floor_ms"]
    )
    return table([head, *rows]) + "\n" + closing


@make(
    "rules",
    help=_("Measure the rules: random matches of two seats on one core, without cryptography."),
    example="p2ptruco bench rules",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 600),
    default=5.0,
    show_default=True,
    help=_("How long to measure."),
)
def rules(seconds: float, as_json: bool) -> None:
    """Matches and moves a second."""
    from p2ptruco.bench.rules import run

    measured = run(seconds=seconds)
    if as_json:
        emit(measured)
        return
    sentence = _("{matches:.0f} matches and {moves:.0f} moves a second")
    say(sentence.format(matches=measured["matches_per_s"], moves=measured["moves_per_s"]))
    fast = _("{matches:.0f} matches and {moves:.0f} moves a second of the fast game")
    say(fast.format(**{key.partition("_")[0]: rate for key, rate in measured["fast"].items()}))
    leduc = measured["openspiel_moves_per_s"]
    if leduc is not None:
        say(_("{moves:.0f} moves a second of OpenSpiel's leduc poker").format(moves=leduc))


command.add_command(deal)
command.add_command(rules)
