"""Reasons for points in Pebbles."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Reasons
from azulejos.core.message import Message, msg

from .moves import NAMES

PILE: Final = 0
"""The only reason; its place is the colour."""


def text(reason: int, place: int) -> Message:
    return msg("{colour} pebbles", colour=NAMES[place])


REASONS: Final = Reasons(names=("pile",), text=text)
