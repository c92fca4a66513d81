"""What a page finds that searches for a judge."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from azulejos.core.position import Position, at_state
from azulejos.insight.judge import Judge


def found_for(judge: Judge, start: Position, wanted: dict[str, Any]) -> dict[str, Any]:
    """What a page finds."""
    row = np.frombuffer(base64.b64decode(wanted["row"]), np.uint8).copy()
    position = at_state(start, row)
    if wanted["out"]:
        return {"line": judge.play_out(position, wanted["nodes"]).history.actions[position.ply :]}
    if wanted["fresh"]:
        values = judge.values(position, wanted["nodes"])
        return {"line": [], "value": round(100 * float(values[position.to_move]))}
    known = judge.search(position, wanted["nodes"])
    return {"line": list(known.line), "proved": known.proved,
            "value": round(100 * float(known.values[position.to_move]))}
