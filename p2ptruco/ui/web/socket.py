"""The WebSocket of a tab: the objects of front.md, a text message each, both ways."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import trio
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from p2ptruco.app.plain import LONGEST
from p2ptruco.ui.front.lines import Outbox, TooSlow
from p2ptruco.ui.front.objects import Objects
from p2ptruco.ui.web.evening import Evening

NORMAL: Final = 1000
NO_TEXT: Final = 1003
"""Close codes: nothing more is said; what was sent is no text."""


async def carry(socket: WebSocket, evening: Evening) -> None:
    """Show an evening to a tab, and hear it, until either ends."""
    await socket.accept()

    async def send(line: bytes) -> None:
        await socket.send_text(line.decode("ascii").rstrip("\n"))

    out, code = Outbox(send, at_once=1), NORMAL
    face = evening.show(out)

    async def listen() -> None:
        nonlocal code
        try:
            code = await _listen(socket, face, out)
            out.drop()
        finally:
            out.close()

    try:
        async with trio.open_nursery() as tasks:
            tasks.start_soon(listen)
            with suppress(TooSlow, WebSocketDisconnect):
                await out.run()
            tasks.cancel_scope.cancel()
    finally:
        evening.gone(face)
    if socket.client_state is WebSocketState.CONNECTED:
        await socket.close(code)


async def _listen(socket: WebSocket, face: Objects, out: Outbox) -> int:
    """Hear commands until the tab has gone, or says what is no text; the code to close it with."""
    while True:
        message = await socket.receive()
        if message["type"] != "websocket.receive":
            return NORMAL
        text = message.get("text")
        if text is None:
            return NO_TEXT
        face.hear(text[: LONGEST + 1].encode("utf-8", "replace"))
        await out.room()
