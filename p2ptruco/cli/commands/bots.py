"""`p2ptruco bots`: who can be seated."""

from __future__ import annotations

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, table
from p2ptruco.ui.words import _


@make("bots", example="p2ptruco bots")
def command(as_json: bool) -> None:
    """One line a bot: its name, its title, whose it is."""
    from p2ptruco.hooks import shelf

    bots = list(shelf().bots.values())
    if as_json:
        keys = ("name", "title", "plugin", "version")
        emit({"bots": [{key: getattr(bot, key) for key in keys} for bot in bots]})
    else:
        rows = [(bot.name, bot.title, f"{bot.plugin} {bot.version}") for bot in bots]
        say(table(rows) if rows else _("No plugin offers a bot."))
