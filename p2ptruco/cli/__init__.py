"""The command line."""

import click


@click.group()
def main() -> None:
    """Truco, peer to peer."""
