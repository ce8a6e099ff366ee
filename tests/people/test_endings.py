"""Every way to end: Ctrl-C, SIGTERM, SIGHUP, the end of input; at every place; it is said what
becomes of the match, and the command leaves with the status of its contract."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from .terminal import Terminal, terminals

ENDS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 143}
Opened = Callable[..., Terminal]


def lobby(opened: Opened, folder: Path, *words: str) -> tuple[Terminal, Terminal]:
    """A host and a guest in a lobby of two."""
    host = opened(folder / "ana", "host", "--seats", "2", "--name", "Ana", "--private", *words)
    ticket = host.expect(r"Ticket: (\S+)")[1]
    guest = opened(folder / "bia", "join", ticket, "--name", "Bia")
    host.shows("2 B  Bia")
    guest.shows("2 B  Bia")
    return host, guest


def table(opened: Opened, folder: Path, *words: str) -> tuple[Terminal, Terminal]:
    """Two at a table in the first hand: who is asked, and who waits."""
    two = lobby(opened, folder, *words)
    two[1].type("ready")
    two[0].expect("type start")
    two[0].type("start")
    for one in two:
        one.shows("Your cards: ")
    while not any("\n> " in one.screen for one in two):
        for one in two:
            one.look()
    asked = two[0] if "\n> " in two[0].screen else two[1]
    return asked, two[1] if asked is two[0] else two[0]


def cleanly(terminal: Terminal, status: int) -> str:
    assert terminal.ended() == status, terminal.screen
    assert "Traceback" not in terminal.screen
    return terminal.screen


def test_a_signal_in_the_lobby(tmp_path: Path) -> None:
    """Of the host: the guest hears that the host has gone home, and nobody signed anything."""
    with terminals() as opened:
        host, guest = lobby(opened, tmp_path)
        host.interrupt(signal.SIGTERM)
        assert "no match was begun" in cleanly(host, 143)
        assert "The host has gone home." in cleanly(guest, 1)


def test_a_signal_while_looking_for_tables(tmp_path: Path) -> None:
    """A bare join, before any table is there."""
    with terminals() as opened:
        guest = opened(tmp_path / "bia", "join")
        guest.expect("Type the number of a table")
        guest.interrupt()
        cleanly(guest, 130)


@pytest.mark.parametrize(
    ("number", "mine"),
    [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, True)],
    ids=["at the prompt", "on the other's turn", "the terminal is closed"],
)
def test_a_signal_in_the_match(number: signal.Signals, mine: bool, tmp_path: Path) -> None:
    """The record is kept and verifies as interrupted; the other is told who is gone since when,
    can leave, and keeps a record too."""
    with terminals() as opened:
        asked, waiting = table(opened, tmp_path, "--time", "0")
        goes, stays = (asked, waiting) if mine else (waiting, asked)
        goes.interrupt(number)
        screen = cleanly(goes, ENDS[number])
        assert "The match is interrupted and has no winner" in screen
        assert ".trec" in screen
        ended = r"(\w+ \(\d\)) ended their program at [\d:]{8} and is not expected back; the table "
        ended += "waits" if mine else "goes on"
        name = stays.expect(ended.replace(" ", r"\s+"))[1]
        if not mine:
            stays.type("1")
            stays.expect(rf"The table waits for {re.escape(name)} since \d\d:\d\d:\d\d \(a move\)")
        stays.expect("Wait, or leave: then nobody wins.")
        stays.type("leave")
        stays.expect(rf"{re.escape(name)}\. If you leave now, nobody wins")
        stays.type("leave")
        screen = " ".join(cleanly(stays, 1).split())
        assert screen.endswith(f"You left while the table waited for {name}: nobody has won.")
        assert "other team" not in screen, "one thing is said of how it ends"
        assert ".trec" in screen


def test_the_end_of_input_in_the_lobby(tmp_path: Path) -> None:
    """Nobody agrees by silence: whose input ends goes home, guest or host."""
    with terminals() as opened:
        host, guest = lobby(opened, tmp_path)
        guest.type("ready")
        host.expect("type start")
        guest.end_input()
        assert "No more input: leaving the lobby." in cleanly(guest, 0)
        host.expect(r"2 B  \(free\)")
        host.end_input()
        assert "No more input: leaving the lobby." in cleanly(host, 0)


def test_the_end_of_input_in_the_match(tmp_path: Path) -> None:
    """Whose input ends leaves politely: the match is lost, sealed, and over for both."""
    with terminals() as opened:
        asked, waiting = table(opened, tmp_path)
        asked.end_input()
        asked.expect("No more input: leaving the table.")
        for one in (asked, waiting):
            one.expect("won the match")
        cleanly(asked, 0)
        waiting.type("n")
        cleanly(waiting, 0)


def test_time_runs_out_at_the_prompt(tmp_path: Path) -> None:
    """The clock speaks, then the weakest card is played by the player's own client; a card that
    the other chose beforehand is played instead of theirs."""
    with terminals() as opened:
        asked, waiting = table(opened, tmp_path, "--time", "6")
        waiting.type("3")
        waiting.expect("Noted: it is played if your time runs out")
        asked.expect("5 seconds left")
        asked.expect("3 seconds left")
        asked.expect("Time is up: the rules decide for you.")
        waiting.expect("Time is up: the card that you had chosen is played.")
        for one in (asked, waiting):
            one.expect("takes it for|tied")
