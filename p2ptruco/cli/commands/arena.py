"""`p2ptruco arena BOT BOT …`: which bot is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import DONE, FAILED
from p2ptruco.cli.output import emit, say, table, tell
from p2ptruco.ui.reasons import refusal
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.arena.contest import Arena
    from p2ptruco.arena.standing import Standing


@make(
    "arena",
    example="p2ptruco arena zap random\n"
    "p2ptruco arena zap ./mine.py --pairs 1000 --report arena.html\n"
    "p2ptruco arena --gauntlet ./mine.py zap random --pairs 5000 --sprt 50 55",
)
@click.argument("bots", nargs=-1)
@click.option(
    "--pairs", type=click.IntRange(1), help=_("Pairs of matches a match-up. Default: 100.")
)
@click.option("--gauntlet", metavar="BOT", help=_("This bot meets all others; they do not meet."))
@click.option(
    "--sprt",
    nargs=2,
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar=_("LOW HIGH"),
    help=_("End a match-up once it is clear which percentage of matches its first bot wins."),
)
@click.option("--seats", type=int, help=_("How many sit down; a team is one bot. Default: 2."))
@click.option(
    "--variant",
    help=_("The rules to play by: a name or a file, toggles after it. Default: mineiro."),
)
@click.option("--seed", type=int, help=_("The chance of deals and bots. Default: a new one."))
@click.option(
    "--budget", type=click.IntRange(1), help=_("Milliseconds for a decision. Default: 1000.")
)
@click.option(
    "--memory",
    type=click.IntRange(0),
    help=_("Megabytes for a process that plays, 0 for no limit. Default: 2048."),
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), help=_("Matches at a time. Default: one a core.")
)
@click.option("--dask", help=_("Play on the Dask cluster whose scheduler is there."))
@click.option("--csv", type=click.Path(), help=_("Write every match to this file."))
@click.option("--report", type=click.Path(), help=_("Write a page with pictures to this file."))
@click.option(
    "--resume", type=click.Path(), help=_("Keep what is played in this file and go on from it.")
)
def command(as_json: bool, **options: Any) -> int:
    """The standing, also of an arena that was stopped."""
    from p2ptruco.cli.choices import check_folder
    from p2ptruco.cli.contest import keep, play

    for option in ("csv", "report", "resume"):
        check_folder(options[option])
    arena, status = play(options)
    standing = arena.standing()
    answer = standing.as_object()
    if status != DONE:
        answer["resume"] = keep(arena)
    written = _write_files(options, arena, standing)
    if as_json:
        emit(answer)
    else:
        for line in lines(standing):
            say(line)
    return status or written


def lines(standing: Standing) -> Iterator[str]:
    """The standing as text: bots, match-ups, faults, and of several bots who beats whom."""
    from p2ptruco.ui.arena import text

    yield text.title(standing)
    yield "\n" + table(text.entrants(standing))
    yield "\n" + table(text.duels(standing))
    if standing.faults:
        yield "\n" + "\n".join(text.first_faults(standing))
    if len(standing.entrants) > 2:
        yield "\n" + table(text.matrix(standing))
    yield "\n" + text.closing(standing)


def _write(path: Path, content: bytes) -> None:
    """A file, whole or as it was before; into a pipe, a device or what a link names, as it goes."""
    from p2ptruco.disk import ANYBODY, write_whole

    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_bytes(content)
    else:
        write_whole(path, content, ANYBODY)


def _write_files(options: Mapping[str, Any], arena: Arena, standing: Standing) -> int:
    """Write what was asked for; what cannot be written is said, and costs nobody the standing.
    DONE, or FAILED where something could not."""
    from p2ptruco.arena.rows import as_csv
    from p2ptruco.ui.arena.page import page

    texts: dict[str, Callable[[], str]] = {
        "csv": lambda: as_csv(arena.names, arena.pairs),
        "report": lambda: page(standing),
    }
    status = DONE
    for option, text in texts.items():
        if options[option]:
            try:
                content = text().encode(errors="backslashreplace")  # a path need not be UTF-8
                _write(Path(options[option]), content)
            except OSError as error:
                status = FAILED
                tell(refusal(error))
    return status
