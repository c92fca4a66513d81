"""Skills and levels: they make human mistakes, within bounds."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from azulejos.bots import Limit, levels
from azulejos.bots import open as open_bot
from azulejos.bots.levels import NAMES, LevelTable, Standard, standards, tables
from azulejos.core import registry
from azulejos.core.chance import seeded
from azulejos.core.position import Position
from azulejos.engine import choice
from bots.positions import every_box, played
from samples import sampled

FAR = Limit(nodes=20_000)


def picked(turns: Sequence[tuple[int, int]], missing: int, seed: int) -> int:
    """Which of some turns is played, given by value and promise, best first."""
    values, promises = (np.array(column) for column in zip(*turns, strict=True))
    return choice.misjudged(values[:, None], np.arange(len(turns)), promises, len(turns), 0,
                            choice.NO_NONSENSE, missing, seeded(seed))


@pytest.mark.parametrize("seed", range(20))
def test_nobody_gives_away_more_than_the_limit(seed: int) -> None:
    """However large the errors are."""
    assert picked([(-100 * i, 0) for i in range(40)], 100_000, seed) <= choice.LIMIT // 100


def test_what_catches_the_eye_is_never_overlooked() -> None:
    turns = [(500, 30), *[(0, -100)] * 5]
    assert {picked(turns, 1, seed) for seed in range(100)} == {0}


def test_what_does_not_is_overlooked_now_and_then() -> None:
    turns = [(500, -100), *[(0, 30)] * 5]
    assert 0.05 < sum(picked(turns, 500, seed) != 0 for seed in range(200)) / 200 < 0.6


def test_nonsense_is_played_if_nothing_else_is_left() -> None:
    promises = np.array([-50, -60])
    assert choice.least_promise(promises, 2, -20) == choice.NO_NONSENSE
    assert choice.least_promise(np.array([-50, -20]), 2, -20) == -20


def test_errors_are_normal_and_even() -> None:
    """The first moments of a normal distribution, and the shares of an even one."""
    rng = seeded(1)
    errors = np.array([choice.normal(rng) for _ in range(20_000)])
    moments = [float((errors**power).mean()) for power in (1, 2, 3, 4)]
    assert moments == pytest.approx([0, 1, 0, 3], abs=0.12)
    even = np.array([choice.uniform(rng) for _ in range(20_000)])
    assert np.histogram(even, 10, (0, 1))[0] == pytest.approx([2000] * 10, abs=200)


def test_a_skill_searches_a_power_of_ten() -> None:
    assert [choice.nodes_of(1000 * power) for power in range(1, 7)] == [10**power for power in range(1, 7)]
    assert all(choice.nodes_of(skill) == int(10 ** (skill / 1000)) for skill in range(1000, 6000, 7))


def test_errors_belong_to_the_position() -> None:
    position = played("azul", 2, seed=2, decisions=0)
    assert len({open_bot("skill:0.3").play(position, FAR).move for _ in range(5)}) == 1
    others = {open_bot(f"skill:0.3{i}").play(position, FAR).move for i in range(10)}
    assert len(others) > 1


ALIKE = ("skill:0", "skill:0.35", *(f"level:{number}" for number in range(1, 8)))


@pytest.mark.parametrize(
    ("box", "players"), sampled(every_box(), (("azul", 2), ("sintra-a", 3), ("garden", 2)))
)
def test_levels_choose_alike_compiled_and_interpreted(
    box: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same level, position and seed: the same turn, and the same opinion of it."""
    compiled = choices(box, players)
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    assert choices(box, players) == compiled


def choices(box: str, players: int) -> list[tuple[str, float | None, int]]:
    limit = Limit(nodes=60 if players == 2 and not box.startswith("garden") else 12)
    positions = [played(box, players, seed, 5 * seed) for seed in range(4)]
    found = []
    for word in ALIKE:
        with open_bot(word) as bot:
            for seed, position in enumerate(positions):
                result = bot.play(position, limit, rng=random.Random(seed))
                found.append((result.move.text, result.value, result.nodes))
    return found


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
