"""Which guards may live, why, and what that makes of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from tests.kit.guards import ROOT, Guard, Switches, sources, with_switches

MAY_LIVE = ROOT / "tests" / "soak" / "guards_may_live.txt"


@cache
def may_live(listed: Path = MAY_LIVE) -> dict[tuple[str, str], str]:
    """The key of each guard that may live, and why."""
    reasons: dict[tuple[str, str], str] = {}
    file = name = ""
    for line in listed.read_text(encoding="utf-8").splitlines():
        if line.startswith("p2ptruco/"):
            file = line.strip()
        elif line.startswith("    "):
            reasons[file, name] = f"{reasons[file, name]} {line.strip()}".strip()
        elif line.startswith("  "):
            name = line.strip()
            reasons[file, name] = ""
    return reasons


def verdict(
    noticed: Collection[Guard], living: dict[Guard, str], modules: Collection[str]
) -> Iterator[str]:
    """What is not as it should be: a guard that lives without a reason, a reason for nothing."""
    reasons, there = may_live(), Switches()
    for guard in sorted(living, key=lambda one: (one.file, one.line)):
        if guard.key not in reasons:
            yield f"{guard}  [{living[guard]}]"
    paths = sources(modules)
    for path in paths:
        with_switches(path, there)
    names = {guard.key for guard in there.guards}
    files = {path.relative_to(ROOT).as_posix() for path in paths}
    for file, name in reasons:
        if file in files and (file, name) not in names:
            yield f"{MAY_LIVE.name}: no such guard in {file}: {name}"
        if any(guard.key == (file, name) for guard in noticed):
            yield f"{MAY_LIVE.name}: a test notices it, take it off: {file}: {name}"
