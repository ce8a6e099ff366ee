"""A p2ptruco process at a pseudo-terminal of 80 columns, and a person who types into it.

Laws:
1. What a person types depends on nothing but what the terminal has shown.
2. Waiting is for a text, bounded by a deadline; a failure shows everything that was on the screen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.cli.calling import P2PTRUCO
from tests.kit.signals import restored

SECONDS = 40.0
"""For anything that is waited for."""
QUIET = 0.15
"""Seconds of silence after which a prompt has been shown whole."""


class Terminal:
    """One process; `screen` is all that it has shown, `typed` what was typed."""

    def __init__(self, home: Path, *words: str, before: tuple[str, ...] = (), **env: str) -> None:
        self.screen, self._mark, self._rest = "", 0, b""
        self.typed: list[str] = []
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        modes = termios.tcgetattr(slave)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        surroundings = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "", "LANGUAGE": "", **env}
        self.process = subprocess.Popen(
            [*before, P2PTRUCO, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**surroundings, "P2PTRUCO_HOME": str(home), "NO_COLOR": "1"},
            start_new_session=True,
            preexec_fn=restored,
        )
        os.close(slave)

    def look(self, seconds: float = 0.05) -> bool:
        """Read what is there; whether there was anything."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            chunk = os.read(self._master, 65536)
        except OSError:  # the process has closed its terminal
            chunk = b""
        whole = self._rest + chunk
        text = whole.decode("utf-8", "ignore")
        self._rest = whole[len(text.encode()) :]
        self.screen += text.replace("\r\n", "\n")
        return bool(chunk)

    def expect(self, pattern: str, seconds: float = SECONDS) -> re.Match[str]:
        """The next match of a pattern; what comes before it is skipped."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = re.search(pattern, self.screen[self._mark :])
            if found:
                self._mark += found.end()
                return found
            if not self.look() and self.process.poll() is not None:
                break
        raise AssertionError(f"no {pattern!r} on the screen:\n{self.screen}")

    def shows(self, pattern: str, seconds: float = SECONDS) -> None:
        """Wait until a pattern is anywhere on the screen."""
        mark, self._mark = self._mark, 0
        self.expect(pattern, seconds)
        self._mark = mark

    def type(self, line: str) -> None:
        """A line and Enter."""
        self.typed.append(line)
        os.write(self._master, line.encode() + b"\n")

    def end_input(self) -> None:
        """Control-D."""
        os.write(self._master, b"\x04")

    def interrupt(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)

    def ended(self, seconds: float = SECONDS) -> int:
        """The status, once the process has ended."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self.look()
        while self.look(0):
            pass
        if self.process.poll() is None:
            raise AssertionError(f"it does not end:\n{self.screen}")
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)

    # Prompts.

    def prompt(self) -> str:
        """The choices that the person is asked for and has not answered; "" for none."""
        if self.look(0):
            return ""
        at = self.screen.rfind("\n> ")
        if at < self._mark or self.look(QUIET):
            return ""
        lines = self.screen[at + 1 :].splitlines()
        told = [lines[0], *_indented(lines[1:])]
        self._mark = len(self.screen)
        return " ".join(line.strip() for line in told)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("  ") or re.match(r"  \d ", line):
            return
        yield line


Answer = Callable[[Terminal, str], str]
"""What to type at a prompt."""


def play(answers: dict[Terminal, Answer], until: str, seconds: float = 150.0) -> None:
    """Answer every prompt until a text has come onto every screen."""
    deadline = time.monotonic() + seconds
    begun = {terminal: terminal.screen.count(until) for terminal in answers}
    while not all(terminal.screen.count(until) > begun[terminal] for terminal in answers):
        for terminal, answer in answers.items():
            terminal.look(0.02)
            if choices := terminal.prompt():
                terminal.type(answer(terminal, choices))
        if time.monotonic() > deadline:
            screens = "\n=====\n".join(terminal.screen for terminal in answers)
            raise AssertionError(f"no {until!r} on every screen:\n{screens}")


@contextmanager
def terminals() -> Iterator[Callable[..., Terminal]]:
    """Opens terminals; all of them are closed at the end."""
    with ExitStack() as stack:

        def opened(home: Path, *words: str, **kept: object) -> Terminal:
            terminal = Terminal(home, *words, **kept)  # type: ignore[arg-type]
            stack.callback(terminal.close)
            return terminal

        yield opened
