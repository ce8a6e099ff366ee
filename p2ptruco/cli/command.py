"""What every command is made with: `-h`, an example, and the options that they all have."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from p2ptruco.cli.streams import answers_only
from p2ptruco.ui.words import LANGUAGES, N_, _

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}

Function = Callable[..., Any]
TERMINAL, JSONL, WEB = "terminal", "jsonl", "web"


STRONGEST = "mestre"
"""The bot that sits down where nobody says which, if it is there (`choices.strongest`)."""

SUMMARIES = {
    "play": N_("Play against bots, with the same cryptography as against people."),
    "host": N_("Open a table, wait for the others in a lobby, and play."),
    "join": N_("Join a table by its ticket (-: from standard input), or one on this network."),
    "web": N_("Open the start page in a browser: play, host, join, and the matches played."),
    "tables": N_("List the tables on this network."),
    "matches": N_("List the matches played; verify, replay, export or delete one (1 is the last)."),
    "demo": N_("Play a match between bots that trust nobody, and verify it."),
    "verify": N_(
        "Verify a record (-: standard input): every signature, rule, shuffle and token. Exit "
        "status 0: it holds, as far as it goes; 1: it does not; 2: it is no record."
    ),
    "replay": N_("Write every hand of a record in the notation of judge."),
    "judge": N_("Referee a hand written in the notation (-: standard input)."),
    "variants": N_("List the variants of the rules, or one, toggle by toggle."),
    "bots": N_("List the bots that can be seated."),
    "plugins": N_("List the plugins, and what is wrong with them."),
    "new": N_("Start a plugin of your own."),
    "check": N_("Check a bot or a variant."),
    "identity": N_("Show the identity by which others know you."),
    "arena": N_(
        "Play bots (names or files) against each other, every deal twice with the seats "
        "swapped, and say which one is better and how sure that is."
    ),
    "bench": N_("Measure this machine."),
    "train": N_("Learn the tables of the bot mestre again, from a seed."),
}
"""Every command and what it does, in the order of the help page."""


def summary(name: str) -> str:
    """What a command does, in the language spoken."""
    return _(SUMMARIES[name])


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


def command(
    name: str, *, example: str, help: str | None = None, json: bool = True
) -> Callable[[Function], Any]:
    """A command, `help` what it does if `SUMMARIES` does not say it; with `json` its function takes
    `as_json`."""

    def make(function: Function) -> click.Command:
        made = common(_answering(function) if json else function)
        if json:
            text = _("Print one JSON object.")
            made = click.option("--json", "as_json", is_flag=True, help=text)(made)
        kind = click.command(
            name, help=help or summary(name), epilog=shown(example), context_settings=SETTINGS
        )
        return kind(made)

    return make


def _answering(function: Function) -> Function:
    """With `as_json`, or another program as the face, nothing but the answer reaches standard
    output while the function runs."""

    @wraps(function)
    def run(*words: Any, as_json: bool, **options: Any) -> Any:
        for_programs = as_json or options.get("front") == JSONL
        with answers_only() if for_programs else nullcontext():
            return function(*words, as_json=as_json, **options)

    return run


# Options that several commands have, with one sentence each.


def seats(default: int) -> Callable[[Function], Function]:
    """`--seats`: the size of the table."""
    text = _("How many sit down.")
    return click.option("--seats", type=int, default=default, show_default=True, help=text)


def variant(function: Function) -> Function:
    """`--variant`: a name or a file, toggles after it."""
    text = _("The rules to play by: a name or a file, toggles after it.")
    return click.option("--variant", default="mineiro", show_default=True, help=text)(function)


def bots(default: str | None) -> Callable[[Function], Function]:
    """`--bots`: a list, repeated if it is shorter than the seats; None: the strongest there is."""
    text = _("Who plays: names or files, repeated if they are fewer than the seats.")
    return click.option("--bots", default=default, show_default=default or STRONGEST, help=text)


def seed(function: Function) -> Function:
    """`--seed` of the bots' chance."""
    text = _("The bots' chance, never the deal's. Default: a new one.")
    return click.option("--seed", help=text)(function)


@dataclass(frozen=True, slots=True)
class Front:
    """Who shows the match and hears the person. `address`: where a page is served; `browser`:
    whether a browser is opened."""

    kind: str
    address: str
    browser: bool


def page(function: Function) -> Function:
    """`--page` and `--no-browser`."""
    place = click.option(
        "--page",
        "address",
        default="127.0.0.1",
        show_default=True,
        help=_("Where the page is served, on this machine only; a port may follow (:8080)."),
    )
    opened = click.option(
        "--no-browser", "unopened", is_flag=True, help=_("Open no browser; print the address only.")
    )
    return place(opened(function))


def front(function: Function) -> Function:
    """`--front`, and `--web` for one of its values; the function takes them as `front`."""

    @wraps(function)
    def run(*words: Any, front: str, web: bool, address: str, unopened: bool, **rest: Any) -> Any:
        kind = WEB if web else front
        return function(*words, front=Front(kind, address, not unopened), **rest)

    chosen = click.option(
        "--front",
        type=click.Choice([TERMINAL, JSONL, WEB]),
        default=TERMINAL,
        show_default=True,
        help=_("What shows the match: this terminal, a program (protocol/front.md), a browser."),
    )
    short = click.option("--web", is_flag=True, help=_("A browser shows it: --front web."))
    return chosen(short(page(run)))


def recorded(function: Function) -> Function:
    """`--record` and `--no-record`."""
    place = click.option(
        "--record", type=click.Path(), help=_("Where the record goes. Default: the data folder.")
    )
    return place(click.option("--no-record", is_flag=True, help=_("Keep no record."))(function))
