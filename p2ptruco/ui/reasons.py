"""Codes in, sentences out: the inner rings say which law was broken, people read it here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from p2ptruco.ui.processes import how_ended
from p2ptruco.ui.words import N_, _

if TYPE_CHECKING:
    from p2ptruco.hooks import Fault, NoBot, NoVariant
    from p2ptruco.hooks.files import Missing

PLUGIN_FAULTS = {
    "bad_name": N_("{detail}: not a name (lower-case letters, digits, - and _; 40 at most)"),
    "bad_offer": N_("{detail}: neither a bot's maker nor a variant"),
    "broken": N_("it does not load: {detail}"),
    "disabled": N_("kept out by P2PTRUCO_DISABLE_PLUGINS"),
    "hook_failed": N_("a hook of it failed: {detail}"),
    "name_taken": N_("the name {detail} is taken already"),
    "newer_api": N_("it needs version {detail} of the plugin API; upgrade p2ptruco"),
    "no_entry": N_("a line of its entry_points.txt is no entry point: {detail}"),
    "unknown_hook": N_("there is no hook {detail}"),
    "unmarked_hook": N_("{detail} is not marked: write @p2ptruco.hookimpl above it"),
    "unreadable": N_("its entry_points.txt cannot be read: {detail}"),
}

NO_BOT = {
    "unknown_bot": N_("There is no bot {name}."),
    "no_file": N_("There is no file {name}."),
    "broken_file": N_("{name} does not load: {detail}"),
    "slow_file": N_("{name} takes more than {detail} seconds to load."),
    "load_crashed": N_("{name} ends the process that loads it: {detail}"),
    "no_bot_in_file": N_("{name} has no function {detail} and registers no bot."),
    "several_bots": N_("{name} registers several bots ({detail}): add :NAME to choose one."),
}

NO_VARIANT = {
    "unknown_variant": N_("There is no variant {name}."),
    "no_file": NO_BOT["no_file"],
    "broken_file": NO_BOT["broken_file"],
    "no_variant_in_file": N_("{name} registers no variant."),
    "several_variants": N_("{name} registers several variants ({detail}): add :NAME."),
}

HOME_FAULTS = {
    "broken_identity": N_("{path} is no identity of this version; move it away to get a new one."),
    "not_ours": N_("{path} cannot be read, or belongs to somebody else."),
    "unwritable": N_("{path} cannot be written; set P2PTRUCO_HOME to another folder."),
}

VIOLATIONS = {
    "illegal_move": N_("a move that the rules do not allow"),
    "bad_opening": N_("a key that was not committed to, or is another seat's"),
    "bad_proof": N_("a shuffle whose proof is wrong"),
    "not_in_group": N_("a point or scalar that does not exist"),
    "bad_token": N_("a token that does not open the card it is for"),
    "equivocation": N_("two different entries in one place"),
    "malformed": N_("bytes that are no part of a record"),
    "wrong_version": N_("an entry of another version of the protocol"),
    "wrong_table": N_("an entry of another table"),
    "not_due": N_("an entry where nobody owed one"),
    "bad_head": N_("an entry that does not follow from those before it"),
    "bad_signature": N_("a signature that is not that seat's"),
    "bad_certificate": N_("a certificate of absence that is none"),
    "bad_seal": N_("a seal on another result"),
    "bad_trailer": N_("a trailer that does not fit what is before it"),
    "incomplete": N_("the file ends before the match does"),
}

ILLEGAL = {
    "syntax": N_("this cannot be read as the hand notation"),
    "bad_header": N_("the header says what cannot be"),
    "bad_deal": N_("these cards cannot have been dealt"),
    "hand_over": N_("the hand is over"),
    "not_your_turn": N_("it is not this seat's turn"),
    "decision_pending": N_("the special hand must be played or refused first"),
    "no_decision": N_("there is no special hand to decide"),
    "call_pending": N_("a call must be answered first"),
    "no_call_pending": N_("there is no call to answer"),
    "not_in_hand": N_("this seat does not hold that card"),
    "face_down_not_allowed": N_("no card may be laid face down here"),
    "cannot_fold": N_("nobody may fold here"),
    "cannot_call": N_("this team cannot call now"),
    "wrong_call": N_("another call comes next"),
    "unknown_card": N_("this needs a card that is not known"),
}

MISSING = {
    "bad_header": N_(
        "a line of the header is missing: this variant needs its vira (vira 7d) or the number of "
        "seats (players 4)"
    ),
    "bad_deal": N_(
        "the cards of a seat are missing: each seat needs a line such as 'hand 1: 3s 4d ?', and "
        "without a line 'players 4' there are two seats"
    ),
}
"""What is wrong with a file of a hand where no line of it is."""

SYSTEM = {
    FileNotFoundError: N_("there is no such file"),
    IsADirectoryError: N_("it is a folder"),
    PermissionError: N_("permission denied"),
}


def system(error: OSError) -> str:
    """Why the system refused, as a part of a sentence."""
    plain = next((text for sort, text in SYSTEM.items() if isinstance(error, sort)), None)
    reason = error.strerror or type(error).__name__
    return _(plain) if plain else _("the system says {reason}").format(reason=reason)


def refusal(error: OSError) -> str:
    """That the system refused, as a sentence; with the file, if the error names one."""
    reason = system(error)
    if isinstance(error.filename, (str, bytes)):
        sentence = _("The system refused {path}: {reason}.")
        return sentence.format(path=_shown(os.fsdecode(error.filename)), reason=reason)
    return _("The system refused: {reason}.").format(reason=reason)


def _shown(path: str) -> str:
    from p2ptruco.hooks import shown

    return shown(path)


def refused(errno: int | None) -> str:
    """Why the system refused, by its number."""
    return system(OSError() if errno is None else OSError(errno, os.strerror(errno)))


def broke(reason: str, errno: int | None) -> str:
    """Why a process of ours broke off; `reason`: the name of what it could not do."""
    if errno is not None:
        return refused(errno)
    return how_ended(reason) or _("its process ended")


def illegal(code: str) -> str:
    """Why a move, or a file of a hand, is refused."""
    return _(ILLEGAL[code])


def missing(code: str) -> str:
    """What a file of a hand lacks, or is."""
    return _(MISSING.get(code, ILLEGAL[code]))


def violation(kind: str) -> str:
    """What a violation of the log, or a fault of a record, is."""
    return _(VIOLATIONS[kind])


def plugin_fault(fault: Fault) -> str:
    """What is wrong with a plugin, as a part of a sentence."""
    return _(PLUGIN_FAULTS[fault.code]).format(detail=fault.detail)


def no_bot(missing: NoBot) -> str:
    """Why there is no such bot."""
    return _(NO_BOT[missing.code]).format(name=missing.name, detail=_in_words(missing))


def no_variant(missing: NoVariant) -> str:
    """Why there is no such variant."""
    return _(NO_VARIANT[missing.code]).format(name=missing.name, detail=_in_words(missing))


def _in_words(missing: Missing) -> str:
    """The detail; of a file whose fault is one of a plugin's, what is wrong with it; of a process
    that ended, how."""
    if missing.code == "load_crashed":
        return how_ended(missing.detail)
    from p2ptruco.hooks.offers import fault_in

    fault = fault_in(missing.detail) if missing.code == "broken_file" else None
    if fault is None:
        return missing.detail
    return fault.detail if fault.code == "broken" else plugin_fault(fault)


def home_fault(code: str, path: object) -> str:
    """What is wrong with the data folder."""
    return _(HOME_FAULTS[code]).format(path=path)


NOT_SEATED = {
    "bad_ticket": N_(
        "This ticket is wrong, or its table is closed or playing: ask the host for a new one."
    ),
    "table_full": N_("The table is full, or locked by its host."),
    "wrong_version": N_("The host runs another version of p2ptruco: both should upgrade."),
    "wrong_peer": N_("Whoever answers there is not the host that the ticket names."),
    "name_taken": N_("Somebody at the table has this name already: choose another with --name."),
    "seats_held": N_(
        "The free seats are held for players of the last match, who have not answered yet: try "
        "again in a moment."
    ),
    "too_late": N_(
        "You did not answer in time, and the host went on without you: join again with a ticket."
    ),
    "turned_away": N_("The host turned you away."),
    "refused": N_("You had not agreed to these rules, so nothing was signed."),
    "bad_proposal": N_("The host proposed another match than it had shown: nothing was signed."),
    "not_signed": N_("Not everybody signed in time: nothing was begun."),
    "malformed": N_("The host could not read what was sent: is it another version of p2ptruco?"),
    "oversized": N_("The host was sent more than it takes: is it another version of p2ptruco?"),
    "bad_signature": N_("The host was sent a signature that does not hold: try again."),
    "wrong_table": N_("The host was sent words of another table: try again."),
    "not_due": N_("The host was sent words that it had not asked for: try again."),
    "too_fast": N_("The host was sent too much at once: try again in a moment."),
    "too_slow": N_("This end did not read fast enough, or the network was slow: try again."),
    "silent": N_("The host was not heard for a while: look at the network, and try again."),
    "duplicate": N_(
        "Another program with this identity is at this table: end it first, or set P2PTRUCO_HOME "
        "to another folder."
    ),
    "lost": N_("The host has gone, or the network with it."),
    "leaving": N_("The host has gone home."),
}


def not_seated(code: str, late: str = "") -> str:
    """Why there is no seat, and what to do; `late`: who has not signed."""
    fallback = N_("The host ended the connection ({code}): try again.")
    if late:
        return _("{who} did not sign in time: nothing was begun.").format(who=late)
    return _(NOT_SEATED.get(code, fallback)).format(code=code)


STOPPED = {
    "port_in_use": N_("Port {port} cannot be used ({reason}): choose another with --port."),
    "no_ticket": N_("This is no ticket of p2ptruco: copy it whole, from TRUCO: on."),
    "no_answer": N_("Nobody answers at {where}: is the host there, on the same network?"),
    "no_network": N_("There is no network to look for tables on; join with a ticket."),
    "no_table": N_("No table was chosen."),
}

LEFT = {
    "hangs": N_(
        "You left while the table waited for {who}: the match goes to the other team if their "
        "part still comes, else nobody has won."
    ),
    "nobody": N_("You left while the table waited for {who}: nobody has won."),
}
"""How it ends for whoever left a table that waits for others."""


def stopped(code: str, about: Mapping[str, str]) -> str:
    """Why what a person wanted cannot be done (`app/stopped.py`)."""
    if code == "left":
        return left(about["leaving"], about["who"])
    if code == "seat_failed":
        errno = about.get("errno")
        number = None if errno is None else int(errno)
        return seat_failed(int(about["seat"]), about["reason"], number)
    if code in STOPPED:
        return _(STOPPED[code]).format_map(about)
    return not_seated(code, about.get("who", ""))


def left(leaving: str, who: str) -> str:
    """How it ends for whoever left a table that waits for others."""
    return _(LEFT[leaving]).format(who=who)


def seat_failed(seat: int, reason: str, errno: int | None) -> str:
    """A bot of ours has failed; `seat` from 1."""
    sentence = _("The bot at seat {seat} has failed ({reason}).")
    return sentence.format(seat=seat, reason=broke(reason, errno))


def unwritten(reason: str) -> str:
    """No record is kept."""
    return _("The record cannot be written: {reason}.").format(reason=reason)
