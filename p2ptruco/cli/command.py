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
