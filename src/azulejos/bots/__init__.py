"""Bots: each gets a position and a budget, and gives back a choice."""

from azulejos.bots.bot import Bot, Budget, Choice
from azulejos.bots.registry import Level, levels, make

__all__ = ["Bot", "Budget", "Choice", "Level", "levels", "make"]
