"""The commands for authors of bots and for researchers."""

from __future__ import annotations

import json
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
