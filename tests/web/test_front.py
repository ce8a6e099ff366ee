"""The WebSocket of a tab carries the objects of front.md; no tab ends what is played."""

from __future__ import annotations

import json

import pytest
import trio
import trio.testing
from wsproto.events import BytesMessage, TextMessage

from p2ptruco.app.asking import another
from p2ptruco.app.events import Invitation, Place, Scene
from p2ptruco.app.plain import LONGEST
from p2ptruco.app.stage import Stage

from .kit import evening, served

SCENE = {"event": "scene", "place": "lobby"}
INVITATION = Invitation("TRUCO:AIAAC", False, "network")


async def test_a_tab_is_shown_what_holds_and_then_what_happens() -> None:
    stage = Stage()
    stage.tell(Scene(Place.LOBBY))
    async with served(evening(stage)) as here, here.tab() as tab:
        first = await tab.object()
        assert (first["front"], first["version"], first["run"]) == (1, "1.2", "play")
        assert await tab.object() == {"snapshot": {"events": [SCENE], "questions": []}}
        stage.tell(Scene(Place.MATCH))
        assert (await tab.object())["place"] == "match"


async def test_a_tab_answers() -> None:
    """By the same commands as a program does; what is none is refused in words."""
    stage = Stage()
    async with served(evening(stage)) as here, here.tab() as tab, trio.open_nursery() as tasks:
        answers = []

        async def ask() -> None:
            answers.append(await another(stage))

        tasks.start_soon(ask)
        question = await tab.until(question="another")
        for said in ("nothing", "[]", '{"command": "dance"}', "é" * LONGEST):
            await tab.send(TextMessage(said))
            assert "message" in await tab.until(event="refused", command="")
        await tab.say(command="answer", id=question["id"], choice="yes")
        await tab.until(event="closed", by="answer")
    assert answers == [True]


async def test_a_tab_that_is_closed_ends_nothing() -> None:
    """The question stays open, and whoever comes next is asked it."""
    stage = Stage()
    async with served(evening(stage)) as here, trio.open_nursery() as tasks:
        tasks.start_soon(another, stage)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(2):
            async with here.tab() as tab:
                await tab.object()
                told = (await tab.object())["snapshot"]
                assert [one["question"] for one in told["questions"]] == ["another"]
        tasks.cancel_scope.cancel()


async def test_a_second_tab_takes_over() -> None:
    """The first is told so, gets no more, and is closed."""
    stage = Stage()
    stage.tell(Scene(Place.LOBBY))
    async with served(evening(stage)) as here, here.tab() as first:
        await first.until(front=1)
        async with here.tab() as second:
            assert (await first.rest())[-1] == {"taken_over": True}
            assert first.closed == 1000
            stage.tell(Scene(Place.MATCH))
            await second.until(event="scene", place="match")


@pytest.mark.parametrize("bad", [BytesMessage(b"{}"), TextMessage("x" * (65 << 10))])
async def test_what_is_no_text_or_too_long_closes_the_tab_only(
    bad: BytesMessage | TextMessage,
) -> None:
    async with served(evening()) as here:
        async with here.tab() as tab:
            await tab.send(bad)
            await tab.rest()
            assert tab.closed in (1003, 1009)
        async with here.tab() as tab:
            assert (await tab.object())["front"] == 1


async def test_the_end_is_the_last_object() -> None:
    """Whoever comes later is told how it ended too."""
    played = evening()
    async with served(played) as here:
        async with here.tab() as tab:
            await tab.object()
            played.over({"matches": []})
            assert (await tab.rest())[-1] == {"matches": []}
        async with here.tab() as tab:
            assert (await tab.rest())[-1] == {"matches": []}
        with trio.fail_after(1):
            await played.unseen()


async def test_the_ticket_is_a_picture_too() -> None:
    """A QR code as SVG, while there is a ticket."""
    stage = Stage()
    async with served(evening(stage)) as here:
        assert (await here.ask("/qr.svg")).status == 404
        stage.tell(INVITATION)
        drawn = await here.ask("/qr.svg")
        assert drawn.headers["content-type"] == "image/svg+xml"
        assert drawn.body.startswith(b"<svg")


async def test_a_tab_that_reads_nothing_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies for it is bounded; the server ends at once all the same."""
    stage = Stage()
    with trio.fail_after(5):
        async with served(evening(stage)) as here, here.tab() as tab:
            await tab.object()
            line = json.loads('"' + "x" * 400 + '"')
            for number in range(20_000):
                stage.tell(Invitation(line, False, str(number)))
            await trio.sleep(0.05)
            async with here.tab() as second:
                assert (await second.object())["front"] == 1
