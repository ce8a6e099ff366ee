"""Numbers as the language spoken writes them."""

from __future__ import annotations

from p2ptruco.ui.words import spoken


def decimal(number: float | None, places: int, plus: bool = False) -> str:
    """A number with so many places, a sign if wanted; a dash for none."""
    if number is None:
        return "–"
    text = f"{number:+.{places}f}" if plus else f"{number:.{places}f}"
    return text.replace("-", "−").replace(".", "," if spoken() == "pt-BR" else ".")


def percent(share: float | None) -> str:
    """A share from 0 to 1."""
    return decimal(None if share is None else 100 * share, 1) + " %"


def milliseconds(ms: float | None) -> str:
    """A time with two significant digits or so."""
    places = 0 if ms is None or ms >= 100 else 1 if ms >= 1 else 3
    return decimal(ms, places)
