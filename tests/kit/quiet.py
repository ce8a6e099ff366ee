"""A seat of ours that says nothing by itself: its test does."""

from __future__ import annotations

from p2ptruco.players.local import LocalSeat
from p2ptruco.table.entries import Entry
from p2ptruco.table.table import Open


class Quiet(LocalSeat):
    async def speak(self, here: Open) -> Entry | None:
        return None
