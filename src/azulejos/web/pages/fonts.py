"""The fonts as files. Browsers keep them: a page does without a font that it has to ask for again."""

from __future__ import annotations

import os
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

MONTH: Final = 30 * 24 * 3600


class Fonts(StaticFiles):
    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = f"public, max-age={MONTH}"
        return response
