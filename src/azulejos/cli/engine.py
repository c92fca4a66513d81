"""What runs games fast: the engine protocol for other programs, modules, native code, measurements."""

from __future__ import annotations

import gzip
import itertools
import json
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from azulejos import __version__
from azulejos.cli.common import complaints, console, json_option, progress, results_table, seconds_option
from azulejos.core import code_cache, jit, registry
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game, Preset
from azulejos.core.module import MODULE


@click.command(short_help="Run a built-in bot for other programs, over the engine protocol.")
@click.argument("word", default="search")
def engine(word: str) -> None:
    """Answer the engine protocol on standard input and output with the bot WORD (docs/protocol.md)."""
    from azulejos.bots.words import open as open_bot
    from azulejos.protocol.speaker import serve

    with complaints():
        open_bot(word)
    name = f"azulejos {word} {__version__}"
    serve(lambda: open_bot(word), sys.stdin, sys.stdout, name=name)


# --- build --------------------------------------------------------------------------------------------
#     azulejos build azul
#     AZULEJOS_GAMES=my-games azulejos build pebbles


@click.command(short_help="Build a game's WebAssembly module, for everybody who has no compiler.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--out", "-o", type=click.Path(file_okay=False, exists=True, path_type=Path),
              help="Folder for the files of one game; without it they lie beside its rules.")
@click.option("--processes", "-p", default=os.cpu_count() or 1, show_default="all cores",
              type=click.IntRange(min=1), help="Number of games to build at the same time.")
def build(games: tuple[str, ...], out: Path | None, processes: int) -> None:
    """Build the module of each GAME (default: all): engine.wasm, and engine.json, which describes it.

    Needs azulejos[build]. Build again whenever rules, evaluation or searches change: an old module is not
    used.
    """
    import llvmlite  # noqa: F401 - or the extra `build` is named

    with complaints():
        names = list(dict.fromkeys(registry.find(name)[0].name for name in games or registry.presets()))
        if out is not None and len(names) > 1:
            raise ValueError("--out takes one game")
    with progress() as bar:
        task = bar.add_task("building", total=len(names))
        # a new process for each game: what was compiled before changes names and offsets
        with ProcessPoolExecutor(
            min(processes, len(names)), multiprocessing.get_context("spawn"), max_tasks_per_child=1
        ) as pool:
            for name, folder in pool.map(_build, names, [out] * len(names)):
                bar.advance(task)
                code = (folder / MODULE).read_bytes()
                sizes = f"{len(code) / 1000:.0f} kB, {len(gzip.compress(code)) / 1000:.0f} kB compressed"
                console().print(f"{name}: {sizes}, in {folder}", markup=False)


def _build(name: str, out: Path | None) -> tuple[str, Path]:
    from azulejos.insight.compiled import build as build_module

    game = next(game for game in registry.games() if game.name == name)
    build_module(game, out)
    return name, out or game.folder


# --- warm ---------------------------------------------------------------------------------------------
#     azulejos warm
#     azulejos warm azul


@click.command(short_help="Compile games for this machine: simulations, training, faster searches.")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--processes", "-p", default=os.cpu_count() or 1, show_default="all cores",
              type=click.IntRange(min=1), help="Number of games to compile at the same time.")
def warm(games: tuple[str, ...], processes: int) -> None:
    """Compile everything for each GAME (default: all) and keep it on disk until the sources change.

    Nothing needs it to play: until then bots use what is shipped (azulejos build).
    """
    from azulejos.arena.workers import workers

    with complaints():
        names = list(dict.fromkeys(registry.find(name)[0].name for name in games or registry.presets()))
    out = console()
    if not jit.enabled():
        out.print("AZULEJOS_JIT=0: nothing is compiled.")
        return
    with progress() as bar:
        task = bar.add_task("compiling", total=len(names))
        for name in workers(min(processes, len(names))).map(_compile, names):
            bar.update(task, description=f"compiled {name}")
            bar.advance(task)
    out.print(f"{', '.join(names)}: compiled, in {code_cache.cache_root()}", markup=False)


def _compile(name: str) -> str:
    """Compile one game, possibly in a separate process."""
    import numba  # noqa: F401 - or the extra `fast` is named

    from azulejos.insight.compiled import compile_all

    compile_all(next(game for game in registry.games() if game.name == name))
    return name


# --- bench --------------------------------------------------------------------------------------------


FIRST_BATCH = 50
COLUMNS = "box", "players", "games/s", "moves/s"


@click.command(short_help="Measure how many complete random games per second this machine plays.")
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--players", "-n", type=click.IntRange(MIN_SEATS, MAX_SEATS), multiple=True,
              help="Number of seats; can be repeated. Default: all.")
@seconds_option("CPU time for each line of the table.", 0.5)
@json_option
def bench(names: tuple[str, ...], players: tuple[int, ...], seconds: float, as_json: bool) -> None:
    """Measure complete random games per second on one core, for all boxes or only those named."""
    with complaints():
        boxes = [registry.find(name) for name in names] or list(registry.presets().values())
    seats = players or tuple(range(MIN_SEATS, MAX_SEATS + 1))
    rows = []
    with progress() as bar:
        task = bar.add_task("", total=len(boxes) * len(seats))
        for (game, preset), count in itertools.product(boxes, seats):
            bar.update(task, description=f"{preset.name}, {count} players")
            rows.append((preset.name, count, *_rates(game, preset, count, seconds)))
            bar.advance(task)
    if as_json:
        click.echo(json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows]))
    else:
        _print_rates(rows)


def _rates(game: Game, preset: Preset, players: int, seconds: float) -> tuple[float, float]:
    """Games and moves per second of CPU time, without compilation."""
    from azulejos.engine.playout import random_games

    options = game.read_options(preset.options)
    random_games(game, players, options, seed=0, count=1)
    games = moves = 0
    batch, spent = FIRST_BATCH, 0.0
    while spent < seconds:
        began = time.process_time()
        played = random_games(game, players, options, seed=games, count=batch)
        spent += time.process_time() - began
        games += batch
        moves += int(played.lengths.sum())
        batch *= 2
    return games / spent, moves / spent


def _print_rates(rows: list[tuple[str, int, float, float]]) -> None:
    shown = results_table(*COLUMNS, words=("box",))
    for name, players, games, moves in rows:
        shown.add_row(name, f"{players}", f"{games:,.0f}", f"{moves:,.0f}")
    console().print(shown)
