"""The examples that train run from the command line, for a few seconds, where PyTorch is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(*words: str | Path) -> str:
    done = subprocess.run([sys.executable, *map(str, words)], cwd=EXAMPLES, capture_output=True, text=True,
                          check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_search_teaches_a_policy() -> None:
    pytest.importorskip("torch")
    told = run("alphazero.py", "--generations", "1", "--games", "2", "--simulations", "4")
    assert re.search(r"generation 0: .*\n.* positions, .* bits a move\ngeneration 1: ", told)


@pytest.mark.slow
def test_self_play_learns_and_a_league_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    player = tmp_path / "azul.pt"
    told = run("selfplay_ppo.py", "--seconds", "5", "--threads", "1", "--opponent", "random",
               "--out", player)
    found = re.search(r"at the end: ([\d.]+) .* of 10,240 games against random", told)
    assert found
    assert float(found[1]) > 80, "96 % were measured"
    told = run("league.py", player, "--lessons", "20", "--out", tmp_path / "league.pt")
    assert "3 opponents" in told
    assert (tmp_path / "league.pt").exists()
