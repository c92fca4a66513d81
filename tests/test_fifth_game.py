"""The toy game of examples/ fulfils the whole contract; no code outside its folder mentions it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from azulejos.core.contract import Part
from azulejos.core.game import Game

ROOT = Path(__file__).parent.parent
TOY = ROOT / "examples" / "games"
PAGE = ROOT / "docs" / "fifth-game.md"


def run(*words: str, games: Path = TOY) -> subprocess.CompletedProcess[str]:
    """Run Python with the toy game registered and nothing compiled."""
    variables = {
        **os.environ, "AZULEJOS_GAMES": str(games), "AZULEJOS_JIT": "0", "PYTHONPATH": str(ROOT / "src"),
    }
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )


def test_the_contract_holds() -> None:
    done = run("-m", "azulejos.conformance", "pebbles", "-q")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_the_contract_holds_for_a_game_without_its_optional_parts(tmp_path: Path) -> None:
    bare = tmp_path / "pebbles"
    shutil.copytree(TOY / "pebbles", bare)
    for part in ("guide.py", "lesson.py"):
        (bare / part).unlink(missing_ok=True)
    done = run("-m", "azulejos.conformance", str(bare), "-q", "-k", "guide or terminal or lesson or part")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_a_game_that_breaks_the_contract_is_found_out(tmp_path: Path) -> None:
    broken = tmp_path / "pebbles"
    shutil.copytree(TOY / "pebbles", broken)
    rules = broken / "rules.py"
    text = rules.read_text("utf-8")
    assert text.count("s.bag[") > 1
    rules.write_text(text.replace("s.bag[", "s.taken[0, ", 1), "utf-8")
    done = run("-m", "azulejos.conformance", str(broken), "-q", "-x", "-k", "test_rules")
    assert done.returncode == 1, done.stdout
    assert "failed" in done.stdout


def test_an_unknown_game_is_named() -> None:
    done = run("-m", "azulejos.conformance", "pebble")
    assert done.returncode == 2
    assert "there are" in done.stderr


def test_the_command_line_plays_it() -> None:
    done = run("-m", "azulejos", "trace", "pebbles", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert '"pile"' in done.stdout
    assert "pebbles" in run("-m", "azulejos", "games").stdout


GAME_IN_THE_BROWSER = '''
import random, sys
sys.path.insert(0, "tests")
from starlette.testclient import TestClient
from azulejos.web.app import Settings, create_app
from web.people import open_table, seated
app = create_app(Settings(database=f"sqlite:///{sys.argv[1]}/games.sqlite", secret="s", seconds=0.01))
with TestClient(app, headers={"origin": "http://testserver"}) as client:
    path = open_table(client, box="pebbles")
    with seated(client, path) as both:
        assert "bowl.red" in both.page.ids
        rng = random.Random(1)
        while not both.frame["over"]:
            if both.frame["choices"]:
                both.play_any(rng)
            both.until("frame")
        print("won" in both.frame["band"] or "shared win" in both.frame["band"])
'''


def test_it_is_played_in_the_browser(tmp_path: Path) -> None:
    done = run("-c", GAME_IN_THE_BROWSER, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n"


def test_a_picture_shows_every_colour() -> None:
    picture = run("-m", "azulejos", "draw", "pebbles").stdout
    assert all(f'class="k-{kind}"' in picture for kind in ("red", "blue", "yellow"))


def test_the_rules_are_printed() -> None:
    assert "1, 3, 6" in run("-m", "azulejos", "rules", "pebbles", "--pictures").stdout


def test_a_searching_bot_judges_it() -> None:
    """With the game's own evaluation, it takes the larger pile at once."""
    done = run("-m", "azulejos", "analyse", "pebbles,players=2/to_move=0,bag=678,bowl=210")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split().index("r") < done.stdout.split().index("b")


def test_it_has_no_networks_to_train(tmp_path: Path) -> None:
    done = run("-m", "azulejos", "train", "pebbles", "--folder", str(tmp_path), "--out",
               str(tmp_path / "n.npz"))
    assert done.returncode != 0
    assert "no features.py" in done.stderr


def test_it_has_no_networks_to_name() -> None:
    done = run("-m", "azulejos", "match", "pebbles", "search:net", "random", "--deals", "1", "--nodes", "1")
    assert done.returncode != 0
    assert "no weights 'net'" in done.stderr


def test_the_page_names_every_part_that_a_game_may_bring() -> None:
    page = PAGE.read_text("utf-8")
    parts = {part.name for part in vars(Game).values() if isinstance(part, Part)}
    assert {name for name in parts if f"`{name}.py`" not in page} == set()
    files = {"`reasons.py`", "`layout.py`", "`moves.py`", "`rules.py`", "`theme.toml`", "`levels.toml`"}
    assert files <= set(re.findall("`[a-z.]+`", page))
    without = {"shortlist", "features", "factors", "dice", "lesson", "tell", "symmetry"}
    assert {path.stem for path in (TOY / "pebbles").glob("*.py")} >= parts - without


def test_without_the_variable_there_is_no_fifth_game() -> None:
    code = "from azulejos.core.registry import games; print(len(games()))"
    here = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True, text=True, check=True,
    )
    assert int(run("-c", code).stdout) == int(here.stdout) + 1


def test_the_page_shows_what_the_files_say() -> None:
    """All code on the page occurs in the file that it names, word for word."""
    excerpt = re.compile(r'^```python title="(.+?)"\n(.*?)^```', re.DOTALL | re.MULTILINE)
    pieces = excerpt.findall(PAGE.read_text("utf-8"))
    assert len(pieces) >= 5
    for name, piece in pieces:
        assert piece.strip() in (TOY / "pebbles" / name).read_text("utf-8"), name
