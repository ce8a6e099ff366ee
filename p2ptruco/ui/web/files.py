"""Our own files as they are sent: a content type for each that we have, and no other file.

What a system calls a suffix is not asked: a page whose scripts are text runs none of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
STATIC: Final = FOLDER / "static"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def static(name: str) -> tuple[bytes, str] | None:
    """A file of `static` and its content type; None for what is no such file."""
    parts = name.split("/")
    if any(not part or part.startswith(".") or "\\" in part or ":" in part for part in parts):
        return None
    path = STATIC.joinpath(*parts)
    kind = TYPES.get(path.suffix)
    try:
        return (path.read_bytes(), kind) if kind and path.is_file() else None
    except (OSError, ValueError):
        return None
