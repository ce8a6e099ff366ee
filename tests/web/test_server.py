"""Connections: bounded in number, in time and in what they ask; one ends nothing but itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2ptruco.ui.web import server, wishes
from p2ptruco.ui.web.guard import LONGEST_HEAD
from p2ptruco.ui.web.server import HERE, MOST

from .kit import answer, evening, served
from .test_home import at_home


async def test_so_many_connections_are_open_at_a_time() -> None:
    """Gain: another user of this machine takes all the files that our links need."""
    async with served(evening()) as here, trio.open_nursery() as tasks:
        opened = [await trio.open_tcp_stream(HERE, here.port) for _ in range(MOST)]
        await wait_all_tasks_blocked(0.05)
        async with await trio.open_tcp_stream(HERE, here.port) as more:
            with trio.fail_after(5):
                assert await more.receive_some() == b""
        for stream in opened:
            await stream.aclose()
        await wait_all_tasks_blocked(0.05)
        assert (await here.ask("/words/en.json")).status == 200
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nhost: 127", b"GET /words/en.json HTTP/1.1\r\n"]
)
async def test_whoever_asks_for_nothing_is_closed(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SECONDS", 0.1)
    async with served() as here, await trio.open_tcp_stream(HERE, here.port) as stream:
        await stream.send_all(said or b"\r\n")
        with trio.fail_after(5):
            while await stream.receive_some():
                pass


async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path))
    monkeypatch.setattr(wishes, "SECONDS", 0.1)
    async with (
        at_home(tmp_path) as (here, _),
        await trio.open_tcp_stream(HERE, here.port) as stream,
    ):
        head = here.headers(**{"content-type": "application/json", "content-length": "90"})
        lines = ["POST /api/play HTTP/1.1", *(f"{name}: {head[name]}" for name in head), "", "{"]
        await stream.send_all("\r\n".join(lines).encode())
        got = b""
        with trio.fail_after(5):
            async for chunk in stream:
                got += chunk
        assert answer(got).status == 408


async def test_a_head_that_is_too_large_is_refused() -> None:
    async with served() as here:
        got = await here.ask("/", **{"x-large": "x" * (LONGEST_HEAD)})
        assert got.status == 431


async def test_an_upgrade_to_http_2_is_passed_over() -> None:
    """What does not end behind it held a connection for ever."""
    async with served() as here:
        upgrade = {"upgrade": "h2c", "http2-settings": "\x8c"}
        got = await here.ask("/words/en.json", **upgrade)
        assert got.status == 200
