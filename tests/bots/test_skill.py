"""Skills and levels: they make human mistakes, within bounds."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator

import pytest

from azulejos.bots import Limit, levels
from azulejos.bots import open as open_bot
from azulejos.bots.levels import NAMES, LevelTable, Standard, standards, tables
from azulejos.bots.skill import LIMIT, SeenTurn, misjudged
from azulejos.core import registry
from azulejos.core.position import Position
from bots.positions import played

FAR = Limit(nodes=20_000)
MOVES = registry.find("azul")[0].moves


class Wild(random.Random):
    """A generator whose noise is very large."""

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        return super().gauss(mu, 100.0)


def seen(*pairs: tuple[float, int]) -> tuple[SeenTurn, ...]:
    return tuple(SeenTurn(line=(MOVES[i],), value=v, promise=p) for i, (v, p) in enumerate(pairs))


@pytest.mark.parametrize("seed", range(20))
def test_nobody_gives_away_more_than_the_limit(seed: int) -> None:
    moves = seen(*((float(-i), 0) for i in range(40)))
    assert misjudged(moves, 1.0, Wild(seed)).value >= -LIMIT


def test_what_catches_the_eye_is_never_overlooked() -> None:
    moves = seen((5.0, 30), *((0.0, -100) for _ in range(5)))
    picked = [misjudged(moves, 0.001, random.Random(seed)).line for seed in range(100)]
    assert set(picked) == {(MOVES[0],)}


def test_what_does_not_is_overlooked_now_and_then() -> None:
    moves = seen((5.0, -100), *((0.0, 30) for _ in range(5)))
    picked = [misjudged(moves, 0.5, random.Random(seed)).line for seed in range(200)]
    assert 0.05 < sum(line != (MOVES[0],) for line in picked) / 200 < 0.6


def test_errors_belong_to_the_position() -> None:
    position = played("azul", 2, seed=2, decisions=0)
    assert len({open_bot("skill:0.3").play(position, FAR).move for _ in range(5)}) == 1
    others = {open_bot(f"skill:0.3{i}").play(position, FAR).move for i in range(10)}
    assert len(others) > 1


def test_levels_are_skills_in_ascending_order() -> None:
    for game in registry.games():
        for table in tables(game):
            skills = [standard.skill for standard in table.levels]
            assert skills == sorted(set(skills))
            assert len(skills) == len(NAMES)
            assert math.isinf(skills[-1])


def test_tables_name_options_that_exist() -> None:
    for game in registry.games():
        known = {option.name: option.values for option in game.options}
        for table in tables(game):
            assert all(set(values) <= set(known[name]) for name, values in table.options.items())


def test_the_first_table_that_fits_holds() -> None:
    two, b, rest = (Standard(skill=float(i)) for i in range(3))
    side_b = LevelTable(levels=(b,), options={"side": ("b",)})
    known = (LevelTable(levels=(two,), seats=(2,)), side_b, LevelTable(levels=(rest,)))
    first = [next(t.levels[0] for t in known if t.fits(seats, {"side": side}))
             for seats, side in ((2, "b"), (3, "b"), (4, "a"))]
    assert first == [two, b, rest]


def test_a_measured_price_can_be_said() -> None:
    for game, preset in registry.presets().values():
        for players in (2, 3, 4):
            known = standards(game, players, preset.options)
            for level, standard in zip(levels(game, players, preset.options), known, strict=True):
                assert (level.cost is None) == (standard.price is None)


# --- a won last round ----------------------------------------------------------------------------------


def won_by_force(position: Position) -> bool:
    """Whether the seat to move can force a win in this round, proved at each step."""
    seat, after = position.to_move, position.copy()
    while not after.is_over and not after.is_chance:
        found = open_bot("search:round").play(after, FAR)
        if not found.proved and found.nodes > 0:
            return False
        after.play(found.move)
    outcome = after.outcome()
    return outcome is not None and outcome.winners == (seat,)


@functools.cache
def won_positions(name: str) -> list[Position]:
    return list(itertools.islice(_won_positions(name), 2))


def _won_positions(name: str) -> Iterator[Position]:
    """Positions from games between quick searches in which the last round is a forced win."""
    for seed in itertools.count():
        rng, position, bot = random.Random(seed), played(name, 2, seed, 0), open_bot("skill:2")
        while not position.is_over:
            if position.state.round >= 4 and len(position.legal_actions()) > 2 and won_by_force(position):
                yield position.copy()
                break
            position.play(bot.play(position, FAR).move)
            position.deal(rng)


@pytest.mark.parametrize("name", ["azul", "sintra-b"])
@pytest.mark.parametrize("word", ["level:3", "level:4"])
def test_a_won_last_round_is_won(name: str, word: str) -> None:
    for known in won_positions(name):
        position, seat = known.copy(), known.to_move
        while not position.is_over:
            bot = open_bot(word if position.to_move == seat else "search:round")
            position.play(bot.play(position, FAR).move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winners == (seat,)
