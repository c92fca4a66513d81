"""Frames of positions that belong to no table: what lies where, one after the other, for pages that need
no connection (a game that is replayed, a lesson)."""

from __future__ import annotations

from azulejos.core.scene import Scene
from azulejos.web.wire.messages import News
from azulejos.web.wire.plan import PagePlan, changes


def news(plan: PagePlan, before: Scene | None, after: Scene) -> News:
    """What changes on a page that shows the scene `before`, or nothing yet."""
    found = changes(plan, before, after)
    return News(whole=before is None, lies=found.lies, places=found.places, labels=found.labels)
