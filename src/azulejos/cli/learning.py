"""For machine learning: games as a table, weights and networks fitted to self-play, the judge's scale.

    azulejos dataset azul greedy --games 100 --out greedy.npz
    azulejos dataset azul search greedy --nodes 500 --out mixed.parquet
    azulejos dataset azul --moves games.csv --out mine.npz
"""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from azulejos.arena.dataset import PER, WRITERS, Rows, SelfPlay, about, check, joined, rows, summed, write
from azulejos.arena.match import Match
from azulejos.arena.run import run
from azulejos.arena.statistics import table
from azulejos.arena.workers import Workers
from azulejos.bots.evaluation import LINEAR, evaluation_of, shipped, weights_of
from azulejos.cli.common import (
    GameCommand, check_two_seats, complaints, console, games_option, json_option, nodes_option, out_option,
    progress, results_table, seed_option, takes_game, takes_workers,
)
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.insight.calibrate import (
    CalibrationPlan, Checked, checked, disagreements, doubt_row, fitted, observed,
)
from azulejos.insight.judge import Effort, efforts_for
from azulejos.insight.scale import OPENING, WITHIN, ValueScale, scale_of, write_scale
from azulejos.learning.fit import improve, settled
from azulejos.parts.evaluation import write_weights
from azulejos.protocol.bot import Limit


@click.command(cls=GameCommand, short_help="Write games as a table for machine learning: NPZ or Parquet.")
@games_option(100)
@nodes_option("Positions to search for each action.", 200)
@click.option("--moves", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Read games from this file (records, or moves as CSV or JSON) instead of playing.")
@click.option("--rows", "per", type=click.Choice(tuple(PER)), default="move", show_default=True,
              help="A row for each decision, or for each seat of each round or game.")
@out_option(*WRITERS, what="File to write: .npz or .parquet.", required=True)
@json_option
@seed_option
@takes_workers
@takes_game
@click.argument("bots", nargs=-1)
def dataset(
    start: Position, bots: tuple[str, ...], games: int, nodes: int, moves: Path | None, per: str, out: Path,
    as_json: bool, seed: int, workers: Workers,
) -> None:
    """Play GAME with BOTS (default: greedy) and write their games as a table."""
    from azulejos.arena.dataset import read_moves

    words = bots or ("greedy",)
    with complaints():
        check(out)
        if moves is None:
            table = _played(SelfPlay(start, words, Limit(nodes=nodes), seed), games, workers)
            facts = about(start, per=per, bots=words, nodes=nodes, seed=seed)
        else:
            table = rows(read_moves(moves, start))
            facts = about(start, per=per, moves=moves.name)
        write(out, summed(table, per), facts)
    played, decisions = int(table["game"].max(initial=-1)) + 1, len(table["game"])
    if as_json:
        click.echo(json.dumps({**facts, "file": str(out), "games": played, "decisions": decisions}))
    else:
        console().print(f"{decisions} decisions of {played} games of {start.preset.name} in {out}")


def _played(source: SelfPlay, games: int, workers: Workers) -> Rows:
    played = []
    with progress() as bar:
        task = bar.add_task(f"playing {source.start.preset.name}", total=games)
        for game in workers.map(source.rows, range(games)):
            played.append(game)
            bar.advance(task)
    return joined(played)


# --- fit ----------------------------------------------------------------------------------------------
#     azulejos fit azul --games 5000 --nodes 1000 --rounds 3 --out fitted.npz
#     azulejos match azul search:fitted.npz search --nodes 1000


@click.command(cls=GameCommand, short_help="Fit the weights of a game's evaluation to self-play.")
@games_option(3000, "Games per round of fitting.", least=10)
@nodes_option("Positions to search for each move, in games whose rounds can be solved.", 800)
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(min=1),
              help="Rounds of playing and fitting; the mean of all fits plays the next round.")
@seed_option
@click.option("--weights", default="", help="Initial weights: a name or a file (.npz).")
@out_option(".npz", what="File for the weights (.npz): your own, or the game's weights.npz.", required=True)
@takes_game
def fit(
    start: Position, games: int, nodes: int, rounds: int, seed: int, weights: str, out: Path
) -> None:
    """Fit the evaluation of GAME to self-play; with more than two seats only where rounds have chance."""
    with complaints():
        if evaluation_of(start.game).chance_free_rounds:
            check_two_seats(start)
        fitted = weights_of(start.game, weights)
    with progress() as bar:
        task = bar.add_task(f"fitting {start.preset.name}", total=rounds)
        for number in range(rounds):
            found = improve(start.game, start.options, fitted, nodes=nodes,
                            seed=seed * rounds + number, count=games, players=start.players)
            fitted = settled(fitted, found.weights, number + 1)
            bar.update(task, advance=1)
            explained = " ".join(f"{share:.0%}" for share in found.explained[found.states > 0])
            console().print(f"round {number + 1}: {int(found.states.sum())} states, explained {explained}")
    write_weights(out, fitted)


# --- train --------------------------------------------------------------------------------------------
#     azulejos train sintra-a --games 3000 --generations 2 --folder lessons --out network.npz
#     azulejos train azul --players 3 --nodes 100 --opening-nodes 150 --folder lessons3 --out three.npz
#     azulejos train garden --games 1000 --nodes 40 --folder garden --out garden.npz
#     azulejos match sintra-a search:network.npz search --seconds 0.03


@click.command(cls=GameCommand,
               short_help="Train the networks of a box on self-play, generation by generation.")
@games_option(3000, "Games of each generation; missing ones are played.")
@click.option("--generations", default=1, show_default=True, type=click.IntRange(min=1),
              help="Each generation learns from games of the best one before it.")
@nodes_option("Positions to search for each move; with three or four seats, or if rounds have chance, "
              "simulations for each turn.", 1000)
@click.option("--opening-nodes", default=1500, show_default=True, type=click.IntRange(min=1),
              help="The same for the first move of a round, which values the state before it.")
@click.option("--other-deals", default=2, show_default=True, type=click.IntRange(min=0),
              help="Additional deals for valuing the state before a round.")
@click.option("--strays", default=30, show_default=True, type=click.IntRange(0, 100),
              help="States per 100 moves that are a few random moves away from the game.")
@click.option("--epochs", default=6, show_default=True, type=click.IntRange(min=1))
@click.option("--rate", default=2e-3, show_default=True, type=click.FloatRange(min=0, min_open=True),
              help="Size of the first steps of training.")
@seed_option
@click.option("--weights", default="",
              help="What plays the first games: a name or a file (.npz). Default: the box's own networks, "
                   "otherwise its weights.")
@click.option("--gate-deals", default=50, show_default=True, type=click.IntRange(min=1),
              help="Deals of the match that each generation plays against the best one before it.")
@click.option("--gate-nodes", type=click.IntRange(min=1), help="Limit of that match; default: --nodes.")
@click.option("--folder", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder for games, networks and matches; what is already in it is used again.")
@click.option("--also", multiple=True, type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="Another folder with games to learn from; can be repeated.")
@out_option(".npz", what="File for the best networks (.npz).", required=True)
@takes_workers
@takes_game
def train(
    start: Position, games: int, generations: int, nodes: int, opening_nodes: int, other_deals: int,
    strays: int, epochs: int, rate: float, seed: int, weights: str, gate_deals: int, gate_nodes: int | None,
    folder: Path, also: tuple[Path, ...], out: Path, workers: Workers,
) -> None:
    """Train the networks of GAME for a number of seats. Needs azulejos[train]."""
    from azulejos.learning import train as trainer
    from azulejos.learning.game_files import MatchVerdict, SelfPlaySettings, Tutor

    def gate(path: Path, best: str) -> MatchVerdict:
        words = f"search:{path}", *(f"search:{best}",) * (start.players - 1)
        match = Match(game=start.preset.name, bots=words, options=start.options, seed=seed,
                      nodes=gate_nodes or nodes)
        results = run(match, deals=gate_deals, workers=workers, log=path.with_name("match.jsonl"))
        won, margin = (getattr(table(match, results)[0], name) for name in ("wins", "margin"))
        console().print(
            f"against {best}: {won.middle:.1%} of {len(results)} games ({won.low:.0%} to {won.high:.0%}), "
            f"{margin.middle:+.1f} points ({margin.low:+.1f} to {margin.high:+.1f})", highlight=False,
        )
        return MatchVerdict(won.middle, won.low, won.high, 1 / start.players)

    with complaints():
        trainer.check(start.game)
        best = weights or (LINEAR if shipped(start) is None else "net")
        settings = SelfPlaySettings(
            box=start.preset.name, players=start.players, options=start.options, weights=best, nodes=nodes,
            opening_nodes=opening_nodes, deals=other_deals, strays=strays, seed=seed,
        )
    with progress() as bar, complaints():
        task = bar.add_task(f"playing {start.preset.name}", total=games)
        tutor = Tutor(
            table=settings, games=games, epochs=epochs, rate=rate, workers=workers, gate=gate,
            report=report, progress=lambda done: bar.update(task, completed=done),
        )
        for number in range(1, generations + 1):
            best, _ = tutor.teach(folder, number, best, also)
    if Path(best).exists():
        shutil.copyfile(best, out)
    else:
        console().print(f"no generation was better than {best}: nothing is written")


def report(networks: str, epoch: int, error: float) -> None:
    console().print(f"{networks}, epoch {epoch}: error {error:.3f} points", highlight=False)


# --- calibrate ----------------------------------------------------------------------------------------
#     azulejos calibrate azul --games 3000 --doubts 60 --out judge.npz
#     azulejos calibrate garden --players 3 --games 500 --play-nodes 200 --judge-nodes 1000 --out judge.npz


PHASE_NAMES = {OPENING: "opening", WITHIN: "within"}
DEEPER = 10
"""How many times the nodes the search has that judges estimates."""


@click.command(cls=GameCommand, short_help="Measure what the judge's values mean, for a game's judge.npz.")
@click.option("--games", "-g", default=1000, show_default=True, type=click.IntRange(min=10),
              help="Games of self-play; each fifth of them checks a scale that the others gave.")
@click.option("--play-nodes", default=2000, show_default=True, type=click.IntRange(min=1),
              help="Positions to search for each move.")
@click.option("--judge-nodes", default=20_000, show_default=True, type=click.IntRange(min=1),
              help="Positions to search for each value.")
@click.option("--doubts", default=0, show_default=True, type=click.IntRange(min=0),
              help="Stretches of games in which estimates are compared with deeper searches.")
@seed_option
@out_option(".npz", what="File to which the scale is added.", required=True)
@takes_workers
@takes_game
def calibrate(
    start: Position, games: int, play_nodes: int, judge_nodes: int, doubts: int, seed: int,
    workers: Workers, out: Path,
) -> None:
    """Play GAME against itself and fit the scale of margins and chances to win."""
    plan = CalibrationPlan(start=start, play_nodes=play_nodes, judge_nodes=judge_nodes)
    with progress() as bar:
        task = bar.add_task(f"playing {start.preset.name}", total=games)
        rows = []
        for seen in workers.map(functools.partial(observed, plan), range(seed, seed + games)):
            rows.append(seen)
            bar.update(task, advance=1)
    _print(checked(start, rows))
    table, doubt = fitted(start, np.concatenate(rows)), scale_of(start).doubt
    if doubts:
        seeds, efforts = range(seed, seed + doubts), efforts_for(start).review
        doubt = np.array([_doubt(start, effort, workers, seeds) for effort in efforts])
    write_scale(out, start.preset.name, start.players, ValueScale(table, doubt, measured=True))


def _doubt(start: Position, effort: Effort, workers: Workers, seeds: Sequence[int]) -> Cells:
    apart = functools.partial(disagreements, start, effort, effort.times(DEEPER))
    row = doubt_row(effort, np.concatenate(list(workers.map(apart, seeds))))
    console().print(f"estimates with {row[0]:.0f} nodes: ±{row[1]:.2f} points, ±{row[2]:.1%} of the win")
    return row


def _print(lines: list[Checked]) -> None:
    shown = results_table("phase", "round", "games", "error", "by chance", "margin rms", words=("phase",))
    for line in lines:
        shown.add_row(PHASE_NAMES[line.phase], str(line.round), str(line.games), f"{line.error:.1%}",
                      f"{line.by_chance:.1%}", f"{line.margin:.1f}")
    console().print(shown)
