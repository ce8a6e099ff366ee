"""`python -m tests.browser.screenshots FOLDER [WORD …]`: every screen as a picture.

Each is named `SCREEN-SEATS-WIDTH-LANGUAGE-FELT.png`; with words, only those whose names have all of
them. The table stands as `poses.py` says; the start page and the lobby are those of a program.
"""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, sync_playwright

from .kit import Program, launched, opened, running
from .poses import POSES, posed

SIZES = ((360, 740), (1280, 800), (2560, 1440))
SEATS = (2, 4, 8)
LANGUAGES = ("en", "pt-BR")
FELTS = ("dark", "light")
BEGUN = ".hold.ready, #actions .button"
DRAWN = {"end": ".end .verdict", "verified": "#proof button"}
ROOMS = {"start": (("web",), ".home-page"), "lobby": (("host", "--private"), ".room .seat")}
REST = 400


def _context(browser: Browser, width: int, height: int, felt: str) -> BrowserContext:
    size: Any = {"width": width, "height": height}
    light: Any = felt
    return browser.new_context(viewport=size, color_scheme=light, reduced_motion="reduce")


def _base(browser: Browser, program: Program) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """The header and a snapshot of a match that has begun, and the key to the page."""
    context = _context(browser, 1280, 800, "dark")
    watched = opened(context, program)
    watched.page.wait_for_selector(BEGUN, timeout=120_000)
    watched.frames.clear()
    watched.page.reload()
    watched.page.wait_for_selector(BEGUN)
    objects = [json.loads(frame) for frame in watched.frames]
    snapshot = next(one["snapshot"] for one in objects if "snapshot" in one)
    cookies = context.cookies()
    context.close()
    return next(one for one in objects if "front" in one), snapshot, cookies


def _pose(page: Page, header: dict[str, Any], snapshot: dict[str, Any], name: str) -> None:
    """Show a table that stands so, and nothing of the real one."""

    def answer(socket: WebSocketRoute) -> None:
        socket.send(json.dumps(header))
        socket.send(json.dumps({"snapshot": posed(snapshot, name)}))

    page.route_web_socket("**/front", answer)


def _tables(browser: Browser, folder: Path, home: Path, words: list[str]) -> None:
    for seats in SEATS:
        every = [(one, _name(folder, one[0], seats, *one[1:]))
                 for one in product(POSES, SIZES, LANGUAGES, FELTS)]  # fmt: skip
        wanted = [(one, path) for one, path in every if _wanted(path, words)]
        if not wanted:
            continue
        with running(home / str(seats), "play", "--web", "--seats", str(seats)) as program:
            header, snapshot, cookies = _base(browser, program)
            for (pose, size, language, felt), path in wanted:
                context = _context(browser, *size, felt)
                context.add_cookies(cookies)
                page = context.new_page()
                _pose(page, {**header, "language": language}, snapshot, pose)
                page.goto(program.origin + "/match")
                page.wait_for_selector(DRAWN.get(pose, "#felt"), state="attached")
                if pose == "verified":
                    page.locator(".badge:visible, #proof button:visible").first.click()
                page.wait_for_timeout(REST)
                page.screenshot(path=path)
                context.close()


def _rooms(browser: Browser, folder: Path, home: Path, words: list[str]) -> None:
    for (room, (run, drawn)), language in product(ROOMS.items(), LANGUAGES):
        every = [(one, _name(folder, room, 4, one[0], language, one[1]))
                 for one in product(SIZES, FELTS)]  # fmt: skip
        wanted = [(one, path) for one, path in every if _wanted(path, words)]
        if not wanted:
            continue
        face = () if room == "start" else ("--web",)
        with running(home / f"{room}-{language}", *run, *face, language=language) as program:
            context = _context(browser, 1280, 800, "dark")
            opened(context, program).page.wait_for_selector(drawn)
            cookies = context.cookies()
            context.close()
            for (size, felt), path in wanted:
                context = _context(browser, *size, felt)
                context.add_cookies(cookies)
                page = context.new_page()
                page.goto(program.origin + ("/" if room == "start" else "/match"))
                page.wait_for_selector(drawn)
                page.wait_for_timeout(REST)
                page.screenshot(path=path)
                context.close()


def _name(folder: Path, screen: str, seats: int, size: Any, language: str, felt: str) -> Path:
    return folder / f"{screen}-{seats}-{size[0]}-{language}-{felt}.png"


def _wanted(path: Path, words: list[str]) -> bool:
    parts = path.stem.replace("pt-BR", "pt").split("-")
    return all(word.replace("pt-BR", "pt") in parts for word in words)


def main(arguments: list[str]) -> None:
    if not arguments:
        raise SystemExit("python -m tests.browser.screenshots FOLDER [WORD ...]")
    folder, words = Path(arguments[0]), arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as home:
        browser = launched(playwright)
        _tables(browser, folder, Path(home), words)
        _rooms(browser, folder, Path(home), words)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
