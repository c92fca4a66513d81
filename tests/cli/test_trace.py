"""A trace proves the rules to an outsider: complete, legal, with every piece accounted for, replayable."""

from __future__ import annotations

import json
from typing import Any

import pytest

import azulejos
from azulejos import CHANCE, Position
from azulejos.cli.positions import traced
from cli.conftest import Run

BOXES = sorted(azulejos.presets())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("box", BOXES)
def test_every_box_can_be_traced_and_replayed(box: str, players: int) -> None:
    header, *actions, end = plain(azulejos.new(box, players=players), seed=players)
    position = azulejos.new(header["game"], players=header["players"], **header["options"])
    for ply, line in enumerate(actions):
        assert set(line) == {"ply", "to_move", "state", "legal", "move", "points"}
        assert line["ply"] == ply
        assert line["to_move"] == ("chance" if position.to_move == CHANCE else position.to_move)
        assert line["state"] == position.to_json()["state"]
        assert line["legal"] == choices(position)
        before = position.scores
        position.play(line["move"])
        gained = [0] * players
        for scored in line["points"]:
            gained[scored["seat"]] += scored["points"]
        assert position.scores == tuple(a + b for a, b in zip(before, gained, strict=True))
    assert end["state"] == position.to_json()["state"]
    outcome = position.outcome()
    assert outcome is not None
    assert end["outcome"] == {
        "scores": list(outcome.scores), "ranks": list(outcome.ranks), "winners": list(outcome.winners),
        "reason": str(outcome.reason),
    }


def plain(start: Position, seed: int) -> list[dict[str, Any]]:
    """The trace as an outsider parses it."""
    return [json.loads(json.dumps(line)) for line in traced(start, seed)]


def choices(position: Position) -> object:
    if position.is_chance:
        return {move.text: weight for move, weight in position.odds().items()}
    return [move.text for move in position.legal_moves]


def test_the_verb_writes_json_lines(run: Run) -> None:
    result = run("trace", "azul", "--players", "3", "--wall", "grey", "--seed", "11")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0]["game"] == "azul"
    assert lines[0]["options"]["wall"] == "grey"
    assert lines[0]["seed"] == 11
    assert lines[0]["versions"] == {"azulejos": azulejos.__version__, "rules": 1}
    assert set(lines[0]["fields"]) == set(lines[1]["state"])
    assert "outcome" in lines[-1]
    assert run("trace", "azul", "--players", "3", "--wall", "grey", "--seed", "11").stdout == result.stdout
