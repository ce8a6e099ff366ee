"""A verifiable shuffle: Groth's argument in commitment form (deal.md §4).

statement.py says what is proved and asks the challenges, for both sides; prove.py and verify.py
are the two sides; vector.py commits to vectors.
"""

from p2ptruco.mental.shuffle.prove import Offline, OfflineSpent, prepare, shuffle
from p2ptruco.mental.shuffle.statement import Proof, Shuffled, deck_size, parse, proof_size
from p2ptruco.mental.shuffle.verify import verify_chain, verify_one, verify_prefix

__all__ = [
    "Offline",
    "OfflineSpent",
    "Proof",
    "Shuffled",
    "deck_size",
    "parse",
    "prepare",
    "proof_size",
    "shuffle",
    "verify_chain",
    "verify_one",
    "verify_prefix",
]
