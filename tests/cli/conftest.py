"""A data folder and a locale of the test's own, for everything that runs a command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2ptruco.ui import words


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("P2PTRUCO_HOME", str(tmp_path / "home"))
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("LANG", "C.UTF-8")
    yield tmp_path / "home"
    words.speak("en")
