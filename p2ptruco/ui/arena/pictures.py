"""Pictures of a standing, drawn here as SVG: they need nothing from elsewhere.

Colours come from the page's style sheet, or are mixed: blue for the stronger side, orange for the
weaker. Nothing is said by a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2ptruco.arena.standing import Standing
from p2ptruco.ui.arena.markup import Markup, element, joined, text
from p2ptruco.ui.arena.numbers import decimal, percent
from p2ptruco.ui.arena.text import ranked, rate_table
from p2ptruco.ui.words import _

CELL, LINE, NAMES, WIDE, LETTER = 64, 30, 150, 720, 8
LONGEST_NAME = 18
STRONG, EVEN, WEAK = (37, 99, 235), (241, 245, 249), (234, 120, 30)
NARROWEST = 460
SVG = "http://www.w3.org/2000/svg"


def matrix(standing: Standing) -> Markup:
    """Bots against bots: the share of matches that the row won, as colour and number."""
    order = [entrant.name for entrant in ranked(standing)]
    rates = rate_table(standing)
    parts = []
    for y, row in enumerate(order):
        top = CELL * (y + 1)
        parts.append(_label(NAMES - 8, top + CELL / 2, row, "end"))
        parts.append(_label(NAMES + CELL * (y + 0.5), CELL - 14, row, "middle", short=8))
        for x, column in enumerate(order):
            if x != y:
                parts.append(_cell(NAMES + CELL * x, top, row, column, rates.get((row, column))))
    side = CELL * len(order)
    return _svg(NAMES + side, CELL + side, _("Win matrix"), parts)


def _cell(x: float, y: float, row: str, column: str, rate: float | None) -> Markup:
    red, green, blue = _colour(0.5 if rate is None else rate)
    dark = 0.3 * red + 0.59 * green + 0.11 * blue < 140
    number = decimal(None if rate is None else 100 * rate, 0)
    ink = "#fff" if dark else "#111"
    size = CELL - 4
    fill = f"rgb({red},{green},{blue})"
    return element(
        "g",
        element("title", text(f"{row} – {column}: {percent(rate)}")),
        element("rect", x=x + 2, y=y + 2, width=size, height=size, rx=6, fill=fill),
        _label(x + CELL / 2, y + CELL / 2, number, "middle", ink=ink),
    )


def _colour(rate: float) -> tuple[int, int, int]:
    far = STRONG if rate > 0.5 else WEAK
    share = abs(rate - 0.5) * 2
    red, green, blue = (
        int(near + (end - near) * share) for near, end in zip(EVEN, far, strict=True)
    )
    return red, green, blue


def ratings(standing: Standing) -> Markup:
    """Each bot's rating as a point, its 95 % interval as a line."""
    rows = [
        (entrant.name, mu, low, high, decimal(mu, 0, plus=True))
        for entrant in ranked(standing)
        for mu, _, low, high in [entrant.rating]
    ]
    low = min(row[2] for row in rows)
    high = max(row[3] for row in rows)
    return _whiskers(_("Ratings"), rows, low, high, ())


def rates(standing: Standing) -> Markup:
    """Each match-up's rate as a point, its 95 % interval as a line; the middle is even."""
    names = [entrant.name for entrant in standing.entrants]
    rows = [
        (f"{names[duel.a]} – {names[duel.b]}", rate, *duel.interval, percent(rate))
        for duel in standing.duels
        if (rate := duel.rate) is not None
    ]
    return _whiskers(_("Matches won"), rows, 0.0, 1.0, (0.5,))


Row = tuple[str, float, float, float, str]


def _whiskers(
    name: str, rows: Sequence[Row], low: float, high: float, marks: Sequence[float]
) -> Markup:
    """Rows of (name, point, from, to, text) on one scale."""
    longest = max((len(row[0]) for row in rows), default=0)
    left, right = 24 + LETTER * min(longest, 2 * LONGEST_NAME), WIDE - 70
    scale = (right - left) / ((high - low) or 1)
    tall = LINE * (len(rows) + 1)

    def at(value: float) -> float:
        return round(left + (value - low) * scale, 1)

    parts = [_line("mark", at(mark), at(mark), 4, tall - 4) for mark in marks]
    for place, (label, point, start, end, told) in enumerate(rows):
        y = LINE * (place + 1)
        parts += [
            _label(left - 12, y, label, "end", short=2 * LONGEST_NAME),
            _line("span", at(start), at(end), y, y),
            element("circle", class_="point", cx=at(point), cy=y, r=5),
            _label(right + 12, y, told, "start"),
        ]
    return _svg(WIDE, tall, name, parts)


def _line(style: str, x1: float, x2: float, y1: float, y2: float) -> Markup:
    return element("line", class_=style, x1=x1, x2=x2, y1=y1, y2=y2)


def _label(
    x: float, y: float, name: str, anchor: str, short: int = LONGEST_NAME, ink: str = ""
) -> Markup:
    shown = name if len(name) <= short else name[: short - 1] + "…"
    style = {"style": f"fill:{ink}"} if ink else {}
    middle = "central"
    return element(
        "text", text(shown), x=x, y=y, text_anchor=anchor, dominant_baseline=middle, **style
    )


def _svg(width: float, height: float, name: str, parts: Iterable[Markup]) -> Markup:
    box = f"0 0 {width:.0f} {height:.0f}"
    style = f"max-width:{width:.0f}px;min-width:{min(width, NARROWEST):.0f}px"
    return element(
        "svg", joined(*parts), viewBox=box, style=style, role="img", aria_label=name, xmlns=SVG
    )
