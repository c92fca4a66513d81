"""The compiled dialect and its traps, each with its remedy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import azulejos
from azulejos.core import jit, registry
from azulejos.core.chance import below, seeded
from azulejos.engine import playout

PACKAGE = Path(azulejos.__file__).parent

PLAY = """
from azulejos.core import registry
from azulejos.engine.playout import play_games, random_games
for game, preset in registry.presets().values():
    games = random_games(game, 3, game.read_options(preset.options), seed=1, count=20)
    print(preset.name, games.scores.tolist())
missed = sum(sum(game.compiled.bind(play_games).stats.cache_misses.values()) for game in registry.games())
print("compiled", missed)
"""

CACHE_NAMES = """
from azulejos.core import doors, jit, registry
from azulejos.engine import playout
for game in registry.games():
    for module in ("azulejos.core.doors", "azulejos.engine.playout", game.package + ".rules"):
        print(game.name, module, jit.cache_directory(game.package, module).name)
"""


def run(program: str, source: Path = PACKAGE.parent, **variables: str) -> list[str]:
    """The lines that a program prints in a process of its own."""
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(source), **variables},
    )
    return told.stdout.splitlines()


def caches(source: Path) -> dict[tuple[str, str], str]:
    lines = (line.split() for line in run(CACHE_NAMES, source))
    return {(game, module): name for game, module, name in lines}


def edited(source: Path, file: str) -> None:
    path = source / "azulejos" / file
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def test_an_edit_in_another_file_asks_for_a_new_cache(tmp_path: Path) -> None:
    """The compiler's own cache would keep the old scores."""
    shutil.copytree(PACKAGE, tmp_path / "azulejos", ignore=shutil.ignore_patterns("__pycache__"))
    before = caches(tmp_path)
    edited(tmp_path, "games/azul/layout.py")
    after = caches(tmp_path)
    assert {game for (game, _), name in before.items() if after[game, _] != name} == {"azul"}
    edited(tmp_path, "games/azul/view.py")
    assert caches(tmp_path) == after
    edited(tmp_path, "parts/bag.py")
    assert not set(caches(tmp_path).values()) & set(after.values())


def test_a_copy_of_the_sources_does_not_take_our_code_for_its_own(tmp_path: Path) -> None:
    """The compiler keeps code by the path of its source: a copy would call itself ready and compile."""
    shutil.copytree(PACKAGE, tmp_path / "azulejos", ignore=shutil.ignore_patterns("__pycache__"))
    assert not set(caches(tmp_path).values()) & set(caches(PACKAGE.parent).values())


def test_nothing_is_compiled_in_modules_whose_edits_do_not_count() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.name in jit.NOT_COMPILED:
            marked = {"@rule", "@loop"} & set(path.read_text(encoding="utf-8").split())
            assert not marked, path


@pytest.mark.skipif(not jit.enabled(), reason="nothing is compiled here")
@pytest.mark.xdist_group("compiling")
def test_a_second_process_finds_everything_compiled() -> None:
    first, second = run(PLAY), run(PLAY)
    assert first[:-1] == second[:-1]
    assert second[-1] == "compiled 0"


@pytest.mark.slow
@pytest.mark.skipif(not jit.enabled(), reason="nothing is compiled here")
@pytest.mark.xdist_group("compiling")
def test_games_with_index_checks_go_the_same_way() -> None:
    """No index leaves its array: it would raise here, and read garbage otherwise."""
    assert run(PLAY, AZULEJOS_BOUNDS="1")[:-1] == run(PLAY)[:-1]


def test_without_the_compiler_the_same_files_run() -> None:
    told = run(
        "import sys; from azulejos.core import registry; from azulejos.engine.playout import random_games\n"
        "games = random_games(registry.find('azul')[0], 2, {}, seed=5, count=2)\n"
        "print(games.scores.tolist(), 'numba' in sys.modules)",
        AZULEJOS_JIT="0",
    )
    game, _ = registry.find("azul")
    compiled = playout.random_games(game, 2, {}, seed=5, count=2).scores.tolist()
    assert told == [f"{compiled} False"]


def test_importing_the_library_compiles_nothing() -> None:
    told = run("import sys, azulejos; azulejos.new('azul').legal_moves; print('numba' in sys.modules)")
    assert told == ["False"]


def test_one_loop_serves_every_game() -> None:
    loops = {id(game.interpreted.bind(playout.play_out)) for game in registry.games()}
    assert len(loops) == len(registry.games())


def test_random_numbers_stay_below_their_bound_and_are_even() -> None:
    rng = seeded(7)
    drawn = [below(rng, 6) for _ in range(6000)]
    assert set(drawn) == set(range(6))
    counts = np.bincount(drawn)
    assert counts.min() > 850
    assert counts.max() < 1150
    assert len({int(state) for state in seeded(1, 1000)}) == 1000


def test_rules_may_be_marked_without_changing_them() -> None:
    def plain(s: object) -> int:
        return 1

    assert jit.rule(plain) is plain
    assert jit.loop(plain) is plain
