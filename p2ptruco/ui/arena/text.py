"""A standing as rows and sentences, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2ptruco.arena.records import CRASH, ILLEGAL, TIMEOUT
from p2ptruco.arena.sequential import Sequential
from p2ptruco.arena.standing import Duel, Entrant, Standing
from p2ptruco.ui.arena.numbers import decimal, milliseconds, percent
from p2ptruco.ui.words import N_, _, ngettext

Rows = list[tuple[str, ...]]

FAULTS = {TIMEOUT: N_("timeout"), CRASH: N_("crash"), ILLEGAL: N_("illegal")}


def title(standing: Standing) -> str:
    """What was played."""
    plan = standing.plan
    sentence = _("{variant}, {seats} seats, {pairs} pairs, seed {seed}")
    return sentence.format(
        variant=plan.variant.name, seats=plan.seats, pairs=plan.pairs, seed=plan.seed
    )


def duels(standing: Standing) -> Rows:
    """Who won how much against whom, and how sure that is."""
    head = (_("match-up"), _("won"), _("95 % CI"), _("matches"), _("points a hand"), _("95 % CI"))
    tested = (_("test"),) if standing.plan.sprt else ()
    return [(*head, *tested), *(_duel(duel, standing) for duel in standing.duels)]


def _duel(duel: Duel, standing: Standing) -> tuple[str, ...]:
    a, b = (standing.entrants[entrant].name for entrant in (duel.a, duel.b))
    low, high = duel.interval
    return (
        f"{a} – {b}",
        percent(duel.rate),
        between(percent(low), percent(high)),
        f"{duel.wins_a} : {duel.wins_b}",
        decimal(duel.points_per_hand, 2, plus=True),
        between(*(decimal(limit, 2, plus=True) for limit in duel.points_interval or (None, None))),
        *([_taken(duel.sprt)] if duel.sprt else ()),
    )


def _taken(test: Sequential) -> str:
    """Which rate a sequential test has decided for."""
    if test.taken is None:
        return _("open")
    return ("≥ " if test.taken == test.high else "≤ ") + percent(test.taken)


def between(low: str, high: str) -> str:
    """Two limits."""
    return _("{low} to {high}").format(low=low, high=high)


def ranked(standing: Standing) -> list[Entrant]:
    """The bots, the best first."""
    return sorted(standing.entrants, key=lambda entrant: -entrant.rating.mu)


def entrants(standing: Standing) -> Rows:
    """Each bot: rating, matches won, time a decision, faults."""
    head = (
        _("bot"),
        _("rating"),
        _("95 % CI"),
        _("won"),
        _("ms a decision"),
        _("p95"),
        _("faults"),
    )
    return [head, *map(_entrant, ranked(standing))]


def _entrant(entrant: Entrant) -> tuple[str, ...]:
    rating = entrant.rating
    return (
        entrant.name,
        decimal(rating.mu, 0, plus=True),
        between(*(decimal(limit, 0, plus=True) for limit in (rating.low, rating.high))),
        percent(entrant.wins / entrant.games if entrant.games else None),
        milliseconds(entrant.median_ms),
        milliseconds(entrant.p95_ms),
        faults(entrant.faults),
    )


def faults(counts: Mapping[str, int]) -> str:
    """What a bot did wrong, or a dash."""
    told = [f"{_(FAULTS[kind])} {count}" for kind, count in counts.items() if count]
    return ", ".join(told) or "–"


def first_faults(standing: Standing) -> Iterator[str]:
    """Of each bot that did something wrong, what it was the first time; where to read the rest."""
    told: set[int] = set()
    for _fixture, fault in standing.faults:
        if fault.entrant not in told:
            told.add(fault.entrant)
            yield _("{bot}, {fault}: {reason}").format(
                bot=standing.entrants[fault.entrant].name,
                fault=_(FAULTS[fault.kind]),
                reason=_essence(fault.detail),
            )
    if told:
        yield _("More of them, with hands and tracebacks: --json (fault_details), --report FILE.")


def _essence(detail: str) -> str:
    """The line of a detail that says most: the error under a traceback, or else the first."""
    from p2ptruco.hooks import shown

    lines = [line for line in detail.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith((" ", "Traceback "))]
    return shown((telling or lines or ["–"])[0])


def matrix(standing: Standing) -> Rows:
    """How much of its matches the bot of the row won against the bot of the column."""
    order = ranked(standing)
    head = ("", *(entrant.name for entrant in order))
    rates = rate_table(standing)
    return [
        head,
        *(
            (
                row.name,
                *(percent(rates.get((row.name, col.name))) if row != col else "" for col in order),
            )
            for row in order
        ),
    ]


def rate_table(standing: Standing) -> dict[tuple[str, str], float | None]:
    """The rate of the first against the second, both ways."""
    table: dict[tuple[str, str], float | None] = {}
    for duel in standing.duels:
        a, b = standing.entrants[duel.a].name, standing.entrants[duel.b].name
        table[a, b] = duel.rate
        table[b, a] = None if duel.rate is None else 1 - duel.rate
    return table


def closing(standing: Standing) -> str:
    """How much was played, and how fast."""
    sentence = ngettext("{n} match", "{n} matches", standing.games)
    if standing.games_per_s is not None:
        sentence += _(", {speed} a second")
    return sentence.format(n=standing.games, speed=decimal(standing.games_per_s, 0))
