"""`p2ptruco check bot|variant X`: is this plugin fit to be played with?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from p2ptruco.cli.command import SETTINGS, common, summary
from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import DONE, FAILED, WRONG_USE, Failure
from p2ptruco.cli.output import Meter, emit, say
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.testing import Check


UNFIT = frozenset({"broken_file", "no_variant_in_file", "several_variants"})
"""What is wrong with a variant's file that is there."""


@click.group("check", help=summary("check"), context_settings=SETTINGS)
@common
def command() -> None:
    """A group of two."""


@make(
    "bot",
    help=_(
        "Play a bot through every preset and size: legal, in time, no errors, the same again "
        "under a seed. A failure comes with its hand in the notation."
    ),
    example="p2ptruco check bot zap\np2ptruco check bot ./bot.py",
)
@click.argument("bot")
@click.option(
    "--budget",
    type=click.IntRange(1, 600_000),
    default=1000,
    show_default=True,
    metavar="MS",
    help=_("Milliseconds that a bot has for a decision."),
)
def bot(bot: str, budget: int, as_json: bool) -> int:
    """One line a check; in a process of its own, as at a table."""
    from p2ptruco.cli.running import run
    from p2ptruco.testing.at_a_table import examine_apart

    _is_there(bot)
    with Meter(_("checking")) as meter:
        found = run(lambda: examine_apart(bot, budget / 1000, meter.show))
    return _answer("bot", bot, found, as_json)


@make(
    "variant",
    help=_("Check a variant: peers can agree on it, write it down, and play it to the end."),
    example="p2ptruco check variant paulista\np2ptruco check variant ./variant.py",
)
@click.argument("variant")
def variant(variant: str, as_json: bool) -> int:
    """One line a check."""
    from p2ptruco.cli.choices import offer_of
    from p2ptruco.testing import Check, examine_variant

    try:
        offer = offer_of(variant)
    except Failure as failure:
        if failure.code not in UNFIT:
            raise
        found = [Check("loads", False, failure.message)]
    else:
        found = [Check("loads", True, offer.variant.name), *examine_variant(offer.variant)]
    return _answer("variant", variant, found, as_json)


command.add_command(bot)
command.add_command(variant)


def _is_there(bot: str) -> None:
    """Failure for a name that nobody has, and for a file that is not there."""
    from p2ptruco.cli.choices import bots_named
    from p2ptruco.hooks import NoBot, in_file, is_path
    from p2ptruco.ui.reasons import no_bot

    if not is_path(bot):
        bots_named(bot, 1)
    elif not in_file(bot)[0].is_file():
        raise Failure("no_file", no_bot(NoBot("no_file", bot)), WRONG_USE)


def _answer(kind: str, name: str, found: Sequence[Check], as_json: bool) -> int:
    ok = all(check.ok for check in found)
    if as_json:
        keys = ("name", "ok", "message", "hand")
        checks = [{key: getattr(check, key) for key in keys} for check in found]
        emit({kind: name, "ok": ok, "checks": checks})
    else:
        for line in _lines(found):
            say(line)
    return DONE if ok else FAILED


def _lines(found: Sequence[Check]) -> list[str]:
    """A line a check; of one that failed, all that is known about it."""
    width = max(len(check.name) for check in found)
    told = []
    for check in found:
        mark = "–" if check.ok is None else _("ok") if check.ok else _("NO")
        first, *rest = check.message.splitlines() or [""]
        told.append(f"{mark:3} {check.name:{width}}  {first}".rstrip())
        told += [f"    {line}" for line in [*rest, *(check.hand or "").splitlines()]]
    return told
