"""Before the first card: who sits where, under which rules, and is everybody ready (wire.md §7).

    guest → host   Enter(name, seat, operator, bot, ready), again whenever that changes
    host → guests  Room(variant, times, chairs), again whenever that changes
    everybody      Talk; the host passes it on as Said

Laws:
1. There is one room, the host's; everybody sees it whole and sees the same.
2. Ready is said of the rules shown: when they change, nobody is ready any more.
3. When the host starts, everybody sits down (sitting.py) and signs only what the room showed.
4. All text of peers is cleaned before anybody here sees it; talk has a rate.
"""

from .common import Line, Lobby, News
from .guest import GuestLobby
from .host import HostLobby
from .room import Chair, Room

__all__ = ["Chair", "GuestLobby", "HostLobby", "Line", "Lobby", "News", "Room"]
