"""A bot in a function: it plays by the rules, and beats chance.

python examples/write_a_bot.py
"""

from p2ptruco import ACCEPT, CALL, PLAY_ON, RUN, Kind, Move, View
from p2ptruco.testing import check_bot, play_match


def choose(view: View) -> Move:
    """Call with two good cards, accept with one; lead the best, take tricks with the cheapest."""
    held = [card for card in view.cards.values() if card is not None]
    good = sum(card in view.manilhas or card.rank in "23" for card in held)
    if PLAY_ON in view.legal:
        return PLAY_ON
    if RUN in view.legal:
        return ACCEPT if good else RUN
    if good >= 2 and CALL in view.legal and view.kind is Kind.NORMAL:
        return CALL
    cheapest_first = sorted(view.plays, key=view.strength)
    if not view.table:
        return cheapest_first[-1]
    taking = [play for play in cheapest_first if view.taker(play) == view.team]
    return (taking or cheapest_first)[0]


if __name__ == "__main__":
    check_bot(lambda: choose)
    won = sum(play_match([lambda: choose, "random"], seed=seed) == 0 for seed in range(200))
    print(f"It plays by the rules, and won {won} of 200 matches against random.")
    # p2ptruco demo --seats 2 --bots examples/write_a_bot.py,zap
