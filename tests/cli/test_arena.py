"""The commands match, analyse and fit, and the parts of ladder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from azulejos import Record
from azulejos.bots import evaluate
from azulejos.cli import main
from bots.positions import played


def said(line: list[str]) -> str:
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_match_prints_a_line_for_each_bot_and_writes_files(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    text = said(["match", "azul", "greedy", "random", "--nodes", "5", "--deals", "1", "--out", str(out)])
    assert "2 games of azul, 2 seats, 5 nodes an action, seed 0" in text
    assert [line.split()[0] for line in text.splitlines()[1:]] == ["bot", "greedy", "random"]
    assert len(out.read_text().splitlines()) == 5


def test_a_match_writes_the_records_of_its_games(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    said(["match", "azul", "greedy", "random", "--nodes", "5", "--deals", "2", "--records", str(file)])
    records = Record.read_all(file.read_text())
    assert [record.tags["Deal"] for record in records] == ["0", "0", "1", "1"]
    assert [record.seats[0].name for record in records] == ["greedy", "random"] * 2
    assert all(record.replay().is_over for record in records)
    assert "greedy" in said(["replay", str(file), "--at", "30"])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("match azul random", "a table has 2 to 4 seats"),
        ("match azul random serch", "did you mean 'search'"),
        ("match azul random random random --sprt 0 10", "compares two different bots"),
        ("match azul random greedy --sprt 50 0", "a lower and a higher number of Elo, not 50 0"),
        ("analyse nonsense", "no game is called"),
        ("fit azul --out weights.txt", "should end in .npz"),
        ("fit azul -n 3 --out weights.npz", "two-player games, not from games with 3 players"),
    ],
)
def test_mistakes_cost_one_line(line: str, complaint: str) -> None:
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code == 2
    assert complaint in result.output
    assert len(result.output.splitlines()) == 1


def test_analyse_as_json() -> None:
    position = played("azul", 2, seed=3, decisions=8)
    found = json.loads(said(["analyse", position.text(), "--nodes", "300", "--json"]))
    assert {move["move"] for move in found["moves"]} == {move.text for move in position.legal_moves}
    assert [seat["win"] for seat in found["glance"]] == [seat.win for seat in evaluate(position)]


def test_analyse_shows_the_best_moves() -> None:
    position = played("azul", 2, seed=3, decisions=8)
    lines = said(["analyse", position.text(), "--nodes", "300", "--top", "2"]).splitlines()
    assert lines[0].startswith("at a glance: seat 1 ")
    assert lines[1].split()[:3] == ["move", "points", "win"]
    assert len(lines) == 5
