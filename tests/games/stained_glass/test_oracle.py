"""The rules against an independent plain-Python implementation, action by action."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import azulejos
from azulejos import Position
from azulejos.core import doors, layout, readiness
from azulejos.core.state import points_of
from azulejos.games.stained_glass import GAME
from azulejos.games.stained_glass.components import LETTERS
from azulejos.games.stained_glass.reasons import NAMES
from azulejos.parts.offer import FACTORIES
from games.stained_glass.oracle import Oracle

PANES = ("", *LETTERS)
CASES = list(itertools.product("ab", (2, 3, 4)))


def snapshot(position: Position) -> dict[str, Any]:
    """The state in the oracle's form."""
    s = position.state
    return {
        "bag": s.bag.tolist(),
        "tower": s.tower.tolist(),
        "factories": s.factories[: FACTORIES[position.players]].tolist(),
        "centre": s.centre.tolist(),
        "track": [PANES[pane] for pane in s.track],
        "tile_holder": s.start_tile if s.start_tile >= 0 else None,
        "starter": s.starter,
        "round": s.round,
        "seats": [board(s, seat) for seat in range(position.players)],
    }


def board(s: Any, seat: int) -> dict[str, Any]:
    strips = zip(s.strip[seat].tolist(), s.face[seat].tolist(), strict=True)
    return {
        "score": int(s.score[seat]),
        "lost": int(s.lost[seat]),
        "step": int(s.broken[seat]),
        "glazier": int(s.glazier[seat]),
        "strips": [f"{strip}{'fb'[face]}" if strip else "" for strip, face in strips],
        "panes": s.panes[seat].tolist(),
        "windows": ["".join(PANES[pane] for pane in window) for window in s.windows[seat].tolist()],
    }


def play_both(position: Position, oracle: Oracle, seed: int) -> None:
    """Play one random game in both, comparing them before and after every action."""
    rng = random.Random(seed)
    census = GAME.compiled.bind(doors.census_at)
    while not position.is_over:
        assert position.to_move == oracle.to_move
        assert position.in_turn == (oracle.phase == "keep")
        texts = [move.text for move in position.legal_moves]
        assert sorted(texts) == sorted(oracle.legal()), position.text()
        text = rng.choices(texts, weights(position, oracle))[0]
        before = position.row.tobytes()
        position.play(text)
        points = points_of(position.game, before, position.history.actions[-1])
        assert [(p.seat, p.points, NAMES[p.reason]) for p in points] == oracle.play(text)
        assert snapshot(position) == oracle.snapshot(), text
        assert census(position.row[None], 0), position.text()
        assert layout.out_of_bounds(GAME.state, position.row) is None
    outcome = position.outcome()
    assert oracle.to_move == azulejos.OVER
    assert outcome is not None
    assert list(outcome.ranks) == oracle.ranks()


def weights(position: Position, oracle: Oracle) -> list[int] | None:
    """The odds of a draw, equal in both; None if a player is to move."""
    if not position.is_chance:
        return None
    odds = {move.text: weight for move, weight in position.odds().items()}
    assert odds == oracle.odds()
    return list(odds.values())


@pytest.mark.parametrize(("side", "players"), CASES)
def test_random_games_are_identical(side: str, players: int) -> None:
    readiness.use_compiled(GAME)
    for seed in range(6):
        play_both(azulejos.new(f"sintra-{side}", players=players), Oracle(players, side=side), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "players"), CASES)
def test_hundreds_of_random_games_are_identical(side: str, players: int) -> None:
    readiness.use_compiled(GAME)
    for seed in range(1000, 1100):
        play_both(azulejos.new(f"sintra-{side}", players=players), Oracle(players, side=side), seed)


def sides(jokers: bool) -> st.SearchStrategy[str]:
    coloured = st.text(alphabet=LETTERS, min_size=3 if jokers else 5, max_size=3 if jokers else 5)
    return coloured.map(lambda side: "jj" + side) if jokers else coloured


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Any eight strips, with the jokers on any of them."""
    joker_strip = draw(st.integers(0, 7))
    return [(draw(sides(False)), draw(sides(strip == joker_strip))) for strip in range(8)]


@settings(max_examples=10)
@given(table=tables(), players=st.integers(2, 4), start=st.sampled_from("12"), seed=st.integers())
def test_games_with_any_strips_are_identical(
    table: list[tuple[str, str]], players: int, start: str, seed: int
) -> None:
    text = ".".join(f"{front}-{back}" for front, back in table)
    position = azulejos.new("sintra-b", players=players, start=start, strips=text)
    play_both(position, Oracle(players, side="b", start=start, strips=table), seed)


@st.composite
def tracks(draw: st.DrawFn) -> list[int]:
    """Any broken-glass track that the rule book allows."""
    others = draw(st.sets(st.integers(1, 17)))
    return [-loss for loss in sorted({0, 8, 18} | others)]


@settings(max_examples=10)
@given(track=tracks(), players=st.integers(2, 4), seed=st.integers())
def test_games_with_any_broken_glass_track_are_identical(track: list[int], players: int, seed: int) -> None:
    text = ".".join(str(-loss) for loss in track)
    position = azulejos.new("sintra-a", players=players, broken=text)
    play_both(position, Oracle(players, broken_glass=track), seed)
