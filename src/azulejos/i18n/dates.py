"""Dates and spans of time, as each language writes them."""

from __future__ import annotations

MINUTE = 60


def ago(seconds: float, language: str) -> str:
    """How long ago something happened: "5 minutes ago", "yesterday" as the language says it."""
    from babel.dates import format_timedelta

    rounded = -max(MINUTE, int(seconds))
    return format_timedelta(rounded, add_direction=True, locale=language, threshold=1.2)
