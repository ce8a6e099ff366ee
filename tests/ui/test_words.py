"""What people read comes from the catalogue, and the catalogue is whole."""

from __future__ import annotations

import ast
import io
import re
import string
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from p2ptruco.ui import words

ROOT = Path(__file__).parents[2]
PO = words.FOLDER / "pt_BR.po"
MO = words.FOLDER / "pt_BR" / "LC_MESSAGES" / "p2ptruco.mo"


def catalogue() -> Catalog:
    with PO.open("rb") as file:
        return read_po(file, locale="pt_BR")


def used() -> set[str]:
    """The messages of the source; of a plural the singular."""
    keywords = {"_": None, "N_": None, "ngettext": (1, 2)}
    kinds = [("**.py", "python"), ("**.js", "javascript"), ("ui/web/**.html", "jinja2")]
    found = extract_from_dir(str(ROOT / "p2ptruco"), kinds, keywords=keywords)  # type: ignore[arg-type]
    return {text if isinstance(text, str) else text[0] for _, _, text, *_ in found}


def clicks() -> set[str]:
    """The messages that click looks up itself."""
    calls = [
        node
        for path in Path(click.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    named = [call for call in calls if getattr(call.func, "id", "") in ("_", "ngettext")]
    return {arg.value for call in named if isinstance(arg := call.args[0], ast.Constant)}


def key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def test_every_message_has_its_portuguese() -> None:
    """Nothing that the source says is missing, and nothing is translated that nobody says."""
    there = {key(message) for message in catalogue() if message.id}
    assert used() - there == set()
    assert there - used() - clicks() == set()


def test_no_entry_is_empty_or_in_doubt() -> None:
    """A catalogue entry has its text in every plural form, and is not fuzzy."""
    for message in catalogue():
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        forms = (message.string,) if isinstance(message.string, str) else message.string
        assert all(forms), message.id
        assert isinstance(message.id, str) or len(forms) == 2, message.id


def fields(text: str) -> set[str]:
    return {name.split("!")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


def test_a_translation_uses_the_values_of_its_message() -> None:
    """No placeholder is lost or invented, so that no sentence fails when it is made."""
    for message in catalogue():
        if not message.id or "%(" in key(message):
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        texts = [message.string] if isinstance(message.string, str) else list(message.string)
        known = set().union(*map(fields, ids))
        for text in texts:
            assert fields(text) <= known, message.id
        if isinstance(message.id, str):
            assert fields(texts[0]) == known, message.id


def test_a_bot_has_one_name_in_portuguese() -> None:
    """It is a robô in every sentence; `bot` is left to what is typed and to placeholders."""
    for message in catalogue():
        texts = [message.string] if isinstance(message.string, str) else list(message.string)
        for text in texts if message.id else ():
            assert not re.search(r"(?<![\w{/.-])bots?\b(?!})", text, re.IGNORECASE), text


def test_the_compiled_catalogue_is_the_one_in_the_source() -> None:
    """The build hook compiles it; after a change, install again (`pip install -e .`)."""
    with MO.open("rb") as file:
        compiled = {key(message): message.string for message in read_mo(file) if message.id}
    source = {key(message): message.string for message in catalogue() if message.id}
    assert {name: list(text) for name, text in compiled.items()} == {
        name: list(text) for name, text in source.items()
    }


SHOWN = {"say", "tell", "echo", "secho", "Failure", "UsageError", "BadParameter", "prompt"}
SHOWN_KEYWORDS = {"help", "short_help", "prompt", "epilog"}


def is_prose(node: ast.AST) -> bool:
    """A literal with words in it; one glyph, a format or a path is none."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    words = " ".join(text for text in texts if isinstance(text, str)).split()
    return sum(sum(map(str.isalpha, word)) > 1 for word in words) > 1


def escapes(path: Path) -> Iterator[str]:
    """Literals that reach a person without the catalogue."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
        name = name.id if isinstance(name, ast.Name) else name
        shown = [*node.args] if name in SHOWN else []
        shown += [word.value for word in node.keywords if word.arg in SHOWN_KEYWORDS]
        yield from (f"{path.name}:{node.lineno}" for value in shown if is_prose(value))


def yields(path: Path) -> Iterator[str]:
    """Literal lines that a module of `ui` hands out to be shown."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        value = node.value if isinstance(node, ast.Yield | ast.Return) else None
        if value is not None and is_prose(value):
            yield f"{path.name}:{node.lineno}"  # type: ignore[attr-defined]


def test_no_text_escapes_translation() -> None:
    """What cli and ui show goes through `_`."""
    paths = [*(ROOT / "p2ptruco" / "cli").rglob("*.py"), *words.FOLDER.parent.rglob("*.py")]
    assert len(paths) > 20
    assert [place for path in paths for place in escapes(path)] == []
    ours = [path for path in words.FOLDER.parent.rglob("*.py") if path.parent != words.FOLDER]
    assert [place for path in ours for place in yields(path)] == []


def test_the_escape_finder_finds_one(tmp_path: Path) -> None:
    """The check above is no empty one."""
    bad = tmp_path / "bad.py"
    bad.write_text('def f():\n    say("this escapes us")\n    yield f"so does {this} one"\n')
    assert list(escapes(bad)) == ["bad.py:2"]
    assert list(yields(bad)) == ["bad.py:3"]


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "pt_PT.UTF-8"}, "pt-BR"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:pt_BR:en"}, "pt-BR"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "pt_BR", "LC_ALL": "en_US"}, "en"),
        ({"LC_ALL": "C", "LANGUAGE": "pt_BR"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "pt_BR"}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ: dict[str, str], language: str) -> None:
    """LC_ALL before LC_MESSAGES before LANG; LANGUAGE lists preferences unless that is C."""
    assert words.by_locale(environ) == language


def test_the_calls_stay_as_they_are() -> None:
    """truco, seis, nove, dez and doze are no messages."""
    assert not {"truco", "seis", "nove", "dez", "doze"} & {m.lower() for m in used()}


def test_a_catalogue_is_readable_by_the_standard_library() -> None:
    """gettext needs nothing of Babel at run time."""
    import gettext

    with MO.open("rb") as file:
        spoken = gettext.GNUTranslations(io.BytesIO(file.read()))
    assert spoken.gettext("tied") == "canga"
    assert spoken.ngettext(", {n} point", ", {n} points", 2) == ", {n} tentos"
