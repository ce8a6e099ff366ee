"""Hooks: how a stranger's bots and variants come in (plugins/README.md)."""

from p2ptruco.hooks.files import NoBot, NoVariant, find_bot, find_variant, in_file, is_path
from p2ptruco.hooks.loading import load, shelf
from p2ptruco.hooks.offers import Bot, Fault, Offer, Plugin, Shelf, shown, valid_name
from p2ptruco.hooks.specs import (
    PLUGIN_API,
    Choose,
    Chooser,
    Make,
    RegisterBot,
    RegisterVariant,
    hookimpl,
    hookspec,
)

__all__ = [
    "PLUGIN_API",
    "Bot",
    "Choose",
    "Chooser",
    "Fault",
    "Make",
    "NoBot",
    "NoVariant",
    "Offer",
    "Plugin",
    "RegisterBot",
    "RegisterVariant",
    "Shelf",
    "find_bot",
    "find_variant",
    "hookimpl",
    "hookspec",
    "in_file",
    "is_path",
    "load",
    "shelf",
    "shown",
    "valid_name",
]
