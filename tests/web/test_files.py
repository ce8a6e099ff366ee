"""Our own files, and no other file of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2ptruco.ui.web import files, strings

from .kit import served


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files to be served, with a secret beside it."""
    static = tmp_path / "static"
    (static / "js").mkdir(parents=True)
    (static / "js" / "a.js").write_text(
        'show(_("Another match? (y/n)"));\n_("Nobody says \\"so\\"")'
    )
    (static / "b.css").write_text("b {}")
    (static / "c.svg").write_text("<svg/>")
    (static / "d.html").write_text("<p>")
    (static / ".e.js").write_text("hidden")
    (tmp_path / "secret.js").write_text("secret")
    monkeypatch.setattr(files, "STATIC", static)
    monkeypatch.setattr(strings, "STATIC", static)
    return static


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("js/a.js", "text/javascript; charset=utf-8"),
        ("b.css", "text/css; charset=utf-8"),
        ("c.svg", "image/svg+xml"),
    ],
)
async def test_a_file_has_the_type_that_we_say(folder: Path, name: str, kind: str) -> None:
    """Whatever this system calls the suffix."""
    async with served() as here:
        answer = await here.ask(f"/static/{name}")
        assert (answer.status, answer.headers["content-type"]) == (200, kind)
        assert answer.body == (folder / name).read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "d.html",
        ".e.js",
        "js",
        "js/",
        "",
        "none.js",
        "../secret.js",
        "js/../../secret.js",
        "%2e%2e/secret.js",
        "..%2fsecret.js",
        "..%5csecret.js",
        "%00.js",
        "//etc/passwd",
        "a" * 300 + ".js",
    ],
)
async def test_no_other_file_is_served(folder: Path, name: str) -> None:
    """Whoever has the cookie would read the identity's key; a type that we have not is none."""
    async with served() as here:
        assert (await here.ask(f"/static/{name}")).status == 404


async def test_the_pages_words_are_those_that_it_marks(folder: Path) -> None:
    """By language; what nobody has translated is itself."""
    async with served() as here:
        english, portuguese = [
            (await here.ask(f"/words/{language}.json")).json for language in ("en", "pt-BR")
        ]
        assert (await here.ask("/words/fr.json")).status == 404
    assert english == {text: text for text in portuguese}
    assert portuguese["Another match? (y/n)"] == "Outra partida? (s/n)"
    assert portuguese['Nobody says "so"'] == 'Nobody says "so"'
