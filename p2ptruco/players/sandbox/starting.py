"""How a bot's process is started, and what it says when there is no such bot."""

from __future__ import annotations

import sys
from typing import Any

from p2ptruco.hooks import NoBot
from p2ptruco.hooks.files import NO_BOT
from p2ptruco.players.sandbox.limits import Limits
from p2ptruco.process import ended

COMMAND = (sys.executable, "-P", "-X", "faulthandler", "-m", "p2ptruco.players.sandbox.inside")


def first_line(bot: str, limits: Limits) -> dict[str, Any]:
    """What a bot's process is told first."""
    times = {"budget_ms": limits.budget_ms, "start": limits.start}
    return {"bot": bot, "memory": limits.memory, **times}


def missing(bot: str, hello: dict[str, Any]) -> NoBot | None:
    """Why there is no bot, by the first line that its process said; None if there is one."""
    if "no_bot" not in hello:
        return None
    code, name, detail = (str(hello.get(key)) for key in ("no_bot", "name", "detail"))
    return NoBot(code, name, detail) if code in NO_BOT else NoBot("broken_file", bot, str(hello))


def crashed(bot: str, status: int, printed: str) -> NoBot:
    """The process that loaded the bot ended: how, and unless by a signal, with what last words."""
    last = printed.strip().splitlines()[-1:] if status >= 0 else []
    return NoBot("load_crashed", bot, ": ".join([ended(status), *last]))


def too_slow(bot: str, limits: Limits) -> NoBot:
    """The bot was not loaded in time."""
    return NoBot("slow_file", bot, f"{limits.start:g}")
