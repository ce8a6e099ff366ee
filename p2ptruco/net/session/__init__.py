"""One table over a mesh, until the match is sealed (table.md §3, §4, §6).

session.py carries entries between table, seat and peers; healing.py asks for what is lacking;
partners.py shows cards inside a team; talk.py is what people say, which never enters the log.
"""

from .session import Session

__all__ = ["Session"]
