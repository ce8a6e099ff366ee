"""`--front web` on the command line: an address of this machine, or a sentence."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from importlib import util
from pathlib import Path

import pytest

from .calling import P2PTRUCO, run


@contextmanager
def started(home: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A program, and the address that it prints."""
    process = subprocess.Popen(
        [P2PTRUCO, *words, "--lang", "en"],
        env={**os.environ, "P2PTRUCO_HOME": str(home), "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        yield process, process.stderr.readline()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("address", ["0.0.0.0", "192.0.2.7:80", "::1", "example.org", ":70000", ""])
def test_other_machines_are_not_served(address: str) -> None:
    """The sentence says why: they would see our cards."""
    done = run("play", "--web", "--json", "--page", address or "::")
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (2, "not_here")
    assert "sees its cards" in error["message"]


def test_a_port_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with started(tmp_path, "play", "--web") as (_process, line):
        found = re.search(r"127\.0\.0\.1:[0-9]+", line)
        assert found is not None
        done = run("play", "--web", "--json", "--page", found[0])
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (1, "port_in_use")


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    there = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name: there(name) if name != "jinja2" else None)
    done = run("play", "--front", "web", "--json")
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (1, "no_web")
    assert "(jinja2): pip install 'p2ptruco[web]'" in error["message"]


def test_the_printed_address_opens_and_ctrl_c_ends(tmp_path: Path) -> None:
    """On standard error, for standard output is for answers; no traceback, no process is left."""
    with started(tmp_path, "play", "--web") as (process, line):
        found = re.fullmatch(r"Open in a browser: http://(127\.0\.0\.1:\d+)(/\?token=\S+)\n", line)
        assert found is not None
        with closing(HTTPConnection(found[1], timeout=20)) as browser:
            browser.request("GET", found[2])
            assert browser.getresponse().status == 303
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
        assert (process.returncode, out, errors.strip()) == (130, "", "")
