"""Lessons, puzzles, cards, studies and contests: positions with questions, and games that are compared."""
