"""HTML and SVG, an element at a time: what is not markup cannot become it."""

from __future__ import annotations

from html import escape
from typing import NewType

Markup = NewType("Markup", str)
"""Text that is safe to put into a page as it is."""


def text(said: str) -> Markup:
    """Plain text as markup."""
    return Markup(escape(said))


def joined(*parts: Markup) -> Markup:
    """One after the other."""
    return Markup("".join(parts))


def element(tag: str, *content: Markup, **attributes: object) -> Markup:
    """An element; `text_anchor` is written `text-anchor`, `class_` as `class`."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
    )
    return Markup(f"<{tag}{written}>{''.join(content)}</{tag}>")
