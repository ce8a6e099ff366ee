"""What a face may say, asked or unasked. One type a command; what cannot be done now is refused
with an event.

Source: front.md §5.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(min_length=1, max_length=512)]
SeatNumber = Annotated[int, Meta(ge=1, le=8)]


class Command(msgspec.Struct, frozen=True, tag_field="command", tag=str.lower):
    """Something that a person wants. Seats and places count from 1, as people say them."""


class Answer(Command, frozen=True):
    """To the question `id`: the key of a choice, or text where any is allowed."""

    id: int
    choice: Annotated[str, Meta(max_length=512)]


class Talk(Command, frozen=True):
    """Say something to everybody."""

    text: Text


class Wink(Command, frozen=True):
    """Say something to partners only."""

    text: Text


class Ahead(Command, frozen=True):
    """Choose a card (its place in hand) ahead of one's turn; without one, take that back."""

    place: Annotated[int, Meta(ge=1, le=3)] | None = None
    face_down: bool = False


class Ready(Command, frozen=True):
    """Agree to the rules and the seats shown, or not."""

    ready: bool = True


class Sit(Command, frozen=True):
    """Ask for another seat of the lobby."""

    seat: SeatNumber


class Swap(Command, frozen=True):
    """The host lets two seats change places."""

    one: SeatNumber
    other: SeatNumber


class Kick(Command, frozen=True):
    """The host turns a guest away, or frees a seat that is held."""

    seat: SeatNumber


class Lock(Command, frozen=True):
    """The host lets nobody else sit down, or lets them again."""

    locked: bool = True


class Start(Command, frozen=True):
    """The host begins, once everybody is ready."""


class AddBot(Command, frozen=True, tag="add_bot"):
    """The host gives a free seat to a bot of its own."""

    bot: Text
    seat: SeatNumber | None = None


class RemoveBot(Command, frozen=True, tag="remove_bot"):
    """The host takes a bot of its own from its seat."""

    seat: SeatNumber


class Leave(Command, frozen=True):
    """Go home. It is asked back once what that gives away."""


class Language(Command, frozen=True):
    """Speak another language from here on."""

    language: Annotated[str, Meta(max_length=16)]


class Look(Command, frozen=True):
    """Show everything once more: a snapshot."""


ANY = (
    Answer
    | Talk
    | Wink
    | Ahead
    | Ready
    | Sit
    | Swap
    | Kick
    | Lock
    | Start
    | AddBot
    | RemoveBot
    | Leave
    | Language
    | Look
)
"""Every command, by its name."""
