"""Why an arena cannot be played, as sentences."""

from __future__ import annotations

from p2ptruco.ui.reasons import NO_BOT
from p2ptruco.ui.words import N_, _

REASONS = {
    "slow_load": N_("{name} does not load in {seconds} seconds."),
    "load_crashed": NO_BOT["load_crashed"],
    "no_pit": N_("The process that plays matches does not run here. {detail}"),
    "no_journal": N_("{name} is no file of an arena."),
    "journal_in_use": N_("Another arena is writing to {name}; give this one a file of its own."),
    "other_arena": N_("{name} is of another arena; name it alone to go on with that one."),
    "no_dask": N_("Dask is not installed: pip install 'p2ptruco[dask]'"),
    "no_cluster": N_("No Dask scheduler answers at {name}."),
}


def reason(code: str, **values: object) -> str:
    """The sentence of a code of `arena.guard`, `arena.journal` or `arena.cluster`."""
    return _(REASONS[code]).format(**values)
