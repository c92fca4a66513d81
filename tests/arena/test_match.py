"""Matches: seat orders, the same deals, resuming, stopping."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from azulejos.arena.match import Fixture, Log, Match, Result, missing, play, record_of
from azulejos.arena.run import run
from azulejos.arena.statistics import Sprt, as_csv, as_json, as_svg, table, write
from azulejos.arena.workers import Here, workers
from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Limit, PlayResult

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


@pytest.mark.parametrize("bots", [("random", "random"), ("random", "greedy", "random")])
def test_a_test_needs_two_different_bots(bots: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="two different bots"):
        run(Match(game="azul", bots=bots, nodes=1), deals=1, workers=Here(), sprt=Sprt())


class Last(Bot):
    """Plays the last legal move."""

    @property
    def word(self) -> str:
        return "last"

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        return PlayResult(move=position.legal_moves[-1])


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bot_of_ones_own_sits_in_a_match(processes: int, tmp_path: Path) -> None:
    match = Match(game="azul", bots=(Last(), "random"), nodes=10)
    log = tmp_path / "match.jsonl"
    results = run(match, deals=1, workers=workers(processes), log=log)
    assert [line.word for line in table(match, results)] == ["last", "random"]
    assert record_of(match, play(match, Fixture(0, (0, 1)))).seats[0].name == "last"
    assert run(match, deals=1, workers=Here(), log=log) == results
    assert json.loads(as_json(match, results))["match"]["bots"] == ["last", "random"]


def test_two_bots_of_ones_own_need_two_words() -> None:
    with pytest.raises(ValueError, match="both called last"):
        Match(game="azul", bots=(Last(), Last()))
    with pytest.raises(TypeError, match="a word or a Bot"):
        Match(game="azul", bots=(Last, "random"))  # type: ignore[arg-type]


@pytest.mark.parametrize("more", [[], ["--processes", "2"]])
def test_ctrl_c_ends_a_match_at_once_and_tells_what_was_played(more: list[str], tmp_path: Path) -> None:
    """In the middle of a move that takes a minute; the signal goes to the whole group, as from a
    terminal."""
    log = tmp_path / "match.jsonl"
    line = [sys.executable, "-m", "azulejos", "match", "azul", "random", "search@60", "--deals", "9",
            "--log", str(log), *more]
    first = run(
        Match(game="azul", bots=("random", "search@60"), nodes=2000), deals=0, workers=Here(), log=log)
    assert first == []
    game = {"deal": 0, "order": [0, 1], "scores": [1, 2], "ranks": [2, 1], "plies": 9, "seconds": [0, 0]}
    with log.open("a") as file:
        file.write(json.dumps(game) + "\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True, preexec_fn=_hear_interrupts) as process:
        try:
            _wait_for_work(process)
            began = time.monotonic()
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert time.monotonic() - began < 10, "at once, on a crowded machine"
    assert "Traceback" not in err
    assert "1 games" in out or "1 game" in out
    assert "interrupted after 1 of 18 games" in err


def _hear_interrupts() -> None:
    """Whatever started the tests: a job in the background of a shell ignores Ctrl-C, and so do its
    children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _wait_for_work(process: subprocess.Popen[str]) -> None:
    """Until the match, or a process of it, has computed for some seconds: it is in the middle of a
    search."""
    while True:
        assert process.poll() is None, process.communicate()
        if sum(map(_cpu_seconds, _group(process.pid))) > 8:
            return
        time.sleep(0.1)


def _group(leader: int) -> list[int]:
    pids = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if _group_of(pid) == leader]


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


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
