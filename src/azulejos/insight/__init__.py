"""Insight into finished games: what each turn was worth, how sure that is, and what was luck."""

from azulejos.insight.outlooks import Outlook, RankedTurn, outlooks
from azulejos.insight.results import Deal, JudgedTurn, Ledger, Line, Moment, Review
from azulejos.insight.review import review, reviews
from azulejos.insight.verdicts import Chance, Grade, Kind, Points, Verdict

__all__ = [
    "Chance", "Deal", "Grade", "JudgedTurn", "Kind", "Ledger", "Line", "Moment", "Outlook", "Points",
    "RankedTurn", "Review", "Verdict", "outlooks", "review", "reviews",
]
