"""What the page asks for, address by address.

| address | answer |
| --- | --- |
| `/` | the start page; where one table is all there is, the way to it |
| `/match` | the table: lobby, match, end |
| `/front` | a WebSocket with the objects of front.md |
| `/static/…` | scripts, styles and drawings |
| `/words/LANGUAGE.json` | the page's own words |
| `/qr.svg` | the ticket as a picture for a telephone's camera |
| `/api/…` | what the start page asks for (`api.py`) |
"""

from __future__ import annotations

import io
from collections.abc import Callable

import segno
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from p2ptruco.app.events import Event, Invitation
from p2ptruco.app.questions import Question
from p2ptruco.ui.web.api import Start, home_routes, match_routes
from p2ptruco.ui.web.evening import Evening
from p2ptruco.ui.web.files import static
from p2ptruco.ui.web.home import Home
from p2ptruco.ui.web.matches import Matches
from p2ptruco.ui.web.pages import page
from p2ptruco.ui.web.socket import carry
from p2ptruco.ui.web.strings import strings
from p2ptruco.ui.words import LANGUAGES, _, spoken

NOTHING = 404


class Site:
    """The pages of one program. `shown`: the evening that is played here, if one is; `start`: who
    we are; `matches`: those that were played; `home`: what the start page does, if there is one."""

    def __init__(
        self,
        shown: Callable[[], Evening | None],
        start: Start,
        matches: Matches,
        home: Home | None = None,
    ) -> None:
        self._shown, self._home = shown, home
        self.app = Starlette(
            routes=[
                Route("/", self._start),
                Route("/match", self._match),
                Route("/static/{name:path}", self._static),
                Route("/words/{language}.json", self._words),
                Route("/qr.svg", self._picture),
                WebSocketRoute("/front", self._front),
                *match_routes(start, matches),
                *(home_routes(home) if home else ()),
            ]
        )

    async def _start(self, request: Request) -> Response:
        if self._home is None:
            return RedirectResponse("/match", 303)
        return page("start.html")

    async def _match(self, request: Request) -> Response:
        if self._shown() is None:
            return RedirectResponse("/", 303)
        return page("match.html")

    async def _static(self, request: Request) -> Response:
        found = static(request.path_params["name"])
        if found is None:
            return Response(status_code=NOTHING)
        return Response(found[0], headers={"content-type": found[1]})

    async def _words(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in LANGUAGES:
            return Response(status_code=NOTHING)
        return JSONResponse(strings(language))

    async def _picture(self, request: Request) -> Response:
        evening = self._shown()
        ticket = evening and shown_ticket(evening)
        if not ticket:
            return Response(status_code=NOTHING)
        return Response(picture(ticket), media_type="image/svg+xml")

    async def _front(self, socket: WebSocket) -> None:
        evening = self._shown()
        if evening is None:
            await socket.close()
        else:
            await carry(socket, evening)


async def stranger(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers whoever has no key, in words."""
    text = _(
        "This page is for whoever runs p2ptruco here: open the address that it prints in its "
        "terminal. An address that a browser was started with opens once."
    )
    kind = {"content-type": "text/plain; charset=utf-8", "content-language": spoken()}
    await Response(text + "\n", 403, headers=kind)(scope, receive, send)


class _Ticket:
    """A face that looks once for the ticket."""

    ticket = ""

    def show(self, event: Event) -> None: ...

    def ask(self, question: Question) -> None: ...

    def snapshot(self, events: tuple[Event, ...], questions: tuple[Question, ...]) -> None:
        for event in events:
            if isinstance(event, Invitation):
                self.ticket = event.ticket


def shown_ticket(evening: Evening) -> str:
    """The ticket that an evening shows now; empty: none."""
    looking = _Ticket()
    evening.stage.look(looking)
    return looking.ticket


def picture(text: str) -> bytes:
    """A QR code as SVG."""
    drawn = io.BytesIO()
    segno.make(text, error="m").save(drawn, kind="svg", border=2, scale=4, xmldecl=False)
    return drawn.getvalue()
