"""The level of a player, estimated from what their turns lost."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from azulejos.cli import main
from azulejos.core.game import Seat
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import review
from azulejos.insight.level import RUNGS, SCALE, GameLosses, TurnLoss, estimate, losses, told
from boxes import BOXES
from insight.games import LITTLE, LITTLE_TREE, record

SOME = tuple(random.Random(1).sample(BOXES, 3))


def game(turns: list[TurnLoss]) -> GameLosses:
    return GameLosses(version=1, judge=1, weights="", box="azul", players=2, seat=Seat(0),
                      turns=tuple(turns))


def played_like(strength: float, turns: int, seed: int = 1) -> GameLosses:
    """Losses that fall with the strength; of the person and of the bots, each with its own errors."""
    rng = random.Random(seed)

    def lost(level: float) -> float:
        return max(0.0, rng.gauss(0.4 * (7 - level), 1.0))

    return game([TurnLoss(ply, lost(strength), tuple(map(lost, SCALE))) for ply in range(turns)])


@pytest.mark.parametrize("strength", [1.0, 3.0, 5.0, 7.0])
def test_a_known_strength_is_found_again(strength: float) -> None:
    found = estimate([played_like(strength, 60, seed) for seed in range(8)])
    assert found is not None
    assert found.low <= strength <= found.high
    assert abs(found.level - strength) < 0.7


def test_more_games_make_the_interval_narrower() -> None:
    few, many = (estimate([played_like(3.0, 30, seed) for seed in range(games)]) for games in (2, 20))
    assert few is not None
    assert many is not None
    assert many.high - many.low < 0.7 * (few.high - few.low)


def test_without_a_turn_there_is_no_estimate() -> None:
    assert estimate([]) is None
    assert estimate([game([])]) is None


@pytest.mark.slow
@pytest.mark.parametrize(("box", "players"), SOME)
def test_losses_of_every_kind_of_game_can_be_kept(box: str, players: int) -> None:
    found = review(record(box, players, 1), efforts=[LITTLE_TREE])
    made = losses(found, 1, effort=LITTLE_TREE)
    assert msgspec.json.decode(msgspec.json.encode(made), type=GameLosses) == made
    assert [turn.ply for turn in made.turns] == [
        turn.ply for turn in found.turns if turn.seat == 1 and turn.choices > 1
    ]
    for turn in made.turns:
        assert len(turn.bots) == len(RUNGS) + 1
        assert min(turn.own, *turn.bots) >= 0


def test_players_at_random_are_weak() -> None:
    made = estimate([losses(review(record("azul", 2, 1), efforts=[LITTLE]), 0, effort=LITTLE)])
    assert made is not None
    assert made.level < 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_estimate_can_be_said_in_every_language(language: str) -> None:
    found = estimate([played_like(3.0, 30)])
    assert found is not None
    assert translator(language)(found.name) in translator(language)(told(found))


def test_the_command_refuses_a_seat_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record("azul", 2, 1).write(), "utf-8")
    result = CliRunner().invoke(main, ["level", str(file), "--seat", "3"])
    assert result.exit_code == 2
    assert "no seat 3" in result.stderr
