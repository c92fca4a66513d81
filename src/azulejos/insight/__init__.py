"""Insight into finished games: what each turn was worth, how sure that is, and what was luck."""

from azulejos.insight.results import (
    Balance, Chance, Deal, Grade, GraphPoint, JudgedTurn, Kind, Line, Margin, PositionValue, RankedTurn,
    Review, Verdict,
)
from azulejos.insight.review import review, reviews
from azulejos.insight.study import outlooks

__all__ = [
    "Balance",
    "Chance",
    "Deal",
    "Grade",
    "GraphPoint",
    "JudgedTurn",
    "Kind",
    "Line",
    "Margin",
    "PositionValue",
    "RankedTurn",
    "Review",
    "Verdict",
    "outlooks",
    "review",
    "reviews",
]
