"""The ticket to a table, as lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from p2ptruco.app.events import Invitation
from p2ptruco.ui.words import _


def lines(invitation: Invitation) -> Iterator[str]:
    """The ticket, at a terminal also as a picture for a telephone's camera, and what to do."""
    if invitation.moved:
        yield _("The network has changed: this table is found by another ticket now.")
    if sys.stdout.isatty():
        yield from _picture(invitation.ticket).splitlines()
    yield _("Ticket: {ticket}").format(ticket=invitation.ticket)
    if invitation.reach == "machine":
        yield _("There is no network: only this machine can reach the table.")
    elif invitation.private:
        yield _("The others type: p2ptruco join TICKET")
    else:
        yield _("The others type: p2ptruco join (on this network), or p2ptruco join TICKET")


def _picture(text: str) -> str:
    import io

    import segno

    picture = io.StringIO()
    segno.make(text, error="m").terminal(picture, compact=True, border=1)
    return picture.getvalue().rstrip("\n")
