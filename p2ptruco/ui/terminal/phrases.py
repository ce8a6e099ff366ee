"""What a person may type at the table, and what it means.

Words are read in both languages whatever is spoken, case aside; a call is called by its word, the
word of the next step, or `t`. Everything else is one letter or its word.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play, Word
from p2ptruco.rules.seating import slots_of
from p2ptruco.rules.spelling import small
from p2ptruco.rules.view import View
from p2ptruco.ui.words import N_, _

WORDS: dict[str, Word] = {
    **dict.fromkeys(("a", "accept", "aceito", "aceitar", "quero"), ACCEPT),
    **dict.fromkeys(("r", "run", "corro", "correr"), RUN),
    **dict.fromkeys(("f", "fold", "desisto", "desistir"), FOLD),
    **dict.fromkeys(("p", "play", "jogo", "jogar"), PLAY_ON),
    **dict.fromkeys(("n", "refuse", "recuso", "recusar"), REFUSE),
    **dict.fromkeys(("t", "call", "aumento", "aumentar"), CALL),
}
SHOUTS = (
    N_("Well played!"),
    N_("Ouch!"),
    N_("Come on, play!"),
    N_("I am not afraid of you!"),
    N_("Leave it to me, partner!"),
    N_("Thanks for the game!"),
)
"""Said by `!1`, `!2` ... in the language of whoever shouts."""
TALK = ("say", "diz", "dizer", ".")
SIGNAL = ("signal", "sinal", "psst")
POSITIONS = ("1", "2", "3")
HELP = ("?", "h", "help", "ajuda")
LOOK = ("l", "look", "mesa", "ver")
LEAVE = ("leave", "sair", "quit", "q")
NEVER_MIND = ("0", "undo", "desfaz", "desfazer")


@dataclass(frozen=True, slots=True)
class Typed:
    """A line understood: `kind` is move, early, undo, talk, signal, help, look, leave, not_now (a
    move of the game, but not one that can be made) or nothing."""

    kind: str
    move: Move | None = None
    text: str = ""


def read(line: str, view: View | None, asked: bool) -> Typed:
    """What a line means to a seat that sees `view`; `asked`: its move is waited for."""
    word, _, rest = line.strip().partition(" ")
    word, rest = small(word), rest.strip()
    for kind, words in (
        ("help", HELP),
        ("look", LOOK),
        ("leave", LEAVE),
        ("undo", NEVER_MIND),
    ):
        if word in words and not rest:
            return Typed(kind)
    if word in TALK and rest:
        return Typed("talk", text=rest)
    if word in SIGNAL and rest:
        return Typed("signal", text=rest)
    if word.startswith("!") and not rest:
        return _shout(word[1:])
    if view is None:
        return Typed("nothing")
    move = _card(word, rest, view) or _word(word, rest, view)
    if move is None:
        return Typed("not_now" if _is_of_the_game(word, rest, view) else "nothing")
    if asked and move in view.legal:
        return Typed("move", move)
    early = isinstance(move, Play) and not asked
    return Typed("early" if early else "not_now", move)


def _shout(number: str) -> Typed:
    """`!2`: something that is said quickly."""
    if number.isascii() and number.isdigit() and 1 <= int(number[:3]) <= len(SHOUTS):
        return Typed("talk", text=_(SHOUTS[int(number[:3]) - 1]))
    return Typed("nothing")


def _card(word: str, rest: str, view: View) -> Play | None:
    """`2` or `x 2` (or `x2`): the card at a position, as dealt, or a card by its name."""
    if word.startswith("x") and len(word) > 1:
        word, rest = "x", word[1:]
    hidden = word == "x"
    name = rest if hidden else word
    if rest and not hidden:
        return None
    slots = slots_of(view.seat)
    if name.isascii() and name.isdigit() and 1 <= int(name[:3]) <= len(slots):
        slot = slots[int(name) - 1]
        return Play(slot, hidden) if slot in view.cards else None
    named = [slot for slot, card in view.cards.items() if card and small(str(card)) == name]
    return Play(named[0], hidden) if named else None


def _is_of_the_game(word: str, rest: str, view: View) -> bool:
    """The position of a card that is gone, or a call that is not the next one."""
    calls = {call.word for call in view.variant.scale.calls}
    position = rest if word == "x" else word.removeprefix("x")
    return position in POSITIONS or (word.rstrip("!") in calls and not rest)


def _word(word: str, rest: str, view: View) -> Word | None:
    """A word of the game; a call by the word of the step that comes next."""
    if rest:
        return None
    step = view.hand.next_call
    if step is not None and word.rstrip("!") == step.word:
        return CALL
    return WORDS.get(word)
