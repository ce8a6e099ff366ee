"""The executor of a Dask cluster (the extra `dask`).

Its workers play in pits of their own, as here; a worker that dies takes its jobs to another one.
They need p2ptruco and the bots, under the same names or paths.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

PATIENCE = "10s"


class NoCluster(Exception):
    """`code`: `no_dask` (the extra is not installed), `no_cluster` (nobody answers there)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The executor of the cluster whose scheduler is there, and how many jobs it takes at once."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise NoCluster("no_dask") from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise NoCluster("no_cluster") from error
    try:
        yield client.get_executor(), max(1, sum(client.nthreads().values()))
    finally:
        client.close()
