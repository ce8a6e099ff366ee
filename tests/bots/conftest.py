"""A data folder and a locale of the test's own, for everything that runs a command."""

from ..cli.conftest import home

__all__ = ["home"]
