"""Bots: each gets a position and a limit, and plays a move or rates the moves."""

from azulejos.bots.outlook import Evaluator, Outlook, Outlooks, evaluate, terms
from azulejos.bots.simple import HeuristicBot
from azulejos.bots.words import Level, levels, open  # noqa: A004 - called as azulejos.bots.open
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, RatedMove
from azulejos.protocol.external import ExternalBot, ProgramLimits

__all__ = [
    "Analysis", "Bot", "Evaluator", "ExternalBot", "HeuristicBot", "Level", "Limit", "Outlook", "Outlooks",
    "PlayResult", "ProgramLimits", "RatedMove", "evaluate", "levels", "open", "terms",
]
