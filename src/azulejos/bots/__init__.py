"""Bots: each gets a position and a budget, and gives back a choice."""

from azulejos.bots.registry import Level, levels, make
from azulejos.bots.warmth import is_warm, warm
from azulejos.protocol.bot import Bot, Budget, Choice

__all__ = ["Bot", "Budget", "Choice", "Level", "is_warm", "levels", "make", "warm"]
