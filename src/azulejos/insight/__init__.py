"""Insight into finished games: what each turn was worth, how sure that is, and what was luck."""

from azulejos.insight.results import (
    Chance,
    Deal,
    Grade,
    GraphPoint,
    JudgedTurn,
    Kind,
    Ledger,
    Line,
    Margin,
    Outlook,
    RankedTurn,
    Review,
    Verdict,
)
from azulejos.insight.review import review, reviews
from azulejos.insight.study import outlooks

__all__ = [
    "Chance", "Deal", "Grade", "GraphPoint", "JudgedTurn", "Kind", "Ledger", "Line", "Margin", "Outlook",
    "RankedTurn", "Review", "Verdict", "outlooks", "review", "reviews",
]
