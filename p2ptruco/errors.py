"""One error out of the groups that nurseries make."""

from __future__ import annotations

from typing import TypeVar

Sort = TypeVar("Sort", bound=BaseException)


def within(error: BaseException, sort: type[Sort]) -> Sort | None:
    """The first of this sort: an exception, or one in a group of groups."""
    if isinstance(error, sort):
        return error
    members = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    found = (within(member, sort) for member in members)
    return next((one for one in found if one is not None), None)


def alone(error: BaseException) -> BaseException:
    """The one exception in a group of groups; a group of several as it is."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
