"""The effect of a move in words."""

from __future__ import annotations

from azulejos.core.contract import Preview
from azulejos.core.message import Message, nmsg
from azulejos.core.position import Position

from .moves import TAKE


def effect(position: Position, action: int) -> Message:
    count = int(position.state.bowl[action - TAKE])
    return nmsg("{n} point", "{n} points", n=count * (count + 1) // 2)


PREVIEW = Preview(effect=effect)
