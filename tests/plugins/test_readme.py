"""The examples of plugins/README.md, as they stand there."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import p2ptruco
from p2ptruco.hooks import RegisterBot, RegisterVariant, find_bot
from p2ptruco.hooks.loading import Loading
from p2ptruco.hooks.specs import Specs
from p2ptruco.rules.presets import MINEIRO
from p2ptruco.testing import check_bot

from .arena import play_match

PAGE = (Path(__file__).parents[2] / "plugins" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


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
    exec(BLOCKS[4], module.__dict__)
    loading = Loading()
    assert loading.register(module, "page", "1").faults == ()
    offer = loading.variants["sem-fuga"]
    assert (offer.title, offer.variant.fold, offer.variant.scale) == (
        "Sem fuga",
        False,
        MINEIRO.scale,
    )


def test_the_page_plays_hands_out() -> None:
    """Its function says how often a hand is won: the strongest card wins more than the weakest."""
    page: dict[str, Any] = {"p2ptruco": p2ptruco}
    exec(BLOCKS[1], page)
    shares: list[list[float]] = []

    def choose(view: p2ptruco.View) -> p2ptruco.Move:
        if len(view.plays) == 3 and len(view.unknown) == 3:
            ends = min(view.plays, key=view.strength), max(view.plays, key=view.strength)
            shares.append([page["wins"](view, move) for move in ends])
        return view.plays[0] if view.plays else view.legal[1]

    for seed in range(4):
        play_match(MINEIRO, [choose, choose], seed)
    weakest, strongest = (sum(share) for share in zip(*shares, strict=True))
    assert 0 < weakest < strongest < len(shares)


def test_the_bot_that_remembers_plays_by_the_rules() -> None:
    """The class of the page: it hears what happened, and passes the checks."""
    page: dict[str, Any] = {"p2ptruco": p2ptruco}
    exec(BLOCKS[2], page)
    check_bot(page["Careful"])


def test_the_checks_of_the_page_are_there() -> None:
    """What the page imports can be imported."""
    exec(BLOCKS[3], {})
    assert len(BLOCKS) == 5


def written(function: Callable[..., object]) -> str:
    """A signature as the page writes it: without `self`, types by their own names."""
    signature = inspect.signature(function)
    names = [
        f"{name}: {p.annotation}" + ("" if p.default is p.empty else f' = "{p.default}"')
        for name, p in signature.parameters.items()
        if name != "self"
    ]
    return f"({', '.join(names)}) -> {signature.return_annotation}"


def test_the_signatures_of_the_page_are_the_real_ones() -> None:
    """Every hook, and what it is given, stands there exactly; what they name is public."""
    hooks = [name for name in vars(Specs) if name.startswith("p2ptruco_")]
    given = {"RegisterBot": RegisterBot, "RegisterVariant": RegisterVariant}
    assert len(hooks) == 2
    for hook in hooks:
        signature = written(getattr(Specs, hook))
        register = next(name for name in given if name + ")" in signature)
        assert f"\n{hook}{signature}\n    register{written(given[register].__call__)}\n" in PAGE
        for name in re.findall(r": (\w+)", signature + written(given[register].__call__)):
            assert name == "str" or name in p2ptruco.__all__
    assert f"P2PTRUCO_PLUGIN_API = {p2ptruco.PLUGIN_API}" in PAGE
    assert f"Plugin API {p2ptruco.PLUGIN_API}:" in PAGE


@pytest.mark.parametrize("hook", [name for name in vars(Specs) if name.startswith("p2ptruco_")])
def test_each_hook_is_used_by_a_plugin_of_ours(hook: str) -> None:
    """A hook that nobody uses is a hook that nobody has tried."""
    points = metadata.entry_points(group="p2ptruco")
    ours = [p.load() for p in points if p.dist is not None and p.dist.name == "p2ptruco"]
    users = [module for module in ours if hasattr(module, hook)]
    handed: list[object] = []
    for module in users:
        getattr(module, hook)(lambda offer, *rest, **more: handed.append(offer))
    assert users
    assert len(handed) > len(users)


def test_every_name_that_the_page_gives_a_view_exists() -> None:
    """The table of what a bot may look at, against the class."""
    table = PAGE.split("| of the view | |")[1].split("\n\n")[0]
    names = [
        re.match(r"\w+", word).group()  # type: ignore[union-attr]
        for cell in re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE)
        for word in cell.strip("`").split(" ")
        if re.match(r"[a-z]\w+(\(|$)", word)
    ]
    assert len(names) > 25
    assert set(names) <= set(dir(p2ptruco.View))
