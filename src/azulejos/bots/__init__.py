"""Bots: each gets a position and a budget, and gives back a choice."""

from azulejos.bots.warmth import is_warm, warm
from azulejos.bots.words import Level, levels, make
from azulejos.protocol.bot import Bot, Budget, Choice

__all__ = ["Bot", "Budget", "Choice", "Level", "is_warm", "levels", "make", "warm"]
