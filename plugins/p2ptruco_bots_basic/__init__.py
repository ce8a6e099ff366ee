"""The bots that come with p2ptruco, written and registered exactly as a stranger's would be."""

from __future__ import annotations

import p2ptruco

from . import uniform, zap

P2PTRUCO_PLUGIN_API = 1


@p2ptruco.hookimpl
def p2ptruco_register_bots(register: p2ptruco.RegisterBot) -> None:
    """Offer both; neither keeps a memory, so a match needs no instance of its own."""
    register("zap", lambda: zap.choose, title="Zap, the yardstick: a fixed policy")
    register("random", lambda: uniform.choose, title="Random: any legal move but folding")
