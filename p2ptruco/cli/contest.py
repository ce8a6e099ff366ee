"""From the options of `arena` to matches played, or kept for later."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2ptruco.cli.failure import (
    DONE,
    FAILED,
    INTERRUPTED,
    TERMINATED,
    WRONG_USE,
    Failure,
    Terminated,
)
from p2ptruco.cli.output import tell
from p2ptruco.cli.unplayable import faults_told
from p2ptruco.ui.reasons import refusal
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from p2ptruco.arena.contest import Arena
    from p2ptruco.arena.journal import Journal
    from p2ptruco.arena.plan import Plan

DEFAULTS = {"pairs": 100, "seats": 2, "variant": "mineiro", "budget": 1000, "memory": 2048}

Options = Mapping[str, Any]


def play(options: Options) -> tuple[Arena, int]:
    """The arena, played as far as it came, and the status to leave with. Raises Failure."""
    with faults_told(options):
        return _play(plan_of(options), options)


def plan_of(options: Options) -> Plan:
    """The plan that the options ask for; with a file alone to go on from, the one in it."""
    from p2ptruco.arena.journal import read
    from p2ptruco.arena.plan import MOST_BOTS

    resumed = Path(options["resume"]) if options["resume"] else None
    if resumed is not None and not bots_of(options) and resumed.exists():
        with _readable(options):
            return _fitted(read(resumed).plan, options)
    bots = bots_of(options)
    if not 2 <= len(bots) <= MOST_BOTS:
        sentence = _("An arena takes from 2 to {most} bots.")
        raise Failure("wrong_bots", sentence.format(most=MOST_BOTS), WRONG_USE)
    return _new(options)


def bots_of(options: Options) -> tuple[str, ...]:
    """The bots, the one of a gauntlet first."""
    return (options["gauntlet"], *options["bots"]) if options["gauntlet"] else options["bots"]


def _fitted(plan: Plan, options: Options) -> Plan:
    """A plan with as many pairs as are now wanted."""
    from dataclasses import replace

    return replace(plan, pairs=options["pairs"]) if options["pairs"] else plan


def _new(options: Options) -> Plan:
    from p2ptruco.arena.plan import Plan
    from p2ptruco.cli.choices import check_size, offer_of

    chosen: dict[str, Any] = {name: options[name] or default for name, default in DEFAULTS.items()}
    if options["memory"] == 0:
        chosen["memory"] = 0
    low, high = options["sprt"] or (50.0, 55.0)
    if low >= high:
        sentence = _("--sprt takes the lower percentage first, then the higher one.")
        raise Failure("wrong_rates", sentence, WRONG_USE)
    variant = offer_of(chosen["variant"]).variant
    check_size(variant, chosen["seats"])
    return Plan(
        bots=tuple(map(_whole_path, bots_of(options))),
        pairs=chosen["pairs"],
        seats=chosen["seats"],
        variant=variant,
        seed=secrets.randbits(32) if options["seed"] is None else options["seed"],
        budget_ms=chosen["budget"],
        memory_mb=chosen["memory"],
        gauntlet=options["gauntlet"] is not None,
        sprt=(low / 100, high / 100) if options["sprt"] else None,
    )


def _whole_path(bot: str) -> str:
    """A bot's file by its whole path, so that the plan means the same anywhere on this machine."""
    from p2ptruco.hooks.files import is_path

    return str(Path(bot).absolute()) if is_path(bot) else bot


# Playing it.


def _play(plan: Plan, options: Options) -> tuple[Arena, int]:
    """The arena, played as far as it came; its file is begun once its bots are there."""
    from p2ptruco.arena.contest import Arena
    from p2ptruco.cli.progress import Progress

    with (
        _executor(plan, options) as (executor, slots, names),
        _journal(options, plan) as journal,
        Progress() as progress,
    ):
        arena = Arena(plan, names, journal)
        try:
            arena.run(executor, slots, progress.show)
        except KeyboardInterrupt:
            return arena, INTERRUPTED
        except Terminated:
            return arena, TERMINATED
        except OSError as error:  # a full disk does not cost what was played
            tell(refusal(error))
            return arena, FAILED
    return arena, DONE


@contextmanager
def _executor(plan: Plan, options: Options) -> Iterator[tuple[Executor, int, tuple[str, ...]]]:
    """What plays, how many jobs it takes at a time, and the names of the bots."""
    from p2ptruco.arena.batch import close_pits
    from p2ptruco.arena.cluster import cluster
    from p2ptruco.arena.contest import cores, introduce, local

    jobs = options["jobs"] or cores()
    if not options["dask"]:
        with local(plan, jobs) as executor:
            yield executor, jobs, introduce(plan, jobs)
        return
    try:
        names = introduce(plan)
    finally:
        close_pits(plan)
    with cluster(options["dask"]) as (executor, slots):
        yield executor, slots, names


@contextmanager
def _journal(options: Options, plan: Plan) -> Iterator[Journal | None]:
    from p2ptruco.arena.journal import Journal
    from p2ptruco.cli.choices import printable

    if options["resume"] is None:
        yield None
        return
    with _readable(options):
        opened = Journal(Path(options["resume"]), plan)
    if opened.damaged:
        sentence = _("{name} is damaged from line {line} on. What follows is played again.")
        tell(sentence.format(name=printable(options["resume"]), line=opened.damaged))
    with opened as journal:
        yield journal


@contextmanager
def _readable(options: Options) -> Iterator[None]:
    """A file to go on from that the system refuses, as a Failure."""
    from p2ptruco.cli.choices import printable
    from p2ptruco.ui.reasons import system

    try:
        yield
    except OSError as error:
        sentence = _("{name} cannot be used: {reason}")
        message = sentence.format(name=printable(options["resume"]), reason=system(error))
        raise Failure("unreadable", message, WRONG_USE) from error


def keep(arena: Arena) -> str | None:
    """Where a stopped arena is kept, and what to say about it; None if it is not."""
    if arena.journal is None and not arena.pairs:
        return None
    try:
        path = _new_journal(arena) if arena.journal is None else arena.journal.path
    except Failure as failure:
        tell(failure.message)
        return None
    except OSError as error:
        tell(refusal(error))
        return None
    tell(_("Stopped. To go on: p2ptruco arena --resume {path}").format(path=path))
    return str(path)


def _new_journal(arena: Arena) -> Path:
    from p2ptruco.arena.journal import Journal
    from p2ptruco.cli import home as folder
    from p2ptruco.store.home import home

    with folder.faults_told():
        path = home() / f"arena-{secrets.token_hex(4)}.jsonl"
    with Journal(path, arena.plan) as journal:
        journal.add(arena.batch())
    return path
