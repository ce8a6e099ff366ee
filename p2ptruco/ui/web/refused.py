"""Why the page is not given what it asks for: a code, a sentence, a status of HTTP."""

from __future__ import annotations

from starlette.responses import JSONResponse


class Refused(Exception):
    """Answers a request with `{"error": {"code", "message"}}`."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(code)
        self.code, self.message, self.status = code, message, status

    @property
    def answer(self) -> JSONResponse:
        error = {"code": self.code, "message": self.message}
        return JSONResponse({"error": error}, self.status)
