"""The examples of plugins/README.md, as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2ptruco.hooks import find_bot
from p2ptruco.hooks.loading import Loading
from p2ptruco.rules.presets import MINEIRO

from .arena import play_match

BLOCKS = re.findall(
    r"```python\n(.*?)```",
    (Path(__file__).parents[2] / "plugins" / "README.md").read_text(encoding="utf-8"),
    re.DOTALL,
)


def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    """Saved as a file and named by its path, it plays matches to their end."""
    path = tmp_path / "bot.py"
    path.write_text(BLOCKS[0], encoding="utf-8")
    bot = find_bot(str(path))
    assert (bot.name, bot.title) == ("meu-bot", "Meu primeiro bot")
    choose = bot.make()
    assert callable(choose)
    for seed in range(20):
        assert play_match(MINEIRO, [choose, choose], seed) in (0, 1)


def test_the_variant_of_the_page_is_offered() -> None:
    """Registered under its own name, with what it changes and nothing else."""
    module = type(pytest)("page")
    exec(BLOCKS[1], module.__dict__)
    loading = Loading()
    assert loading.register(module, "page", "1").faults == ()
    offer = loading.variants["sem-fuga"]
    assert (offer.title, offer.variant.fold, offer.variant.scale) == (
        "Sem fuga",
        False,
        MINEIRO.scale,
    )


def test_there_are_two_examples() -> None:
    """One for each hook."""
    assert len(BLOCKS) == 2
