"""Why a command or an answer cannot be carried out, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2ptruco.ui.words import N_

REFUSED: Final[Mapping[str, str]] = {
    "not_now": N_("That cannot be done now."),
    "no_such_choice": N_("This is none of the choices."),
    "private_table": N_("This table is private: type its ticket."),
    "no_such_table": N_("There is no such table."),
    "not_ready": N_("Not everybody is here and ready."),
    "no_such_seat": N_("There is no such seat."),
    "seat_taken": N_("Somebody sits there already."),
    "nobody_there": N_("There is nobody to turn away by that name or seat."),
    "no_free_seat": N_("There is no free seat for it."),
    "no_bot_there": N_("There is no bot of yours in that seat."),
    "unknown_bot": N_("There is no bot of that name."),
    "no_partner": N_("You have no partner at this table."),
    "too_long": N_("This line is too long."),
    "no_object": N_("This line is no JSON object."),
    "unknown_command": N_("There is no such command, or a value of it is wrong."),
    "unknown_language": N_("This language is not spoken here."),
}
"""Why a command cannot be carried out, by code."""
