"""Invited friends who have opened the lesson of the game before they sit down. Only this server knows them:
a note for whoever waits, not a part of the table."""

from __future__ import annotations

from azulejos.web.store.saved import now

MOST = 8
"""Learners that a table notes; others are not mentioned."""
SECONDS = 600
"""After so long a learner who has not come back is no longer mentioned."""


class Learners:
    def __init__(self) -> None:
        self._since: dict[str, tuple[str, int]] = {}
        """By the visitor's key: a name, which may be empty, and when the lesson was opened."""

    def begin(self, key: str, name: str) -> bool:
        """A visitor opens the lesson; whether this is news."""
        self._forget()
        known = self._since.get(key)
        if len(self._since) >= MOST and known is None:
            return False
        self._since[key] = (name, now())
        return known is None or known[0] != name

    def end(self, key: str) -> bool:
        """A visitor is back, or sits down; whether this is news."""
        return self._since.pop(key, None) is not None

    def names(self) -> list[str]:
        self._forget()
        return [name for name, _ in self._since.values()]

    def _forget(self) -> None:
        oldest = now() - 1000 * SECONDS
        self._since = {key: one for key, one in self._since.items() if one[1] > oldest}
