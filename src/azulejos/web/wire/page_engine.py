"""The files with which a page thinks: a game's module, its description, and the memory of searches.

Their addresses hold a digest, so browsers keep them for ever. They are made and compressed once.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from azulejos.bots.levels import LevelBot, standards
from azulejos.bots.page_memory import memory_file
from azulejos.core import portable, registry
from azulejos.core.game import Game
from azulejos.core.module import DESCRIPTION, MODULE
from azulejos.core.position import Position
from azulejos.engine.choice import SEARCHES
from azulejos.web.wire.messages import Prepare

TYPES: Final = {MODULE: "application/wasm", DESCRIPTION: "application/json"}
MEMORY_TYPE: Final = "application/octet-stream"


@dataclass(frozen=True, eq=False)
class EngineFile:
    packed: bytes
    """Compressed by gzip."""
    digest: str
    media_type: str

    @classmethod
    def of(cls, content: bytes, media_type: str) -> EngineFile:
        packed = gzip.compress(content, mtime=0)
        return cls(packed, hashlib.sha256(content).hexdigest()[:12], media_type)


def prepared(position: Position, *, searches: bool) -> Prepare | None:
    """What a page has to read to search, or for the levels that do not; None if the game has no module that
    can be used."""
    game = position.game
    try:
        portable.described(game)
    except portable.Unusable:
        return None
    code, description = (game_file(game, name).digest for name in (MODULE, DESCRIPTION))
    memory = file_of(position.preset.name, position.players, tuple(position.options.items()), searches)
    query = {"box": position.preset.name, "players": position.players, **position.options}
    return Prepare(
        code=f"engine/{code}/{game.name}/{MODULE}",
        description=f"engine/{description}/{game.name}/{DESCRIPTION}",
        memory=f"engine/{memory.digest}/{'searches' if searches else 'turns'}?{urlencode(query)}",
    )


def has_searching(position: Position, levels: Iterable[LevelBot]) -> bool:
    """Whether one of these levels searches at a table."""
    known = standards(position.game, position.players, position.options)
    return any(1000 * known[level.number - 1].skill >= SEARCHES for level in levels)


@functools.cache
def game_file(game: Game, name: str) -> EngineFile:
    return EngineFile.of((game.folder / name).read_bytes(), TYPES[name])


def memory_of(query: Mapping[str, str], *, searches: bool) -> EngineFile:
    """The memory that an address names; a ValueError or KeyError if there is none."""
    options = dict(query)
    box, players = options.pop("box"), int(options.pop("players"))
    game, preset = registry.find(box)
    position = Position(game, preset, players, options)
    return file_of(preset.name, players, tuple(position.options.items()), searches)


def file_of(box: str, players: int, options: tuple[tuple[str, str], ...], searches: bool) -> EngineFile:
    """About a megabyte with networks, made in half a second: once, even if many pages ask."""
    with _making:
        return _made(box, players, options, searches)


_making = threading.Lock()


@functools.lru_cache(maxsize=16)
def _made(box: str, players: int, options: tuple[tuple[str, str], ...], searches: bool) -> EngineFile:
    game, preset = registry.find(box)
    content = memory_file(Position(game, preset, players, dict(options)), searches=searches)
    return EngineFile.of(content, MEMORY_TYPE)
