"""What the start page asks for, address by address; whatever acts is a POST of JSON.

| address | answer |
| --- | --- |
| `GET /api/start` | who we are, what can be played, the matches; `home`: is there a start page? |
| `GET /api/tables` | the tables in sight on this network |
| `POST /api/play` `host` `join` | an evening begins: `{"go": "/match"}` |
| `POST /api/settings` | the language, the nick: as `GET /api/start` |
| `GET /api/matches/NAME` | the record, to be kept |
| `POST /api/matches/NAME/verify` | its verdict, as `verify --json` |
| `GET /api/matches/NAME/verify` | `{"share"}` of that, from 0 to 1; null: it is not verified now |
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from p2ptruco.ui.web import wishes
from p2ptruco.ui.web.home import Home
from p2ptruco.ui.web.matches import Matches
from p2ptruco.ui.web.refused import Refused

Answers = Callable[[Request], Awaitable[Response]]
Start = Callable[[], Awaitable[wishes.Json]]
GO = {"go": "/match"}


def home_routes(home: Home) -> list[Route]:
    """The addresses of the start page."""

    async def tables(_request: Request) -> Response:
        return JSONResponse(await home.looking.tables())

    async def play(request: Request) -> Response:
        home.play(await wishes.wish(request, wishes.Play))
        return JSONResponse(GO)

    async def host(request: Request) -> Response:
        home.host(await wishes.wish(request, wishes.Host))
        return JSONResponse(GO)

    async def join(request: Request) -> Response:
        home.join(await wishes.wish(request, wishes.Join))
        return JSONResponse(GO)

    async def settings(request: Request) -> Response:
        home.settings(await wishes.wish(request, wishes.Settings))
        return JSONResponse(await home.start())

    return [
        _route("/api/tables", tables),
        _route("/api/play", play, "POST"),
        _route("/api/host", host, "POST"),
        _route("/api/join", join, "POST"),
        _route("/api/settings", settings, "POST"),
    ]


def match_routes(start: Start, matches: Matches) -> list[Route]:
    """The addresses that every page of ours may ask for."""

    async def begun(_request: Request) -> Response:
        return JSONResponse(await start())

    async def record(request: Request) -> Response:
        content, name = matches.file(request.path_params["name"])
        kept = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(content, headers=kept, media_type="application/octet-stream")

    async def verify(request: Request) -> Response:
        return JSONResponse(await matches.verify(request.path_params["name"]))

    async def share(request: Request) -> Response:
        return JSONResponse({"share": matches.share(request.path_params["name"])})

    return [
        _route("/api/start", begun),
        _route("/api/matches/{name}", record),
        _route("/api/matches/{name}/verify", verify, "POST"),
        _route("/api/matches/{name}/verify", share),
    ]


def _route(path: str, answers: Answers, method: str = "GET") -> Route:
    async def answer(request: Request) -> Response:
        try:
            return await answers(request)
        except Refused as refused:
            return refused.answer

    return Route(path, answer, methods=[method])
