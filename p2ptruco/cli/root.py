"""`p2ptruco` itself: a table of commands, each imported when it is named."""

from __future__ import annotations

from importlib import import_module

import click

from p2ptruco.cli.choices import meant, printable
from p2ptruco.cli.command import SETTINGS, common, shown
from p2ptruco.ui.words import _

COMMANDS = {
    "play": "play",
    "host": "host",
    "join": "join",
    "tables": "tables",
    "matches": "matches",
    "demo": "demo",
    "verify": "verify",
    "replay": "replay",
    "judge": "judge",
    "variants": "variants",
    "bots": "bots",
    "plugins": "plugins",
    "new": "new",
    "check": "check",
    "identity": "identity",
    "arena": "arena",
    "bench": "bench",
}
"""Command → its module in this package, in the order of the help page."""


class Commands(click.Group):
    """A group whose commands are imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f"p2ptruco.cli.{COMMANDS[cmd_name]}").command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            unknown = _("There is no command {name}.").format(name=printable(args[0]))
            raise click.UsageError(unknown + meant(args[0], COMMANDS), ctx)
        return super().resolve_command(ctx, args)


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings=SETTINGS,
    help=_("Truco between people who need not trust each other: no server, no dealer."),
    epilog=shown("p2ptruco demo"),
)
@click.version_option(
    package_name="p2ptruco", message="%(prog)s %(version)s", help=_("Print the version.")
)
@common
@click.pass_context
def root(ctx: click.Context) -> None:
    """Print the help page when no command is named."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
