"""The structures of protocol/schema, from the code's types: `python -m tests.kit.schema` writes.

JSON Schema 2020-12 of what a MessagePack decoder gives, where bin is written as hexadecimal, as
the vectors write it. `x-body` is the most bytes of a frame's body, `x-type` its type.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.inspect import (
    BoolType,
    BytesType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from p2ptruco.net.transport.frames import TYPES
from p2ptruco.table.agreement import Signed, Terms
from p2ptruco.table.entries import Body
from p2ptruco.table.private import Advice, Cards, Signal
from p2ptruco.table.record.file import Item, Trailer

FOLDER = Path(__file__).parents[2] / "protocol" / "schema"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

FILES: dict[str, tuple[str, dict[str, Any]]] = {
    "agreement": ("table.md §2", {"agreement": Terms}),
    "entry": ("table.md §1", {"entry": Body}),
    "record": ("record.md §1", {"signed": Signed, "value": Item, "trailer": Trailer}),
    "private": ("table.md §3", {"cards": Cards, "advice": Advice, "signal": Signal}),
    "frames": ("wire.md §4", {row.kind.__name__: row.kind for row in TYPES.values()}),
}
"""File: the page that it belongs to, and the structures in it."""


def schemas() -> dict[str, dict[str, Any]]:
    """Each file's content by its name."""
    made = {}
    for file, (page, kinds) in FILES.items():
        shapes = {name: shape(type_info(kind)) for name, kind in kinds.items()}
        if file == "frames":
            for number, row in TYPES.items():
                shapes[row.kind.__name__] |= {"x-type": f"{number:02x}", "x-body": row.limit}
        made[file] = {"$schema": DIALECT, "title": page, "$defs": shapes}
    return made


def shape(kind: Type) -> dict[str, Any]:
    """A type as a schema."""
    match kind:
        case StructType(fields=fields, tag=tag):
            parts = [{"title": "kind", "const": tag}] if tag else []
            parts += [{"title": field.name} | shape(field.type) for field in fields]
            return array(len(parts), len(parts)) | {"prefixItems": parts, "items": False}
        case LiteralType(values=values):
            return {"const": values[0]} if len(values) == 1 else {"enum": sorted(values)}
        case UnionType(types=types):
            return {"oneOf": [shape(one) for one in types]}
        case TupleType(item_types=items):
            parts = [shape(one) for one in items]
            return array(len(parts), len(parts)) | {"prefixItems": parts, "items": False}
        case VarTupleType(item_type=item, min_length=least, max_length=most):
            return array(least, most) | {"items": shape(item)}
        case IntType(ge=least, le=most):
            return {"type": "integer", "minimum": least, "maximum": most}
        case BytesType(min_length=least, max_length=most):
            limits = bounds("Length", None if least is None else 2 * least, most and 2 * most)
            return {"type": "string", "pattern": "^([0-9a-f]{2})*$", **limits}
        case StrType(min_length=least, max_length=most):
            return {"type": "string", **bounds("Length", least, most)}
        case BoolType():
            return {"type": "boolean"}
        case NoneType():
            return {"type": "null"}
    raise TypeError(f"no schema of {kind}")


def array(least: int | None, most: int | None) -> dict[str, Any]:
    return {"type": "array", **bounds("Items", least, most)}


def bounds(of: str, least: int | None, most: int | None) -> dict[str, int]:
    found = {"min": least, "max": most}
    return {f"{name}{of}": value for name, value in found.items() if value is not None}


def text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        (FOLDER / f"{name}.json").write_text(text(schema), encoding="utf-8")


if __name__ == "__main__":
    main()
