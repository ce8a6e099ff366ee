"""Whole matches in a browser: by mouse, by keys alone, by touch, and two browsers on two peers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .kit import Watched, opened, running
from .player import Acts, by_keys, by_mouse, by_touch, play

SHORT = "mineiro scale=2,truco:4 target=4"
"""Two hands and a bit, the last of them special."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(
    ("acts", "shape", "variant"),
    [(by_mouse, {}, SHORT), (by_keys, {}, SHORT), (by_touch, PHONE, SHORT)],
    ids=["by mouse", "by keys alone", "by touch on a phone"],
)
def test_a_whole_match_against_a_bot(
    browser: Browser, tmp_path: Path, acts: Acts, shape: dict[str, Any], variant: str
) -> None:
    """To the end, which says who won; nothing in the page goes wrong meanwhile."""
    context = browser.new_context(reduced_motion="reduce", **shape)
    with running(tmp_path, "play", "--web", "--bots", "random", "--variant", variant) as program:
        watched = opened(context, program)
        play(acts, watched)
        expect(watched.page.locator(".verdict h1")).to_be_visible()
        watched.nothing_wrong()
    context.close()


@contextmanager
def two_peers(browser: Browser, folder: Path) -> Iterator[tuple[Watched, Watched]]:
    """A host and a guest at one table, each a program with a browser of its own."""
    with ExitStack() as stack:
        contexts = [browser.new_context(reduced_motion="reduce") for _ in range(2)]
        for context in contexts:
            stack.callback(context.close)
        hosting = ("host", "--web", "--seats", "2", "--private", "--variant", SHORT, "--time", "0")
        host = stack.enter_context(running(folder / "ana", *hosting, "--name", "Ana"))
        ana = opened(contexts[0], host)
        code = ana.page.locator("output.code")
        expect(code).to_have_text(re.compile("^TRUCO:"))
        ticket = code.inner_text().strip()
        joins = ("join", ticket, "--web", "--name", "Bia")
        bia = opened(contexts[1], stack.enter_context(running(folder / "bia", *joins)))
        bia.page.locator("[data-key=ready]").click()
        expect(ana.page.locator("[data-key=start][aria-disabled=false]")).to_be_visible()
        ana.page.locator("[data-key=start]").click()
        for tab in (ana, bia):
            expect(tab.page.locator("body[data-place=match]")).to_be_attached(timeout=60_000)
        yield ana, bia


def test_two_browsers_on_two_peers_play_each_other(browser: Browser, tmp_path: Path) -> None:
    """Ticket, lobby, talk, a match, and a rematch that takes one click each."""
    with two_peers(browser, tmp_path) as (ana, bia):
        ana.page.locator("[data-key=talk]").fill("boa noite")
        ana.page.keyboard.press("Enter")
        expect(bia.page.locator(".lines")).to_contain_text("boa noite", timeout=20_000)
        play(by_mouse, ana, bia)
        won = {tab.page.locator(".end").get_attribute("class") for tab in (ana, bia)}
        assert won == {"end us", "end them"}
        for tab in (ana, bia):
            tab.page.locator("[data-key=yes]").click()
        start = ana.page.locator("[data-key=start][aria-disabled=false]")
        expect(start).to_be_visible(timeout=30_000)
        start.click()
        for tab in (ana, bia):
            expect(tab.page.locator("body[data-place=match]")).to_be_attached(timeout=60_000)
        for tab in (ana, bia):
            tab.nothing_wrong()


def test_partners_at_two_browsers_play_two_bots(browser: Browser, tmp_path: Path) -> None:
    """Four peers: seats are chosen by clicking, bots are put, a sinal reaches the partner alone."""
    with ExitStack() as stack:
        contexts = [browser.new_context(reduced_motion="reduce") for _ in range(2)]
        for context in contexts:
            stack.callback(context.close)
        hosting = ("host", "--web", "--seats", "4", "--private", "--variant", SHORT, "--time", "0")
        host = stack.enter_context(running(tmp_path / "ana", *hosting, "--name", "Ana"))
        ana = opened(contexts[0], host)
        ticket = ana.page.locator("output.code").inner_text().strip()
        joins = ("join", ticket, "--web", "--name", "Bia")
        bia = opened(contexts[1], stack.enter_context(running(tmp_path / "bia", *joins)))
        bia.page.locator("[data-key=sit3]").click()
        for seat in (2, 4):
            ana.page.locator(f"[data-key=bot{seat}]").click()
            expect(ana.page.locator(f"[data-key=kick{seat}]")).to_be_visible(timeout=30_000)
        bia.page.locator("[data-key=ready]").click()
        ana.page.locator("[data-key=start][aria-disabled=false]").click(timeout=30_000)
        for tab in (ana, bia):
            expect(tab.page.locator("#hand .hold").first).to_be_visible(timeout=60_000)
        ana.page.get_by_label("A sign to your partner").click()
        ana.page.locator(".sinais button", has=ana.page.locator("small")).first.click()
        expect(bia.page.locator(".balloon.wink")).to_contain_text("zap", ignore_case=True)
        play(by_mouse, ana, bia)
        assert not any('"event": "wink"' in frame for frame in ana.frames)
        for tab in (ana, bia):
            tab.nothing_wrong()
