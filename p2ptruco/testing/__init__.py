"""What a plugin's own tests need: the checks that ours are held to, and a table to play at.

    from p2ptruco.testing import check_bot, check_variant, play_match

Both checks raise AssertionError with a message for each check that failed.
"""

from p2ptruco.testing.bots import check_bot, examine_bot
from p2ptruco.testing.checks import Check
from p2ptruco.testing.course import Moment, course, play_match
from p2ptruco.testing.variants import check_variant, examine_variant

__all__ = [
    "Check",
    "Moment",
    "check_bot",
    "check_variant",
    "course",
    "examine_bot",
    "examine_variant",
    "play_match",
]
