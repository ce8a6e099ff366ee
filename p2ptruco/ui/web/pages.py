"""Pages from templates, in the language spoken. What a template shows is escaped."""

from __future__ import annotations

from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from p2ptruco.ui.web.files import FOLDER
from p2ptruco.ui.words import _, spoken

TEMPLATES: Final = FOLDER / "templates"

_templates = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """A page; a template knows `_` and `language` besides what is `shown`."""
    made = _templates.get_template(template)
    return HTMLResponse(made.render(shown, _=_, language=spoken()), status)
