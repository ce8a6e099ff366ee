"""A bare `join` finds tables on the network: real multicast between namespaces of the kernel."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2ptruco.net.transport.ticket import parse

from .terminal import Terminal, terminals

pytestmark = [
    pytest.mark.skipif(shutil.which("ip") is None, reason="needs ip"),
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to make network namespaces"),
]
QUIET_SECONDS, LOSSY_SECONDS = 3.0, 10.0


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


class Lan:
    """Ana's machine and Caio's, each on a network of its own; Bia's has an interface on both."""

    def __init__(self, stack: ExitStack) -> None:
        self.ana, self.caio, self.bia = (f"p2pt-{os.getpid()}-{who}" for who in "acb")
        for name in (self.ana, self.caio, self.bia):
            ip("netns", "add", name)
            stack.callback(ip, "netns", "del", name)
            ip("-n", name, "link", "set", "lo", "up")
        for number, other in enumerate((self.ana, self.caio), 1):
            ends = (f"v{number}", f"w{number}")
            ip("link", "add", ends[0], "netns", other, "type", "veth",
               "peer", "name", ends[1], "netns", self.bia)  # fmt: skip
            for where, end, last in ((other, ends[0], 1), (self.bia, ends[1], 2)):
                ip("-n", where, "addr", "add", f"10.77.{number}.{last}/24", "dev", end)
                ip("-n", where, "link", "set", end, "up")

    def lose(self, share: float) -> None:
        """Lose this share of the multicast that arrives, everywhere."""
        for name in (self.ana, self.caio, self.bia):
            subprocess.run(
                ["ip", "netns", "exec", name, "iptables", "-A", "INPUT", "-d", "224.0.0.0/4",
                 "-m", "statistic", "--mode", "random", "--probability", str(share), "-j", "DROP"],
                check=True, capture_output=True,
            )  # fmt: skip


@pytest.fixture
def lan() -> Iterator[Lan]:
    with ExitStack() as stack:
        yield Lan(stack)


def within(name: str) -> tuple[str, ...]:
    return ("ip", "netns", "exec", name)


def finds(guest: Terminal, names: tuple[str, ...], seconds: float) -> None:
    """All these tables are listed within so many seconds of looking."""
    guest.expect("Looking for tables")
    begun = time.monotonic()
    for name in names:
        guest.shows(rf"\d: {name}, mineiro ", seconds)
    assert time.monotonic() - begun < seconds


@pytest.mark.skipif(shutil.which("iptables") is None, reason="needs iptables")
def test_a_bare_join_finds_the_tables_of_two_hosts_over_two_interfaces(
    lan: Lan, tmp_path: Path
) -> None:
    """Three seconds on a quiet network, ten when three in ten packets are lost; joins the one
    that was chosen; a host that leaves is gone from the list."""
    host = ("host", "--seats", "4", "--name")
    with terminals() as opened:
        ana = opened(tmp_path / "ana", *host, "Ana", before=within(lan.ana))
        caio = opened(tmp_path / "caio", *host, "Caio", before=within(lan.caio))
        for one in (ana, caio):
            one.expect(r"4 B  \(free\)")
        bia = opened(tmp_path / "bia", "join", "--name", "Bia", before=within(lan.bia))
        finds(bia, ("Ana", "Caio"), QUIET_SECONDS)
        lan.lose(0.3)
        for number in range(2):
            guest = opened(tmp_path / f"g{number}", "join", before=within(lan.bia))
            finds(guest, ("Ana", "Caio"), LOSSY_SECONDS)
            guest.end_input()
            assert guest.ended() == 1
        number = "1" if "1: Caio" in bia.screen else "2"
        bia.type(number)
        bia.expect("2 B  Bia")
        caio.expect("2 B  Bia")
        assert "Bia" not in ana.screen


def test_a_table_that_closes_is_gone_and_a_private_one_wants_its_ticket(
    lan: Lan, tmp_path: Path
) -> None:
    """A private table is listed without its ticket; the number of a table is never reused."""
    host = ("host", "--seats", "2", "--name")
    with terminals() as opened:
        ana = opened(tmp_path / "ana", *host, "Ana", before=within(lan.ana))
        ana.expect(r"2 B  \(free\)")
        bia = opened(tmp_path / "bia", "join", "--name", "Bia", before=within(lan.bia))
        bia.expect("1: Ana, ", 10)
        caio = opened(tmp_path / "caio", *host, "Caio", "--private", before=within(lan.caio))
        ticket = caio.expect(r"Ticket: (\S+)")[1]
        bia.expect("2: Caio, .*, private", 10)
        ana.interrupt()
        ana.ended()
        bia.expect("1: gone", 10)
        bia.type("1")
        bia.expect("There is no such table")
        bia.type("2")
        bia.expect("This table is private: type its ticket")
        bia.type(ticket.lower())
        caio.expect("2 B  Bia")


def test_a_table_follows_its_machine_from_network_to_network(lan: Lan, tmp_path: Path) -> None:
    """Opened before the network is there, then found; found again where the address changes, and
    joined there. The host reads each time by which ticket; whoever looks for tables before their
    own machine is on a network finds it all the same."""
    ip("-n", lan.ana, "addr", "flush", "dev", "v1")
    for dev in ("w1", "w2"):
        ip("-n", lan.bia, "addr", "flush", "dev", dev)
    with terminals() as opened:
        words = ("host", "--seats", "2", "--name", "Ana")
        ana = opened(tmp_path / "ana", *words, before=within(lan.ana))
        tickets = [ana.expect(r"Ticket: (\S+)")[1]]
        ana.expect("There is no network: only this machine can reach the table.")
        bia = opened(tmp_path / "bia", "join", "--name", "Bia", before=within(lan.bia))
        bia.expect("No table yet", 10)
        ip("-n", lan.bia, "addr", "add", "10.77.1.2/24", "dev", "w1")
        bia.expect("Your network has changed: looking again.", 10)
        for last in (1, 9):
            ip("-n", lan.ana, "addr", "flush", "dev", "v1")
            ip("-n", lan.ana, "addr", "add", f"10.77.1.{last}/24", "dev", "v1")
            ana.expect("The network has changed: this table is found by another ticket now", 10)
            tickets.append(ana.expect(r"Ticket: (\S+)")[1])
            bia.expect("1: Ana, mineiro ", 15)
        assert [str(address.host) for address in parse(tickets[-1]).addresses] == ["10.77.1.9"]
        assert len(set(tickets)) == 3
        bia.type("1")
        ana.expect("2 B  Bia", 10)
