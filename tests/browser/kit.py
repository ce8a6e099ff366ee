"""A program that serves a page, and Debian's Chromium to look at it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.cli.calling import P2PTRUCO

AT_ONCE = (
    "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
)
"""Two people look at two screens: no page is in the background."""
CHROMIUM = which("chromium") or which("chromium-browser") or "chromium"


@dataclass
class Program:
    """A `p2ptruco … --web` and the address that it printed."""

    process: subprocess.Popen[str]
    address: str

    @property
    def origin(self) -> str:
        return self.address.partition("/?")[0]


@contextmanager
def running(home: Path, *words: str, language: str = "en") -> Iterator[Program]:
    """A program of a person, until the block ends."""
    home.mkdir(parents=True, exist_ok=True)
    page = [] if "--no-browser" in words else ["--no-browser"]
    process = subprocess.Popen(
        [P2PTRUCO, *words, *page, "--lang", language],
        env={**os.environ, "P2PTRUCO_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line):
                yield Program(process, found[0])
                return
        raise AssertionError("no address was printed")
    finally:
        process.terminate()
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def launched(playwright: Playwright) -> Browser:
    """Chromium without a window. As root it has no sandbox, as everywhere."""
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*AT_ONCE, *root])


@dataclass
class Watched:
    """What a page did that no page of ours may do."""

    page: Page
    origin: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    """Texts that came over its WebSockets."""

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("websocket", self._opened)

    def _asked(self, url: str) -> None:
        if not url.startswith((self.origin, "data:", "blob:" + self.origin)):
            self.foreign.append(url)

    def _said(self, kind: str, text: str) -> None:
        if kind == "error":
            self.errors.append(text)

    def _opened(self, socket: object) -> None:
        socket.on("framereceived", lambda text: self.frames.append(str(text)))  # type: ignore[attr-defined]

    def nothing_wrong(self) -> None:
        """Nothing was asked of anybody else, and no error or breach of the policy was told."""
        assert self.foreign == []
        assert self.errors == [], self.errors


def opened(context: BrowserContext, program: Program) -> Watched:
    """A tab that opened the printed address."""
    page = context.new_page()
    watched = Watched(page, program.origin)
    page.goto(program.address)
    return watched
