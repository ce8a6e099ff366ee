"""`p2ptruco identity`: the key by which others know this machine."""

from __future__ import annotations

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say
from p2ptruco.ui.words import _


@make(
    "identity",
    example="p2ptruco identity",
)
def command(as_json: bool) -> None:
    """Fingerprint, nick, file, and since when."""
    from p2ptruco.cli.home import mine
    from p2ptruco.table.identity import fingerprint

    me = mine()
    shown = fingerprint(me.identity.public)
    if as_json:
        emit({"fingerprint": shown, "nick": me.nick, "path": str(me.path), "created": me.created})
    else:
        say(f"{shown}  {me.nick}")
        say(_("kept in {path} since {created}").format(path=me.path, created=me.created))
