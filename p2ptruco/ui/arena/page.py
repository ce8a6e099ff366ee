"""A standing as one HTML file that needs no other: pictures, tables, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.arena.standing import Standing
from p2ptruco.ui.arena import pictures
from p2ptruco.ui.arena import text as rows
from p2ptruco.ui.arena.markup import Markup, element, joined, text
from p2ptruco.ui.words import _, spoken

STYLE = """
:root { color-scheme: light dark; --ink: #14181f; --paper: #fbfbfa; --soft: #6b7280;
  --line: #d8dce2; --strong: #2563eb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --paper: #15181d; --soft: #9aa3af;
  --line: #343a43; --strong: #6ea1ff; } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 50rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem }
p { margin: .25rem 0; color: var(--soft) }
.wide { overflow-x: auto }
svg { display: block; width: 100%; height: auto; font-size: 13px }
svg text { fill: var(--ink) }
.span { stroke: var(--strong); stroke-width: 3; stroke-linecap: round }
.point { fill: var(--strong) } .mark { stroke: var(--line); stroke-width: 1.5 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid var(--line);
  white-space: nowrap }
th { font-weight: 600; color: var(--soft) } th:first-child, td:first-child { text-align: left }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px;
  font-size: 13px }
summary { cursor: pointer }
"""


PREFACE = Markup("<!doctype html>\n")
METAS = Markup(
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
)


def page(standing: Standing) -> str:
    """The whole file."""
    heading = " · ".join(entrant.name for entrant in rows.ranked(standing))
    head = element("head", METAS, element("title", text(heading)), element("style", Markup(STYLE)))
    body = element(
        "body",
        element("h1", text(heading)),
        *(element("p", text(said)) for said in _said(standing)),
        *_pictures(standing),
        *_tables(standing),
        *_faults(standing),
    )
    return joined(PREFACE, element("html", head, body, lang=spoken()), Markup("\n"))


def _said(standing: Standing) -> Iterator[str]:
    yield rows.title(standing)
    yield rows.closing(standing)
    if standing.stopped:
        yield _("Stopped before the end.")


def _pictures(standing: Standing) -> Iterator[Markup]:
    yield from _section(
        _("Ratings"),
        _("400 points are odds of ten to one. The line is the confidence interval of 95 %."),
        _wide(pictures.ratings(standing)),
    )
    yield from _section(
        _("Matches won"),
        _("By the first of the two, with the confidence interval of 95 %."),
        _wide(pictures.rates(standing)),
    )
    yield from _section(
        _("Win matrix"),
        _("How many of 100 matches the bot of the row won."),
        _wide(pictures.matrix(standing)),
    )


def _tables(standing: Standing) -> Iterator[Markup]:
    yield from _section(_("Bots"), "", _table(rows.entrants(standing)))
    yield from _section(_("Match-ups"), "", _table(rows.duels(standing)))


def _section(title: str, note: str, *content: Markup) -> Iterator[Markup]:
    yield element("h2", text(title))
    if note:
        yield element("p", text(note))
    yield from content


def _wide(content: Markup) -> Markup:
    """What scrolls by itself where the page is narrow."""
    return element("div", content, class_="wide")


def _table(lines: rows.Rows) -> Markup:
    head, *body = lines
    whole = [_row("th", head), *(_row("td", line) for line in body)]
    return _wide(element("table", *whole))


def _row(tag: str, cells: tuple[str, ...]) -> Markup:
    return element("tr", *(element(tag, text(cell)) for cell in cells))


def _faults(standing: Standing) -> Iterator[Markup]:
    if not standing.faults:
        return
    yield from _section(_("Faults"), "")
    for fixture, fault in standing.faults:
        name = _("{bot}, {fault}: against {other}, pair {pair}, leg {leg}").format(
            bot=standing.entrants[fault.entrant].name,
            other=standing.entrants[fixture.other(fault.entrant)].name,
            fault=_(rows.FAULTS[fault.kind]),
            pair=fixture.pair + 1,
            leg=fixture.leg + 1,
        )
        detail = element("pre", text(fault.detail or "–"))
        yield element("details", element("summary", text(name)), detail)
