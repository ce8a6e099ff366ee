"""Every word that a person reads.

1. A message is an English sentence in the source, `_("…")`; its translation lives in `pt_BR.po`.
2. Values enter by name, after translation: `_("{seat} plays").format(seat=…)`, never an f-string.
3. One process speaks one language: `speak` is called once, before any text is made. Text made at
   import time is marked with `N_` and translated where it is shown.
4. Calls (truco, seis, nove, dez, doze) are words of the game and are never translated.
"""

from __future__ import annotations

import gettext as _gettext
import locale
import os
from collections.abc import Mapping
from pathlib import Path

LANGUAGES = ("en", "pt-BR")
DOMAIN = "p2ptruco"
FOLDER = Path(__file__).parent

_translations: _gettext.NullTranslations = _gettext.NullTranslations()
_spoken = "en"


def _(message: str) -> str:
    """The message in the language spoken."""
    return _translations.gettext(message) if message else ""


def ngettext(one: str, many: str, n: int) -> str:
    """The form of the message for n things, in the language spoken."""
    return _translations.ngettext(one, many, n)


def N_(message: str) -> str:
    """The message itself: a mark for the catalogue."""
    return message


def speak(language: str | None = None) -> str:
    """Speak one of LANGUAGES from now on (None: the locale's) and return it.

    The standard gettext domain follows, so that click's own sentences do too, here and in the
    processes that this one starts.
    """
    global _translations, _spoken
    _spoken = chosen = language if language in LANGUAGES else by_locale(os.environ)
    tongue = chosen.replace("-", "_")
    _translations = _gettext.translation(DOMAIN, FOLDER, [tongue], fallback=True)
    _gettext.bindtextdomain(DOMAIN, str(FOLDER))
    _gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = tongue
    return chosen


def spoken() -> str:
    """The language spoken now."""
    return _spoken


def by_locale(environ: Mapping[str, str]) -> str:
    """The language that the environment asks for, else the system's, else English."""
    asked = [environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)][:1]
    if not asked:
        asked = [locale.getlocale()[0] or ""]
    elif asked[0].split(".")[0] not in ("C", "POSIX"):
        asked = [*environ.get("LANGUAGE", "").split(":"), *asked]
    known = [_language(tag) for tag in asked]
    return next((language for language in known if language), "en")


def _language(tag: str) -> str | None:
    """One of LANGUAGES for a locale's name, or None for a language that is not spoken here."""
    return {"pt": "pt-BR", "po": "pt-BR", "en": "en"}.get(tag.strip().lower()[:2])
