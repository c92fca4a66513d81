"""A page chooses as our bots do: same level, position, nodes and seed, same turn to the last bit."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import azulejos
from azulejos.bots import Limit
from azulejos.bots.levels import NAMES, make_level
from azulejos.bots.page_memory import memory_file
from azulejos.bots.search import make_search
from azulejos.core import readiness
from azulejos.core.chance import seeded
from azulejos.core.module import DESCRIPTION, MODULE
from azulejos.core.position import Position
from azulejos.protocol.bot import PlayResult
from bots.positions import late_in_round, played
from patience import PATIENCE
from samples import sampled

NODE = shutil.which("node")
SCRIPTS = Path(azulejos.__file__).parent / "web" / "static"
RUNNER = Path(__file__).with_name("page_searches.mjs")
TABLES = [("azul", 2), ("azul-grey", 4), ("sintra-a", 2), ("sintra-b", 3), ("garden", 2), ("garden", 4)]
LEVELS = range(1, 1 + len(NAMES))


def asked_in_node(positions: Sequence[Position], folder: Path, **asked: Any) -> list[dict[str, Any]]:
    """What a page answers about positions of one table, each with its number as seed."""
    game = positions[0].game
    (folder / "memory").write_bytes(memory_file(positions[0].at(0)))
    job = {
        "scripts": str(SCRIPTS), "code": str(game.folder / MODULE), "memory": str(folder / "memory"),
        "description": str(game.folder / DESCRIPTION),
        "questions": [
            {**asked, "row": position.row.tolist(),
             "seed": str(seeded(random.Random(number).getrandbits(32))[0])}
            for number, position in enumerate(positions)
        ],
    }
    assert NODE is not None
    done = subprocess.run([NODE, str(RUNNER)], input=json.dumps(job), text=True, capture_output=True,
                          check=False)
    assert not done.returncode, done.stderr
    return list(json.loads(done.stdout))


def told(result: PlayResult, position: Position) -> dict[str, Any]:
    line = [position.game.moves.number(move) for move in result.line]
    return {"line": line, "nodes": result.nodes, "depth": result.depth, "proved": result.proved,
            "deals": result.deals}


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
@pytest.mark.parametrize(("box", "players"), sampled(TABLES, quick=[("azul", 2), ("garden", 4)]))
@pytest.mark.parametrize("level", sampled(LEVELS, quick=[1, 3, 7]))
def test_a_page_chooses_as_our_bots_do(
    box: str, players: int, level: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, nodes = azulejos.new(box).game, 3000 if players == 2 and box != "garden" else 200
    monkeypatch.setattr(readiness, "_engines", {game: readiness.module_of(game)})
    positions = [played(box, players, seed=seed, decisions=9 * seed) for seed in range(1, 8)]
    positions = [position for position in positions if not position.is_over]
    limit = {"seconds": None, "nodes": nodes}
    found = asked_in_node(positions, tmp_path, level=f"level:{level}", limit=limit)
    with make_level(str(level)) as bot:
        for number, (position, there) in enumerate(zip(positions, found, strict=True)):
            here = told(bot.play(position, Limit(nodes=nodes), rng=random.Random(number)), position)
            assert {name: there[name] for name in here} == here


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_a_page_rates_all_turns_as_our_search_does(tmp_path: Path) -> None:
    positions = [late_in_round("azul", seed, at_most=6) for seed in range(3)]
    found = asked_in_node(positions, tmp_path, seconds=PATIENCE)
    for position, there in zip(positions, found, strict=True):
        here = make_search("").rate(position, Limit(nodes=10**9))
        best = sorted((move.value or 0.0 for move in here.moves), reverse=True)[: len(there["turns"])]
        assert [turn["value"] for turn in there["turns"]] == best
        assert all(turn["proved"] for turn in there["turns"])


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
@pytest.mark.parametrize(("box", "players", "level"), [("azul", 2, 7), ("azul", 4, 7)])
def test_a_page_keeps_to_its_time(box: str, players: int, level: int, tmp_path: Path) -> None:
    positions = [played(box, players, seed=seed, decisions=3) for seed in range(3)]
    limit = {"seconds": 0.3, "nodes": None}
    found = asked_in_node(positions, tmp_path, level=f"level:{level}", limit=limit)
    for position, there in zip(positions, found, strict=True):
        assert there["line"][0] in position.legal_actions()
        assert there["nodes"] > 100
