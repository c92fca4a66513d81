"""Dates and spans of time, as each language writes them."""

from __future__ import annotations

from datetime import date

MINUTE = 60


def long_date(day: date, language: str) -> str:
    """A day with its weekday: "Tuesday, 17 November 2026"."""
    from babel.dates import format_date

    return format_date(day, format="full", locale="en_GB" if language == "en" else language)


def ago(seconds: float, language: str) -> str:
    """How long ago something happened: "5 minutes ago", "yesterday" as the language says it."""
    from babel.dates import format_timedelta

    rounded = -max(MINUTE, int(seconds))
    return format_timedelta(rounded, add_direction=True, locale=language, threshold=1.2)


def day_and_month(day: date, language: str) -> str:
    """"17 November", as the language writes it."""
    from babel.dates import format_skeleton

    return format_skeleton("MMMMd", day, locale=language)
