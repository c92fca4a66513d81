"""From the value of a search to what people understand: expected margin and chance to win.

A value counts the win itself as points (`engine.value`), so it is never shown. Games of self-play say what
values turned out to mean, by box, seats, round and phase (`insight.calibrate`); a game's judge.npz holds
the result.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from azulejos.bots.evaluation import evaluation_of
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine.value import WIN

FILE: Final = "judge.npz"

# Phases of a round.
OPENING: Final = 0
"""After the deal, before the first decision."""
WITHIN: Final = 1
PHASES: Final = 2

# Columns of a scale.
SHIFT: Final = 0
"""The value at which winning and losing are equally likely."""
SWING: Final = 1
"""How much more makes winning e times as likely."""
BASE: Final = 2
"""Margin = BASE + SLOPE * value - BONUS * (2 * win - 1)."""
SLOPE: Final = 3
BONUS: Final = 4
COLUMNS: Final = 5

# Columns of an outlook.
MARGIN: Final = 0
CHANCE_TO_WIN: Final = 1

FEW_ROUNDS: Final = 8
"""Later rounds are rare and share the last row."""
UNMEASURED_DOUBT: Final = ((1.0, 3.0, 0.08),)
"""Where nothing was measured: any number of nodes, 3 points, 8 % of the win."""


@dataclass(frozen=True, eq=False)
class ValueScale:
    """What values mean for one box and number of seats."""

    table: Cells
    """float [phase, round, column], rounds from 1."""
    doubt: Cells
    """float [effort, 3]: nodes, and how wrong the difference of two estimates with so many nodes was on
    average (root mean square), in points and chance to win; nodes ascend."""
    measured: bool
    """Whether games of this box with as many seats were counted."""

    def outlook_at(self, value: float, position: Position) -> tuple[float, float]:
        """The expected margin and the chance to win for a value of a position, in points."""
        return self.outlook(value, phase_of(position), int(position.state.round))

    def outlook(self, value: float, phase: int, round_: int) -> tuple[float, float]:
        """The expected margin and the chance to win for a value in points."""
        row = self.table[phase, min(round_, FEW_ROUNDS) - 1]
        win = float(1 / (1 + np.exp(-np.clip((value - row[SHIFT]) / row[SWING], -50, 50))))
        return float(row[BASE] + row[SLOPE] * value - row[BONUS] * (2 * win - 1)), win

    def doubt_of(self, nodes: int) -> Cells:
        """[2]: the standard error of the difference of two estimates, in points and chance to win."""
        efforts = np.log(self.doubt[:, 0])
        return np.array([np.interp(np.log(nodes), efforts, self.doubt[:, column]) for column in (1, 2)])


def phase_of(position: Position) -> int:
    """Whether the round has just been dealt."""
    return OPENING if position.ply and position.at(position.ply - 1).is_chance else WITHIN


def plain_scale(game: Game) -> ValueScale:
    """Without measurements: the value is margin plus bonus, and the game's own swing."""
    row = np.zeros(COLUMNS)
    row[SWING], row[SLOPE], row[BONUS] = evaluation_of(game).swing / 100, 1.0, WIN / 100
    table = np.tile(row, (PHASES, FEW_ROUNDS, 1))
    return ValueScale(table, np.array(UNMEASURED_DOUBT), measured=False)


def scale_of(position: Position) -> ValueScale:
    """The scale of a position's box and seats; of another box of the game if there is none."""
    return _scale(position.game, position.preset.name, position.players)


@functools.cache
def _scale(game: Game, box: str, players: int) -> ValueScale:
    path = game.folder / FILE
    if not path.exists():
        return plain_scale(game)
    with np.load(path) as file:
        boxes = [box, *(preset.name for preset in game.presets)]
        found = next((name for name in boxes if table_key(name, players) in file), None)
        if found is None:
            return plain_scale(game)
        return ValueScale(
            file[table_key(found, players)].astype(float), file[doubt_key(found, players)].astype(float),
            measured=found == box,
        )


def table_key(box: str, players: int) -> str:
    return f"{box}.{players}.scale"


def doubt_key(box: str, players: int) -> str:
    return f"{box}.{players}.doubt"


def write_scale(path: Path, box: str, players: int, scale: ValueScale) -> None:
    """Add a scale to a file, or replace the one of the same box and seats."""
    known: dict[str, Cells] = {}
    if path.exists():
        with np.load(path) as file:
            known = dict(file)
    known[table_key(box, players)] = scale.table.astype(np.float32)
    known[doubt_key(box, players)] = scale.doubt.astype(np.float32)
    np.savez_compressed(path, **known)  # type: ignore[arg-type]
    _scale.cache_clear()
