"""Every function that is compiled by `azulejos warm` and built into a game's module by `azulejos build`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from azulejos.bots.compiled import searches
from azulejos.bots.evaluation import weights_of
from azulejos.core import readiness
from azulejos.core.doors import census_at
from azulejos.core.game import Game
from azulejos.core.jit import Call
from azulejos.core.module import Description
from azulejos.engine.compiled import exact_endings, games
from azulejos.engine.workspace import make_workspace
from azulejos.insight.attribution import values_of


def groups(game: Game) -> Iterator[readiness.Group]:
    """The most urgent first."""
    yield readiness.rules(game)
    yield from searches(game)
    yield games(game)
    yield exact_endings(game)
    yield judgements(game)


def judgements(game: Game) -> readiness.Group:
    """For reasons: the ends of lines, evaluated."""
    workspace = make_workspace(game.compiled, weights_of(game, ""), transposition_bits=4)
    rows = np.zeros((1, workspace.words.shape[1]), np.uint64)
    return "judgements", [(values_of, (workspace, rows, 0, np.zeros(1, np.int64)))]


def calls(game: Game) -> Sequence[Call]:
    """What a module exports: everything but the census, a check for tests that may make arrays."""
    return [call for _, group in groups(game) for call in group if call[0] is not census_at]


def compile_all(game: Game) -> None:
    """Compile everything for this machine, unless that was done before."""
    readiness.compile_all(game, groups(game))


def build(game: Game, folder: Path | None = None) -> Description:
    """Write the module of a game and its description into a folder (its own)."""
    from azulejos.core.module_builder import build as build_module  # half a second, and another extra

    return build_module(game, calls(game), folder)
