"""Roles, labels and contrast, by axe, on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from .kit import opened, running
from .player import by_mouse, play
from .test_matches import SHORT

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "examples" / "auditor" / "node_modules" / "axe-core" / "axe.min.js"
"""What `npm ci` in `examples/auditor` brings."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
BEGUN = ".hold.ready, #actions .button"


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run(document, rules)", RULES)
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_screen_is_for_everybody(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """Start page, lobby, table, what was verified, signs, end: on dark felt and on light."""
    context = browser.new_context(
        color_scheme="light" if scheme == "light" else "dark",
        bypass_csp=True,
        reduced_motion="reduce",
    )
    with running(tmp_path / "start", "web") as program:
        page = opened(context, program).page
        page.wait_for_selector(".home-page")
        assert violations(page) == []
    with running(tmp_path / "lobby", "host", "--web", "--private") as program:
        page = opened(context, program).page
        page.wait_for_selector(".room .seat")
        assert violations(page) == []
    words = ("play", "--web", "--seats", "4", "--bots", "random", "--variant", SHORT)
    with running(tmp_path / "table", *words) as program:
        watched = opened(context, program)
        page = watched.page
        page.wait_for_selector(BEGUN, timeout=60_000)
        assert violations(page) == []
        for opener, panel in (("#proof button", ".verified"), (".talk .tool >> nth=0", ".sinais")):
            page.click(opener)
            page.wait_for_selector(panel)
            assert violations(page) == []
            page.keyboard.press("Escape")
        play(by_mouse, watched)
        page.wait_for_selector(".end .verdict")
        assert violations(page) == []
    context.close()
