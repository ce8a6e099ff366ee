"""What every command is made with: `-h`, an example, and the options that they all have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from p2ptruco.ui.words import LANGUAGES, _

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}

Function = Callable[..., Any]


def shown(example: str) -> str:
    """An example, each line as it is typed, under its heading."""
    return "\b\n" + "\n".join((_("Example:"), *(f"  {line}" for line in example.split("\n"))))


def common(function: Function) -> Function:
    """`--lang` and `--verbose`, here and before the command alike."""
    for option in (
        click.option("--verbose", is_flag=True, expose_value=False, help=_("Write a log.")),
        click.option(
            "--lang",
            type=click.Choice(LANGUAGES),
            expose_value=False,
            help=_("The language to speak. Default: the locale's."),
        ),
    ):
        function = option(function)
    return function


def command(name: str, *, help: str, example: str, json: bool = True) -> Callable[[Function], Any]:
    """A command; with `json` its function takes `as_json`."""

    def make(function: Function) -> click.Command:
        made = common(function)
        if json:
            text = _("Print one JSON object.")
            made = click.option("--json", "as_json", is_flag=True, help=text)(made)
        kind = click.command(name, help=help, epilog=shown(example), context_settings=SETTINGS)
        return kind(made)

    return make


# Options that several commands have, with one sentence each.


def seats(default: int) -> Callable[[Function], Function]:
    """`--seats`: the size of the table."""
    text = _("How many sit down.")
    return click.option("--seats", type=int, default=default, show_default=True, help=text)


def variant(function: Function) -> Function:
    """`--variant`: a name or a file, toggles after it."""
    text = _("The rules to play by: a name or a file, toggles after it.")
    return click.option("--variant", default="mineiro", show_default=True, help=text)(function)


def bots(function: Function) -> Function:
    """`--bots`: a list, repeated if it is shorter than the seats."""
    text = _("Who plays: names or files, repeated if they are fewer than the seats.")
    return click.option("--bots", default="zap", show_default=True, help=text)(function)


def seed(function: Function) -> Function:
    """`--seed` of the bots' chance."""
    text = _("The bots' chance, never the deal's. Default: a new one.")
    return click.option("--seed", help=text)(function)


def recorded(function: Function) -> Function:
    """`--record` and `--no-record`."""
    place = click.option(
        "--record", type=click.Path(), help=_("Where the record goes. Default: the data folder.")
    )
    return place(click.option("--no-record", is_flag=True, help=_("Keep no record."))(function))
