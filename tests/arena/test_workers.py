"""Workers in this process, in other processes and on a cluster: the same results, even if a worker dies."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.jobs import square, square_or_die
from arena.test_match import MATCH, timeless
from azulejos.arena.run import run
from azulejos.arena.workers import Cluster, Here, Processes
from azulejos.cli import main

SQUARES = [0, 1, 4, 9, 16, 25]


def test_processes_answer_every_job_once() -> None:
    assert sorted(Processes(2).map(square, range(6))) == SQUARES


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.touch()
    assert sorted(Processes(2).map(functools.partial(square_or_die, trap), range(6))) == SQUARES
    assert not trap.exists()


def test_without_ray_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = CliRunner().invoke(main, ["match", "azul", "random", "random", "--ray"])
    assert result.exit_code == 2
    assert "pip install 'azulejos[ray]'" in result.output
    assert len(result.output.splitlines()) == 1


def test_a_word_after_ray_is_no_address() -> None:
    result = CliRunner().invoke(main, ["match", "--ray", "azul", "random", "random"])
    assert result.exit_code == 2
    assert "a bare --ray stands last" in result.output


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_cluster_plays_the_same_games_and_survives_a_killed_worker(tmp_path: Path) -> None:
    """One cluster after the other: each call of map starts a real one on this machine and stops it."""
    pytest.importorskip("ray")
    cluster = Cluster(processes=2)
    trap = tmp_path / "trap"
    trap.touch()
    assert sorted(cluster.map(functools.partial(square_or_die, trap), range(6))) == SQUARES
    assert not trap.exists()
    log = tmp_path / "match.jsonl"
    there = run(MATCH, deals=2, workers=cluster, log=log)
    assert {timeless(r) for r in there} == {timeless(r) for r in run(MATCH, deals=2, workers=Here())}
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:3]))
    again = run(MATCH, deals=2, workers=cluster, log=log)
    assert {timeless(r) for r in again} == {timeless(r) for r in there}
