"""Build the WebAssembly module of a game, with which everybody plays who has no compiler.

    azulejos build
    azulejos build azul
    AZULEJOS_GAMES=my-games azulejos build pebbles
"""

from __future__ import annotations

import gzip
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from azulejos.cli.common import complaints, console, progress
from azulejos.core import registry
from azulejos.core.module import MODULE


@click.command()
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
