"""The page in a real browser: its policy holds, and it comes back to where it was."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, expect

from .kit import Watched, opened, running
from .player import by_mouse, once
from .test_matches import SHORT

SECONDS = 60.0


def told(watched: Watched, name: str) -> list[dict[str, Any]]:
    """The events of a name that the tab was told, those of snapshots included."""
    objects = [json.loads(frame) for frame in watched.frames]
    found = [event for one in objects for event in one.get("snapshot", {}).get("events", ())]
    return [event for event in [*found, *objects] if event.get("event") == name]


def until(watched: Watched, condition: Callable[[], object]) -> None:
    """Let the page go on until something holds."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, (watched.errors, watched.frames[-5:])
        watched.page.wait_for_timeout(50)


def test_the_start_page_opens(context: BrowserContext, tmp_path: Path) -> None:
    """In its language, with nothing from elsewhere and no error told."""
    with running(tmp_path, "web", language="pt-BR") as program:
        watched = opened(context, program)
        watched.page.wait_for_load_state("networkidle")
        assert watched.page.url == program.origin + "/"
        assert watched.page.locator("html").get_attribute("lang") == "pt-BR"
        assert "token" not in watched.page.content()
        watched.nothing_wrong()


def test_a_browser_that_is_closed_comes_back_to_the_same_cards(
    context: BrowserContext, tmp_path: Path
) -> None:
    """In the middle of a hand; a second tab takes over, and the first says so."""
    with running(tmp_path, "play", "--web", "--seats", "4") as program:
        first = opened(context, program)
        until(first, lambda: told(first, "cards"))
        mine = told(first, "cards")[0]["cards"]
        first.page.close()
        second = opened(context, program)
        until(second, lambda: told(second, "cards"))
        assert told(second, "cards")[0]["cards"] == mine
        third = opened(context, program)
        until(third, lambda: told(third, "cards"))
        until(second, lambda: any("taken_over" in frame for frame in second.frames))
        for watched in (second, third):
            watched.nothing_wrong()


FACES = """() => [...document.querySelectorAll(".card:not(.back)")]
  .filter((one) => !one.closest(".manilhas, .ladder, #tab, .vira, .forty"))
  .map((one) => one.ariaLabel.split(",")[0])"""
"""What is drawn as somebody's card: in a hand, on the table, at a seat."""


def test_no_face_is_in_the_page_that_its_seat_may_not_see(
    context: BrowserContext, tmp_path: Path
) -> None:
    """Neither in what it was sent nor in what it made of it: through a whole match each face that
    is drawn is our own or lies open; cards of the others are backs."""
    words = ("play", "--web", "--seats", "2", "--bots", "random", "--variant", SHORT)
    with running(tmp_path, *words) as program:
        watched = opened(context, program)
        until(watched, lambda: told(watched, "cards"))
        deck = told(watched, "deck")[-1]
        assert all(deck["sights"]), "every card that is dealt says who may see it"
        slots = {sight["slot"] for sight in deck["sights"] if sight["by"] == [1]}
        assert {held["slot"] for held in told(watched, "cards")[-1]["cards"]} <= slots
        while not watched.page.locator("body[data-place=end]").count():
            once(watched, by_mouse)
            drawn = set(watched.page.evaluate(FACES))
            held = [one["card"] for event in told(watched, "cards") for one in event["cards"]]
            lying = [event["card"] for event in told(watched, "card")]
            assert drawn <= {named(card) for card in (*held, *lying) if card}
        watched.nothing_wrong()


def named(card: str) -> str:
    """A card as the page calls it in English."""
    ranks = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
    suits = {"c": "clubs", "h": "hearts", "s": "spades", "d": "diamonds"}
    return f"{ranks.get(card[0], card[0])} of {suits[card[1]]}"


def test_the_whole_table_changes_its_language(context: BrowserContext, tmp_path: Path) -> None:
    """What stays on the page between two drawings, too."""
    with running(tmp_path, "play", "--web", "--seats", "2") as program:
        watched = opened(context, program)
        line = watched.page.locator("input[data-key=talk]")
        expect(line).to_have_attribute("placeholder", "Talk to the table", timeout=60_000)
        watched.page.locator(".languages button:not([aria-pressed=true])").click()
        expect(line).not_to_have_attribute("placeholder", "Talk to the table")
        watched.nothing_wrong()
