"""The modules that are shipped: of these sources, small, with a clock alone, the same to the last bit."""

from __future__ import annotations

import gc
import gzip
import hashlib
import logging
import os
import shutil
import subprocess
import sys
import threading
import weakref
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from bench.engines import (
    NODE,
    Chromium,
    games_digest,
    games_digest_in_chromium,
    games_digest_in_node,
    searched,
    searched_in_chromium,
    searched_in_node,
)

import azulejos
from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.core import jit, portable, readiness, registry
from azulejos.core.doors import legal_at
from azulejos.core.game import Game
from azulejos.core.module import DESCRIPTION, MODULE, Description, name_of
from azulejos.core.position import Position
from azulejos.engine import tree
from azulejos.engine.workspace import make_workspace
from azulejos.insight import compiled
from bots.positions import played
from patience import PATIENCE

ROOT = Path(__file__).parents[2]
TOY = ROOT / "examples" / "games"
GAMES = {game.name: game for game in registry.games()}
TABLES = [("azul", 2), ("azul", 4), ("sintra-a", 2), ("sintra-b", 3), ("garden", 2), ("garden", 4)]
CLOCK = ("wasi_snapshot_preview1", "clock_time_get")
COMPRESSED = 60_000
"""Bytes of a module at most."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def described(game: Game) -> Description:
    return Description.read((game.folder / DESCRIPTION).read_text("utf-8"))


# --- what is shipped --------------------------------------------------------------------------------------


def test_the_module_is_of_these_sources(game: Game) -> None:
    listed = {name_of(function) for function, _ in compiled.calls(game)}
    help_ = f"build it again: azulejos build {game.name} (with azulejos[build])"
    assert not portable.is_stale(game, described(game)), help_
    assert described(game).exports.keys() == listed, help_


def test_a_module_names_no_folder_of_the_machine_that_built_it(game: Game) -> None:
    assert b"site-packages" not in (game.folder / MODULE).read_bytes()


def test_the_module_is_the_one_described_and_small(game: Game) -> None:
    code = (game.folder / MODULE).read_bytes()
    assert hashlib.sha256(code).hexdigest() == described(game).sha256
    assert len(gzip.compress(code)) < COMPRESSED


def test_a_module_imports_a_clock_and_nothing_else(game: Game) -> None:
    """Hosts differ in the last bit of functions like the exponential."""
    import wasmtime

    module = wasmtime.Module(wasmtime.Engine(), (game.folder / MODULE).read_bytes())
    assert {(each.module, each.name) for each in module.imports} <= {CLOCK}
    assert {each.name for each in module.exports} == {"memory", "__heap_base", *described(game).exports}


def test_a_description_is_written_as_it_is_read(game: Game) -> None:
    text = (game.folder / DESCRIPTION).read_text("utf-8")
    assert Description.read(text).write() == text


STALE = """
from azulejos.core import registry, portable
from azulejos.core.module import DESCRIPTION, Description
for game in registry.games():
    text = (game.folder / DESCRIPTION).read_text("utf-8")
    print(game.name, portable.is_stale(game, Description.read(text)))
"""


def test_an_edit_makes_a_module_old_and_a_comment_does_not(tmp_path: Path) -> None:
    package = tmp_path / "azulejos"
    shutil.copytree(Path(azulejos.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))

    def stale_after(file: str, old: str, new: str) -> set[str]:
        text = (package / file).read_text("utf-8")
        assert old in text
        (package / file).write_text(text.replace(old, new, 1), "utf-8")
        done = subprocess.run([sys.executable, "-c", STALE], text=True, check=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(tmp_path)})
        (package / file).write_text(text, "utf-8")
        return {name for name, stale in map(str.split, done.stdout.splitlines()) if stale == "True"}

    assert not stale_after("parts/bag.py", '"""Whether a tile can be drawn;', '# edited\n    """Can it;')
    assert stale_after("games/azul/layout.py", "ROW_BONUS: Final = 2", "ROW_BONUS: Final = 3") == {"azul"}
    assert stale_after("engine/tree.py", "WIDTH: Final = 2.0", "WIDTH: Final = 2.1") == GAMES.keys()


# --- the same to the last bit -----------------------------------------------------------------------------


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def position(request: pytest.FixtureRequest) -> Position:
    box, players = request.param
    return played(box, players, seed=3, decisions=4)


def test_random_games_are_those_of_interpreted_rules(position: Position) -> None:
    module, rules = readiness.module_of(position.game), position.game.interpreted
    row = position.row
    assert games_digest(module, row, seed=1, count=3) == games_digest(rules, row, seed=1, count=3)


def test_searches_find_what_interpreted_ones_find(position: Position) -> None:
    module, rules = readiness.module_of(position.game), position.game.interpreted
    assert searched(module, position, 60) == searched(rules, position, 60)


@pytest.mark.skipif(not jit.enabled(), reason="nothing is compiled here")
@pytest.mark.xdist_group("compiling")
def test_games_and_searches_are_those_of_native_code(position: Position) -> None:
    module, native = readiness.module_of(position.game), position.game.compiled
    row = position.row
    assert games_digest(module, row, seed=1, count=300) == games_digest(native, row, seed=1, count=300)
    assert searched(module, position, 3000) == searched(native, position, 3000)


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_games_and_searches_are_those_of_a_browsers_engine(position: Position) -> None:
    module, row = readiness.module_of(position.game), position.row
    here, there = (of(module, row, seed=1, count=30) for of in (games_digest, games_digest_in_node))
    assert here == there
    assert searched_in_node(module, position, 500) == searched(module, position, 500)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_games_and_searches_are_those_of_chromium() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        page = Chromium(playwright)
        for box, players in TABLES[:2]:
            position = played(box, players, seed=3, decisions=4)
            module, row = readiness.module_of(position.game), position.row
            there = games_digest_in_chromium(page, module, row, seed=1, count=30)
            assert there == games_digest(module, row, seed=1, count=30)
            assert searched_in_chromium(page, module, position, 500) == searched(module, position, 500)
        page.close()


# --- how it is used ------------------------------------------------------------------------------------


@pytest.fixture
def azul() -> portable.Portable:
    return readiness.module_of(GAMES["azul"])


def test_searches_in_two_threads_do_not_disturb_each_other(azul: portable.Portable) -> None:
    positions = [played("azul", 2, seed=seed, decisions=4) for seed in (1, 2)]
    alone = [searched(azul, position, 20_000) for position in positions]
    found: dict[int, list[int]] = {}
    threads = [
        threading.Thread(target=lambda i=i: found.update({i: searched(azul, positions[i], 20_000)}))
        for i in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [found[0], found[1]] == alone


def test_a_search_in_a_module_keeps_to_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own clock, by a flag that another thread sets, and for processor time by a watch."""
    monkeypatch.setattr(readiness, "_engines", {GAMES["azul"]: readiness.module_of(GAMES["azul"])})
    for players in (2, 3):
        position, stop = played("azul", players, seed=1, decisions=4), threading.Event()
        with open_bot("search") as bot:
            for limit in (Limit(seconds=0.05), Limit(seconds=0.05, cpu=True)):
                assert bot.play(position, limit).nodes > 0
            threading.Timer(0.05, stop.set).start()
            assert bot.play(position, Limit(stop=stop)).nodes > 0


def test_a_memory_ends_with_the_arrays_that_show_it(azul: portable.Portable) -> None:
    workspace = make_workspace(azul, np.zeros((1, 1), np.int64), transposition_bits=4)
    memory = portable.memory_of(workspace)
    watched = weakref.ref(memory) if memory is not None else None
    assert watched is not None
    counters = workspace.counters
    del workspace, memory
    gc.collect()
    assert watched() is not None
    counters[0] = 1
    del counters
    gc.collect()
    assert watched() is None


def test_what_goes_wrong_in_a_module_is_an_exception(azul: portable.Portable) -> None:
    game, beyond = azul.game, 3 * 10**9
    rows, actions = played("azul", 2, seed=1, decisions=4).row[None], np.zeros(game.max_legal, np.int32)
    legal = azul.bind(legal_at)
    with pytest.raises(portable.ModuleFailed, match=r"(?s)doors.legal_at of azul failed: .*out of bounds"):
        legal(rows, beyond // game.size, actions)
    assert legal(rows, 0, actions) > 0, "the memory is not used again"
    with pytest.raises(TypeError, match="takes 1 arguments, not 0"):
        azul.bind(tree.grow)()  # type: ignore[call-arg]  # that is the test
    with pytest.raises(TypeError, match=r"an array <i4\[1\] is needed, not <i8\[1\]"):
        legal(rows, 0, actions.astype(np.int64))


@pytest.mark.parametrize(("file", "content", "why"), [
    (MODULE, b"\0asm\1\0\0\0", "is not the one described"),
    (DESCRIPTION, b'{"format": 0}', "was built by another version"),
    (DESCRIPTION, b"", "cannot be read"),
])
def test_a_damaged_module_says_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: bytes, why: str,
) -> None:
    for name in (MODULE, DESCRIPTION):
        shutil.copy(GAMES["azul"].folder / name, tmp_path)
    (tmp_path / file).write_bytes(content)
    monkeypatch.setattr(Game, "folder", tmp_path)
    portable.described.cache_clear()
    try:
        with pytest.raises(portable.Unusable, match=f"(?s){why}.*`azulejos build azul` makes it"):
            portable.load(GAMES["azul"])
    finally:
        portable.described.cache_clear()


def test_without_a_module_and_a_compiler_rules_search(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:
    def no_module(game: Game) -> portable.Portable:
        raise portable.Unusable("azul has no module")

    monkeypatch.setenv("AZULEJOS_JIT", "1")
    monkeypatch.setattr(readiness, "_engines", {})
    monkeypatch.setattr(readiness, "module_of", no_module)
    monkeypatch.setattr(jit, "has_compiler", lambda: False)
    with caplog.at_level(logging.WARNING):
        assert GAMES["azul"].engine is GAMES["azul"].interpreted
    assert "azul has no module. Its searches are interpreted" in caplog.text


# --- building -------------------------------------------------------------------------------------------


def built(name: str, folder: Path, **variables: str) -> Description:
    done = subprocess.run(
        [sys.executable, "-m", "azulejos", "build", name, "--out", str(folder)], text=True,
        capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables},
    )
    assert done.returncode == 0, done.stderr
    return Description.read((folder / DESCRIPTION).read_text("utf-8"))


needs_linker = pytest.mark.skipif(
    not (shutil.which("wasm-ld") or shutil.which("wasm-ld-14") or find_spec("ziglang")),
    reason="needs a linker",
)


@needs_linker
@pytest.mark.xdist_group("compiling")
def test_a_game_of_somebody_else_has_a_module_too(tmp_path: Path) -> None:
    description = built("pebbles", tmp_path, AZULEJOS_GAMES=str(TOY))
    assert description.game == "pebbles"
    assert "tree.grow" in description.exports


@needs_linker
@pytest.mark.slow
@pytest.mark.xdist_group("compiling")
def test_what_is_built_is_what_is_shipped(tmp_path: Path) -> None:
    """Byte by byte, if the same versions build it."""
    shipped = described(GAMES["stained_glass"])
    again = built("stained_glass", tmp_path)
    assert (again.values, again.code, again.exports) == (shipped.values, shipped.code, shipped.exports)
    if again.built_with == shipped.built_with:
        assert again.sha256 == shipped.sha256
