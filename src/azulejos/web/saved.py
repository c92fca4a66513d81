"""What the store keeps of a table: only what cannot be recomputed."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from azulejos.core import registry
from azulejos.core.position import Position
from azulejos.web import deal

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "over"

HUMAN: Final = "human"
BOT: Final = "bot"
OPEN: Final = "open"


@dataclass(frozen=True, kw_only=True)
class SavedSeat:
    """A chair: a person, a bot, or free for whoever has the link. A person's `bot` stands in for them."""

    seat: int
    kind: str
    name: str = ""
    bot: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedAction:
    """One entry of the log. `seat` is -1 for a draw; `at` is in milliseconds since 1970."""

    action: int
    seat: int
    at: int


@dataclass(frozen=True, kw_only=True)
class SavedTable:
    id: str
    box: str
    players: int
    options: Mapping[str, str]
    rules_version: int
    seed: str
    promise: str
    dealt_from: int = 0
    """Draws before this ply were copied from another table (`branch_of`) and follow from its seed."""
    state: str = WAITING
    listed: bool = False
    minutes: int = 0
    """Thinking time of each seat for the whole game; 0: no clocks."""
    created: float = 0.0
    changed: float = 0.0
    branch_of: str | None = None
    rematch: str | None = None
    seats: tuple[SavedSeat, ...] = ()
    actions: tuple[SavedAction, ...] = field(default=(), repr=False)

    def start(self) -> Position:
        game, preset = registry.find(self.box)
        return Position(game, preset, self.players, self.options)

    def replay(self) -> Position:
        """The position that the log leads to."""
        position = self.start()
        for entry in self.actions:
            position.play(entry.action)
        return position


def now() -> int:
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """72 random bits: a table is found by its link, not by guessing."""
    return secrets.token_urlsafe(9)


def new_table(
    box: str, seats: tuple[SavedSeat, ...], options: Mapping[str, str], *,
    listed: bool = False, minutes: int = 0,
) -> SavedTable:
    """A table nobody has played at; a ValueError says what does not fit."""
    game, preset = registry.find(box)
    seed = deal.new_seed()
    table = SavedTable(
        id=new_id(), box=box, players=len(seats), options=dict(options), rules_version=game.version,
        seed=seed, promise=deal.commitment(seed), listed=listed, minutes=minutes,
        created=time.time(), changed=time.time(), seats=seats,
    )
    Position(game, preset, table.players, table.options)
    return table


# --- one line of text per table: export and import ---------------------------------------------------


def to_line(table: SavedTable, *, with_secrets: bool = False) -> str:
    """A table as one line of JSON, moves as people write them. A running game keeps its seed secret."""
    moves = registry.find(table.box)[0].moves
    shown = with_secrets or table.state == FINISHED
    record = {
        "azulejos": 1, "id": table.id, "game": table.box, "players": table.players,
        "options": dict(table.options), "rules": table.rules_version, "promise": table.promise,
        "seed": table.seed if shown else None, "dealt_from": table.dealt_from, "state": table.state,
        "created": table.created, "changed": table.changed, "minutes": table.minutes,
        "branch_of": table.branch_of, "rematch": table.rematch,
        "seats": [{"kind": s.kind, "name": s.name, "bot": s.bot} for s in table.seats],
        "moves": [moves.text(entry.action) for entry in table.actions],
        "at": [entry.at for entry in table.actions],
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def from_line(line: str) -> SavedTable:
    """Reads `to_line`; a ValueError says what is wrong. A game that does not replay is refused."""
    record = json.loads(line)
    if not isinstance(record, dict) or record.get("azulejos") != 1:
        raise ValueError("this line is not a table of azulejos")
    try:
        table = _from_record(record)
    except (KeyError, TypeError) as error:
        raise ValueError(f"the table lacks or misspells {error}") from error
    table.replay()
    return table


def _from_record(record: dict[str, object]) -> SavedTable:
    data: dict[str, object] = dict(record)
    game, preset = registry.find(str(data["game"]))
    position = Position(game, preset, _int(data["players"]), _strings(data["options"]))
    entries = []
    for text, at in zip(_list(data["moves"]), _list(data["at"]), strict=True):
        action = game.moves.parse(str(text))
        entries.append(SavedAction(action=action, seat=position.to_move, at=_int(at)))
        position.play(action)
    seats = tuple(
        SavedSeat(seat=index, kind=str(seat["kind"]), name=str(seat["name"]), bot=str(seat["bot"]))
        for index, seat in enumerate(_list(data["seats"])) if isinstance(seat, dict)
    )
    if len(seats) != position.players:
        raise ValueError("the table has another number of seats than players")
    return SavedTable(
        id=str(data["id"]), box=preset.name, players=position.players,
        options=_strings(data["options"]), rules_version=_int(data["rules"]),
        seed=str(data["seed"] or deal.new_seed()), promise=str(data["promise"]),
        dealt_from=_int(data["dealt_from"]), state=str(data["state"]),
        created=float(str(data["created"])), changed=float(str(data["changed"])),
        minutes=_int(data["minutes"]), branch_of=_maybe(data["branch_of"]),
        rematch=_maybe(data["rematch"]), seats=seats, actions=tuple(entries),
    )


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a number, not {value!r}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"a list, not {value!r}")
    return value


def _strings(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError(f"names with values, not {value!r}")
    return {str(name): str(text) for name, text in value.items()}


def _maybe(value: object) -> str | None:
    return None if value is None else str(value)
