"""What bots at a table did not decide themselves: for programs, for people, for their authors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from p2ptruco.ui.processes import of_a_bot
from p2ptruco.ui.words import N_, _, ngettext

KINDS = {"timeout": N_("too slow"), "crash": N_("crashed"), "illegal": N_("illegal move")}
DETAILS = 5
"""Different faults that are told of one bot."""


def by_bot(faults: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, dict[str, Any]]:
    """Pairs of a bot's name and a fault (`kind`, `detail`) → how many of each kind, and the first
    few that differ, tracebacks and all."""
    counted: dict[str, dict[str, Any]] = {}
    for bot, fault in faults:
        mine = counted.setdefault(bot, {**dict.fromkeys(KINDS, 0), "details": []})
        mine[fault["kind"]] += 1
        if fault["detail"] not in mine["details"] and len(mine["details"]) < DETAILS:
            mine["details"].append(fault["detail"])
    return counted


def lines(faults: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A sentence a bot, and the last line of each of its faults."""
    for bot, mine in faults.items():
        count = sum(mine[kind] for kind in KINDS)
        kinds = ", ".join(f"{_(text)}: {mine[kind]}" for kind, text in KINDS.items() if mine[kind])
        sentence = ngettext(
            "{bot} failed to decide {n} time ({kinds}); the rules decided for it.",
            "{bot} failed to decide {n} times ({kinds}); the rules decided for it.",
            count,
        )
        yield sentence.format(bot=bot, n=count, kinds=kinds)
        yield from (f"  {of_a_bot(last_line(detail))}" for detail in mine["details"])


def last_line(detail: str) -> str:
    """The line of a fault that says most: where the bot's code was, and the error."""
    from p2ptruco.hooks import shown

    told = [shown(line) for line in detail.strip().splitlines()]
    places = [line.strip() for line in told if line.strip().startswith("File ")]
    return " · ".join(filter(None, [told[-1] if told else "", *places[-1:]]))
