"""Bots: each gets a position and a budget, and gives back a choice."""

from azulejos.bots.bot import Bot, Budget, Choice
from azulejos.bots.registry import Level, levels, make
from azulejos.bots.warmth import is_warm, warm

__all__ = ["Bot", "Budget", "Choice", "Level", "is_warm", "levels", "make", "warm"]
