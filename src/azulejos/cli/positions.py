"""Verbs about one position, and how it is shown in a terminal: the board, what happened, how it ended."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from azulejos import __version__
from azulejos.bots import Analysis, Limit, Outlook, evaluate, open as open_bot
from azulejos.cli.common import (
    GameCommand, Number, complaints, console, cores_option, json_option, nodes_option, out_option,
    results_table, say, seconds_option, seed_option, takes_game, takes_position,
)
from azulejos.core import layout
from azulejos.core.contract import needed
from azulejos.core.game import CHANCE, Outcome
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position
from azulejos.core.state import points_of
from azulejos.core.terminal import TextLine
from azulejos.render.themes import themes

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


# --- theme --------------------------------------------------------------------------------------------


GENERAL: Final = {
    "plain": "", "strong": "bold", "quiet": "bright_black", "good": "bold green", "bad": "bold red",
}


def look(style: str, theme: str) -> str:
    """The terminal style for a kind of piece ("blue"; "yellow.bird" is yellow) or of text."""
    paint = themes()[theme].pieces.get(style.partition(".")[0])
    return f"bold {paint.ink} on {paint.face}" if paint else GENERAL.get(style, "")


def painted(lines: list[TextLine], theme: str) -> Text:
    from rich.text import Text

    rows = [Text.assemble(*((span.text, look(span.style, theme)) for span in line)) for line in lines]
    return Text("\n").join(rows)


# ------------------------------------------------------------------------------------------------------


NARROWEST: Final = 38
"""Columns of the widest single board."""


def tell(out: Console, message: Message, style: str = "") -> None:
    out.print(say(message), style=style, markup=False, soft_wrap=True)


def show_board(out: Console, position: Position, names: tuple[str, ...]) -> None:
    terminal = needed(position.game, position.game.terminal, "terminal.py")
    lines = terminal.draw(position.state, names, say, max(NARROWEST, out.width))
    out.print()
    out.print(painted(lines, position.preset.theme), soft_wrap=True)


def mover(position: Position, names: tuple[str, ...]) -> str:
    """The name of the player to act."""
    return say(msg("chance")) if position.to_move == CHANCE else names[position.to_move]


def tell_points(out: Console, position: Position, names: tuple[str, ...], ply: int = -1) -> None:
    """Print every point that an action scored."""
    for scored in position.explain(ply):
        line = msg("{name}: {points} {reason}", name=names[scored.seat],
                   points=f"{scored.points:+d}", reason=scored.reason)
        tell(out, line, "green" if scored.points > 0 else "red")


def tell_outcome(out: Console, outcome: Outcome, names: tuple[str, ...]) -> None:
    tell(out, outcome.reason, "bold")
    order = sorted(range(len(names)), key=lambda seat: outcome.ranks[seat])
    for seat in order:
        tell(out, msg("{rank}. {name}: {score} points", rank=outcome.ranks[seat], name=names[seat],
                      score=outcome.scores[seat]))
    winners = [names[seat] for seat in outcome.winners]
    named = raw(", ".join(winners))
    shared = len(winners) > 1
    said = msg("Shared win: {names}", names=named) if shared else msg("Winner: {names}", names=named)
    tell(out, said, "bold")


# --- draw ---------------------------------------------------------------------------------------------


@click.command(cls=GameCommand, short_help="Draw a position as SVG or PNG.")
@out_option(".svg", ".png", what="File to write, .svg or .png. Default: SVG on standard output.")
@click.option("--names", default="", metavar="A,B,…", help="Names of the players, in seat order.")
@click.option("--dark", is_flag=True, help="Use the dark theme.")
@click.option("--scale", default=2.0, show_default=True, type=Number(0.1, 10),
              help="Size of a PNG; at 1 a tile is 40 pixels wide.")
@takes_position
def draw(position: Position, out: Path | None, names: str, dark: bool, scale: float) -> None:
    """Draw POSITION as SVG or PNG."""
    import azulejos.svg

    called = [name.strip() for name in names.split(",")] if names else []
    if len(called) > position.players:
        raise click.UsageError(f"{len(called)} names for {position.players} players")
    svg = azulejos.svg.position(position, names=called, dark=dark)
    if out is None:
        click.echo(svg)
    elif out.suffix == ".svg":
        out.write_text(svg, "utf-8")
    else:
        from azulejos.render.svg import svg_to_png

        out.write_bytes(svg_to_png(svg, scale=scale, others=True))


# --- perft --------------------------------------------------------------------------------------------


@click.command(cls=GameCommand,
               short_help="Count the sequences of actions from a position, to verify a move generator.")
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 12),
              help="Number of actions to look ahead; a draw or the end of the game ends a sequence early.")
@click.option("--divide", is_flag=True, help="Show the count for each move separately.")
@json_option
@takes_position
def perft(position: Position, depth: int, divide: bool, as_json: bool) -> None:
    """Count the sequences of actions from POSITION."""
    from azulejos.engine.perft import perft as leaves

    told: dict[str, Any] = {"position": position.text()}
    if divide:
        told["moves"] = dict(_counts_below(position, depth))
        told["perft"] = {depth: sum(told["moves"].values())}
    else:
        levels = range(1, depth + 1)
        told["perft"] = {level: leaves(position.game, position.row, level) for level in levels}
    if as_json:
        click.echo(json.dumps(told))
        return
    if not divide:
        click.echo(f"position {told['position']}")
    for move, count in told.get("moves", {}).items():
        click.echo(f"{move} {count}")
    for level, count in told["perft"].items():
        click.echo(f"perft {level} {count}")


def _counts_below(start: Position, depth: int) -> Iterator[tuple[str, int]]:
    from azulejos.engine.perft import perft as leaves

    for action in start.legal_actions():
        start.play(action)
        ends = start.is_chance or start.is_over
        below = 1 if ends else leaves(start.game, start.row, depth - 1)
        yield start.undo().text, below


# --- trace --------------------------------------------------------------------------------------------


FORMAT = 1


@click.command(cls=GameCommand,
               short_help="Write a random game, every state, choice and point, as JSON Lines.")
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


# --- analyse ------------------------------------------------------------------------------------------
#     azulejos analyse "azul,players=2/..." --seconds 3


@click.command(cls=GameCommand, short_help="Rate the moves of a position.")
@seconds_option("Time limit in seconds. Default: 1.")
@nodes_option("Number of positions to search.")
@cores_option(1)
@click.option("--top", default=5, show_default=True, type=click.IntRange(min=1),
              help="Number of moves to show.")
@json_option
@takes_position
def analyse(
    position: Position, seconds: float | None, nodes: int | None, cores: int, top: int, as_json: bool
) -> None:
    """Rate the moves of POSITION, best first.

    The first line shows what the game's networks expect without any search: margin and chance to win of
    every seat.
    """
    with complaints(), open_bot("search") as bot:
        found = bot.analyse(position, Limit(seconds=seconds, nodes=nodes, cores=cores))
    outlooks = evaluate(position)
    if as_json:
        click.echo(json.dumps(_plain(found, outlooks), indent=1))
    else:
        _print(found, outlooks, top)


def _plain(found: Analysis, outlooks: tuple[Outlook, ...]) -> dict[str, object]:
    moves = [
        {**asdict(rated), "move": rated.move.text, "line": [move.text for move in rated.line]}
        for rated in found.moves
    ]
    return {**asdict(found), "moves": moves, "glance": [asdict(outlook) for outlook in outlooks]}


def _print(found: Analysis, outlooks: tuple[Outlook, ...], top: int) -> None:
    out = console()
    numbered = enumerate(outlooks, 1)
    seats = (f"seat {seat} {seen.margin:+.1f} ({seen.win:.0%})" for seat, seen in numbered)
    out.print("at a glance: " + ", ".join(seats), highlight=False)
    shown = results_table("move", "points", "win", "depth", "", "expected play",
                          words=("move", "", "expected play"), long=("expected play",))
    for rated in found.moves[:top]:
        shown.add_row(
            rated.move.text, f"{rated.value:+.1f}", f"{rated.win:.0%}", str(rated.depth),
            "proved" if rated.proved else "", " ".join(move.text for move in rated.line),
        )
    out.print(shown)
    out.print(f"{found.nodes} positions in {found.seconds:.2f} s")
