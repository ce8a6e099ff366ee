"""Codes in, sentences out: the inner rings say which law was broken, people read it here."""

from __future__ import annotations

from p2ptruco.hooks import Fault, NoBot
from p2ptruco.ui.words import N_, _

PLUGIN_FAULTS = {
    "bad_name": N_("{detail}: not a name (lower-case letters, digits, - and _; 40 at most)"),
    "bad_offer": N_("{detail}: neither a bot's maker nor a variant"),
    "broken": N_("it does not load: {detail}"),
    "disabled": N_("kept out by P2PTRUCO_DISABLE_PLUGINS"),
    "hook_failed": N_("a hook of it failed: {detail}"),
    "name_taken": N_("the name {detail} is taken already"),
    "newer_api": N_("it needs version {detail} of the plugin API; upgrade p2ptruco"),
    "unknown_hook": N_("there is no hook {detail}"),
    "unmarked_hook": N_("{detail} is not marked with @p2ptruco.hookimpl"),
}

NO_BOT = {
    "unknown_bot": N_("There is no bot {name}."),
    "no_file": N_("There is no file {name}."),
    "broken_file": N_("{name} does not load: {detail}"),
    "no_bot_in_file": N_("{name} has no function {detail} and registers no bot."),
    "several_bots": N_("{name} registers several bots ({detail}): add :NAME to choose one."),
}

HOME_FAULTS = {
    "broken_identity": N_("{path} is no identity of this version; move it away to get a new one."),
    "not_ours": N_("{path} cannot be read, or belongs to somebody else."),
    "unwritable": N_("{path} cannot be written; P2PTRUCO_HOME names another folder."),
}


def plugin_fault(fault: Fault) -> str:
    """What is wrong with a plugin, as a part of a sentence."""
    return _(PLUGIN_FAULTS[fault.code]).format(detail=fault.detail)


def no_bot(missing: NoBot) -> str:
    """Why there is no such bot."""
    return _(NO_BOT[missing.code]).format(name=missing.name, detail=missing.detail)


def home_fault(code: str, path: object) -> str:
    """What is wrong with the data folder."""
    return _(HOME_FAULTS[code]).format(path=path)
