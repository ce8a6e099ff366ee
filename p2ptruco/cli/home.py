"""The data folder, its faults as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from p2ptruco.cli.failure import FAILED, Failure
from p2ptruco.ui.reasons import home_fault

if TYPE_CHECKING:
    from p2ptruco.store.home import Self


@contextmanager
def faults_told() -> Iterator[None]:
    """What is wrong with the data folder, as a Failure."""
    from p2ptruco.store.home import HomeFault

    try:
        yield
    except HomeFault as fault:
        raise Failure(fault.code, home_fault(fault.code, fault.path), FAILED) from fault


def mine() -> Self:
    """Who we are on this machine."""
    from p2ptruco.store.home import myself

    with faults_told():
        return myself()
