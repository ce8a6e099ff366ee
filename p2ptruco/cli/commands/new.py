"""`p2ptruco new bot|variant NAME`: a project that installs, is listed, and passes its tests."""

from __future__ import annotations

import re
from pathlib import Path

import click

from p2ptruco.cli.command import SETTINGS, common, summary
from p2ptruco.cli.command import command as make
from p2ptruco.cli.failure import WRONG_USE, Failure
from p2ptruco.cli.output import emit, say
from p2ptruco.ui.words import _, spoken


@click.group("new", help=summary("new"), context_settings=SETTINGS)
@common
def command() -> None:
    """A group of two."""


NAME = click.argument("name")
FOLDER = click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help=_("The folder to write the project into. Default: this one."),
)


@make(
    "bot",
    help=_("Write the project of a bot: it installs with pip, and its tests pass as they stand."),
    example="p2ptruco new bot meu-bot",
)
@NAME
@FOLDER
def bot(name: str, folder: Path, as_json: bool) -> None:
    """A bot that beats chance, to be changed."""
    _write("bot", name, folder, as_json)


@make(
    "variant",
    help=_("Write the project of a variant: it installs with pip, and its tests pass."),
    example="p2ptruco new variant minha-casa",
)
@NAME
@FOLDER
def variant(name: str, folder: Path, as_json: bool) -> None:
    """A variant of some toggles, to be changed."""
    _write("variant", name, folder, as_json)


command.add_command(bot)
command.add_command(variant)


def _write(kind: str, name: str, folder: Path, as_json: bool) -> None:
    from p2ptruco import __version__
    from p2ptruco.templates import fill

    place = folder / _checked(kind, name)
    if place.exists():
        raise Failure("exists", _("There is already {path}.").format(path=place), WRONG_USE)
    module = f"p2ptruco_{kind}_" + re.sub(r"[^a-z0-9]", "_", name)
    values = {"name": name, "module": module, "title": name, "version": __version__}
    texts = fill(kind, spoken(), values)
    for path, text in texts.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    if as_json:
        emit({"name": name, "kind": kind, "path": str(place), "files": list(texts)})
        return
    say(_("{path} is written. Next:").format(path=place))
    for step in (
        f"pip install -e '{place}[test]'",
        f"pytest {place}",
        f"p2ptruco check {kind} {name}",
    ):
        say("  " + step)


def _checked(kind: str, name: str) -> str:
    """A name that a plugin of this kind can have, and its folder and package too."""
    from p2ptruco.hooks import shelf, valid_name

    if not valid_name(name) or name.endswith(("-", "_")):
        sentence = _("{name} is no name: lower-case letters, digits, - and _; 40 at most.")
        raise Failure("bad_name", sentence.format(name=repr(name)), WRONG_USE)
    if name in (shelf().bots if kind == "bot" else shelf().variants):
        raise Failure("name_taken", _("The name {name} is taken.").format(name=name), WRONG_USE)
    return name
