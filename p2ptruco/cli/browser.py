"""A browser on this machine as the face (`ui/web`), which is imported here and nowhere before.

1. A page is served to this machine only: whoever serves a page sees its cards.
2. The address is printed on standard error, and a browser is opened where there is a screen.
3. A browser that is closed ends nothing; what has ended is still shown for as long as the tab
   takes to read it, a few seconds at most.
"""

from __future__ import annotations

import os
import re
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import trio

import p2ptruco
from p2ptruco.app.match import Played
from p2ptruco.app.stage import Stage
from p2ptruco.app.stopped import Stopped
from p2ptruco.cli.choices import printable
from p2ptruco.cli.command import Front
from p2ptruco.cli.failure import FAILED, WRONG_USE, Failure, said
from p2ptruco.cli.output import tell
from p2ptruco.errors import within
from p2ptruco.store.home import Self
from p2ptruco.ui.reasons import system
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    import socket

    from starlette.types import ASGIApp

    from p2ptruco.ui.web.evening import Sit

NEEDS = ("anycorn", "jinja2", "starlette")
ADDRESS = re.compile(r"(?P<host>127\.0\.0\.1|localhost)?(?::(?P<port>[0-9]{1,5}))?", re.ASCII)
PATIENCE = 3.0
"""Seconds in which a tab reads how it ended."""


def served(front: Front) -> Browser:
    """A page to be served. Failure: it cannot be, or to nobody else."""
    if missing := [name for name in NEEDS if find_spec(name) is None]:
        sentence = _(
            "A page needs packages that are not installed ({names}): pip install 'p2ptruco[web]'"
        )
        raise Failure("no_web", sentence.format(names=", ".join(missing)), FAILED)
    return Browser(port_in(front.address), front.browser)


def port_in(address: str) -> int:
    """The port of an address on this machine; 0: any."""
    found = ADDRESS.fullmatch(address)
    if found is None or int(found["port"] or 0) > 65535:
        sentence = _(
            "{address} is refused: the page is served on 127.0.0.1 only, for whoever serves a page "
            "sees its cards. The others run p2ptruco themselves and join your table."
        )
        raise Failure("not_here", sentence.format(address=printable(address)), WRONG_USE)
    return int(found["port"] or 0)


class Browser:
    """A page of this program, on a port of this machine."""

    def __init__(self, port: int, opens: bool) -> None:
        self._port, self._opens = port, opens

    async def show(self, stage: Stage, command: str, sit: Sit, me: Self) -> list[Played]:
        """Show one evening; the matches that were played. Failure: the port is not to be had."""
        from p2ptruco.ui.web.evening import Evening
        from p2ptruco.ui.web.matches import Matches
        from p2ptruco.ui.web.site import Site
        from p2ptruco.ui.web.welcome import welcome

        evening = Evening(stage, command, p2ptruco.__version__)
        matches = Matches(me.identity.public)
        site = Site(lambda: evening, lambda: welcome(me, matches), matches)
        async with self._served(site.app):
            try:
                return await evening.play(sit, explained)
            finally:
                with trio.move_on_after(PATIENCE, shield=True):
                    await evening.unseen()

    async def start(self, me: Self, place: Path | None, log: str | None) -> None:
        """The start page, and evening after evening, until it is ended."""
        from p2ptruco.ui.web.home import Home, Us
        from p2ptruco.ui.web.site import Site

        home = Home(Us(me, place, log, p2ptruco.__version__, explained))
        async with self._served(Site(lambda: home.evening, home.start, home.matches, home).app):
            try:
                await home.run()
            finally:
                if home.evening is not None:
                    with trio.move_on_after(PATIENCE, shield=True):
                        await home.evening.unseen()

    @asynccontextmanager
    async def _served(self, app: ASGIApp) -> AsyncIterator[None]:
        """Serve a site for the time of a block, say where, and open a browser."""
        from p2ptruco.ui.web.guard import Guard
        from p2ptruco.ui.web.keys import Keys
        from p2ptruco.ui.web.server import serving
        from p2ptruco.ui.web.site import stranger

        listens, keys = self._listener(), Keys()
        port = listens.getsockname()[1]
        async with (
            serving(Guard(app, port, keys, stranger), listens),
            trio.open_nursery() as tasks,
        ):
            tell(_("Open in a browser: {address}").format(address=_address(port, keys.token)))
            if self._opens and _has_screen():
                tasks.start_soon(_open, _address(port, keys.launch()))
            yield
            tasks.cancel_scope.cancel()

    def _listener(self) -> socket.socket:
        from p2ptruco.ui.web.server import listener

        try:
            return listener(self._port)
        except OSError as error:
            sentence = _("The page cannot be served on port {port}: {reason}")
            message = sentence.format(port=self._port, reason=system(error))
            raise Failure("port_in_use", message, FAILED) from error


def explained(error: BaseException) -> dict[str, str]:
    """What ended an evening, as a command says it."""
    from p2ptruco.cli.entry import explain

    stopped = within(error, Stopped)
    cancelled = within(error, trio.Cancelled) and not within(error, Exception)
    if cancelled and stopped is None:
        return {"code": "interrupted", "message": _("Stopped.")}
    failure = said(stopped) if stopped else within(error, Failure) or explain(error)
    return {"code": failure.code, "message": failure.message}


def _address(port: int, token: str) -> str:
    return f"http://127.0.0.1:{port}/?token={token}"


def _has_screen() -> bool:
    """Whether a browser has where to open; one of a terminal would take the keyboard."""
    named = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in named)


async def _open(address: str) -> None:
    with suppress(OSError, webbrowser.Error):
        await trio.to_thread.run_sync(webbrowser.open, address, abandon_on_cancel=True)
