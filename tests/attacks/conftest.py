"""Says at the end how many cryptographic negatives the run held."""

import pytest

from tests.mental import kit


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line; under xdist each worker counts for itself and this says nothing."""
    if kit.refusals:
        terminalreporter.write_line(
            f"{kit.refusals} cryptographic negatives, none accepted wrongly"
        )
