"""`p2ptruco plugins`: what was found, working or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, table
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.hooks import Plugin


@make("plugins", example="p2ptruco plugins")
def command(as_json: bool) -> None:
    """One line a plugin: its name, its version, what it offers or why it does not."""
    from p2ptruco.hooks import shelf

    plugins = shelf().plugins
    if as_json:
        emit({"plugins": [as_object(plugin) for plugin in plugins]})
    else:
        rows = [(plugin.name, plugin.version, offers(plugin)) for plugin in plugins]
        say(table(rows) if rows else _("No plugin is installed."))


def as_object(plugin: Plugin) -> dict[str, object]:
    """A plugin as `--json` prints it."""
    return {
        "name": plugin.name,
        "version": plugin.version,
        "api": plugin.api,
        "bots": list(plugin.bots),
        "variants": list(plugin.variants),
        "error": error_of(plugin),
    }


def error_of(plugin: Plugin) -> str | None:
    """All that is wrong with a plugin, or None."""
    from p2ptruco.ui.reasons import plugin_fault

    return "; ".join(map(plugin_fault, plugin.faults)) or None


def offers(plugin: Plugin) -> str:
    """What a plugin offers, and what is wrong with it."""
    error = error_of(plugin)
    names = ", ".join((*plugin.bots, *plugin.variants))
    return "; ".join(filter(None, (names, error and _("error: {text}").format(text=error))))
