"""People at the page: one with a mouse, one with keys alone, one with a finger."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Error, Page

from .kit import Watched

SECONDS = 240.0
ANSWERS = ("accept", "play")
BUTTONS = "#actions .button:not([aria-disabled=true])[data-key={key}]"
CARD = "#hand .hold.ready"

Acts = Callable[[Page, str], None]
"""Does one thing: `accept`, `play` or `card`."""


def asked(page: Page) -> str:
    """What there is to do: an answer, a card, or nothing."""
    for key in ANSWERS:
        if page.locator(BUTTONS.format(key=key)).count():
            return key
    return "card" if page.locator(CARD).count() else ""


def by_mouse(page: Page, what: str) -> None:
    where = page.locator(CARD if what == "card" else BUTTONS.format(key=what))
    where.first.click(timeout=2000)


def by_touch(page: Page, what: str) -> None:
    where = page.locator(CARD if what == "card" else BUTTONS.format(key=what))
    where.first.tap(timeout=2000)


def by_keys(page: Page, what: str) -> None:
    for key in {"accept": "a", "play": "j", "card": "123"}[what]:
        page.keyboard.press(key)


def once(watched: Watched, acts: Acts) -> bool:
    """Do what is asked, if anything is; the page may have gone on meanwhile."""
    try:
        what = asked(watched.page)
        if what:
            acts(watched.page, what)
    except Error:
        return False
    return bool(what)


def play(acts: Acts, *tabs: Watched) -> None:
    """Play until every tab shows the end."""
    end = time.monotonic() + SECONDS
    while not all(tab.page.locator("body[data-place=end]").count() for tab in tabs):
        if not sum(once(tab, acts) for tab in tabs):
            tabs[0].page.wait_for_timeout(30)
        assert time.monotonic() < end, [tab.page.locator("body").inner_text() for tab in tabs]
