"""What a person may type at the table, and what it means.

Words are read in both languages whatever is spoken, case aside; a call is called by its word, the
word of the next step, or `t`. Everything else is one letter or its word.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2ptruco.rules.moves import ACCEPT, CALL, FOLD, PLAY_ON, REFUSE, RUN, Move, Play, Word
from p2ptruco.rules.seating import slots_of
from p2ptruco.rules.view import View

WORDS: dict[str, Word] = {
    **dict.fromkeys(("a", "accept", "aceito", "aceitar", "quero"), ACCEPT),
    **dict.fromkeys(("r", "run", "corro", "correr"), RUN),
    **dict.fromkeys(("f", "fold", "desisto", "desistir"), FOLD),
    **dict.fromkeys(("p", "play", "jogo", "jogar"), PLAY_ON),
    **dict.fromkeys(("n", "refuse", "recuso", "recusar"), REFUSE),
    **dict.fromkeys(("t", "call", "aumento", "aumentar"), CALL),
}
TALK = ("say", "diz", "dizer", ".")
SIGNAL = ("signal", "sinal", "psst")
HELP = ("?", "h", "help", "ajuda")
LOOK = ("l", "look", "mesa", "ver")
LEAVE = ("leave", "sair", "quit", "q")


@dataclass(frozen=True, slots=True)
class Typed:
    """A line understood: `kind` is move, early, talk, signal, help, look, leave or nothing."""

    kind: str
    move: Move | None = None
    text: str = ""


def read(line: str, view: View | None, asked: bool) -> Typed:
    """What a line means to a seat that sees `view`; `asked`: its move is waited for."""
    word, _, rest = line.strip().partition(" ")
    word, rest = word.casefold(), rest.strip()
    for kind, words in (("help", HELP), ("look", LOOK), ("leave", LEAVE)):
        if word in words and not rest:
            return Typed(kind)
    if word in TALK and rest:
        return Typed("talk", text=rest)
    if word in SIGNAL and rest:
        return Typed("signal", text=rest)
    if view is None:
        return Typed("nothing")
    move = _card(word, rest, view) or _word(word, rest, view)
    if move is None:
        return Typed("nothing")
    if asked and move in view.legal:
        return Typed("move", move)
    return Typed("early", move) if isinstance(move, Play) and not asked else Typed("nothing", move)


def _card(word: str, rest: str, view: View) -> Play | None:
    """`2` or `x 2` (or `x2`): the card at a position, as dealt, or a card by its name."""
    if word.startswith("x") and len(word) > 1:
        word, rest = "x", word[1:]
    hidden = word == "x"
    name = rest if hidden else word
    if rest and not hidden:
        return None
    slots = slots_of(view.seat)
    if name.isascii() and name.isdigit() and 1 <= int(name) <= len(slots):
        slot = slots[int(name) - 1]
        return Play(slot, hidden) if slot in view.cards else None
    named = [slot for slot, card in view.cards.items() if card and str(card).casefold() == name]
    return Play(named[0], hidden) if named else None


def _word(word: str, rest: str, view: View) -> Word | None:
    """A word of the game; a call by the word of the step that comes next."""
    if rest:
        return None
    step = view.hand.next_call
    if step is not None and word.rstrip("!") == step.word:
        return CALL
    return WORDS.get(word)
