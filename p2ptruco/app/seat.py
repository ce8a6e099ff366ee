"""One seat of a bot: a process of its own, which trusts the others with nothing.

`python -m p2ptruco.app.seat` reads a `Plan` as one line of JSON on standard input and tells what
happens as lines of JSON on standard output. Whoever started it keeps standard input open: when it
ends, so does the seat, so that no seat outlives its starter.

| line | when |
| --- | --- |
| `{"ticket": text}` | seat 0 listens |
| `{"key": hex}` | its identity, before it comes to the lobby of a person |
| `{"story": [lines]}` | seat 0 of a demo (`cli/seat.py`): something new happened in public |
| `{"fault": {…}, "bot": name}` | the bot failed to decide |
| `{"done": {…}}` | the match is over and sealed |
| `{"failed": name, "errno": n}` | it is not: the name of what `--verbose` logs, and the number of
what the system refused, or null |
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
import secrets
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from ..errors import alone
from ..hooks.files import called
from ..net.lobby import GuestLobby
from ..net.lobby.sitting import Seated, Wish, host_table, join_table
from ..net.mesh.mesh import Mesh
from ..net.session import Session
from ..net.transport.network import Tcp
from ..net.transport.ticket import new_ticket, parse
from ..players.fault import BotFault
from ..players.local import LocalSeat
from ..players.sandbox.limits import limits
from ..players.sandbox.mind import Sandbox, sandboxed
from ..process import close_memory
from ..rules.seating import Seat
from ..rules.variant import Variant, from_toggles
from ..table.agreement import Agreement, Times
from ..table.identity import Identity
from ..table.record.file import write_record
from ..table.table import Table
from .keeping import keep

log = logging.getLogger("p2ptruco.seat")

LOOPBACK = "127.0.0.1"
TIMES = Times(move=0)
"""Bots among themselves have no clock."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a seat is told before it starts. `record`: a file, or a folder for one; None: none."""

    seat: int
    seats: int
    variant: str
    toggles: dict[str, str]
    bot: str
    seed: str
    language: str = "en"
    """What a demo's story is told in."""
    budget: float = 1.0
    """Seconds for a decision."""
    ticket: str | None = field(default=None, repr=False)
    name: str | None = None
    """What others call it; None: by its bot and seat."""
    lobby: bool = False
    """Whether a host that is a person waits in a lobby, and runs this seat."""
    record: str | None = None
    log: str | None = None

    def line(self) -> bytes:
        """The plan as it is sent to the seat's process."""
        return json.dumps(asdict(self)).encode() + b"\n"


Watch = Callable[[Plan, Table], Callable[[], None]]
"""Makes what is called whenever something may have happened at the table."""


def unwatched(plan: Plan, table: Table) -> Callable[[], None]:
    """Nobody looks on."""
    return lambda: None


def main(watch: Watch = unwatched) -> None:
    """Read the plan, take the seat, leave."""
    close_memory()
    plan = Plan(**json.loads(sys.stdin.buffer.readline()))
    if plan.log:
        form = f"%(asctime)s seat {plan.seat + 1} %(levelname)s %(name)s: %(message)s"
        logging.basicConfig(
            filename=plan.log,
            level=logging.INFO,
            format=form,
            encoding="utf-8",
            errors="backslashreplace",
        )
    try:
        trio.run(_while_wanted, plan, watch)
    except BaseException as error:
        log.exception("the seat failed")
        tell(_failed(alone(error)))


def _failed(error: BaseException) -> dict[str, Any]:
    return {"failed": type(error).__name__, "errno": getattr(error, "errno", None)}


def tell(line: dict[str, Any]) -> None:
    """One line for whoever started this seat; nobody listening any more is no error."""
    try:
        os.write(sys.stdout.fileno(), json.dumps(line).encode() + b"\n")
    except OSError:
        log.info("nobody listens")


async def _while_wanted(plan: Plan, watch: Watch) -> None:
    """Play until the match is over or standard input ends."""
    async with trio.open_nursery() as tasks:
        tasks.start_soon(_until_unwanted, tasks.cancel_scope)
        tell({"done": await play(plan, watch)})
        tasks.cancel_scope.cancel()


async def _until_unwanted(scope: trio.CancelScope) -> None:
    await trio.to_thread.run_sync(_standard_input_ends, abandon_on_cancel=True)
    scope.cancel()


def _standard_input_ends() -> None:
    """Past Python's buffers: a thread that holds one of their locks cannot be left behind."""
    while os.read(0, 1024):
        pass


async def play(plan: Plan, watch: Watch = unwatched) -> dict[str, Any]:
    """Sit down, play the match, write the record; what `done` tells."""
    me = Identity.generate(secrets.token_bytes)
    mesh = Mesh(me, Tcp(LOOPBACK))
    chance = f"{plan.seed}/{plan.seat}"
    async with (
        sandboxed(plan.bot, chance, limits(plan.budget), _tell_fault) as mind,
        trio.open_nursery() as tasks,
    ):
        await tasks.start(mesh.run)
        seated, patience = await sit_down(plan, mesh, me)
        table = Table(seated.agreement, secrets.token_bytes)
        local = LocalSeat(
            table, Seat(seated.seat), me, mind, random.Random(chance), patience=patience
        )
        changed = watch(plan, table)
        session = Session(mesh, table, local, changed=changed)
        await session.run()
        tasks.cancel_scope.cancel()
    record = b"".join(write_record(table, seated.signatures, seated.seat, me))
    return result(table, session, mind, record) | kept(record, plan.record, seated.agreement)


def kept(record: bytes, place: str | None, agreement: Agreement) -> dict[str, Any]:
    """Where the record is, or the number of why it could not be written."""
    try:
        path = keep(record, Path(place), agreement) if place else None
    except OSError as error:
        return {"record": None, "unwritten": error.errno}
    return {"record": path}


def result(table: Table, session: Session, mind: Sandbox, record: bytes) -> dict[str, Any]:
    """How the match ended for this seat."""
    outcome = table.outcome
    assert outcome is not None
    return {
        "winner": outcome.winner,
        "score": outcome.score,
        "won": outcome.won,
        "hands": len(table.hands),
        "sealed": table.finished,
        "bot": mind.name,
        "digest": hashlib.sha256(record).hexdigest(),
        "cold_deals": session.cold_deals,
        "faults": [asdict(fault) for fault in mind.faults],
    }


async def sit_down(plan: Plan, mesh: Mesh, me: Identity) -> tuple[Seated, float]:
    """Our seat, and the seconds for which it waits for a partner's word. Seat 0 hosts on a ticket
    of its own, the others come by it. One person runs them all."""
    variant = from_toggles(plan.variant, plan.toggles)
    name = plan.name or f"{called(plan.bot)}-{plan.seat + 1}"
    wish = Wish(name, plan.seat, operator=0)
    if plan.ticket is None:
        ticket = new_ticket(mesh.addresses, me.public, secrets.token_bytes)
        mesh.door.open_to(ticket, {"seat": plan.seats - 1})
        tell({"ticket": str(ticket)})
        return await host_table(mesh, me, wish, variant, plan.seats, times=TIMES), 0.0
    if plan.lobby:
        tell({"key": me.public.hex()})
    host = await mesh.join(parse(plan.ticket))
    if plan.lobby:
        lobby = GuestLobby(mesh, me, host, name, seat=plan.seat, operator=host, bot=True)
        seated = await lobby.run()
        return seated, lobby.room.patience(seated.seat) if lobby.room else 0.0
    consents = partial(as_planned, plan=plan, variant=variant)
    return await join_table(mesh, me, host, wish, consents), 0.0


def as_planned(agreement: Agreement, plan: Plan, variant: Variant) -> bool:
    """Whether the host proposes the match that this seat was started for."""
    same = agreement.variant == variant and agreement.players == plan.seats
    return same and agreement.terms.times == TIMES


def _tell_fault(bot: str, fault: BotFault) -> None:
    tell({"fault": asdict(fault), "bot": bot})


if __name__ == "__main__":
    main()
