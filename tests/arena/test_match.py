"""Matches: seat orders, the same deals, resuming, stopping."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from azulejos.arena.match import Fixture, Log, Match, Result, missing, play
from azulejos.arena.report import as_csv, as_json, as_svg, write
from azulejos.arena.run import run
from azulejos.arena.statistics import Sprt
from azulejos.arena.workers import Here, workers

MATCH = Match(game="azul", bots=("greedy", "random"), nodes=10)


def timeless(result: Result) -> Result:
    return dataclasses.replace(result, seconds=())


def test_every_order_of_different_bots() -> None:
    assert Match(game="azul", bots=("a", "b", "c")).orders() == [
        (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)
    ]


def test_equal_bots_are_not_told_apart() -> None:
    assert len(Match(game="azul", bots=("search", "greedy", "greedy", "greedy")).orders()) == 4


def test_a_game_is_the_same_whenever_it_is_played() -> None:
    fixture = Fixture(3, (1, 0))
    assert timeless(play(MATCH, fixture)) == timeless(play(MATCH, fixture))


def test_another_seed_deals_otherwise() -> None:
    other = dataclasses.replace(MATCH, seed=1)
    assert timeless(play(MATCH, Fixture(0, (0, 1)))) != timeless(play(other, Fixture(0, (0, 1))))


def test_greedy_beats_random() -> None:
    results = run(MATCH, deals=2, workers=Here())
    assert len(results) == 4
    assert all(result.shares()[result.order.index(0)] == 1 for result in results)


def test_a_killed_match_goes_on_where_it_stood(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    whole = run(MATCH, deals=2, workers=Here(), log=log)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:3]) + lines[3][:20])
    played: list[int] = []
    again = run(MATCH, deals=2, workers=Here(), log=log, after=lambda results: played.append(1))
    assert len(played) == 2
    assert sorted(map(timeless, again), key=lambda r: r.fixture) == [timeless(r) for r in whole]


def test_a_match_survives_kill_9(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    match = Match(game="azul", bots=("random", "random"), nodes=10)
    line = [sys.executable, "-m", "azulejos", "match", "azul", "random", "random", "--nodes", "10",
            "--deals", "100000", "--log", str(log)]
    environment = {**os.environ, "AZULEJOS_JIT": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_for_games(process, log, 3)
        finally:
            process.send_signal(signal.SIGKILL)
    deals = 2 + _games(log)
    again: list[int] = []
    results = run(match, deals=deals, workers=Here(), log=log, after=lambda r: again.append(1))
    assert len(again) == 2
    whole = run(match, deals=deals, workers=Here())
    assert sorted(map(timeless, results), key=lambda r: r.fixture) == [timeless(r) for r in whole]


def _games(log: Path) -> int:
    return log.read_bytes().count(b"\n") - 1 if log.exists() else 0


def _wait_for_games(process: subprocess.Popen[bytes], log: Path, games: int) -> None:
    while _games(log) < games:
        assert process.poll() is None, "the match ended by itself"
        time.sleep(0.1)


def test_a_log_of_another_match_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    Log(log, MATCH)
    with pytest.raises(ValueError, match="holds another match"):
        Log(log, dataclasses.replace(MATCH, nodes=11)).read()


def test_a_decided_test_stops_the_match() -> None:
    results = run(MATCH, deals=30, workers=Here(), sprt=Sprt(low=0, high=400))
    assert len(results) < 30


def test_processes_play_the_same_games() -> None:
    here = run(MATCH, deals=1, workers=Here())
    there = run(MATCH, deals=1, workers=workers(2))
    assert {timeless(r) for r in here} == {timeless(r) for r in there}


def test_missing_games() -> None:
    done = play(MATCH, Fixture(0, (0, 1)))
    assert missing(MATCH, 1, [done]) == [Fixture(0, (1, 0))]


def test_a_picture_of_any_words_is_well_formed() -> None:
    match = Match(game="azul", bots=("cmd:./bot <fast> & good", "random"), nodes=10)
    result = Result(deal=0, order=(0, 1), scores=(30, 20), ranks=(1, 2), plies=50, seconds=(1.0, 1.0))
    texts = [element.text for element in ElementTree.fromstring(as_svg(match, [result])).iter()]
    assert "cmd:./bot <fast> & good" in texts


def test_reports(tmp_path: Path) -> None:
    results = run(MATCH, deals=1, workers=Here())
    assert len(as_csv(MATCH, results).splitlines()) == 1 + 2 * len(results)
    assert '"word": "greedy"' in as_json(MATCH, results)
    assert as_svg(MATCH, results).startswith("<svg")
    write(tmp_path / "match.csv", MATCH, results)
    with pytest.raises(ValueError, match="should end in"):
        write(tmp_path / "match.txt", MATCH, results)
