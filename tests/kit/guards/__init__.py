"""Every guard of a module, each with a switch: what `tests.soak.remove_guards` turns off.

Laws:
1. A guard is a condition (`if`, a ternary, an operand of `and` or `or`, an end of a chained
   comparison, the filter of a comprehension, the guard of a case), the answer of a function that
   answers `bool`, an `except`, a call of a checking function, a bound of a schema.
2. Sources are changed as they are imported, never on disk: `switched` puts a call of `on` into each
   guard of the modules that it names. With `removed` at -1 they do what they did before.
3. `on` is asked where the answer decides: of a condition that would have let pass anyway there is
   no question. So `asked` holds the guards whose removal changes anything at all.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from tests.kit.guards.rewrite import ON, PASS, Guard, Switcher, Switches

__all__ = ["ROOT", "SWITCHES", "Guard", "Switches", "sources", "switched", "with_switches"]

ROOT = Path(__file__).parent.parent.parent.parent
SWITCHES = Switches()


def switched(modules: Collection[str]) -> None:
    """From here on these modules (by prefix of the dotted name) are imported with switches."""
    sys.meta_path.insert(0, _Finder(tuple(modules)))


def sources(modules: Collection[str]) -> list[Path]:
    """The files of the modules that a prefix names, in order."""
    found = set()
    for name in modules:
        place = ROOT / name.replace(".", "/")
        found |= set(place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")])
    return sorted(found)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if not any(fullname == one or fullname.startswith(one + ".") for one in self._modules):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin and spec.origin.endswith(".py"):
            spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        path = Path(self.get_filename(fullname))
        return compile(with_switches(path, SWITCHES), path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        module.__dict__[ON], module.__dict__[PASS] = SWITCHES.on, passes
        super().exec_module(module)


def with_switches(path: Path, switches: Switches) -> ast.Module:
    """The syntax tree of a file with a switch in each guard, the guards put into `switches`."""
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    tree = Switcher(name, switches).visit(ast.parse(path.read_text(encoding="utf-8")))
    return ast.fix_missing_locations(tree)


def passes(name: str) -> Callable[..., Any]:
    """What stands in the place of a reading function that is taken out."""
    if name == "decode_scalar":
        return lambda data: int.from_bytes(data, "little")
    return lambda data, *rest: data
