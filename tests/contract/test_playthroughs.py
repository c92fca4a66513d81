"""The golden games are unchanged. A box without one fails here."""

from __future__ import annotations

import pytest

import azulejos
from contract.playthroughs import path_of, playthrough, seats_of


@pytest.mark.parametrize("name", azulejos.presets())
def test_playthrough(name: str) -> None:
    assert path_of(name).read_text(encoding="utf-8") == playthrough(name, seats_of(name), seed=2024)
