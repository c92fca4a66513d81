"""The contract that every game fulfils, tested on random games of every variant."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from azulejos import IllegalMove, InvalidMove, Position
from azulejos.conformance.variants import VARIANTS, new
from azulejos.core import doors, layout, readiness, registry
from azulejos.core.game import CHANCE, OVER, Game

Variant = tuple[str, int, dict[str, str]]


@pytest.fixture(params=VARIANTS)
def position(request: pytest.FixtureRequest) -> Position:
    fresh = new(request.param)
    readiness.use_compiled(fresh.game)
    return fresh


def random_walk(position: Position, seed: int, steps: int = 10**6) -> Iterator[Position]:
    """Positions of a random game, with draws by their odds; it is the same object each time."""
    rng = random.Random(seed)
    yield position
    for _ in range(steps):
        if position.is_over:
            return
        if position.is_chance:
            moves, weights = zip(*position.odds().items(), strict=True)
            position.play(rng.choices(moves, weights)[0])
        else:
            position.play(rng.choice(position.legal_actions()))
        yield position


def test_pieces_add_up_and_fields_keep_their_bounds(position: Position) -> None:
    bind = position.game.compiled.bind
    for now in random_walk(position, seed=1):
        rows = now.row[None]
        assert bind(doors.census_at)(rows, 0), now.text()
        assert layout.out_of_bounds(now.game.state, rows[0]) is None, now.text()


def test_legal_is_what_is_legal_says_ascending(position: Position) -> None:
    is_legal = position.game.compiled.bind(doors.is_legal_at)
    for now in random_walk(position, seed=2):
        rows = now.row[None]
        brute = [a for a in range(now.game.num_actions) if is_legal(rows, 0, a)]
        assert now.legal_actions() == brute, now.text()
        assert bool(brute) != now.is_over
        assert len(brute) <= now.game.max_legal


def test_decisions_and_chance_have_their_own_numbers(position: Position) -> None:
    for now in random_walk(position, seed=3):
        for action in now.legal_actions():
            assert (action >= now.game.decisions) == now.is_chance


def test_odds_are_positive_and_add_up(position: Position) -> None:
    for now in random_walk(position, seed=4):
        if now.is_chance:
            weights = np.zeros(now.game.max_legal, np.int32)
            total = now.game.compiled.bind(doors.odds_at)(now.row[None], 0, weights)
            listed = weights[: len(now.legal_actions())]
            assert listed.min() > 0
            assert listed.sum() == total
            assert not weights[len(listed) :].any()


def test_interpreted_and_compiled_rules_agree(position: Position) -> None:
    interpreted = position.game.interpreted.bind
    for now in random_walk(position, seed=5):
        if now.ply % 7 or now.is_over:
            continue
        action = now.legal_actions()[now.ply % len(now.legal_actions())]
        rows = now.row[None].copy()
        buffer = np.empty(now.game.max_legal, np.int32)
        count = interpreted(doors.legal_at)(rows, 0, buffer)
        assert buffer[:count].tolist() == now.legal_actions()
        interpreted(doors.apply_at)(rows, 0, action)
        after = now.copy()
        after.play(action)
        assert rows[0].tobytes() == after.row.tobytes(), (now.text(), action)


def test_a_copy_is_independent(position: Position) -> None:
    for now in random_walk(position, seed=6, steps=60):
        before = now.row.tobytes()
        other = now.copy()
        if not other.is_over:
            other.play(other.legal_actions()[-1])
            assert other != now
        assert now.row.tobytes() == before


def test_actions_alone_replay_to_the_same_state(position: Position) -> None:
    fresh = position.copy()
    for _ in random_walk(position, seed=7):
        pass
    for action in position.history.actions:
        fresh.play(action)
    assert fresh == position
    assert fresh.outcome() == position.outcome()


def test_undo_goes_back_through_every_state(position: Position) -> None:
    rows = [now.row.tobytes() for now in random_walk(position, seed=8)]
    while position.ply:
        assert position.row.tobytes() == rows.pop()
        position.undo()
    assert [position.row.tobytes()] == rows
    with pytest.raises(IndexError):
        position.undo()


def test_texts_round_trip(position: Position) -> None:
    for now in random_walk(position, seed=9):
        if now.ply % 5 == 0 or now.is_over:
            assert Position.from_text(now.text()) == now
            assert Position.from_json(now.to_json()) == now
            assert eval(repr(now), {"Position": Position}) == now


def test_every_game_ends_with_an_outcome(position: Position) -> None:
    for seed in range(20):
        game = position.copy()
        for _ in random_walk(game, seed=100 + seed, steps=5000):
            pass
        outcome = game.outcome()
        assert outcome is not None, "no end after 5000 actions"
        assert outcome.scores == game.scores
        assert min(outcome.ranks) == 1
        assert abs(sum(outcome.shares()) - 1) < 1e-9


def test_every_point_is_explained(position: Position) -> None:
    start = position.scores
    for _ in random_walk(position, seed=10):
        pass
    sums = list(start)
    for scored in position.explain():
        assert scored.points
        assert str(scored.reason)
        sums[scored.seat] += scored.points
    assert tuple(sums) == position.scores


def test_a_turn_in_progress_keeps_its_seat(position: Position) -> None:
    seat = CHANCE
    for now in random_walk(position, seed=11):
        if now.to_move >= 0 and now.in_turn:
            assert now.to_move == seat
        if now.to_move != CHANCE:
            seat = now.to_move


def test_illegal_moves_change_nothing_and_say_why(position: Position) -> None:
    for now in random_walk(position, seed=12):
        if now.ply % 11:
            continue
        before = now.row.tobytes()
        legal = set(now.legal_actions())
        for action in range(0, now.game.num_actions, 13):
            if action in legal:
                assert now.why_not(action) is None
            else:
                with pytest.raises(IllegalMove) as refusal:
                    now.play(action)
                assert str(refusal.value)
        for number in (-1, now.game.num_actions):
            with pytest.raises(InvalidMove):
                now.play(number)
        assert now.row.tobytes() == before


def test_determinized_futures_follow_their_generator(position: Position) -> None:
    def future(seed: int) -> bytes:
        game = position.determinize(random.Random(seed))
        for _ in range(12):
            if game.to_move == OVER:
                break
            game.play(game.legal_actions()[0])
        return game.row.tobytes()

    assert future(1) == future(1)
    assert len({future(seed) for seed in range(8)}) > 1
    assert position.ply == 0


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_every_move_has_a_text_that_reads_back(game: Game) -> None:
    for action, move in enumerate(game.moves):
        assert game.moves.parse(move.text) == action
        assert game.moves.parse(f" {move.text.upper()} ") == action
        assert not set(move.text) & set(" \t{}()[]\"'&#%?/")
