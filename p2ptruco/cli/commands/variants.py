"""`p2ptruco variants [NAME]`: what can be played, toggle by toggle."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from p2ptruco.cli.command import command as make
from p2ptruco.cli.output import emit, say, table
from p2ptruco.ui.words import _

if TYPE_CHECKING:
    from p2ptruco.hooks import Offer

SET_IN = " " * 4


@make(
    "variants",
    example="p2ptruco variants\np2ptruco variants paulista",
)
@click.argument("name", required=False)
def command(name: str | None, as_json: bool) -> None:
    """A line a variant; with a name, a line a toggle."""
    from p2ptruco.cli.choices import offer_of
    from p2ptruco.hooks import shelf

    offers = [offer_of(name)] if name else list(shelf().variants.values())
    if as_json:
        emit({"variants": [as_object(offer) for offer in offers]})
    elif name:
        say(written_out(offers[0]))
    else:
        say(table([summary(offer) for offer in offers]))


def as_object(offer: Offer) -> dict[str, object]:
    """A variant as `--json` prints it; `differs` is from `mineiro`, the default."""
    from p2ptruco.rules.presets import MINEIRO
    from p2ptruco.rules.variant import differs, toggles
    from p2ptruco.ui.titles import title_of

    return {
        "name": offer.variant.name,
        "title": title_of(offer),
        "source": offer.source,
        "toggles": toggles(offer.variant),
        "differs": differs(offer.variant, MINEIRO),
    }


def summary(offer: Offer) -> tuple[str, str, str]:
    """Name, title, and who offers it."""
    from p2ptruco.ui.titles import title_of

    return offer.variant.name, title_of(offer), offer.source


def written_out(offer: Offer) -> str:
    """The title, and every toggle with what it means; a star marks what differs from `mineiro`."""
    from p2ptruco.rules.presets import MINEIRO
    from p2ptruco.rules.variant import differs, toggles
    from p2ptruco.ui.toggles import sentence

    other = differs(offer.variant, MINEIRO)
    title = "  ".join(summary(offer))
    lines = textwrap.wrap(title, 79, subsequent_indent=SET_IN, break_on_hyphens=False)
    for toggle, value in toggles(offer.variant).items():
        lines.append(f"{'*' if toggle in other else ' '} {toggle}={value}")
        lines += textwrap.wrap(
            sentence(toggle, offer.variant), 79, initial_indent=SET_IN, subsequent_indent=SET_IN
        )
    return "\n".join([*lines, *[_("* differs from mineiro")] * bool(other)])
