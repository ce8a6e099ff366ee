"""`p2ptruco train`: learn what mestre knows again, from a seed."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure
from p2ptruco.cli.output import emit, say, tell
from p2ptruco.cli.progress import clock
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.arena.train.families import Family

SMALL = 50
"""Thousands of hands of the small setting."""


@make(
    "train",
    example="p2ptruco train --small\np2ptruco train vira-1-3-6-9-12-2 --out tables --seed 7",
)
@click.argument("families", nargs=-1)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default="tables", show_default=True,
    help=_("The folder of the tables."),
)  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help=_("The chance of training."))
@click.option("--small", is_flag=True, help=_("A short training of one table, to try it out."))
@click.option(
    "--hands", type=click.IntRange(1000), help=_("Hands to train for, instead of the setting's.")
)
@click.option(
    "--response/--no-response",
    default=True,
    help=_("Seek a best response too, and say how much it takes."),
)
def command(
    families: tuple[str, ...],
    out: Path,
    seed: int,
    small: bool,
    hands: int | None,
    response: bool,
    as_json: bool,
) -> None:
    """One table after another; a table that is there already is kept, so that it can be resumed."""
    from p2ptruco.arena.train.families import FAMILIES
    from p2ptruco.arena.train.solver import NotBuilt
    from p2ptruco.arena.train.training import train

    unknown = [name for name in families if name not in FAMILIES]
    if unknown:
        sentence = _("There is no family {name}. There are: {names}.")
        message = sentence.format(name=unknown[0], names=", ".join(FAMILIES))
        raise Failure("unknown_family", message, WRONG_USE)
    names = families or tuple(FAMILIES)[: 1 if small else None]
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in names:
        family, path = FAMILIES[name], out / f"{name}.xz"
        if path.exists():
            tell(_("{name}: it is there already").format(name=path))
            continue
        count = hands or 1000 * (SMALL if small else family.hands)
        bar = Bar(name)
        try:
            trained = train(family, seed, count, count // 2 if response else 0, bar.show)
        except NotBuilt as reason:
            raise Failure("not_built", _not_built(str(reason)), FAILED) from reason
        finally:
            bar.close()
        path.write_bytes(trained.packed)
        rows.append(_row(family, str(path), trained, bar.seconds))
        if not as_json:
            say(_sentence(rows[-1]))
    if as_json:
        emit({"seed": seed, "tables": rows})


class Bar:
    """How far a training is: on a terminal one line that changes, elsewhere nothing."""

    def __init__(self, name: str) -> None:
        self._name, self._began, self._width = name, time.monotonic(), 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def show(self, what: str, done: int, total: int) -> None:
        """Tell it."""
        if not sys.stderr.isatty():
            return
        full = 30 * done // total
        left = clock(self.seconds * (total - done) / done)
        text = f"{self._name}  {what:8}  [{'#' * full}{'.' * (30 - full)}]  {left}"
        click.echo("\r" + text.ljust(self._width), err=True, nl=False)
        self._width = len(text)

    def close(self) -> None:
        """Clear the line."""
        if self._width:
            click.echo("\r" + " " * self._width + "\r", err=True, nl=False)


def _row(family: Family, path: str, trained: Any, seconds: float) -> dict[str, Any]:
    return {
        "family": family.name,
        "path": path,
        "bytes": len(trained.packed),
        "situations": trained.situations,
        "exploited": trained.exploited,
        "error": trained.error,
        "seconds": seconds,
    }


def _sentence(row: dict[str, Any]) -> str:
    text = _("{path}: {situations} situations, {bytes} bytes, {seconds:.0f} s").format(**row)
    if row["exploited"] is None:
        return text
    told = _("; the best response found takes {exploited:.3f} ± {error:.3f} points a hand")
    return text + told.format(**row)


def _not_built(reason: str) -> str:
    if reason == "cffi":
        return _("Training needs the extra: pip install 'p2ptruco[train]'.")
    return _("The solver cannot be compiled; is there a C compiler? {reason}").format(reason=reason)
