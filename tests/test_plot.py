"""Plots: what they show is checked by the data of their lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azulejos
from azulejos.arena.dataset import SelfPlay, about, joined, write
from azulejos.arena.match import Match
from azulejos.arena.run import run
from azulejos.arena.workers import workers
from azulejos.bots import Limit

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    matplotlib.pyplot.close("all")


def heights(line: Any) -> list[float]:
    return [float(height) for height in line.get_ydata()]


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_margins_grow_until_the_final_ones(tmp_path: Path, ending: str) -> None:
    start, path = azulejos.new("azul", players=2), tmp_path / f"games.{ending}"
    source = SelfPlay(start, ("random", "greedy"), Limit(nodes=1), 5)
    columns = joined(map(source.rows, range(4)))
    write(path, columns, about(start))
    ahead = azulejos.plot.margins_by_round(path)
    last = [columns["game"] == game for game in range(4)]
    finals = [columns["final_scores"][rows][-1] for rows in last]
    rounds = [int(columns["round"][rows][-1]) for rows in last]
    for game in range(4):
        assert finals[game].max() - finals[game].min() in ahead[rounds[game]]
    assert sum(map(len, ahead.values())) == sum(rounds)

    ax = azulejos.plot.margins(path)
    [line, _] = ax.get_lines()
    assert heights(line) == [np.median(ahead[number]) for number in sorted(ahead)]


def test_ratings_are_those_of_the_table() -> None:
    match = Match(game="azul", bots=("greedy", "random"))
    results = run(match, deals=3, workers=workers(1))
    ax = azulejos.plot.ratings(match, results)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["greedy", "random"]
    assert np.asarray(ax.get_lines()[0].get_xdata()).tolist() == [100, 0]


def test_the_course_of_a_game_ends_with_its_margin() -> None:
    rng, position = random.Random(1), azulejos.new("azul")
    while not position.is_over:
        position.deal(rng)
        if not position.is_over:
            position.play(azulejos.bots.open("greedy").play(position, Limit(nodes=1)).move)
    record = azulejos.Record.from_position(position)
    from azulejos.insight.judge import Effort

    review = azulejos.insight.review(record, efforts=[Effort(nodes=50, deals=1, deal_nodes=5)])
    line = azulejos.plot.course(review, seat=1).get_lines()[0]
    assert heights(line)[-1] == position.scores[1] - position.scores[0]


def test_a_curve_of_training() -> None:
    told = [{"seconds": 1.0, "wins": 0.1, "error": 0.02}, {"seconds": 2.0, "wins": 0.6, "error": 0.01}]
    assert heights(azulejos.plot.curve(told).get_lines()[0]) == [10, 60]
