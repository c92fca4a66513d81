"""Time that passed in one test has not passed in the next."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.web.store.saved._ahead", 0)
