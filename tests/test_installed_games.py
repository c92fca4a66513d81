"""Games of other distributions, found by their entry points."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BOXES = "import azulejos; print(*azulejos.presets())"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the example's distribution."""
    source, site = tmp_path_factory.mktemp("source") / "games", tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "examples" / "games", source, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index",
         "--no-deps", "--no-build-isolation", "--target", str(site), str(source)],
        check=True, capture_output=True,
    )
    return site


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(ROOT / "src"), str(site)))
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, "PYTHONPATH": path, "AZULEJOS_JIT": "0"}, cwd=site,
        capture_output=True, text=True, check=False,
    )


def announce(site: Path, name: str, source: str) -> None:
    """Write what pip would install: a module and the metadata of its distribution."""
    (site / f"{name}.py").write_text(source, "utf-8")
    metadata = site / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    entry = f"[azulejos.games]\n{name} = {name}:GAME\n"
    (metadata / "entry_points.txt").write_text(entry, "utf-8")


def test_an_installed_game_is_played_like_any_other(installed: Path) -> None:
    assert "pebbles" in run(installed, "-c", BOXES).stdout.split()
    traced = run(installed, "-m", "azulejos", "trace", "pebbles", "--seed", "1")
    assert traced.returncode == 0, traced.stderr
    assert '"pile"' in traced.stdout
    drawn = run(installed, "-m", "azulejos", "draw", "pebbles")
    assert 'class="k-yellow"' in drawn.stdout, drawn.stderr
    where = run(installed, "-c", "import azulejos; print(azulejos.presets()['pebbles'][0].folder)")
    assert Path(where.stdout.strip()) == installed / "pebbles"


AZUL = "from dataclasses import replace\nfrom azulejos.games.azul import GAME as AZUL\n"
FAULTS: dict[str, tuple[str, str]] = {
    "missing": ("import no_such_module_at_all", "No module named 'no_such_module_at_all'"),
    "unfinished": ("GAME = (", "was never closed"),
    "nogame": ("GAME = 3", "nogame:GAME is no Game"),
    "nothing": ("", "has no attribute 'GAME'"),
    "silent": ("from azulejos.games.azul import GAME", "add interface=1"),
    "newer": (f"{AZUL}GAME = replace(AZUL, interface=99)", "written for interface 99 of games"),
    "twice": (f"{AZUL}GAME = replace(AZUL, interface=1)", "there is another game called 'azul'"),
    "boxes": (
        f"{AZUL}GAME = replace(AZUL, interface=1, name='another')", "there is another box called 'azul'",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_game_says_why_and_leaves_the_others_alone(name: str, tmp_path: Path) -> None:
    source, fault = FAULTS[name]
    announce(tmp_path, name, source)
    done = run(tmp_path, "-c", BOXES)
    assert done.returncode == 0, done.stderr
    assert {"azul", "garden", "sintra-a"} <= set(done.stdout.split())
    assert f"the game '{name}' cannot be loaded" in done.stderr
    asked = run(tmp_path, "-m", "azulejos", "draw", name)
    assert asked.returncode == 2, asked.stderr
    assert fault in asked.stderr
    assert "Traceback" not in asked.stderr
