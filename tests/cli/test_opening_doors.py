"""The commands for authors of bots and for researchers."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from cli.conftest import Run, piped

REFERENCE = Path(__file__).parents[2] / "examples" / "protocol_bot.py"


def test_a_dataset_is_written_and_described(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "games.npz"
    done = run("dataset", "azul", "random", "--games", "2", "--seed", "1", "--out", str(target))
    assert done.exit_code == 0, done.output
    with np.load(target) as data:
        facts = json.loads(str(data["about"]))
        assert facts["bots"] == ["random"]
        assert f"{len(data['game'])} decisions of 2 games of azul" in done.stdout


def test_processes_share_the_games_of_a_dataset(tmp_path: Path) -> None:
    files = [tmp_path / f"{processes}.npz" for processes in (1, 2)]
    for processes, file in enumerate(files, 1):
        words = ("dataset", "azul", "random", "--games", "3", "--seed", "1", "--out", str(file), "--json")
        done = piped(*words, "--processes", str(processes))
        assert json.loads(done.stdout)["games"] == 3, done.stderr
    with np.load(files[0]) as alone, np.load(files[1]) as shared:
        assert all((alone[name] == shared[name]).all() for name in alone.files)


def test_a_simulation_as_data(tmp_path: Path) -> None:
    words = ("simulate", "azul", "--games", "4100", "--seed", "1", "--json", "--out")
    one = piped(*words, str(tmp_path / "one.csv"), AZULEJOS_JIT="1")
    two = piped(*words, str(tmp_path / "two.npz"), "--processes", "2", AZULEJOS_JIT="1")
    assert one.stdout == two.stdout, one.stderr + two.stderr
    found = json.loads(one.stdout)
    rows = [line.split(",") for line in (tmp_path / "one.csv").read_text().splitlines()]
    scores = [int(row[rows[0].index("score1")]) for row in rows[1:]]
    assert len(scores) == found["games"] == 4100
    assert found["seats"][0]["mean"] == pytest.approx(sum(scores) / 4100)
    with np.load(tmp_path / "two.npz") as data:
        assert data["score1"].tolist() == scores


def test_a_position_means_the_same_for_every_verb(run: Run) -> None:
    """A text, standard input, or a new game that is dealt by its seed."""
    text = run("perft", "azul", "--depth", "1", "--seed", "3", "-n", "3").stdout.split()[1]
    for verb in (["draw"], ["perft", "--depth", "1"], ["analyse", "--nodes", "50", "--json"]):
        written, named = run(*verb, text), run(*verb, "azul", "--seed", "3", "-n", "3")
        piped_in = run(*verb, "-", typed=text + "\n")
        assert written.exit_code == 0, written.stderr
        for other in (named, piped_in):
            assert _timeless(other.stdout) == _timeless(written.stdout)
        assert run(*verb, "azul,players=2/round=x").exit_code == 2


def _timeless(output: str) -> str:
    return re.sub(r'"seconds": [\d.e-]+', "", output)


def test_a_record_means_the_same_for_every_verb(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.azul"
    assert run("play", "azul", "random", "random", "--seed", "1", "--record", str(file)).exit_code == 0
    assert run("replay", "-", typed=file.read_text()).stdout == run("replay", str(file)).stdout != ""
    broken = tmp_path / "broken.azul"
    broken.write_text('[Game "azul"]\n', encoding="utf-8")
    for verb in (["replay"], ["verify"], ["store", "import", "--database", f"sqlite:///{tmp_path / 'db'}"]):
        done = run(*verb, str(broken))
        assert done.exit_code == 2
        assert "The header Players is missing." in done.stderr


def test_a_dataset_that_cannot_be_written_is_not_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("dataset", "azul", "random", "--games", "9999999", "--out", str(tmp_path / "games.parquet"))
    assert done.exit_code == 2
    assert "azulejos[data]" in done.stderr


def test_a_dataset_of_somebody_elses_moves(run: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves.csv"
    moves.write_text("game,move\n1,@1\n1,nonsense\n")
    done = run("dataset", "azul", "--moves", str(moves), "--out", str(tmp_path / "games.npz"))
    assert done.exit_code == 2
    assert "game 1, move 2 (nonsense)" in done.stderr


def test_the_engine_answers_in_a_pipe() -> None:
    done = piped("engine", "random", typed="uai\nisready\nquit\n")
    assert done.stdout.splitlines()[-2:] == ["uaiok", "readyok"]
    assert piped("engine", "nobody").returncode == 2


def test_bots_are_checked(run: Run) -> None:
    good = run("bot", "check", shlex.join([sys.executable, str(REFERENCE)]), "--positions", "12")
    assert good.exit_code == 0, good.output
    assert "bad" not in good.stdout
    bad = run("bot", "check", "./no-such-bot")
    assert bad.exit_code == 1
    assert "handshake failed" in bad.stdout
