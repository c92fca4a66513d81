"""The puzzles that are shipped can be read, strictly."""

from __future__ import annotations

import pytest

from azulejos.insight.puzzles.packs import pack, packs, read_pack


@pytest.mark.parametrize("box", sorted(packs()))
def test_every_puzzle_of_a_pack_is_a_position_with_a_whole_turn(box: str) -> None:
    assert read_pack(packs()[box], box) == pack(box)
