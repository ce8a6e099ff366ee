"""One seat of a demo: as every seat of a bot, and seat 0 tells the story of the match in words.

`python -m p2ptruco.cli.seat`; the rest is in `p2ptruco.app.seat`.
"""

from __future__ import annotations

from collections.abc import Callable

from p2ptruco.app.seat import Plan, main, tell, unwatched
from p2ptruco.table.table import Table
from p2ptruco.ui.terminal.story import Stories
from p2ptruco.ui.words import speak


def watched(plan: Plan, table: Table) -> Callable[[], None]:
    """Seat 0 tells what is new."""
    if plan.seat:
        return unwatched(plan, table)
    speak(plan.language)
    stories = Stories()

    def changed() -> None:
        if new := stories.news(table.hands, table.hand):
            tell({"story": new})

    return changed


if __name__ == "__main__":
    main(watched)
