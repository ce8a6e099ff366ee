"""What a face is told: frozen values, in the order in which they happened.

Laws:
1. An event says everything that a face shows of it; a face computes nothing that the table knows.
2. Numbers count from 0 here, as everywhere in the code. `Seat`, `Team`, `Slot` and `Card` are
   types of their own, so that whoever writes an event for people knows what to count from 1.
3. The words are the face's: events carry codes and data.
4. `lasts` says for how long an event still holds. The events that hold are the snapshot that a
   face gets which comes later.
5. Later versions add events and fields; none is changed or taken away.

Source: front.md §3.
"""

from __future__ import annotations

from .course import Course as Course
from .course import HandScored as HandScored
from .course import Shout as Shout
from .deck import Checks as Checks
from .deck import Deck as Deck
from .deck import Ranking as Ranking
from .deck import Sight as Sight
from .evening import Closed as Closed
from .evening import Notice as Notice
from .evening import Place as Place
from .evening import Refused as Refused
from .evening import Scene as Scene
from .evening import Spoken as Spoken
from .evening import Stopped as Stopped
from .hand import Called as Called
from .hand import Cards as Cards
from .hand import HandBegun as HandBegun
from .hand import HandOver as HandOver
from .hand import Held as Held
from .hand import Laid as Laid
from .hand import OfHand as OfHand
from .hand import OnTable as OnTable
from .hand import PartnerCards as PartnerCards
from .hand import Said as Said
from .hand import TrickTaken as TrickTaken
from .hand import Vira as Vira
from .kinds import NTH as NTH
from .kinds import Event as Event
from .kinds import Lasts as Lasts
from .kinds import Nth as Nth
from .lobby import Chair as Chair
from .lobby import Invitation as Invitation
from .lobby import Lobby as Lobby
from .lobby import Sighted as Sighted
from .lobby import Tables as Tables
from .match import BotFailed as BotFailed
from .match import BotFault as BotFault
from .match import Ended as Ended
from .match import Interrupted as Interrupted
from .match import Kept as Kept
from .match import Leaving as Leaving
from .match import Left as Left
from .match import Player as Player
from .match import Sealed as Sealed
from .match import Seated as Seated
from .match import Violation as Violation
from .talk import Sent as Sent
from .talk import Talk as Talk
from .talk import Wink as Wink
from .time import Ahead as Ahead
from .time import Clock as Clock
from .time import Hearing as Hearing
from .time import Links as Links
from .time import SealsAwaited as SealsAwaited
from .time import Standing as Standing
from .time import TimeUp as TimeUp
from .time import Turn as Turn
