"""Tables on the local network: announced and found by multicast DNS, service `_p2ptruco._tcp`.

Laws:
1. What the network says is a hint: bounded, cleaned, never trusted; it ends no thread and holds
   none up, and whoever claims a name keeps nobody from using it. Whoever joins proves the ticket
   all the same, and a table's host proves it back.
2. An open table carries its ticket, a private one does not.
3. zeroconf works in a thread of its own; only plain values cross into trio, and no more of them
   wait there than a person could read: what a flood has beyond that is lost.
4. A network may lose what is multicast: who looks asks again and again, a table says again that
   it is there.

Source: wire.md §8.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import trio

from ..table.agreement import PROTOCOL
from ..table.identity import spelled
from ..table.unforeseen import unforeseen
from ..table.violation import LinkFault
from ..text import clean
from .transport.ticket import Address, BadTicket, parse

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

T = TypeVar("T")

SERVICE = "_p2ptruco._tcp.local."
MOST_TABLES = 64
"""Tables listed at once; a crowded or hostile network shows no more."""
MOST_NEWS = 1024
"""Changes on their way to whoever looks, and names that are known to be alive."""
TEXT = 200
"""Bytes of one value of an announcement."""
AGAIN = 1.5
"""Seconds between two questions of whoever looks."""
REMIND = 4.0
"""Seconds between two announcements of the same."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a host says of its table, and what a guest makes of what it hears."""

    name: str
    variant: str
    scale: str
    seats: int
    free: int
    fingerprint: str
    ticket: str | None
    addresses: tuple[Address, ...] = field(default=())

    @property
    def private(self) -> bool:
        """Whether the ticket has to be known already."""
        return self.ticket is None


def interfaces() -> list[str]:
    """The IPv4 addresses of this machine that face a network, loopback only if there is none."""
    import ifaddr

    found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    outward = [str(ip) for ip in found if not ipaddress.ip_address(str(ip)).is_loopback]
    return outward or ["127.0.0.1"]


class Host:
    """Announces one table while the block of `announcing` runs."""

    def __init__(self, zeroconf: Zeroconf, label: str) -> None:
        self._zeroconf, self._label = zeroconf, label
        self._info: ServiceInfo | None = None

    async def say(self, table: Announcement) -> None:
        """Announce, or announce anew what has changed. OSError: it could not be."""
        from zeroconf import Error

        info = _info(self._label, table)
        old, self._info = self._info, info
        if old is None:  # without asking first whether the name is free: anybody could say no
            work = partial(self._zeroconf.register_service, info, cooperating_responders=True)
        else:
            work = partial(self._zeroconf.update_service, info)
        try:
            await trio.to_thread.run_sync(work)
        except Error as error:
            raise OSError("not announced") from error

    def remind(self) -> None:
        """Say again what was said, for those who missed it."""
        if self._info is not None:
            reminder = self._zeroconf.generate_service_broadcast(self._info, None)
            self._zeroconf.send(reminder)


@asynccontextmanager
async def announcing(label: str, where: Iterable[str] | None = None) -> AsyncIterator[Host]:
    """A `Host`; what it announced is withdrawn at the end. OSError: no network to speak on."""
    zeroconf = await _open(where)
    try:
        yield Host(zeroconf, label)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(zeroconf.close)


@asynccontextmanager
async def browsing(where: Iterable[str] | None = None) -> AsyncIterator[Sight]:
    """What is in sight while the block runs. OSError: no network to listen on."""
    from zeroconf.asyncio import AsyncServiceBrowser

    zeroconf = await _open(where)
    sight, token = Sight(), trio.lowlevel.current_trio_token()
    news: deque[tuple[str, Announcement | None, str]] = deque(maxlen=MOST_NEWS)

    def heard(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        found = None
        with suppress(LinkFault), unforeseen("an announcement"):
            found = _lookup(zeroconf, service_type, name, state_change)
        news.append((name, found, state_change.name))
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(told, idempotent=True)

    def told() -> None:
        while news:
            with suppress(LinkFault), unforeseen("an announcement"):
                sight.hear(*news.popleft())

    async def begin() -> AsyncServiceBrowser:
        return AsyncServiceBrowser(zeroconf, SERVICE, handlers=[heard])

    browser: AsyncServiceBrowser | None = None
    try:
        browser = await _in_its_loop(zeroconf, begin)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(_ask_again, zeroconf)
            yield sight
            tasks.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            if browser is not None:
                await _in_its_loop(zeroconf, browser.async_cancel)
            await trio.to_thread.run_sync(zeroconf.close)


async def _in_its_loop(zeroconf: Zeroconf, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What `work` returns in zeroconf's own thread, where whoever floods us waits for us."""
    assert zeroconf.loop is not None
    future = asyncio.run_coroutine_threadsafe(work(), zeroconf.loop)
    return await trio.to_thread.run_sync(future.result)


async def _ask_again(zeroconf: Zeroconf) -> None:
    """Ask for tables until cancelled; zeroconf itself asks four times, then hardly ever."""
    from zeroconf import DNSOutgoing, DNSQuestion  # type: ignore[attr-defined]
    from zeroconf.const import _CLASS_IN, _FLAGS_QR_QUERY, _TYPE_PTR

    while True:
        await trio.sleep(AGAIN)
        question = DNSOutgoing(_FLAGS_QR_QUERY)
        question.add_question(DNSQuestion(SERVICE, _TYPE_PTR, _CLASS_IN))
        zeroconf.send(question)


class Sight:
    """The tables in sight, by the name they are announced under."""

    def __init__(self) -> None:
        self._tables: dict[str, Announcement] = {}
        self._alive: set[str] = set()
        self._news = trio.Event()

    @property
    def tables(self) -> tuple[Announcement, ...]:
        return tuple(self._tables[key] for key in sorted(self._tables))

    async def changed(self) -> None:
        """Until a table comes, changes or goes."""
        await self._news.wait()

    def hear(self, name: str, found: Announcement | None, change: str) -> None:
        """A change of what is announced: Added, Updated, Removed. Who has said goodbye is updated
        once more, by the last words."""
        if change == "Added" and len(self._alive) < MOST_NEWS:
            self._alive.add(name)
        elif change == "Removed":
            self._alive.discard(name)
        self.note(name, found if name in self._alive else None)

    def note(self, name: str, found: Announcement | None) -> None:
        """What is now known of a table; None: it is gone."""
        if found is None:
            self._tables.pop(name, None)
        elif name in self._tables or len(self._tables) < MOST_TABLES:
            self._tables[name] = found
        self._news.set()
        self._news = trio.Event()


async def _open(where: Iterable[str] | None) -> Zeroconf:
    from zeroconf import IPVersion, Zeroconf

    chosen = list(where) if where is not None else await trio.to_thread.run_sync(interfaces)
    make = partial(Zeroconf, interfaces=chosen, ip_version=IPVersion.V4Only)
    return await trio.to_thread.run_sync(make)


def _info(label: str, table: Announcement) -> ServiceInfo:
    from zeroconf import ServiceInfo

    said: dict[str, str] = {
        "p": PROTOCOL,
        "name": table.name,
        "variant": table.variant,
        "scale": table.scale,
        "seats": str(table.seats),
        "free": str(table.free),
        "id": table.fingerprint,
    }
    if table.ticket is not None:
        said["ticket"] = table.ticket
    packed = [ipaddress.ip_address(address.host).packed for address in table.addresses]
    port = table.addresses[0].port if table.addresses else 0
    return ServiceInfo(
        SERVICE,
        f"{label}.{SERVICE}",
        port=port,
        properties=said,
        addresses=packed,
        server=f"{label}.local.",
    )


def _lookup(zeroconf: Any, kind: str, name: str, change: Any) -> Announcement | None:
    """What is known of a table whose announcement came, changed or went; in zeroconf's thread.

    Nothing is asked and nothing waited for: what is missing yet comes as a change.
    """
    from zeroconf import BadTypeInNameException, ServiceInfo, ServiceStateChange

    if change is ServiceStateChange.Removed:
        return None
    try:
        info = ServiceInfo(kind, name)
    except BadTypeInNameException:
        return None
    info.load_from_cache(zeroconf)
    return read(info.properties, info.parsed_addresses(), info.port)


def read(
    properties: Mapping[bytes, bytes | None], hosts: Iterable[str], port: int | None
) -> Announcement | None:
    """An announcement as it may be shown, None for what is none of ours or makes no sense."""
    said = {key: _text(properties.get(key.encode())) for key in KEYS}
    if said["p"] != PROTOCOL or not said["name"] or not port:
        return None
    seats, free = (_number(said[key]) for key in ("seats", "free"))
    if seats not in (2, 4, 6, 8) or not 0 <= free < seats:
        return None
    ticket = said["ticket"] or None
    try:
        if ticket is not None and spelled(parse(ticket).fingerprint) != said["id"]:
            return None  # another host's table under this one's name
    except BadTicket:
        return None
    addresses = tuple(Address(host, port) for host in list(hosts)[:8] if _is_address(host))
    return Announcement(
        said["name"], said["variant"], said["scale"], seats, free, said["id"], ticket, addresses
    )


KEYS = ("p", "name", "variant", "scale", "seats", "free", "id", "ticket")


def _text(value: bytes | None) -> str:
    return clean((value or b"")[:TEXT].decode("utf-8", "replace"), TEXT, TEXT)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) == 1 else -1


def _is_address(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False
