"""A table that waits, and lines that nobody gets, in words.

1. Who is missing, and whom the table waits for, is said once, and once more when it is over.
2. What leaving would do is said where somebody may think of it, as it is at that moment.
3. A line counts as told only where a link leads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import trio

from p2ptruco.net.session.situation import Leaving, Missing, Owing, Situation
from p2ptruco.rules.seating import Seat
from p2ptruco.table.steps.phases import Choice, Need
from p2ptruco.ui.reasons import left
from p2ptruco.ui.words import N_, _

DEALING = N_("a part of the deal")
OWED = {"reveal": N_("the key of a card"), "seal": N_("the seal")}

ASK = {
    Leaving.LOSES: N_("Leaving gives the hand and the match away: type it again if you mean it."),
    Leaving.HANGS: N_(
        "The table waits for {who} too. Leaving gives the match away if their part still comes, "
        "else nobody wins: type it again if you mean it."
    ),
    Leaving.NOBODY: N_(
        "The table waits for {who}. If you leave now, nobody wins: type it again if you mean it."
    ),
    Leaving.OVER: N_("The match is over and its result stands: only seals are waited for."),
}
"""What is asked of whoever wants to leave."""
GOING = {
    Leaving.LOSES: N_(
        "Leaving with your next turn; with it the hand and the match go to the other team. If the "
        "table gets stuck before that, nobody wins."
    ),
    Leaving.HANGS: N_("Leaving, though the table waits for {who} too."),
    Leaving.NOBODY: N_("Leaving while the table waits for {who}."),
    Leaving.OVER: ASK[Leaving.OVER],
}
AT_ONCE = N_("Leaving: the hand and the match go to the other team.")
WAIT = {
    Leaving.HANGS: N_("Wait, or leave: the match is lost if their part comes, else nobody wins."),
    Leaving.NOBODY: N_("Wait, or leave: then nobody wins."),
}
GONE = {
    (True, True): N_(
        "{who} ended their program at {time} and is not expected back; the table waits for them "
        "({what})."
    ),
    (True, False): N_(
        "{who} ended their program at {time} and is not expected back; the table goes on until it "
        "needs them."
    ),
    (False, True): N_("No sign of {who} since {time}; the table waits for them ({what})."),
    (False, False): N_("No sign of {who} since {time}; the table goes on until it needs them."),
}
"""By whether a seat said goodbye, and whether the table waits for it."""


class Delivery(Protocol):
    """What became of a line of ours."""

    @property
    def to(self) -> tuple[Seat, ...]: ...
    @property
    def missed(self) -> tuple[Seat, ...]: ...
    @property
    def fault(self) -> str: ...


def clock(moment: float) -> str:
    """A moment of trio's clock as the time of the day."""
    ago = trio.current_time() - moment
    return time.strftime("%H:%M:%S", time.localtime(time.time() - ago))


class Waits:
    """What is said about one table; remembers what was. `names`: of its seats; `clock`: how a
    moment is written."""

    def __init__(self, names: Sequence[str], clock: Callable[[float], str] = clock) -> None:
        self._names, self._clock = names, clock
        self._missing: dict[int, bool] = {}
        """Seats said to be missing, and whether for good."""
        self._since, self._awaited = 0.0, set[int]()
        """The step of the last look, and the seats said to keep it waiting."""

    def who(self, seats: Iterable[int]) -> str:
        """Seats by name and number."""
        return ", ".join(f"{self._names[seat]} ({seat + 1})" for seat in seats)

    # What is new.

    def news(self, now: Situation) -> Iterator[str]:
        """What has not been said yet; nothing once the match is over."""
        if now.leaving is Leaving.OVER:
            return
        before, self._missing = self._missing, {one.seat: one.goodbye for one in now.missing}
        for seat in before.keys() - self._missing.keys():
            yield _("{who} is heard again.").format(who=self.who([seat]))
        if now.since != self._since:
            if self._awaited:
                yield _("The table goes on.")
            self._since, self._awaited = now.since, set()
        gone = [one for one in now.missing if before.get(one.seat) != one.goodbye]
        held_up = [one for one in now.stuck if one.seat not in self._awaited]
        self._awaited |= {one.seat for one in held_up}
        if gone and now.cut_off:
            yield self._cut_off(now)
        else:
            yield from (self._gone(one, now) for one in gone)
            said = {one.seat for one in gone}
            yield from (self._owing(one, now) for one in held_up if one.seat not in said)
        if held_up:
            yield _(WAIT[now.leaving])

    def _cut_off(self, now: Situation) -> str:
        sentence = _(
            "No sign of anybody since {time}: is this machine on the network? The table waits."
        )
        return sentence.format(time=self._clock(max(one.since for one in now.missing)))

    def _gone(self, one: Missing, now: Situation) -> str:
        need = next((owing.need for owing in now.owing if owing.seat == one.seat), None)
        what = "" if need is None else owed(need)
        sentence = _(GONE[one.goodbye, need is not None])
        return sentence.format(who=self.who([one.seat]), time=self._clock(one.since), what=what)

    def _owing(self, one: Owing, now: Situation) -> str:
        sentence = _("The table waits for {who} since {time} ({what}).")
        return sentence.format(
            who=self.who([one.seat]), time=self._clock(now.since), what=owed(one.need)
        )

    def sealing(self, seats: Iterable[int]) -> str:
        """Whose seal is waited for."""
        sentence = _("The match is over; waiting a moment for the seal of {who}.")
        return sentence.format(who=self.who(seats))

    # What is asked for.

    def looked(self, now: Situation) -> Iterator[str]:
        """Everything, for whoever looks at the table."""
        if now.leaving is Leaving.OVER:
            yield _(ASK[Leaving.OVER])
            return
        yield from (self._gone(one, now) for one in now.missing)
        yield from (self._owing(one, now) for one in now.owing if not one.missing)
        if now.stuck:
            yield _(WAIT[now.leaving])

    def ask(self, now: Situation) -> str:
        """What leaving would do; asks once more."""
        return _(ASK[now.leaving]).format(who=self._stuck(now))

    def going(self, now: Situation) -> str:
        """What leaving does."""
        at_once = now.due and now.leaving is Leaving.LOSES
        return _(AT_ONCE if at_once else GOING[now.leaving]).format(who=self._stuck(now))

    def left(self, now: Situation) -> str:
        """How it ends for whoever left a table that waits for others."""
        return left(now.leaving, self._stuck(now))

    def _stuck(self, now: Situation) -> str:
        return self.who(one.seat for one in now.stuck)

    # Lines of our own.

    def said(self, sent: Delivery) -> Iterator[str]:
        """Who does not get what was said to everybody."""
        if sent.fault or not sent.to:
            yield self._nobody(sent)
        elif sent.missed:
            yield self._missed(sent)

    def signalled(self, sent: Delivery) -> Iterator[str]:
        """Who gets what was said to partners only, and who does not."""
        if sent.fault or not sent.to:
            yield self._nobody(sent)
            return
        if sent.missed:
            yield _("Told to {who} only.").format(who=self.who(sent.to))
            yield self._missed(sent)
        else:
            yield _("Told to your partners only.")

    def _missed(self, sent: Delivery) -> str:
        sentence = _("Not told to {who}: there is no link to them.")
        return sentence.format(who=self.who(sent.missed))

    def _nobody(self, sent: Delivery) -> str:
        if sent.fault == "too_fast":
            return _("Not told: the others hear no more than a line a second.")
        if sent.fault == "empty":
            return _("Not told: nothing in this line can be shown.")
        return _("Told to nobody: there is no link to {who}.").format(who=self.who(sent.missed))


def owed(need: Need) -> str:
    """What a seat has to give, in words."""
    if isinstance(need, Choice):
        return _("a move")
    return _(OWED.get(need.kind, DEALING))
