"""The solver in C, compiled by cffi when it is first wanted, and its arrays as bytes and lists."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from p2ptruco.arena.train.families import TARGET, Family

ACTIONS = 4
OUTCOMES = 5
HERE = Path(__file__).parent


class NotBuilt(Exception):
    """The solver cannot be compiled; the text says why."""


class Node(NamedTuple):
    """A situation: its key, and the sum of the weights that each action had in it."""

    key: int
    average: tuple[float, ...]


@cache
def _library() -> Any:
    """The compiled module, in a folder that goes away with the process."""
    try:
        cffi = import_module("cffi")
    except ImportError as error:
        raise NotBuilt("cffi") from error
    ffi = cffi.FFI()
    ffi.cdef(re.sub(r"/\*.*?\*/", "", (HERE / "cfr.h").read_text(), flags=re.DOTALL))
    folder = tempfile.TemporaryDirectory(prefix="p2ptruco-train-")
    options = {"include_dirs": [str(HERE)], "extra_compile_args": ["-O2"]}
    if sys.platform != "win32":
        options["libraries"] = ["m"]
    ffi.set_source("_p2ptruco_cfr", (HERE / "cfr.c").read_text(), **options)
    try:
        ffi.compile(tmpdir=folder.name)
    except Exception as error:
        raise NotBuilt(str(error)) from error
    sys.path.insert(0, folder.name)
    try:
        module = import_module("_p2ptruco_cfr")
    finally:
        sys.path.remove(folder.name)
    _kept.append(folder)
    return module


_kept: list[Any] = []


class Solver:
    """The situations of one family as they are learned."""

    def __init__(self, family: Family, seed: int, log2_slots: int = 21) -> None:
        module = _library()
        self._ffi, self._lib = module.ffi, module.lib
        self.family = family
        copies = [*family.copies, *[0] * (20 - len(family.copies))]
        self._solver = self._ffi.gc(
            self._lib.solver_new(
                family.seats,
                len(family.copies) - 1,
                copies,
                family.deck == "vira",
                len(family.values) - 1,
                list(family.values),
                TARGET,
                family.scores,
                seed,
                log2_slots,
            ),
            self._lib.solver_free,
        )
        self._against: Solver | None = None

    def equity(self, matrix: Sequence[Sequence[float]]) -> None:
        """Set what scores are worth (`equity.equities`)."""
        self._lib.solver_equity(self._solver, [cell for row in matrix for cell in row])

    def against(self, fixed: Solver) -> None:
        """From now on learn to beat a solver that does not learn any more."""
        self._against = fixed
        self._lib.solver_against(self._solver, fixed._solver)

    def run(self, start: int, hands: int, total: int, *, points: bool = False) -> None:
        """Learn from hands `start` on of `total`; for points instead of the match if so asked.

        MemoryError when the table has no room for another situation.
        """
        if not self._lib.solver_run(self._solver, start, hands, total, points):
            raise MemoryError("the table is full")

    def __len__(self) -> int:
        return int(self._lib.solver_size(self._solver))

    def dump(self) -> tuple[bytes, bytes, bytes]:
        """Keys, average strategies and regrets as they lie in memory: a checkpoint."""
        count = len(self)
        keys = self._ffi.new("unsigned long long[]", count)
        average, regret = (self._ffi.new("float[]", ACTIONS * count) for _ in range(2))
        self._lib.solver_export(self._solver, keys, average, regret)
        buffer = self._ffi.buffer
        return bytes(buffer(keys)), bytes(buffer(average)), bytes(buffer(regret))

    def restore(self, keys: bytes, average: bytes, regret: bytes) -> None:
        """Take up a checkpoint; the chance that follows is that of the seed it is made with."""
        cast, buffer = self._ffi.cast, self._ffi.from_buffer
        self._lib.solver_import(
            self._solver,
            len(keys) // 8,
            cast("unsigned long long *", buffer(keys)),
            cast("float *", buffer(average)),
            cast("float *", buffer(regret)),
        )

    def match_up(self, other: Solver, hands: int) -> tuple[float, float]:
        """Points a hand that this average strategy takes from another's, and the standard error."""
        error = self._ffi.new("double *")
        mean = self._lib.solver_match_up(self._solver, other._solver, hands, error)
        return float(mean), float(error[0])

    def outcomes(self, hands: int) -> bytes:
        """What comes of each situation in self-play: five floats each, in the order of `dump`.

        Kept (accepted, or no call), kept and won, called, run from, accepted and won.
        """
        if not self._lib.solver_outcomes(self._solver, hands):
            raise MemoryError("no room for outcomes")
        out = self._ffi.new("float[]", OUTCOMES * len(self))
        self._lib.solver_export_outcomes(self._solver, out)
        return bytes(self._ffi.buffer(out))

    def shares(self, hands: int) -> list[float]:
        """How often a hand of self-play ends at each step of the scale, ties last."""
        out = self._ffi.new("double[]", len(self.family.values) + 1)
        self._lib.solver_results(self._solver, hands, out)
        return list(out)

    def specials(self, hands: int) -> dict[int, float]:
        """How often each holding wins a locked hand of self-play; a tie counts half."""
        keys = self._ffi.new("unsigned long long[]", 2 * hands)
        results = self._ffi.new("signed char[]", 2 * hands)
        self._lib.solver_special(self._solver, hands, keys, results)
        won: dict[int, list[int]] = {}
        for key, result in zip(keys, results, strict=True):
            cell = won.setdefault(int(key), [0, 0])
            cell[0] += int(result)
            cell[1] += 2
        return {key: points / total for key, (points, total) in won.items()}
