"""What people type so that a match has everything in it, whatever the cards are.

    1. somebody plays a card face down in the second trick, the other folds
    2. truco, seis, and whoever called truco runs
    3. who is behind lets the other reach ten: truco, seis, run; fold
    4. mão de dez: refused until the others have six, then played, and folded
    5. mão de ferro: whatever position is left, to the end

All of it is read off the screen: the score, the kind of hand, the cards, the choices.
"""

from __future__ import annotations

import re

from .terminal import Terminal

WANTED = (
    "calls TRUCO! (4)",
    "calls SEIS! (6)",
    "runs",
    "folds the hand",
    "░░",
    "mão de 10",
    "plays it",
    "refuses it",
    "mão de ferro",
    "Mão de ferro: nobody sees their own cards",
    "won the match",
)


def answer(terminal: Terminal, choices: str) -> str:
    """What the script says at a prompt."""
    team = re.findall(r"You are seat \d+, team (\w);", terminal.screen)[-1]
    a, b = map(int, re.findall(r"^A (\d+)  B (\d+)   this hand", terminal.screen, re.M)[-1])
    mine, theirs = (a, b) if team == "A" else (b, a)
    hand = terminal.screen[terminal.screen.rindex("\nHand ") :]
    lets = losing(team, mine, theirs)
    if "n refuses" in choices:
        return "p" if theirs == 6 else "n"
    if "a accepts" in choices:
        return answered(choices, hand, lets)
    number = re.findall(r"(\d): ", re.findall(r"^Your cards: (.*)$", hand, re.M)[-1])[0]
    if "░░" not in terminal.screen and a == b == 0:
        return f"x {number}" if "x and a number" in choices else number
    if "f folds" in choices and (a == b == 0 or lets):
        call = "calls" not in hand and "truco (" in choices and (a, b) != (0, 0)
        return "truco" if call and theirs <= 6 else "f"
    return number


def losing(team: str, mine: int, theirs: int) -> bool:
    """Whether a team should let the other have the hand: who is behind, B of equals, until the
    other has ten; then who has ten."""
    if max(mine, theirs) >= 10:
        return mine >= 10 > theirs
    return mine < theirs or (mine == theirs and team == "B")


def answered(choices: str, hand: str, lets: bool) -> str:
    """To a call."""
    if lets:
        return "r"
    return "seis" if "seis (" in choices else "a"


def alone(terminal: Terminal, choices: str) -> str:
    """What one person says among `bots/obliging.py`, to the same end: B gets six from a fold, a
    truco and more folds, A ten from theirs; then as in the script above."""
    screen = terminal.screen
    a, b = map(int, re.findall(r"^A (\d+)  B (\d+)   this hand", screen, re.M)[-1])
    hand = screen[screen.rindex("\nHand ") :]
    if "n refuses" in choices:
        return "p" if b == 6 else "n"
    if "a accepts" in choices:
        return "r"
    number = re.findall(r"(\d): ", re.findall(r"^Your cards: (.*)$", hand, re.M)[-1])[0]
    if "f folds" not in choices or (a < 10 and b >= 6):
        return number
    if "1 ░░" not in screen:
        return f"x {number}" if "x and a number" in choices else number
    return "truco" if "1 calls" not in screen and b < 6 and "truco (" in choices else "f"
