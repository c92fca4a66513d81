"""Random games, records and broken texts for property tests."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from azulejos import Player, Position, Record, new, presets
from azulejos.core.record import LATEST, GameNode

NAMES = st.text(max_size=12)
NOTES = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
TRAPS = st.sampled_from(["}", "\\", "[%clk 0:00:01]", " {(1. deal)} ", "\n\n"])
TEXTS = st.one_of(st.just(""), NOTES, TRAPS)
CLOCKS = st.one_of(st.none(), st.integers(0, 10**9))
HINTS = st.sampled_from([None, 1, 2, 3])
TIMES = st.one_of(st.none(), st.integers(0, LATEST))
EVALS = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))


def random_position(name: str, players: int, seed: int, plies: int) -> Position:
    """A game played at random for `plies` actions, or to its end."""
    rng = random.Random(seed)
    position = new(name, players=players)
    while not position.is_over and position.ply < plies:
        play_at_random(position, rng)
    return position


def play_at_random(position: Position, rng: random.Random) -> None:
    actions = list(position.odds()) if position.is_chance else list(position.legal_moves)
    position.play(rng.choice(actions))


@st.composite
def positions(draw: st.DrawFn, plies: int = 400) -> Position:
    name = draw(st.sampled_from(sorted(presets())))
    return random_position(name, draw(st.integers(2, 4)), draw(st.integers(0, 2**16)),
                           draw(st.integers(0, plies)))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of a few plies (or a whole game) with notes and nested variations."""
    position = draw(positions(plies=60))
    if draw(st.booleans()):
        position = Position.from_text(position.text())
    seats = [Player(draw(NAMES), draw(NAMES)) for _ in range(position.players)]
    tags = draw(st.dictionaries(st.sampled_from(["Event", "Date", "Site_2"]), NAMES))
    record = Record(position.at(0), tuple(seats), tags=tags)
    record.root.comment = draw(TEXTS)
    draw(lines(record.root, record.start, list(position.history.actions), depth=2))
    return record


@st.composite
def lines(draw: st.DrawFn, root: GameNode, start: Position, actions: list[int], depth: int) -> GameNode:
    """Add these actions after a node, with notes, variations, and what was taken back at the end. Returns
    the first of them."""
    position, node, count = start.copy(), root, len(root.children)
    noted = draw(st.sets(st.integers(0, max(len(actions) - 1, 0)), max_size=3))
    for ply, action in enumerate(actions):
        parent, node = node, node.add(action)
        if ply in noted:
            node.comment, node.clock = draw(TEXTS), draw(CLOCKS)
            node.eval, node.at = draw(EVALS), draw(TIMES)
            node.hint, node.coach = draw(HINTS), draw(st.booleans())
            for _ in range(draw(st.integers(0, 2)) if depth else 0):
                draw(variations(parent, position, draw(TIMES), depth - 1))
        position.play(action)
    if depth and not position.is_over:
        for _ in range(draw(st.integers(0, 2))):
            draw(variations(node, position, draw(st.integers(0, LATEST)), depth - 1))
    return root.children[count] if actions else root


@st.composite
def variations(draw: st.DrawFn, parent: GameNode, start: Position, back: int | None, depth: int) -> None:
    """Add a line that was suggested or, at a time, taken back."""
    other = some_actions(start, draw(st.integers(0, 99)), draw(st.integers(1, 12)))
    first = draw(lines(parent, start, other, depth))
    first.introduction, first.back = draw(TEXTS), back


def some_actions(start: Position, seed: int, plies: int) -> list[int]:
    position = start.copy()
    rng = random.Random(seed)
    before = position.ply
    while not position.is_over and position.ply < before + plies:
        play_at_random(position, rng)
    return [*position.history.actions[before:]]
