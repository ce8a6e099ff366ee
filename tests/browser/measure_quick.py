"""From a click to the card in the other peer's page, beside what the same move takes two programs
that speak `--front jsonl`. It is no part of the suite, for machines are noisy:
`pytest -s tests/browser/measure_quick.py` prints what was measured."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.cli.calling import P2PTRUCO

from .player import asked, by_mouse
from .test_matches import SHORT, two_peers

MOVES = 8
CARDS = ("1", "2", "3")
AT_ONCE = 250
"""Milliseconds that a person does not wait for, on a machine that does other things too."""
RESTS = 1500
"""Milliseconds after which a finished trick has been shown long enough."""

WATCH = """() => {
  window.laid = new Map();
  window.long = [];
  const look = () => {
    for (const one of document.querySelectorAll("#felt .lies:not(.empty)")) {
      const name = one.style.getPropertyValue("view-transition-name");
      if (!window.laid.has(name)) window.laid.set(name, Date.now());
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  const note = (list) => window.long.push(...list.getEntries().map((one) => one.duration));
  new PerformanceObserver(note).observe({ entryTypes: ["longtask"] });
}"""
CLICK = """() => {
  const card = document.querySelector("#hand .hold.ready");
  const name = card.style.getPropertyValue("view-transition-name");
  const at = Date.now();
  card.click();
  return [name, at];
}"""


class Program:
    """A program that is told objects, and when each came."""

    def __init__(self, home: Path, *words: str) -> None:
        home.mkdir(parents=True)
        self.process = subprocess.Popen(
            [P2PTRUCO, *words, "--front", "jsonl", "--lang", "en"],
            env={**os.environ, "P2PTRUCO_HOME": str(home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.told: list[tuple[float, dict[str, Any]]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append((time.monotonic(), json.loads(line)))

    def say(self, **members: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(members).encode() + b"\n")
        self.process.stdin.flush()

    def until(self, since: int = 0, **members: Any) -> tuple[float, dict[str, Any]]:
        """The first object with these members behind some others, and when it came."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for at, one in self.told[since:]:
                if all(one.get(name) == value for name, value in members.items()):
                    return at, one
            time.sleep(0.002)
        raise AssertionError((members, self.told[-3:]))


@contextmanager
def two_programs(folder: Path) -> Iterator[tuple[Program, Program]]:
    hosting = ("host", "--seats", "2", "--private", "--variant", SHORT, "--time", "0")
    ana = Program(folder / "ana", *hosting, "--name", "Ana")
    programs = [ana]
    try:
        ticket = ana.until(event="invitation")[1]["ticket"]
        bia = Program(folder / "bia", "join", ticket, "--name", "Bia")
        programs.append(bia)
        bia.until(event="lobby")
        bia.say(command="ready")
        ana.until(event="lobby", ready=True)
        ana.say(command="start")
        yield ana, bia
    finally:
        for program in programs:
            program.process.kill()
            program.process.wait()


def of_programs(folder: Path) -> list[float]:
    """Milliseconds from an answer to the card at the other program, move by move."""
    took: list[float] = []
    with two_programs(folder) as programs:
        seen = [0, 0]
        end = time.monotonic() + 90
        while len(took) < MOVES and time.monotonic() < end:
            for mine, program in enumerate(programs):
                asked = [one for _, one in program.told[seen[mine] :] if one.get("question")]
                seen[mine] = len(program.told)
                for question in asked:
                    keys = [one["key"] for one in question["choices"] if not one.get("loses_match")]
                    key = next(
                        (key for key in ("1", "2", "3", "play", "accept", "yes") if key in keys), ""
                    )
                    other = programs[1 - mine]
                    before, at = len(other.told), time.monotonic()
                    program.say(command="answer", id=question["id"], choice=key)
                    if key in CARDS:
                        took.append(1000 * (other.until(before, event="card")[0] - at))
            time.sleep(0.002)
    return took


def of_pages(browser: Browser, folder: Path) -> tuple[list[float], list[float]]:
    """The same from a click to the card in the other page, and the long tasks of both."""
    took: list[float] = []
    with two_peers(browser, folder) as tabs:
        pages = [tab.page for tab in tabs]
        for page in pages:
            page.evaluate(WATCH)
        end = time.monotonic() + 90
        while len(took) < MOVES and time.monotonic() < end:
            for page, other in (pages, reversed(pages)):
                what = asked(page)
                if what == "card":
                    page.wait_for_timeout(RESTS)
                    took.append(_laid(page, other))
                elif what:
                    by_mouse(page, what)
            pages[0].wait_for_timeout(20)
        long = [task for page in pages for task in page.evaluate("() => window.long")]
    return took, long


def _laid(page: Page, other: Page) -> float:
    name, at = page.evaluate(CLICK)
    for _ in range(500):
        came = other.evaluate("(name) => window.laid.get(name) ?? null", name)
        if came is not None:
            return float(came - at)
        other.wait_for_timeout(10)
    raise AssertionError(f"{name} did not come")


def test_a_card_is_on_the_other_table_at_once(browser: Browser, tmp_path: Path) -> None:
    """In the same run, on the same machine, animation apart."""
    programs = of_programs(tmp_path / "programs")
    pages, long = of_pages(browser, tmp_path / "pages")
    assert len(programs) >= MOVES
    assert len(pages) >= MOVES
    told, shown = statistics.median(programs), statistics.median(pages)
    print(
        f"programs {told:.0f} ms, pages {shown:.0f} ms, longest task {max(long, default=0):.0f} ms"
    )
    assert shown <= AT_ONCE, pages
