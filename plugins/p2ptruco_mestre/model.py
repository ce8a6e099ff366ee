"""What a rival does otherwise than the table expects, learned within a match.

It starts neutral. Of our calls it counts how many were run from, and of their calls that we
accepted how many hands we won, beside what the table expects of both; shares of the table are then
shifted by the odds between them.
"""

from __future__ import annotations

from math import exp, log

RUNS_PRIOR, WINS_PRIOR = 1.2, 6.0
"""How many observations the table's own expectation is worth: runs say more than hands won."""


class Shift:
    """Observed against expected, of something that happens or not."""

    def __init__(self, prior: float) -> None:
        self._yes = self._no = self._expected_yes = self._expected_no = prior

    def note(self, happened: bool, expected: float) -> None:
        """One more observation."""
        self._yes += happened
        self._no += not happened
        self._expected_yes += expected
        self._expected_no += 1 - expected

    def of(self, share: float) -> float:
        """A share of the table as this rival makes it."""
        share = min(0.98, max(0.02, share))
        odds = log(share / (1 - share)) + self.size
        return 1 / (1 + exp(-odds))

    @property
    def size(self) -> float:
        """The shift in logarithmic odds; 0 while nothing was seen."""
        return log(self._yes / self._expected_yes) - log(self._no / self._expected_no)


class Rival:
    """The other team, as one seat has met it."""

    def __init__(self) -> None:
        self.runs, self.wins = Shift(RUNS_PRIOR), Shift(WINS_PRIOR)
        self._called: list[float] = []
        self._accepted: list[float] = []

    def we_called(self, run: float) -> None:
        """A call of ours that the table expects them to run from so often."""
        self._called.append(run)

    def we_accepted(self, won: float) -> None:
        """A call of theirs that we went along with, expecting to win so often."""
        self._accepted.append(won)

    def hand_done(self, how: str, won: bool, ours_last: bool) -> None:
        """A hand has ended; `ours_last`: our own call was the last."""
        for place, run in enumerate(self._called):
            last = place == len(self._called) - 1
            self.runs.note(last and ours_last and won and how == "run", run)
        if how == "tricks":
            for expected in self._accepted:
                self.wins.note(won, expected)
        self._called, self._accepted = [], []
