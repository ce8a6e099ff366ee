"""A standing as one HTML file that needs no other: pictures, tables, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from p2ptruco.arena.standing import Standing
from p2ptruco.ui.arena import pictures, text
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
svg { display: block; width: 100%; min-width: 30rem; height: auto; font-size: 13px }
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


def page(standing: Standing) -> str:
    """The whole file."""
    heading = " · ".join(entrant.name for entrant in text.ranked(standing))
    parts = [
        f"<h1>{escape(heading)}</h1>",
        f"<p>{escape(text.title(standing))}</p>",
        f"<p>{escape(text.closing(standing))}</p>",
        *_stopped(standing),
        *_pictures(standing),
        *_tables(standing),
        *_faults(standing),
    ]
    return (
        f'<!doctype html>\n<html lang="{spoken()}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading)}</title>\n<style>{STYLE}</style>\n" + "\n".join(parts) + "\n"
    )


def _stopped(standing: Standing) -> Iterator[str]:
    if standing.stopped:
        told = _("Stopped before the end.")
        yield f"<p>{escape(told)}</p>"


def _pictures(standing: Standing) -> Iterator[str]:
    yield _section(
        _("Matches won"),
        _("By the first of the two; the line holds the truth 19 times in 20."),
        _wide(pictures.rates(standing)),
    )
    yield _section(
        _("Ratings"),
        _("openskill; the line is two sigmas to either side."),
        _wide(pictures.ratings(standing)),
    )
    yield _section(
        _("Win matrix"),
        _("How many of 100 matches the bot of the row won."),
        _wide(pictures.matrix(standing)),
    )


def _tables(standing: Standing) -> Iterator[str]:
    yield _section(_("Match-ups"), "", _table(text.duels(standing)))
    yield _section(_("Bots"), "", _table(text.entrants(standing)))


def _section(title: str, note: str, content: str) -> str:
    said = f"<p>{escape(note)}</p>" if note else ""
    return f"<h2>{escape(title)}</h2>{said}{content}"


def _wide(content: str) -> str:
    """What scrolls by itself where the page is narrow."""
    return f"<div class=wide>{content}</div>"


def _table(rows: text.Rows) -> str:
    head, *body = rows
    lines = [f"<tr>{''.join(f'<th>{escape(cell)}' for cell in head)}"]
    lines += [f"<tr>{''.join(f'<td>{escape(cell)}' for cell in row)}" for row in body]
    return _wide(f"<table>{''.join(lines)}</table>")


def _faults(standing: Standing) -> Iterator[str]:
    if not standing.faults:
        return
    told = []
    for fixture, fault in standing.faults:
        name = _("{bot}, {fault}: against {other}, pair {pair}, leg {leg}").format(
            bot=standing.entrants[fault.entrant].name,
            other=standing.entrants[fixture.other(fault.entrant)].name,
            fault=_(text.FAULTS[fault.kind]),
            pair=fixture.pair + 1,
            leg=fixture.leg + 1,
        )
        detail = escape(fault.detail) or "–"
        told.append(f"<details><summary>{escape(name)}</summary><pre>{detail}</pre></details>")
    yield _section(_("Faults"), "", "\n".join(told))
