"""What is said to a person about their own program: codes in, sentences out."""

from __future__ import annotations

from collections.abc import Mapping

from p2ptruco.ui.reasons import refused, stopped
from p2ptruco.ui.words import N_, _

NOTICES = {
    "waiting_for_host": N_("Waiting for the host, who has not opened the next lobby yet."),
    "stopped_in_lobby": N_("Stopped in the lobby: no match was begun."),
    "looking": N_("Looking for tables on this network ..."),
    "no_table_yet": N_("No table yet: is the host in a lobby, on this network? Still looking."),
    "network_changed": N_("Your network has changed: looking again."),
    "not_remembered": N_("Whom you meet here is not remembered: {reason}."),
}


def notice(code: str, about: Mapping[str, str]) -> str:
    """The sentence of a `Notice`: one of these, or why something that was tried cannot be done."""
    if code not in NOTICES:
        return stopped(code, about)
    errno = about.get("errno")
    reason = "" if errno is None else refused(int(errno))
    return _(NOTICES[code]).format(reason=reason)
