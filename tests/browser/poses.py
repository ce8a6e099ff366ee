"""What a table shows at moments that seldom come, as snapshots: made from one of a real match."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Snapshot = dict[str, Any]
HELD = ("4c", "Kd", "3s")
MANILHAS = ("4c", "7h", "As", "7d")
CALLED = {"word": "truco", "by": 2, "points": 4}


def posed(base: Snapshot, pose: str) -> Snapshot:
    """A snapshot in which the match stands as one of `POSES` says."""
    made = copy.deepcopy(base)
    POSES[pose](made)
    return made


def _of(made: Snapshot, name: str) -> dict[str, Any]:
    found = [one for one in made["events"] if one["event"] == name]
    if not found:
        found = [{"event": name}]
        made["events"] += found
    one: dict[str, Any] = found[-1]
    return one


def _hand(made: Snapshot, **changed: Any) -> dict[str, Any]:
    """The same hand in every event that shows it."""
    hand = {**_of(made, "hand_begun")["hand"], "pending": None, "table": [], "trick": 1}
    hand |= {"dealer": 2, "eldest": 1, "leader": 1, "asked": [1], "speaker": 1} | changed
    for event in made["events"]:
        if "hand" in event:
            event["hand"] = hand
    return hand


def _say(key: str, won: int = 0, run: int = 0, lost: int = 0) -> dict[str, Any]:
    amounts = {"won": won, "run": run, "lost": lost}
    price = {name: {"points": n, "match": False} if n else None for name, n in amounts.items()}
    return {"key": key, "move": {"say": key}, "price": price, "loses_match": False}


def _lay(place: int) -> dict[str, Any]:
    move = {"play": place, "face_down": False}
    return {**_say(str(place)), "key": str(place), "move": move}


def _ask(made: Snapshot, hand: dict[str, Any], *choices: dict[str, Any], what: str) -> None:
    """Our turn, with three known cards, or three that nobody may see."""
    blind = hand["kind"] == "iron"
    cards = [
        {
            "place": place,
            "slot": place - 1,
            "card": None if blind else card,
            "manilha": not blind and card in MANILHAS,
        }
        for place, card in enumerate(HELD, 1)
    ]
    for name in ("card", "trick", "call", "answer", "hand_over", "partner_cards"):
        made["events"] = [one for one in made["events"] if one["event"] != name]
    _of(made, "cards").update(number=1, hand=hand, cards=cards)
    _of(made, "turn").update(
        seats=[1], speaker=1, what=what, seconds_ago=3.0, seconds_left=None, mine=True
    )
    made["questions"] = [
        {
            "question": "move",
            "id": 1,
            "choices": list(choices),
            "default": None,
            "seconds_left": None,
            "advice": False,
            "view": {"seat": 1, "hand": hand, "cards": cards, "partners": []},
            "barred": [{"what": "face_down", "why": "iron" if blind else "early"}],
        }
    ]


def _turn(made: Snapshot) -> None:
    hand = _hand(made, score=[6, 8])
    lays = [_lay(place) for place in (1, 2, 3)]
    _ask(made, hand, *lays, _say("call", 4, 2, 4), _say("fold", lost=2), what="move")


def _truco(made: Snapshot) -> None:
    hand = _hand(
        made, score=[6, 8], pending=CALLED, next_call={"word": "seis", "points": 6}, dealer=1
    )
    choices = _say("accept", 4, lost=4), _say("call", 6, 4, 6), _say("run", lost=2)
    _ask(made, hand, *choices, what="answer")
    made["events"].append(
        {"event": "call", "number": 1, "hand": hand, "seat": 2, "word": "truco", "points": 4}
    )


def _special(made: Snapshot) -> None:
    hand = _hand(made, kind="special", score=[10, 6], worth=4, next_call=None)
    _ask(made, hand, _say("play", 4, lost=4), _say("refuse", lost=2), what="decision")
    cards = [{"place": n, "slot": 20 + n, "card": card, "manilha": card == "7h"}
             for n, card in enumerate(("7h", "2d", "Qc"), 1)]  # fmt: skip
    seats = len(_of(made, "seated")["players"])
    made["events"] += [
        {"event": "partner_cards", "number": 1, "hand": hand, "seat": seat, "cards": cards}
        for seat in range(3, seats + 1, 2)
    ][:1]


def _iron(made: Snapshot) -> None:
    hand = _hand(made, kind="iron", score=[10, 10], worth=2, next_call=None)
    _ask(made, hand, *(_lay(place) for place in (1, 2, 3)), what="move")


def _short(made: Snapshot) -> None:
    _turn(made)
    _of(made, "turn")["seconds_left"] = made["questions"][0]["seconds_left"] = 7.0
    _of(made, "seated")["move_seconds"] = 30


def _missing(made: Snapshot) -> None:
    _turn(made)
    made["questions"] = []
    _of(made, "turn").update(seats=[2], speaker=2, mine=False)
    gone = {"seat": 2, "seconds_ago": 12.0, "goodbye": False}
    owing = {"seat": 2, "need": "move", "missing": True, "late": False}
    situation = {"missing": [gone], "owing": [owing], "seconds_ago": 12.0, "due": False}
    _of(made, "standing")["situation"] = situation | {"leaving": "hangs", "cut_off": False}


def _end(made: Snapshot) -> None:
    _turn(made)
    made["questions"] = [
        {
            "question": "another",
            "id": 2,
            "choices": [{"key": "yes"}, {"key": "no"}],
            "default": "no",
            "seconds_left": None,
        }
    ]
    course, score = [], [0, 0]
    for number, (winner, points) in enumerate(("A2", "B4", "A4", "B4", "A2", "A4"), 1):
        score["AB".index(winner)] += int(points)
        shouts = [{"seat": 1, "word": "truco", "points": 4}] if points == "4" else []
        course.append({"number": number, "winner": winner, "points": int(points), "how": "tricks",
                       "score": list(score), "won": [0, 0], "shouts": shouts})  # fmt: skip
    _of(made, "course")["hands"] = course
    _of(made, "ended").update(
        winner="A", score=score, won=[1, 0], hands=len(course), went=[], mine=True
    )
    _of(made, "sealed")["missing"] = []
    _of(made, "record").update(path="/matches/1.truco", complete=True, errno=None)


POSES: dict[str, Callable[[Snapshot], None]] = {
    "turn": _turn,
    "truco": _truco,
    "special": _special,
    "iron": _iron,
    "short": _short,
    "missing": _missing,
    "verified": _turn,
    "end": _end,
}
