"""The structures of protocol/schema are those of the code."""

from __future__ import annotations

import pytest

from tests.kit.schema import FILES, FOLDER, schemas, text


@pytest.mark.parametrize("name", FILES)
def test_the_schema_is_that_of_the_code(name: str) -> None:
    """Where a field or a bound changes, its page and its schema change with it."""
    written = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert written == text(schemas()[name]), "python -m tests.kit.schema writes them"


def test_no_other_schemas() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(FILES)
