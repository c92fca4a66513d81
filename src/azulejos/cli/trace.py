"""Write a random game with every state, choice and point as JSON Lines, to check the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import click

from azulejos import __version__
from azulejos.cli.common import GameCommand, seed_option, takes_game
from azulejos.core import layout
from azulejos.core.position import Position
from azulejos.core.state import points_of

FORMAT = 1


@click.command(cls=GameCommand)
@takes_game
@seed_option
def trace(start: Position, seed: int) -> None:
    """Play a random game and write it as JSON Lines (docs/trace.md)."""
    for line in traced(start, seed):
        click.echo(json.dumps(line, separators=(",", ":")))


def traced(position: Position, seed: int) -> Iterator[dict[str, Any]]:
    """The header, one object per action, then the outcome; plays on `position`."""
    rng = random.Random(seed)
    yield _header(position, seed)
    while not position.is_over:
        legal = _legal(position)
        move = rng.choices(list(legal), list(legal.values()))[0]
        yield _action(position, legal, move)
        position.play(move)
    yield _outcome(position)


def _header(position: Position, seed: int) -> dict[str, Any]:
    fields = {name: field.doc for name, field in layout.fields_of(position.game.state).items()}
    return {
        "trace": FORMAT, "game": position.preset.name, "players": position.players,
        "options": position.options, "seed": seed,
        "versions": {"azulejos": __version__, "rules": position.game.version}, "fields": fields,
    }


def _legal(position: Position) -> dict[str, int]:
    """Texts and weights of the legal moves; a player's moves all have the same weight."""
    if position.is_chance:
        return {move.text: weight for move, weight in position.odds().items()}
    return {move.text: 1 for move in position.legal_moves}


def _action(position: Position, legal: dict[str, int], move: str) -> dict[str, Any]:
    chance = position.is_chance
    return {
        "ply": position.ply,
        "to_move": "chance" if chance else position.to_move,
        "state": position.to_json()["state"],
        "legal": legal if chance else list(legal),
        "move": move,
        "points": _points(position, move),
    }


def _points(position: Position, move: str) -> list[dict[str, Any]]:
    """The points that the move will score, each with the short code and the sentence of its reason."""
    game = position.game
    scored = points_of(game, position.row.tobytes(), game.moves.parse(move))
    return [
        {"seat": p.seat, "points": p.points, "reason": game.reasons.names[p.reason], "place": p.place,
         "text": str(game.reasons.text(p.reason, p.place))}
        for p in scored
    ]


def _outcome(position: Position) -> dict[str, Any]:
    outcome = position.outcome()
    if outcome is None:
        raise ValueError("the game is not over")
    ending = {"scores": outcome.scores, "ranks": outcome.ranks, "winners": outcome.winners,
              "reason": str(outcome.reason)}
    return {"ply": position.ply, "state": position.to_json()["state"], "outcome": ending}
