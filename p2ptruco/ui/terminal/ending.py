"""Who sits at a table, and how a match ended, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from p2ptruco.app import events
from p2ptruco.app.events import Event
from p2ptruco.ui.reasons import VIOLATIONS, refused, unwritten
from p2ptruco.ui.terminal.cards import TEAMS, score_text, seat_text, team_text
from p2ptruco.ui.words import _


def who_sits(seated: events.Seated) -> Iterator[str]:
    """Names by seat, and the print of what was signed."""
    sentence = _("Signed by all, {print}: the same for everybody at this table.")
    yield sentence.format(print=seated.fingerprint)
    for player in seated.players:
        parts = [f"{seat_text(player.seat)} {TEAMS[player.team]}  {player.player}"]
        parts += [_("you")] * player.me
        if player.operator is not None:
            parts.append(_("run by seat {seat}").format(seat=seat_text(player.operator)))
        yield " · ".join(parts)


def ended(event: Event, seated: events.Seated) -> Iterator[str]:
    """An event of the end of a match: who won, by how much, what the record is worth."""
    match event:
        case events.Ended():
            yield from _won(event)
            for seat in event.went:
                who = f"{seated.players[seat].player} ({seat_text(seat)})"
                yield _("{who} left the match.").format(who=who)
        case events.Violation(seat=seat, word=word):
            sentence = _("Seat {seat} broke the protocol: {what}.")
            yield sentence.format(seat=seat_text(seat), what=_(VIOLATIONS[word]))
        case events.Sealed(missing=missing) if missing:
            seats = ", ".join(map(seat_text, missing))
            sentence = _("Not sealed by seat {seats}; the record holds all the same.")
            yield sentence.format(seats=seats)
        case events.Interrupted(leave_signed=True):
            yield _(
                "The match is interrupted; your leave is signed, and counts if the others go on."
            )
        case events.Interrupted():
            yield _("The match is interrupted and has no winner; the others see that you are gone.")
        case events.Kept():
            yield from _kept(event)


def _won(event: events.Ended) -> Iterator[str]:
    score = score_text(event.score)
    if event.winner is None:
        yield _("Nobody won: both teams left. {score}").format(score=score)
    else:
        team = team_text(event.winner)
        yield _("{team} won the match, {score}").format(team=team, score=score)


def _kept(event: events.Kept) -> Iterator[str]:
    """Where the record is, or why there is none."""
    if event.path is None:
        yield unwritten(refused(event.errno))
        return
    yield _("record: {path}").format(path=event.path)
    if event.complete:
        yield _("p2ptruco matches verify checks every card of it; matches replay tells it again.")
