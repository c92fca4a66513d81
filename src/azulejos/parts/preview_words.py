"""What a take leaves for the next player, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg

WORTH_SAYING: Final = 3
"""Smaller piles in the centre are too common to mention."""


def with_leftovers(said: Message, before: Cells, after: Cells, names: Sequence[Message]) -> Message:
    """A preview, plus the largest pile that the move makes in the centre, if it is worth mentioning."""
    grown = np.where(after > before, after, 0)
    colour = int(grown.argmax())
    if grown[colour] < WORTH_SAYING:
        return said
    left = msg("leaves {n} {colour} for the next player", n=int(grown[colour]), colour=names[colour])
    return msg("{first}; {second}", first=said, second=left)
