"""mestre without its model of the rival."""

from functools import partial

from p2ptruco_mestre.mestre import Mestre

import p2ptruco


@p2ptruco.hookimpl
def p2ptruco_register_bots(register: p2ptruco.RegisterBot) -> None:
    """Offer it."""
    register("deaf", partial(Mestre, 1.0, learns=False))
