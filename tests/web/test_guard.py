"""Who is let in to the page, and what every answer says."""

from __future__ import annotations

import pytest

from p2ptruco.ui.web.guard import HEADERS, LONGEST_ADDRESS
from p2ptruco.ui.web.keys import LAUNCH, Keys

from .kit import Refused, Served, evening, served

FOREIGN_HOSTS = ("evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "[::1]:{port}")
FOREIGN_ORIGINS = ("http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1")


async def test_the_printed_address_sets_a_cookie_and_leads_to_the_page() -> None:
    """The cookie is out of scripts' reach and goes with no request from another site."""
    async with served() as here:
        way_in = await here.ask(f"/?token={here.keys.token}", cookie=None, origin=None)
        assert (way_in.status, way_in.headers["location"]) == (303, "/")
        cookie = here.keys.cookie(here.port)
        assert way_in.headers["set-cookie"] == cookie
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
        assert here.keys.token not in cookie
        again = await here.ask(f"/?token={here.keys.token}", cookie=None, origin=None)
        assert again.status == 303


async def test_a_browsers_own_address_opens_once() -> None:
    """Another user of this machine, who reads it in the list of processes, would see the cards."""
    async with served() as here:
        launch = f"/?token={here.keys.launch()}"
        assert (await here.ask(launch, cookie=None)).status == 303
        assert (await here.ask(launch, cookie=None)).status == 403


def test_a_browsers_own_address_is_good_for_a_minute() -> None:
    now = [0.0]
    keys = Keys(lambda: now[0])
    early, late = keys.launch(), keys.launch()
    now[0] = LAUNCH - 1
    assert keys.opens(early)
    now[0] = LAUNCH
    assert not keys.opens(late)


@pytest.mark.parametrize("token", ["", "0", "%00", "%C3%A9", "token", "A" * 43])
async def test_a_wrong_token_opens_nothing(token: str) -> None:
    async with served() as here:
        answer = await here.ask(f"/?token={token}", cookie=None)
        assert answer.status == 403
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "cookie", [None, "p2ptruco-{port}=", "p2ptruco-{port}=x", "a=b", "=;=", "["]
)
async def test_nothing_is_served_without_the_cookie(cookie: str | None) -> None:
    """Pages, files, words and the WebSocket: other users of this machine can reach the port."""
    async with served(evening()) as here:
        sent = cookie and cookie.format(port=here.port)
        for path in ("/", "/match", "/static/x.js", "/words/en.json", "/qr.svg", "/front"):
            assert (await here.ask(path, cookie=sent)).status == 403
        with pytest.raises(Refused):
            async with here.tab(cookie=sent):
                pass


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
async def test_another_host_is_refused(host: str) -> None:
    """DNS rebinding: a page of the name's owner would read everything, WebSocket included."""
    async with served(evening()) as here:
        named = host.format(port=here.port)
        answer = await here.ask("/words/en.json", host=named, origin=None)
        assert answer.status == 421
        with pytest.raises(Refused):
            async with here.tab(host=named):
                pass


async def test_two_hosts_or_none_are_refused() -> None:
    async with served() as here:
        for hosts in ("", f"host: 127.0.0.1:{here.port}\r\nhost: evil.example\r\n"):
            got = await here.raw(f"GET / HTTP/1.1\r\n{hosts}connection: close\r\n\r\n".encode())
            assert got.split(b" ")[1] in (b"400", b"421")


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
async def test_another_origin_is_refused(origin: str) -> None:
    """A page of anybody's in the same browser would play our cards."""
    async with served(evening()) as here:
        foreign = origin.format(port=here.port)
        assert (await here.ask("/words/en.json", origin=foreign)).status == 403
        with pytest.raises(Refused):
            async with here.tab(origin=foreign):
                pass


async def test_what_acts_names_its_origin() -> None:
    """A form of another site or a program without an origin can ask for nothing that acts."""
    async with served(evening()) as here:
        assert (await here.ask("/words/en.json", origin=None)).status == 200
        assert (await here.ask("/words/en.json", "POST", origin=None)).status == 403
        with pytest.raises(Refused):
            async with here.tab(origin=None):
                pass


async def asked_for(here: Served) -> list[int]:
    """Statuses of a page, a refusal, a stranger, the way in."""
    answers = [
        await here.ask("/words/en.json"),
        await here.ask("/words/fr.json"),
        await here.ask("/", cookie=None),
        await here.ask("/", host="evil.example", origin=None),
        await here.ask(f"/?token={here.keys.token}"),
        await here.ask("/", "DELETE"),
        await here.ask("/" + "x" * LONGEST_ADDRESS),
    ]
    for answer in answers:
        assert HEADERS.items() <= answer.headers.items()
        assert "server" not in answer.headers
    return [answer.status for answer in answers]


async def test_every_answer_forbids_keeping_framing_and_foreign_code() -> None:
    """Refusals too; no script or style runs but our files'."""
    async with served() as here:
        assert await asked_for(here) == [200, 404, 403, 421, 303, 405, 414]
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_the_keys_show_themselves_to_nobody() -> None:
    keys = Keys()
    assert keys.token not in repr(keys) + str(vars(keys).keys())
