"""Matches between bots, and statistics about their results."""

from azulejos.arena.match import Match, Result, play
from azulejos.arena.run import run
from azulejos.arena.workers import Here, Processes, Workers

__all__ = ["Here", "Match", "Processes", "Result", "Workers", "play", "run"]
