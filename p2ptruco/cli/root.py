"""`p2ptruco` itself: a table of commands, each imported when it is named."""

from __future__ import annotations

from importlib import import_module

import click

from p2ptruco.cli.command import SETTINGS, SUMMARIES, common, shown, summary
from p2ptruco.ui.words import _


class Commands(click.Group):
    """A group whose commands are imported one by one, and none for the help page."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUMMARIES:
            return None
        found = import_module(f"p2ptruco.cli.commands.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rest = formatter.width - 6 - max(map(len, SUMMARIES))
        short = [(name, _short(name, rest)) for name in SUMMARIES]
        with formatter.section(_("Commands")):
            formatter.write_dl(short)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in SUMMARIES and not args[0].startswith("-"):
            from p2ptruco.cli.choices import meant, printable

            unknown = _("There is no command {name}.").format(name=printable(args[0]))
            raise click.UsageError(unknown + meant(args[0], SUMMARIES), ctx)
        return super().resolve_command(ctx, args)


def _short(name: str, width: int) -> str:
    """What a command does, cut to a line."""
    return click.Command(name, help=summary(name)).get_short_help_str(width)


def _print_version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from p2ptruco import __version__

        click.echo(f"p2ptruco {__version__}")
        ctx.exit()


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings=SETTINGS,
    help=_("Truco between people who need not trust each other: no server, no dealer."),
    epilog=shown("p2ptruco demo"),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help=_("Print the version."),
)
@common
@click.pass_context
def root(ctx: click.Context) -> None:
    """Print the help page when no command is named."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
