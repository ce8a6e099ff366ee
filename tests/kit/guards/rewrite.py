"""Puts a switch into each guard of a syntax tree."""

from __future__ import annotations

import ast
import re
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, TypeVar

ON, PASS = "_guard_on", "_guard_pass"

CHECKING = re.compile(r"^_?(check|verif|refus|accus|close|prove|parse|read|decode|sign|rul)")
"""Names of functions that are called for nothing but what they refuse."""
READING = {"decode_point", "decode_scalar", "clean"}
"""Functions that give back what they were given, if it is good."""
BOUNDS = re.compile(r"^(min_length|max_length|ge|le|max_\w+_(len|size)|forbid_unknown_fields)$")

T = TypeVar("T", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard. `name`, with the file, is the same wherever in the file the guard stands."""

    file: str
    line: int
    name: str
    early: bool
    """Whether it stands outside any function and works at import."""

    @property
    def key(self) -> tuple[str, str]:
        """What is the same wherever in its file it stands."""
        return self.file, self.name

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}"


@dataclass
class Switches:
    """All guards found so far, by number, and which of them is off."""

    guards: list[Guard] = field(default_factory=list)
    removed: int = -1
    wanted: tuple[str, str] | None = None
    """File and name of a guard that is to be off from its import on."""
    asked: set[int] = field(default_factory=set)

    def on(self, number: int) -> bool:
        """Whether a guard is there; asked as the program runs."""
        self.asked.add(number)
        return number != self.removed


class Switcher(ast.NodeTransformer):
    def __init__(self, file: str, switches: Switches) -> None:
        self._file, self._switches = file, switches
        self._within: list[str] = []
        self._depth = 0
        """Functions around the node."""
        self._answers = False
        self._names = Counter[str]()

    # Switches.

    def _on(self, node: Any, text: str) -> ast.expr:
        where = ".".join(self._within) or "module"
        name = f"{where}: {' '.join(text.split())}"
        self._names[name] += 1
        if self._names[name] > 1:
            name += f" #{self._names[name]}"
        guards = self._switches.guards
        guards.append(Guard(self._file, node.lineno, name, not self._depth))
        if self._switches.wanted == (self._file, name):
            self._switches.removed = len(guards) - 1
        return _call(ON, ast.Constant(len(guards) - 1))

    def _never(self, test: ast.expr, text: str) -> ast.expr:
        """The condition, false when its guard is off."""
        return _placed(ast.BoolOp(ast.And(), [test, self._on(test, text)]), test)

    def _always(self, test: ast.expr, text: str) -> ast.expr:
        """The condition, true when its guard is off."""
        return _placed(ast.BoolOp(ast.Or(), [test, _not(self._on(test, text))]), test)

    def _either(self, node: ast.expr, other: ast.expr, text: str) -> ast.expr:
        return _placed(ast.IfExp(self._on(node, text), node, other), node)

    # Statements.

    def visit_FunctionDef(self, node: Any) -> Any:
        self._within.append(node.name)
        self._depth += 1
        outer, self._answers = self._answers, _text(node.returns) == "bool"
        node.body = [self.visit(statement) for statement in node.body]
        self._answers = outer
        self._depth -= 1
        self._within.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self._within.append(node.name)
        for keyword in node.keywords:
            if BOUNDS.match(keyword.arg or ""):
                keyword.value = self._on(node, f"{keyword.arg}=")
        node.body = [self.visit(statement) for statement in node.body]
        self._within.pop()
        return node

    def visit_If(self, node: ast.If) -> Any:
        if _of_the_machine(node.test):
            return self.generic_visit(node)
        node.test = self._branch(node.test, bool(node.orelse and not _elif(node)), "if {}")
        node.body = [self.visit(statement) for statement in node.body]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self._branch(node.test, True, "… if {} else …")
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def _branch(self, test: ast.expr, otherwise: bool, form: str) -> ast.expr:
        text = form.format(_text(test))
        changed = self._never(self._condition(test), text)
        return self._always(changed, f"{text} (else)") if otherwise else changed

    def visit_Return(self, node: ast.Return) -> Any:
        if not self._answers or node.value is None or _fixed(node.value):
            return self.generic_visit(node)
        text = f"return {_text(node.value)}"
        value = self._always(self._condition(node.value), f"{text} (no)")
        node.value = self._never(value, f"{text} (yes)")
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        text = _text(node)
        self.generic_visit(node)
        if not isinstance(call, ast.Call) or not CHECKING.match(_called(call)):
            return node
        return ast.If(self._on(node, text), [node], [])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        if node.type is not None:
            nothing = ast.Tuple([], ast.Load())
            node.type = self._either(node.type, nothing, f"except {_text(node.type)}")
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        if node.guard is not None:
            node.guard = self._always(self._condition(node.guard), f"case … if {_text(node.guard)}")
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if not self._depth and self._within:
            node.annotation = self.visit(node.annotation)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assert(self, node: ast.Assert) -> Any:
        return node

    # Expressions.

    def _condition(self, node: ast.expr) -> ast.expr:
        """A condition: of its operands nothing counts but whether they are true."""
        if isinstance(node, ast.BoolOp):
            drop = self._always if isinstance(node.op, ast.And) else self._never
            texts = [f"{_word(node.op)}: {_text(one)}" for one in node.values]
            tests = [self._condition(one) for one in node.values]
            node.values = [drop(*pair) for pair in zip(tests, texts, strict=True)]
            return node
        if _is_not(node):
            node.operand = self._condition(node.operand)  # type: ignore[attr-defined]
            return node
        return self.visit(node)  # type: ignore[no-any-return]

    def visit_While(self, node: ast.While) -> Any:
        node.test = self._condition(node.test)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        if all(map(_boolean, node.values)):
            return self._condition(node)
        texts = [f"{_word(node.op)}: {_text(one)}" for one in node.values]
        node.values = values = [self.visit(one) for one in node.values]
        changed: ast.expr = node
        for at, text in enumerate(texts):
            rest = deepcopy(values[:at] + values[at + 1 :])
            other = ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
            changed = self._either(changed, other, text)
        return changed

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1 or any(isinstance(n, ast.NamedExpr) for n in ast.walk(node)):
            return self.generic_visit(node)
        values, ends = [node.left, *node.comparators], []
        for at, op in enumerate(node.ops):
            end = ast.Compare(deepcopy(values[at]), [op], [deepcopy(values[at + 1])])
            ends.append(self._always(_placed(end, node), f"end: {_text(end)}"))
        return _placed(ast.BoolOp(ast.And(), ends), node)

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        texts = [f"for … if {_text(one)}" for one in node.ifs]
        tests = [self._condition(one) for one in node.ifs]
        node.ifs = [self._always(*pair) for pair in zip(tests, texts, strict=True)]
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        text = _text(node)
        bounds = [keyword for keyword in node.keywords if BOUNDS.match(keyword.arg or "")]
        self.generic_visit(node)
        changed: ast.expr = node
        for bound in bounds:
            rest = [keyword for keyword in node.keywords if keyword is not bound]
            other = _placed(ast.Call(deepcopy(node.func), deepcopy(node.args), rest), node)
            changed = self._either(changed, deepcopy(other), f"{bound.arg}= in {text}")
        return changed

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in READING or not isinstance(node.ctx, ast.Load):
            return node
        return self._either(node, _call(PASS, ast.Constant(node.id)), node.id)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if _text(node.value) != "Literal":
            return self.generic_visit(node)
        if self._depth or not self._within:
            return node
        kind = "int" if isinstance(node.slice, ast.Constant) and node.slice.value == 0 else "str"
        return self._either(node, ast.Name(kind, ast.Load()), _text(node))


def _call(name: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _placed(node: T, at: ast.AST) -> T:
    return ast.copy_location(node, at)


def _text(node: ast.AST | None) -> str:
    return "" if node is None else ast.unparse(node)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else _text(call.func)


def _word(op: ast.boolop) -> str:
    return type(op).__name__.lower()


def _boolean(node: ast.expr) -> bool:
    """Whether an operand is true or false and nothing else, as it is before any change."""
    if isinstance(node, ast.BoolOp):
        return all(map(_boolean, node.values))
    known = isinstance(node, ast.Call) and _called(node) in ("isinstance", "any", "all")
    return known or isinstance(node, ast.Compare) or _is_not(node)


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _fixed(node: ast.expr) -> bool:
    """A value that is the same every time: True, False, or that it is for the other to say."""
    return isinstance(node, ast.Constant) or _text(node) == "NotImplemented"


def _elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _of_the_machine(test: ast.expr) -> bool:
    """A condition on the system or on the reader of types, not on anybody's input."""
    return "sys.platform" in _text(test) or "TYPE_CHECKING" in _text(test)
