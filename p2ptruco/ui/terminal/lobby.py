"""A lobby at a console: the room as lines, and what may be typed in it.

1. The room is said whole at first, whenever the rules change, and when asked; else only what has
   changed since. Of a table of bots of our own only the rules are said.
2. Nobody starts or agrees by silence: a person whose input ends goes home.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.app import commands, events
from p2ptruco.app.commands import Command
from p2ptruco.app.events import Event, Lobby
from p2ptruco.app.stage import Stage
from p2ptruco.ui.refusals import REFUSED
from p2ptruco.ui.terminal.console import Console
from p2ptruco.ui.terminal.room import lacking, rules, seats
from p2ptruco.ui.words import _

START = ("start", "começar", "comecar")
SWAP = ("swap", "troca", "trocar")
TURN_AWAY = ("kick", "tira", "tirar")
LOCK = ("lock", "tranca", "trancar")
BOT = ("bot", "robô", "robo")
READY = ("ready", "pronto", "pronta", "ok", "r")
UNREADY = ("unready", "espera", "esperar")
SEAT = ("seat", "lugar")
SAY = ("say", "diz", "dizer", ".")
LOOK = ("l", "look", "ver", "sala")
LEAVE = ("leave", "sair", "quit", "q")


class InLobby:
    """One lobby at a console. `typing`: somebody is there to type."""

    def __init__(self, console: Console, stage: Stage, *, typing: bool) -> None:
        self._console, self._stage, self._typing = console, stage, typing
        self._shown: Lobby | None = None
        self._kicked: events.Chair | None = None
        """Whom we have just turned away, until the room shows it."""

    # What happens.

    def show(self, event: Event) -> None:
        """Say an event of the lobby."""
        match event:
            case Lobby():
                before, self._shown = self._shown, event
                self._console.say(*self._news(before, event))
            case events.Talk(player=name, text=text):
                self._console.say(_("{name}: {text}").format(name=name, text=text))
            case events.Refused(command="start") if self._shown is not None:
                sentence = _("Not everybody is here and ready: {what}.")
                self._console.say(sentence.format(what=", ".join(lacking(self._shown))))
            case events.Refused(command="kick"):
                self._nobody()
            case events.Refused(command="add_bot" | "remove_bot" | "sit", code=code):
                self._console.say(_(REFUSED[code if code in REFUSED else "not_now"]))

    def _news(self, before: Lobby | None, now: Lobby) -> Iterator[str]:
        if now.alone:
            yield from rules(now.variant, now.move_seconds) if before is None else ()
            return
        if before is None or _rules(before) != _rules(now):
            yield from self._whole(now)
        else:
            then = list(seats(before))
            yield from (line for line in seats(now) if line not in then)
        yield from self._turned_away(now)
        yield from self._turns(before, now)

    def _whole(self, lobby: Lobby) -> Iterator[str]:
        """The rules, the seats, what can be typed."""
        yield from rules(lobby.variant, lobby.move_seconds)
        yield from seats(lobby)
        if self._typing:
            yield from self._manual()

    def _turns(self, before: Lobby | None, now: Lobby) -> Iterator[str]:
        """What is new about the room as a whole."""
        if before is not None and before.locked != now.locked:
            yield _("Locked: nobody else can sit down.") if now.locked else _("Open again.")
        if now.started:
            yield _("Everybody signs the rules and the seats shown ...")
        elif now.ready and (before is None or not before.ready):
            hosting = _("Everybody is ready: type start.")
            yield hosting if now.hosting else _("The host may start now.")

    def _turned_away(self, now: Lobby) -> Iterator[str]:
        """Once whoever was kicked is gone, that they stay away."""
        kicked = self._kicked
        if kicked is None or any(c and c.fingerprint == kicked.fingerprint for c in now.chairs):
            return
        self._kicked = None
        if not kicked.held:
            sentence = _("{name} is turned away, and cannot come back to this table.")
            yield sentence.format(name=kicked.player)

    def _nobody(self) -> None:
        self._console.say(_("There is nobody to turn away by that name or seat."))

    # What is typed.

    def hear(self, line: str | None) -> None:
        """One typed line; None: nobody types any more; a bot plays on all the same."""
        if line is None:
            if self._typing:
                self._console.say(_("No more input: leaving the lobby."))
                self._stage.hear(commands.Leave())
            return
        word, _space, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if word in LOOK and not rest and self._shown is not None:
            self._console.say(*self._whole(self._shown))
        elif word in TURN_AWAY and rest and self._hosting:
            self._turn_away(rest)
        elif (command := self._meant(word, rest)) is not None:
            self._stage.hear(command)
        elif word:
            self._console.say(*self._manual())

    @property
    def _hosting(self) -> bool:
        return self._shown is not None and self._shown.hosting

    def _meant(self, word: str, rest: str) -> Command | None:
        if word in LEAVE:
            return commands.Leave()
        if word in SAY and rest:
            return commands.Talk(rest)
        if self._shown is None:
            return None
        return self._host(self._shown, word, rest) if self._hosting else self._guest(word, rest)

    def _host(self, lobby: Lobby, word: str, rest: str) -> Command | None:
        if word in START:
            return commands.Start()
        if word in LOCK:
            return commands.Lock(not lobby.locked)
        if word in BOT and rest:
            return _bot(rest)
        numbers = _numbers(rest, len(lobby.chairs))
        if word in SWAP and numbers is not None and len(numbers) == 2:
            return commands.Swap(*numbers)
        return None

    def _turn_away(self, rest: str) -> None:
        """By seat or by name, case aside."""
        assert self._shown is not None
        chairs = self._shown.chairs
        names = [chair.player.casefold() if chair else None for chair in chairs]
        numbers = _numbers(rest, len(chairs))
        if numbers is not None and len(numbers) == 1:
            seat = numbers[0]
        elif rest.casefold() in names:
            seat = names.index(rest.casefold()) + 1
        else:
            self._nobody()
            return
        chair = chairs[seat - 1]
        ours = chair is not None and chair.bot and chair.operator is not None
        self._kicked = None if ours else chair
        self._stage.hear(commands.RemoveBot(seat) if ours else commands.Kick(seat))

    def _guest(self, word: str, rest: str) -> Command | None:
        if word in READY:
            return commands.Ready()
        if word in UNREADY:
            return commands.Ready(False)
        if word in SEAT and rest.isascii() and rest.isdigit() and 1 <= int(rest[:3]) <= 8:
            return commands.Sit(int(rest[:3]))
        return None

    def _manual(self) -> list[str]:
        if self._hosting:
            first = _(
                "start begins; swap 2 3 changes seats; kick 2 or kick NAME turns away for good, or "
                "frees a held seat; bot zap seats a bot, bot zap 3 in seat 3; lock lets no one in"
            )
        else:
            first = _("ready agrees to these rules, unready does not; seat 3 changes seats")
        return [first, _("say TEXT talks to everybody; l looks again; leave goes home")]


def _bot(rest: str) -> Command:
    """A bot by its name, and perhaps the seat that it is to have."""
    name, _space, seat = rest.rpartition(" ")
    if name and seat in ("1", "2", "3", "4", "5", "6", "7", "8"):
        return commands.AddBot(name.strip(), int(seat))
    return commands.AddBot(rest)


def _rules(lobby: Lobby) -> tuple[object, int]:
    return lobby.variant, lobby.move_seconds


def _numbers(rest: str, seats: int) -> list[int] | None:
    """The seats, from 1, that a line names; None if one of them is not of this lobby."""
    numbers = [int(n) for n in rest.split() if n.isascii() and n.isdigit() and len(n) < 3]
    return numbers if all(1 <= n <= seats for n in numbers) else None
