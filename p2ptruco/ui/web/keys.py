"""Who may see the page: whoever has the address that was printed, and from then on one browser's
cookie.

Laws:
1. The token that is printed opens the page as often as one likes. The one that the browser is
   started with stands in its command line, where other users of this machine can read it: it
   opens the page once, within `LAUNCH` seconds.
2. The cookie's value is neither of them, and has the port in its name: browsers send cookies to
   every port of a host.
3. Comparing takes the same time whatever is wrong.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie

LAUNCH = 60.0
"""Seconds for a browser to come up."""
BYTES = 32


class Keys:
    """The tokens and the cookie of one server; none of them is ever shown but in an address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._token, self._session = (secrets.token_urlsafe(BYTES) for _ in range(2))
        self._launches: dict[str, float] = {}

    def __repr__(self) -> str:
        return "Keys()"

    @property
    def token(self) -> str:
        """For the address that a person reads."""
        return self._token

    def launch(self) -> str:
        """A token for the command line of a browser."""
        token = secrets.token_urlsafe(BYTES)
        self._launches[token] = self._clock() + LAUNCH
        return token

    def opens(self, token: str) -> bool:
        """Whether a token in an address opens the page."""
        known = same(token, self._token)
        for launch, until in list(self._launches.items()):
            if same(token, launch):
                del self._launches[launch]
                known = known or self._clock() < until
        return known

    def cookie(self, port: int) -> str:
        """What sets the cookie."""
        named = f"{_name(port)}={self._session}"
        return "; ".join((named, "Path=/", "HttpOnly", "SameSite=Strict"))

    def known(self, cookies: str, port: int) -> bool:
        """Whether a Cookie header has ours."""
        try:
            morsel = SimpleCookie(cookies).get(_name(port))
        except CookieError:
            return False
        return morsel is not None and same(morsel.value, self._session)


def _name(port: int) -> str:
    return f"p2ptruco-{port}"


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that says nothing about where they differ."""
    return secrets.compare_digest(one.encode("utf-8", "replace"), other.encode())
