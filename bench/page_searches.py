"""What pages answer about positions of a table: in Node, or in Chromium."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

import azulejos
from azulejos.bots.page_memory import memory_file
from azulejos.core.chance import seeded
from azulejos.core.module import DESCRIPTION, MODULE
from azulejos.core.position import Position
from azulejos.insight.judge import FoundBest, WantedSearches
from azulejos.protocol.bot import PlayResult

NODE = shutil.which("node")
SCRIPTS = Path(azulejos.__file__).parent / "web" / "static"
RUNNER = Path(__file__).with_suffix(".mjs")


def asked_in_node(positions: Sequence[Position], **asked: Any) -> list[dict[str, Any]]:
    """What a page answers, each position with its number as seed."""
    return answered_in_node(positions[0], questions(positions, **asked))


def looked_up_in_node(start: Position, wanted: WantedSearches) -> list[FoundBest]:
    """What a page tells a judge."""
    searches = [{**asdict(one), "row": list(one.row)} for one in wanted.searches]
    (found,) = answered_in_node(start, [{"look": {"anew": wanted.anew, "searches": searches}}])
    return msgspec.convert(found, list[FoundBest])


def answered_in_node(start: Position, questions: Sequence[dict[str, Any]]) -> list[Any]:
    assert NODE is not None
    with tempfile.TemporaryDirectory() as folder:
        job = {"scripts": str(SCRIPTS)}
        for name, content in files_of(start, questions).items():
            job[name] = f"{folder}/{name}"
            Path(job[name]).write_bytes(content)
        done = subprocess.run([NODE, str(RUNNER)], input=json.dumps(job), text=True, capture_output=True,
                              check=False)
    assert not done.returncode, done.stderr
    return list(json.loads(done.stdout))


def asked_in_page(page: Any, positions: Sequence[Position], **asked: Any) -> list[dict[str, Any]]:
    """The same in a new page of Chromium (Playwright's), which is closed then."""
    site = "http://searches.test"
    made = files_of(positions[0], questions(positions, **asked))
    files = {f"/{name}": content for name, content in made.items()}
    files |= {f"/static/{name}": (SCRIPTS / name).read_bytes() for name in ("searches.js", "engine.js")}
    files |= {"/": b"", "/run.mjs": RUNNER.read_bytes()}

    def serve(route: Any) -> None:
        path = route.request.url.removeprefix(site)
        kind = "text/html" if path == "/" else "text/javascript" if "s" in path[-3:] else "text/plain"
        route.fulfill(body=files[path], content_type=kind)

    page.route(f"{site}/**", serve)
    page.goto(f"{site}/")
    found: list[dict[str, Any]] = page.evaluate("""async () => {
        const { answers } = await import("/run.mjs");
        const files = ["code", "description", "memory", "questions"].map((name) => [name, `/${name}`]);
        const job = { ...Object.fromEntries(files), scripts: "/static" };
        return answers(job, async (what) => (await fetch(what)).arrayBuffer());
    }""")
    page.close()
    return found


def questions(positions: Sequence[Position], **asked: Any) -> list[dict[str, Any]]:
    return [
        {**asked, "row": position.row.tolist(),
         "seed": str(seeded(random.Random(number).getrandbits(32))[0])}
        for number, position in enumerate(positions)
    ]


def files_of(start: Position, questions: Sequence[dict[str, Any]]) -> dict[str, bytes]:
    """The files of the engine for a table, and questions about its positions."""
    game = start.game
    return {
        "code": (game.folder / MODULE).read_bytes(),
        "description": (game.folder / DESCRIPTION).read_bytes(),
        "memory": memory_file(start.at(0)), "questions": json.dumps(questions).encode(),
    }


def told(result: PlayResult, position: Position) -> dict[str, Any]:
    """What a page would have said."""
    line = [position.game.moves.number(move) for move in result.line]
    return {"line": line, "nodes": result.nodes, "depth": result.depth, "proved": result.proved,
            "deals": result.deals}
