"""Tables of games: every row can be checked against the position that it holds."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from pyarrow import parquet

import azulejos
from azulejos import Record
from azulejos.arena.dataset import (
    COLUMNS,
    PER,
    SelfPlay,
    about,
    joined,
    puzzle_rows,
    read_moves,
    rows,
    summed,
    write,
)
from azulejos.cli import main
from azulejos.core import layout
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.core.writing import header
from azulejos.protocol.bot import Limit

DOCS = Path(__file__).parents[2] / "docs" / "data.md"


def games(count: int = 2, *, name: str = "azul", players: int = 2) -> list[Position]:
    start = azulejos.new(name, players=players)
    return [SelfPlay(start, ["random"], Limit(nodes=1), seed=3).play(number) for number in range(count)]


def table(name: str = "azul", players: int = 2) -> dict[str, Cells]:
    return rows(games(name=name, players=players))


@pytest.mark.parametrize("name", ["azul", "chocolatier-grey"])
def test_each_row_is_a_decision_of_its_position(name: str) -> None:
    found = table(name, 3)
    start = azulejos.new(name, players=3)
    for row in range(0, len(found["game"]), 7):
        position = Position.from_json(
            {**header(start), "state": layout.as_dict(start.game.state, found["state"][row])}
        )
        legal = position.legal_actions()
        mask = np.unpackbits(found["mask"][row])[: start.game.decisions]
        assert position.to_move == found["seat"][row]
        assert position.scores == tuple(found["scores"][row])
        assert found["action"][row] in legal
        assert np.flatnonzero(mask).tolist() == legal
        assert (position.observation(position.to_move) == found["observation"][row]).all()


def test_games_end_as_they_say() -> None:
    played = games(3)
    found = rows(played)
    for number, position in enumerate(played):
        own = found["game"] == number
        assert (found["final_scores"][own] == position.scores).all()
        outcome = position.outcome()
        assert outcome is not None
        for seat, share in enumerate(outcome.shares()):
            assert (found["share"][own & (found["seat"] == seat)] == share).all()


def test_the_same_seed_gives_the_same_table() -> None:
    one, other = table(), table()
    assert all((one[name] == other[name]).all() for name in one)


def test_both_files_hold_the_same(tmp_path: Path) -> None:
    found, facts = table(), about(azulejos.new("azul"), seed=3)
    for name in ("games.npz", "games.parquet"):
        write(tmp_path / name, found, facts)
    with np.load(tmp_path / "games.npz") as stored:
        assert json.loads(str(stored["about"])) == json.loads(json.dumps(facts))
        arrow = parquet.read_table(tmp_path / "games.parquet")
        assert json.loads(arrow.schema.metadata[b"azulejos"])["game"] == "azul"
        for column in COLUMNS:
            assert stored[column.name].dtype == column.dtype
            assert (np.array(arrow[column.name].to_pylist()) == stored[column.name]).all()


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.npz or \.parquet"):
        write(tmp_path / "games.xlsx", {}, {})


def test_every_column_is_documented() -> None:
    text = DOCS.read_text("utf-8")
    for column in COLUMNS:
        assert f"| `{column.name}` | {column.dtype} |" in text
        assert str(column.doc) in text


# --- lists of moves ----------------------------------------------------------------------------------


def texts(position: Position) -> list[str]:
    return [position.game.moves.text(action) for action in position.history.actions]


def test_moves_come_back_from_csv_and_json(tmp_path: Path) -> None:
    played, start = games(2), azulejos.new("azul")
    lines = [f"{n},{move}" for n, position in enumerate(played) for move in texts(position)]
    (tmp_path / "moves.csv").write_text("\n".join(["game,move", *lines]))
    (tmp_path / "moves.json").write_text(json.dumps(
        [texts(played[0]), {"players": 2, "moves": [int(action) for action in played[1].history.actions]}]
    ))
    for name in ("moves.csv", "moves.json"):
        assert list(read_moves(tmp_path / name, start)) == played
    assert len(rows(read_moves(tmp_path / "moves.csv", start))["game"]) > 50


def test_records_of_both_forms_are_games_too(tmp_path: Path) -> None:
    played = games(2)
    records = [Record.from_position(position) for position in played]
    (tmp_path / "games.txt").write_text("\n".join(record.write() for record in records))
    (tmp_path / "games.jsonl").write_text("".join(record.write_json() for record in records))
    for name in ("games.txt", "games.jsonl"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    for name in ("games.txt", "games.jsonl", "games.txt.gz", "games.jsonl.gz"):
        assert list(read_moves(tmp_path / name, azulejos.new("azul"))) == played


@pytest.mark.parametrize(("name", "text", "complaint"), [
    ("a.jsonl", '{"record": 9}', "missing required field `game`"),
    ("a.csv", "spiel,zug\n1,@1", "columns game and move"),
    ("a.csv", "game,move\nfirst,@1\nfirst,nonsense", r"game first, move 2 \(nonsense\)"),
    ("a.json", "{", "not JSON"),
    ("a.txt.gz", "[Game", "not a gzip file"),
    ("a.json", "{}", "a list of games"),
    ("a.json", '[{"players": 2}]', "game 1 needs a list of moves"),
    ("a.json", '[["@1", "9b1"]]', r"game 1, move 2"),
    ("a.json", '[{"players": 7, "moves": []}]', "players must be"),
])
def test_mistakes_are_named(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=complaint):
        list(read_moves(tmp_path / name, azulejos.new("azul")))


def test_a_table_holds_finished_games_of_one_kind() -> None:
    with pytest.raises(ValueError, match="game 0 is not over"):
        rows([azulejos.new("azul")])
    with pytest.raises(ValueError, match="game 1 has another box"):
        rows([*games(1), *games(1, players=3)])


def test_rounds_and_games_add_up() -> None:
    source = SelfPlay(azulejos.new("azul", players=3), ("random", "greedy"), Limit(nodes=1), 7)
    decisions = joined(map(source.rows, range(3)))
    games, rounds = summed(decisions, "game"), summed(decisions, "round")
    assert list(games) == list(PER["game"])
    assert list(rounds) == list(PER["round"])
    for game in range(3):
        end = source.play(game)
        own, outcome = games["game"] == game, end.outcome()
        assert outcome is not None
        assert games["score"][own].tolist() == list(outcome.scores)
        assert games["share"][own].tolist() == pytest.approx(outcome.shares())
        assert set(games["rounds"][own].tolist()) == {end.state.round}
        assert games["decisions"][own].sum() == (decisions["game"] == game).sum()
        for seat, score in enumerate(outcome.scores):
            mine = (rounds["game"] == game) & (rounds["seat"] == seat)
            assert rounds["points"][mine].sum() == score == rounds["score"][mine][-1]
            assert rounds["round"][mine].tolist() == [*range(1, end.state.round + 1)]
            others = [other for number, other in enumerate(outcome.scores) if number != seat]
            assert rounds["margin"][mine][-1] == score - max(others)


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_puzzles_as_a_table(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"puzzles.{ending}"
    result = CliRunner().invoke(main, ["puzzles", "export", "azul", "--out", str(out)])
    assert result.exit_code == 0, result.output
    table, facts = puzzle_rows(["azul"])
    assert list(table) == list(facts["columns"])
    assert len(table["id"]) == len(set(table["id"].tolist())) > 100
    position = azulejos.Position.from_text(str(table["position"][0]))
    position.after(position.game.moves.parse_line(str(table["turn"][0])))


def test_the_command_writes_rounds(tmp_path: Path) -> None:
    out = tmp_path / "rounds.npz"
    line = f"dataset azul random --games 2 --rows round --json --out {out}"
    result = CliRunner().invoke(main, line.split())
    assert json.loads(result.stdout)["columns"] == dict(PER["round"])
    with np.load(out) as data:
        assert set(PER["round"]) < set(data.files)
