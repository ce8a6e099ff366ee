"""`p2ptruco matches`: the matches played on this machine, each with its record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import WRONG_USE, Failure
from p2ptruco.cli.output import emit, say, table
from p2ptruco.cli.wanted import Wanted
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.store.kept import Kept

ACTIONS = ("list", "verify", "replay", "export", "delete")


@make(
    "matches",
    example="p2ptruco matches\np2ptruco matches verify 1\np2ptruco matches export 1 match.trec",
)
@click.argument("action", type=click.Choice(ACTIONS), default="list")
@click.argument("number", type=int, required=False)
@click.argument("file", type=click.Path(), required=False)
@click.pass_context
def command(
    ctx: click.Context, action: str, number: int | None, file: str | None, as_json: bool
) -> Any:
    """Newest first, from 1."""
    kept = found()
    if action == "list":
        return _list(kept, as_json)
    if action in ("export", "delete") and number is None:
        raise Failure("usage", _("Name the match by its number."), WRONG_USE)
    chosen = _chosen(kept, number)
    if action in ("verify", "replay"):
        return _pass_on(ctx, action, chosen, as_json)
    return _export(chosen, file, as_json) if action == "export" else _delete(chosen, as_json)


def found() -> list[Kept]:
    """The records of the data folder, newest first."""
    from p2ptruco.cli.home import faults_told
    from p2ptruco.store.kept import kept

    with faults_told():
        return list(kept())


def _list(kept: list[Kept], as_json: bool) -> None:
    if as_json:
        emit({"matches": [one._asdict() | {"path": str(one.path)} for one in kept]})
    elif kept:
        rows = [(str(k.number), f"{k.played} UTC", k.variant, str(k.path)) for k in kept]
        say(table(rows))
    else:
        say(_("No match has been played yet: p2ptruco demo, play, host or join."))


def _chosen(kept: list[Kept], number: int | None) -> Kept:
    wanted = 1 if number is None else number
    for one in kept:
        if one.number == wanted:
            return one
    sentence = _("There is no match {number}; p2ptruco matches lists them.")
    raise Failure("no_match", sentence.format(number=wanted), WRONG_USE)


def _pass_on(ctx: click.Context, action: str, chosen: Kept, as_json: bool) -> Any:
    from p2ptruco.cli.root import root

    arguments = [action, str(chosen.path), *(["--json"] if as_json else [])]
    wanted = ctx.find_object(Wanted)
    return root.main(arguments, "p2ptruco", standalone_mode=False, obj=wanted)


def _export(chosen: Kept, file: str | None, as_json: bool) -> None:
    from p2ptruco.cli.choices import check_folder, printable, unwritten
    from p2ptruco.cli.records import unreadable
    from p2ptruco.disk import write_copy
    from p2ptruco.ui.reasons import system

    if not file:
        raise Failure("usage", _("Name the file to export to."), WRONG_USE)
    check_folder(file)
    try:
        content = chosen.path.read_bytes()
    except OSError as error:
        raise unreadable(str(chosen.path), error) from error
    try:
        write_copy(Path(file), content)
    except FileExistsError as error:
        sentence = _("{name} is there already; choose another name.")
        raise Failure("file_exists", sentence.format(name=printable(file)), WRONG_USE) from error
    except OSError as error:
        raise unwritten(system(error)) from error
    if as_json:
        emit({"exported": file})
    else:
        say(_("Exported to {path}").format(path=file))


def _delete(chosen: Kept, as_json: bool) -> None:
    chosen.path.unlink(missing_ok=True)
    if as_json:
        emit({"deleted": str(chosen.path)})
    else:
        say(_("Deleted {path}").format(path=chosen.path))
