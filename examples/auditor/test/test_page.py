"""The page from disk in a browser without a network (examples/auditor/dist/auditor.html)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

HERE = Path(__file__).parent.parent
ROOT = HERE.parent.parent
VECTORS = ROOT / "protocol" / "vectors" / "record"
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
WATCH = """
window.longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ type: "longtask" });
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    subprocess.run(["npm", "run", "--silent", "page"], cwd=HERE, check=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of four seats with real proofs."""
    folder = tmp_path_factory.mktemp("match")
    record = folder / "four.trec"
    command = [sys.executable, "-m", "p2ptruco", "demo", "--seats", "4", "--record", str(record)]
    home = {**os.environ, "P2PTRUCO_HOME": str(folder / "home")}
    subprocess.run([*command, "--json"], env=home, check=True, capture_output=True)
    return record


def page_of(browser: Browser, lang: str = "pt-BR", scheme: str = "dark") -> Page:
    context: BrowserContext = browser.new_context(
        offline=True, locale=lang, color_scheme="light" if scheme == "light" else "dark"
    )
    context.add_init_script(WATCH)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"the page failed: {error}"))
    page.goto((HERE / "dist" / "auditor.html").as_uri())
    return page


def audit(page: Page, record: Path) -> float:
    begun = time.monotonic()
    page.set_input_files("#file", record)
    page.wait_for_selector("#found[data-state=done]", timeout=120_000)
    return time.monotonic() - begun


def test_a_match_of_four_seats_is_audited_in_time(browser: Browser, match: Path) -> None:
    """In ten times what `verify` takes, and no task of the page is longer than 100 ms."""
    begun = time.monotonic()
    verify = [sys.executable, "-m", "p2ptruco", "verify", "--json", str(match)]
    said = json.loads(subprocess.run(verify, check=True, capture_output=True).stdout)
    ours = time.monotonic() - begun
    page = page_of(browser)
    theirs = audit(page, match)
    assert page.inner_text("h2 >> nth=0") == "Confere"
    assert f"{said['score']['A']} a {said['score']['B']}" in page.inner_text(".verdict")
    assert page.locator(".hand").count() == said["hands"]
    assert page.locator(".who li").count() == 4
    longest = page.evaluate("window.longest")
    print(f"verify {ours:.2f} s, page {theirs:.2f} s, longest task {longest} ms")
    assert theirs <= 10 * ours
    assert longest <= 100


@pytest.mark.parametrize("lang", ["pt-BR", "en-GB"])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing(browser: Browser, lang: str, scheme: str) -> None:
    """Before a file is there, on a good record and on a broken one."""
    page = page_of(browser, lang, scheme)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for record in (None, VECTORS / "kinds.record", VECTORS / "illegal-move.record"):
        if record is not None:
            audit(page, record)
        found = page.evaluate("axe.run()")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []


def test_the_first_bad_entry_is_marked(browser: Browser, tmp_path: Path) -> None:
    """In the hand that it stands in, with what it is and what came before."""
    blob = bytearray((VECTORS / "four-seats.record").read_bytes())
    blob[len(blob) * 6 // 10] ^= 1
    broken = tmp_path / "broken.trec"
    broken.write_bytes(blob)
    page = page_of(browser)
    audit(page, broken)
    assert page.inner_text("h2 >> nth=0") == "Não confere"
    assert page.locator(".hand.marked #fault").count() == 1
    assert page.locator(".hand").count() >= 1


def test_two_languages(browser: Browser) -> None:
    """A press changes every word, the page's language too."""
    page = page_of(browser, "en-US")
    audit(page, VECTORS / "kinds.record")
    assert page.inner_text("h2 >> nth=0") == "It holds"
    page.click("[data-lang=pt]")
    page.wait_for_selector("html[lang=pt-BR] #found[data-state=done]")
    assert page.inner_text("h2 >> nth=0") == "Confere"


def test_what_is_no_record_is_said_to_be_none(browser: Browser, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("a match, I swear")
    page = page_of(browser)
    audit(page, other)
    assert "não é o registro" in page.inner_text("#found")


def test_names_are_text(browser: Browser) -> None:
    """A name of a record cannot become part of the page: the page runs no script but its own."""
    page = page_of(browser)
    policy = page.get_attribute("meta[http-equiv]", "content")
    assert policy is not None
    assert "unsafe-inline" not in policy
    assert "default-src 'none'" in policy
