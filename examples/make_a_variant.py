"""A house rule as toggles: no running away, three ties to the eldest, best of three.

python examples/make_a_variant.py
"""

from dataclasses import replace

import p2ptruco
from p2ptruco.testing import check_variant, play_match

HOUSE = replace(
    p2ptruco.PAULISTA,
    name="sem-fuga",
    fold=False,
    all_tied=p2ptruco.AllTied.ELDEST,
    best_of=3,
)


@p2ptruco.hookimpl
def p2ptruco_register_variants(register: p2ptruco.RegisterVariant) -> None:
    """What makes it a plugin, once an entry point names this module."""
    register(HOUSE, title="Sem fuga")


if __name__ == "__main__":
    check_variant(HOUSE)
    won = sum(play_match(["zap"] * 4, HOUSE, seed) == 0 for seed in range(20))
    print(f"It can be agreed on and played; team A won {won} of 20 sets.")
