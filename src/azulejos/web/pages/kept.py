"""How long browsers keep a file whose address contains its digest."""

from __future__ import annotations

from starlette.requests import Request

FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
NOT_AT_ALL = {"cache-control": "no-store"}
"""For a page from before an update of the server: it gets the current file and reloads soon afterwards."""


def kept(request: Request, digest: str) -> dict[str, str]:
    return FOR_EVER if request.path_params["digest"] == digest else NOT_AT_ALL
