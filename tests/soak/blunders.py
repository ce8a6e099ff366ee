"""Counts what no good player does, over many matches of a bot against another.

    .venv/bin/python -m tests.soak.blunders --matches 1000 --seats 4 --variant mineiro

| | |
| --- | --- |
| lost-call | calls where no card that was not shown could save the hand |
| lost-answer | accepts or raises a call where none of its own cards can save the hand |
| covers-partner | as the last to lay, beats a card of a partner's, with a weaker card at hand |
| manilha-wasted | as the last to lay, a manilha where a common card has the same trick |
| runs-sure | runs though its card wins the hand, or holding the strongest card and a trick won |
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from p2ptruco import ACCEPT, CALL, RUN, Move, Play, View
from p2ptruco.hooks import find_bot
from p2ptruco.hooks.files import find_variant
from p2ptruco.rules.seating import team_of
from p2ptruco.rules.tricks import hand_winner
from p2ptruco.testing.course import _ask, course


def blunders(view: View, move: Move) -> Iterator[str]:
    """What is wrong with a move; the cards of others are not looked at."""
    if view.kind != "normal" or None in view.cards.values():
        return
    takes = {play: view.taker(play) for play in own(view)}
    last = len(view.table) == view.players - 1 and next_to_lay(view) == view.seat
    ends = {play: hand_winner([*won(view), team]) for play, team in takes.items()}
    if last and ACCEPT in view.legal:
        if move != RUN and all(team == 1 - view.team for team in ends.values()):
            yield "lost-answer"
        if move == RUN and view.team in ends.values():
            yield "runs-sure"
    best = view.manilhas[0] in view.cards.values()
    if not last and move == RUN and best and view.team in won(view):
        yield "runs-sure"
    if move == CALL and CALL in view.legal and view.plays and lost_for_all(view):
        yield "lost-call"
    if isinstance(move, Play) and last and not move.face_down:
        same = [play for play, team in takes.items() if team == takes[move]]
        weakest = min(map(view.strength, same))
        if view.taker() == view.team and view.strength(move) > strongest(view) > weakest:
            yield "covers-partner"
        if view.card(move.slot) in view.manilhas and weakest <= len(view.variant.ranks):
            yield "manilha-wasted"


def own(view: View) -> list[Play]:
    """Its cards, open."""
    return [Play(slot) for slot in view.cards]


def won(view: View) -> list[int | None]:
    return [trick.winner for trick in view.tricks]


def next_to_lay(view: View) -> int:
    return (view.leader + len(view.table)) % view.players


def strongest(view: View) -> int:
    """What lies on the table at its best."""
    return max((view.strength(lay.card) for lay in view.table), default=0)


def lost_for_all(view: View) -> bool:
    """Whether the rival has a trick that decides, and no card that was not shown takes it."""
    rival = 1 - view.team
    if view.taker() != rival or hand_winner([*won(view), rival]) != rival:
        return False
    shown = {view.vira, *[lay.card for lay in view.hand.laid]}
    hidden = [view.strength(card) for card in view.variant.deck if card not in shown]
    tie_saves = hand_winner([*won(view), None]) != rival
    return all(s < strongest(view) + (not tie_saves) for s in hidden)


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bot", default="mestre")
    parser.add_argument("--rival", default="mestre")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--variant", default="mineiro")
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    variant = find_variant(chosen.variant).variant
    makes = [find_bot(name).make for name in (chosen.bot, chosen.rival)]
    counts: Counter[str] = Counter()
    decisions = 0
    for number in range(chosen.matches):
        bots = [makes[seat % 2]() for seat in range(chosen.seats)]
        sources = [random.Random(f"{number}/{seat}") for seat in range(chosen.seats)]
        match = course(variant, chosen.seats, f"{chosen.seed}/{number}")
        move: Move | None = None
        while True:
            try:
                moment = match.send(move)
            except StopIteration:
                break
            view = replace(moment.view, rng=sources[moment.seat])
            move = _ask(bots[moment.seat], moment.call, view)
            if move is not None and moment.call == "choose" and team_of(moment.seat) == 0:
                decisions += 1
                counts.update(blunders(view, move))
    print(f"{chosen.bot}: {chosen.matches} matches, {decisions} decisions")
    for name in ("lost-call", "lost-answer", "covers-partner", "manilha-wasted", "runs-sure"):
        print(f"{name:15} {counts[name]:6}  {1000 * counts[name] / max(1, decisions):.2f} in 1000")


if __name__ == "__main__":
    main()
