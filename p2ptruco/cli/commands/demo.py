"""`p2ptruco demo`: a whole match between bots, one process a seat, over TCP on loopback."""

from __future__ import annotations

import secrets
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from p2ptruco.cli import command as options
from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import DONE, FAILED
from p2ptruco.cli.output import Meter, emit, say, tell
from p2ptruco.cli.wanted import Wanted
from p2ptruco.ui.faults import by_bot
from p2ptruco.ui.faults import lines as fault_lines
from p2ptruco.ui.words import _, spoken

if TYPE_CHECKING:
    from p2ptruco.app.seat import Plan
    from p2ptruco.rules.variant import Variant
    from p2ptruco.table.record.audit import Audit


@make(
    "demo",
    example="p2ptruco demo\np2ptruco demo --seats 2 --bots zap,random --variant 'paulista fold=no'",
)
@options.seats(4)
@options.variant
@options.bots("zap")
@click.option(
    "--budget",
    type=click.IntRange(1, 600_000),
    default=1000,
    show_default=True,
    metavar="MS",
    help=_("Milliseconds that a bot has for a decision."),
)
@options.seed
@options.recorded
@click.pass_obj
def command(
    wanted: Wanted,
    seats: int,
    variant: str,
    bots: str,
    budget: int,
    seed: str | None,
    record: str | None,
    no_record: bool,
    as_json: bool,
) -> int:
    """The match as it goes, then the verdict on its record."""
    from p2ptruco.cli.choices import bots_named, check_size, offer_of, printable, unwritten
    from p2ptruco.ui.reasons import refused

    chosen = offer_of(variant).variant
    check_size(chosen, seats)
    names = bots_named(bots, seats)
    show = tell if as_json else say
    with _place(record, no_record) as place:
        show(
            _("{variant}, {seats} seats: {bots}").format(
                variant=printable(variant), seats=seats, bots=", ".join(names)
            )
        )
        plans = plan_seats(chosen, names, seed, place, _log(wanted.verbose))
        plans = [replace(plan, budget=budget / 1000) for plan in plans]
        told = _play(plans, lambda lines: show("\n".join(lines)))
        if "unwritten" in told[0]:
            raise unwritten(refused(told[0]["unwritten"]))
        found = _verify(told[0]["record"])
    answer = as_object(found, told, None if no_record else told[0]["record"])
    for line in fault_lines(answer["faults"]):
        tell(line)
    if as_json:
        emit(answer)
    else:
        for line in summary(found, answer):
            say(line)
    return DONE if answer["verified"] else FAILED


def plan_seats(
    variant: Variant, bots: Sequence[str], seed: str | None, record: str, log: str | None
) -> list[Plan]:
    """What each seat is told; seat 0 writes the record."""
    from p2ptruco.app.seat import Plan
    from p2ptruco.rules.variant import toggles

    chance = secrets.token_hex(8) if seed is None else seed
    return [
        Plan(
            seat=seat,
            seats=len(bots),
            variant=variant.name,
            toggles=toggles(variant),
            bot=bot,
            seed=chance,
            language=spoken(),
            record=record if seat == 0 else None,
            log=log,
        )
        for seat, bot in enumerate(bots)
    ]


@contextmanager
def _place(record: str | None, no_record: bool) -> Iterator[str]:
    """Where seat 0 writes: a file, a folder that is the home's, or one that will be gone."""
    from p2ptruco.cli.choices import check_record
    from p2ptruco.cli.home import faults_told
    from p2ptruco.store.home import records

    check_record(record)
    if no_record:
        with tempfile.TemporaryDirectory() as folder:
            yield folder
    elif record is not None:
        yield record
    else:
        with faults_told():
            folder = str(records())
        yield folder


def _log(verbose: bool) -> str | None:
    from p2ptruco.store.home import log_file

    return str(log_file()) if verbose else None


def _play(plans: Sequence[Plan], heard: Callable[[list[str]], None]) -> list[dict[str, Any]]:
    from p2ptruco.cli.running import run
    from p2ptruco.cli.seats import play

    return run(lambda: play(plans, heard))


def _verify(record: str) -> Audit:
    from p2ptruco.cli.records import audited

    with Meter(_("verifying")) as meter:
        return audited(record, secrets.token_bytes, meter.show)


def as_object(found: Audit, told: Sequence[dict[str, Any]], record: str | None) -> dict[str, Any]:
    """The match as `demo --json` prints it. Verified: the record holds, and all have the same."""
    from p2ptruco.ui.terminal.audit import as_object as audited

    verdict = audited(found)
    same = len({seat["digest"] for seat in told if seat["sealed"]}) == 1
    answer = {name: verdict[name] for name in ("seats", "variant", "winner", "score", "hands")}
    answer |= {
        "processes": len(told),
        "record": record,
        "verified": found.ok and same,
        "status": verdict["status"],
        "cold_deal_ms": _spread([deal for seat in told for deal in seat["cold_deals"]]),
        "faults": by_bot((seat["bot"], fault) for seat in told for fault in seat["faults"]),
    }
    if found.agreement.variant.best_of > 1:
        answer["matches"] = dict(zip("AB", told[0]["won"], strict=True))
    return answer


def _spread(seconds: Sequence[float]) -> dict[str, float | None]:
    """Median and 95th percentile (nearest rank), in milliseconds."""
    if not seconds:
        return {"median": None, "p95": None}
    ms = sorted(1000 * deal for deal in seconds)
    rank = -(-95 * len(ms) // 100)
    return {"median": round(statistics.median(ms), 1), "p95": round(ms[rank - 1], 1)}


def summary(found: Audit, answer: dict[str, Any]) -> Iterator[str]:
    """How it ended, where the record is, and whether it holds."""
    score = "  ".join(f"{team} {points}" for team, points in answer["score"].items())
    yield _("{team} won the match, {score}").format(team=answer["winner"], score=score)
    deal = answer["cold_deal_ms"]["median"]
    if deal is not None:
        sentence = _("{processes} processes dealt {hands} hands, {ms:.0f} ms each (median)")
        yield sentence.format(ms=deal, **answer)
    if answer["record"]:
        yield _("record: {path}").format(path=answer["record"])
    if answer["verified"]:
        counted = _("verified: {entries} entries, {shuffles} shuffles, {tokens} tokens")
        yield counted.format(**found.counts)
    else:
        yield _("This record does not hold.")
