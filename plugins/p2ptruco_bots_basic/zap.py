"""`zap`: a policy that will never change, so that other bots can be measured by it.

Strength of remaining cards: manilhas × 3 + other threes × 2 + other twos × 1, plus 3 if its team
has won a trick, minus 2 if the other team has.

| it is asked | it answers |
| --- | --- |
| its turn in a normal hand | calls, when it can, at 4 or more, else once in 12; then a card |
| a call | raises at 7 or more if it can, accepts at 2 or more, else runs |
| a special hand | plays if any player of its team has 1 or more, else refuses |
| to fold | never |

A card *wins* if with it the trick as it stands is its team's, *ties* if nobody's. *Cheapest* is
the weakest such card, first dealt among equals, open unless said. It leads its strongest card.
If the trick as it stands is its team's already: its cheapest. Else the first that exists of:
the cheapest that ties, if its team won the first trick; the cheapest that wins; the cheapest that
ties, unless the other team won the first trick; its cheapest, face down where allowed.
In a blind iron hand: the first position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2ptruco import ACCEPT, CALL, PLAY_ON, REFUSE, RUN, Card, Move, Play, View

WORTH_CALLING, WORTH_RAISING, WORTH_ACCEPTING, WORTH_PLAYING = 4, 7, 2, 1
BLUFF_ONE_IN = 12


def choose(view: View) -> Move:
    """The move of the policy."""
    if PLAY_ON in view.legal:
        return PLAY_ON if best_of_team(view) >= WORTH_PLAYING else REFUSE
    if ACCEPT in view.legal:
        return answer(view, strength(view))
    if calls(view):
        return CALL
    return card(view)


def strength(view: View) -> int:
    """Its own remaining cards, and how the tricks stand."""
    won = [trick.winner for trick in view.tricks if trick.winner is not None]
    ours, theirs = view.team in won, any(team != view.team for team in won)
    return worth(view, view.cards.values()) + 3 * ours - 2 * theirs


def worth(view: View, cards: Iterable[Card | None]) -> int:
    """Manilhas × 3 + other threes × 2 + other twos × 1; an unseen card counts nothing."""
    return sum(
        3 if card in view.manilhas else {"3": 2, "2": 1}.get(card.rank, 0)
        for card in cards
        if card is not None
    )


def best_of_team(view: View) -> int:
    """The greatest strength of a player of its team, as far as it may see their cards."""
    held: dict[int, list[Card | None]] = {view.seat: list(view.cards.values())}
    for slot, card in view.partner_cards.items():
        held.setdefault(slot // 3, []).append(card)
    return max(worth(view, cards) for cards in held.values())


def answer(view: View, s: int) -> Move:
    """What it says to a call."""
    if s >= WORTH_RAISING and CALL in view.legal:
        return CALL
    return ACCEPT if s >= WORTH_ACCEPTING else RUN


def calls(view: View) -> bool:
    """Whether it calls on its turn: for its cards, or as a bluff."""
    normal = all(points < view.variant.special_at for points in view.score)
    if CALL not in view.legal or not normal:
        return False
    return strength(view) >= WORTH_CALLING or bluffs(view)


def bluffs(view: View) -> bool:
    """Once in twelve, by its own source."""
    return view.rng is not None and view.rng.randrange(BLUFF_ONE_IN) == 0


def card(view: View) -> Play:
    """The card that it plays."""
    plays = sorted(view.plays, key=lambda play: play.slot)
    faces = [play for play in plays if not play.face_down]
    if any(view.cards[play.slot] is None for play in faces):
        return faces[0]
    if not view.table:
        return max(faces, key=view.strength)
    if view.taker() == view.team:
        return cheapest(view, faces)
    return beating(view, faces) or hidden(plays, cheapest(view, faces))


def beating(view: View, faces: Sequence[Play]) -> Play | None:
    """The cheapest card that wins or ties what is on the table, in the order of the policy."""
    first = view.tricks[0].winner if view.tricks else None
    wins = [play for play in faces if view.taker(play) == view.team]
    ties = [play for play in faces if view.taker(play) is None]
    in_order = (
        ties if first == view.team else [],
        wins,
        ties if first is None or first == view.team else [],
    )
    return next((cheapest(view, plays) for plays in in_order if plays), None)


def cheapest(view: View, plays: Sequence[Play]) -> Play:
    """The weakest, first dealt among equals."""
    return min(plays, key=view.strength)


def hidden(plays: Sequence[Play], play: Play) -> Play:
    """The same card face down, where that is allowed."""
    down = Play(play.slot, face_down=True)
    return down if down in plays else play
