"""The compiled subset of Python and its pitfalls, each with its remedy."""

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

FINGERPRINTS = """
from azulejos.core import doors, registry
from azulejos.core.verbs import apply
from azulejos.engine import playout
for game in registry.games():
    for function in (doors.legal_at, playout.play_games, apply):
        print(game.name, function.__name__, game.interpreted.fingerprint(function))
"""


def run(program: str, source: Path = PACKAGE.parent, **variables: str) -> list[str]:
    """The lines that a program prints in a separate process."""
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(source), **variables},
    )
    return told.stdout.splitlines()


def caches(source: Path) -> dict[tuple[str, str], str]:
    lines = (line.split() for line in run(FINGERPRINTS, source))
    return {(game, function): name for game, function, name in lines}


def changed(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> set[tuple[str, str]]:
    return {which for which, name in before.items() if after[which] != name}


def edited(source: Path, file: str, old: str = "", new: str = "") -> None:
    """Replace some text of a file, or add a comment at its end."""
    path = source / "azulejos" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else f"{text}\n# edited\n", encoding="utf-8")


def test_an_edit_in_another_file_asks_for_a_new_cache(tmp_path: Path) -> None:
    """The compiler's own cache would keep the old scores."""
    shutil.copytree(PACKAGE, tmp_path / "azulejos", ignore=shutil.ignore_patterns("__pycache__"))
    before = caches(tmp_path)
    edited(tmp_path, "games/azul/layout.py", "ROW_BONUS: Final = 2", "ROW_BONUS: Final = 3")
    table = caches(tmp_path)
    assert changed(before, table) == {("azul", name) for name in ("play_games", "apply")}
    edited(tmp_path, "games/azul/layout.py", "cell(0, 999,", "cell(0, 30,")
    record = caches(tmp_path)
    assert {game for game, _ in changed(table, record)} == {"azul"}
    assert ("azul", "legal_at") in changed(table, record)
    edited(tmp_path, "parts/bag.py", "tiles = 0", "tiles = 1")
    everywhere = changed(record, caches(tmp_path))
    for game in registry.games():
        assert (game.name, "play_games") in everywhere


def test_comments_and_docstrings_ask_for_nothing(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "azulejos", ignore=shutil.ignore_patterns("__pycache__"))
    before = caches(tmp_path)
    edited(tmp_path, "games/azul/rules.py")
    edited(tmp_path, "parts/bag.py", '"""Whether a tile can be drawn;', '"""Can a tile be drawn;')
    edited(tmp_path, "games/azul/view.py")
    assert not changed(before, caches(tmp_path))


@pytest.mark.skipif(not jit.enabled(), reason="nothing is compiled here")
@pytest.mark.xdist_group("compiling")
def test_a_copy_of_the_sources_shares_our_code(tmp_path: Path) -> None:
    """The path and the modification time of the sources do not matter."""
    shutil.copytree(PACKAGE, tmp_path / "azulejos", ignore=shutil.ignore_patterns("__pycache__"))
    assert caches(tmp_path) == caches(PACKAGE.parent)
    ours = run(PLAY)
    assert run(PLAY, tmp_path) == [*ours[:-1], "compiled 0"]


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
    """No index is out of bounds: it would raise here, and read garbage otherwise."""
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
