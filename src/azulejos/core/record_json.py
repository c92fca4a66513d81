"""A record as JSON Lines: one object with the headers, then one object per action."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from azulejos.core.message import msg, raw
from azulejos.core.position import Position
from azulejos.core.record import Player, Record, RecordError, Step, Variation, begin, check_result, headers
from azulejos.core.record_tags import LATEST
from azulejos.core.record_writer import HINTS, WARNED

FORMAT = 4
"""The value of ``"record"`` in the first line."""

HEADERS: dict[str, type | tuple[type, ...]] = {
    "record": int, "game": str, "players": int, "options": dict, "rules": int, "position": str,
    "seats": list, "result": (list, type(None)), "tags": dict, "comment": str,
}
REQUIRED = ("record", "game", "players", "rules", "seats", "result")
STEP: dict[str, type | tuple[type, ...]] = {
    "move": str, "comment": str, "clock": int, "eval": (int, float), "at": int, "variations": list,
    "hint": int, "coach": str,
}
LINE: dict[str, type | tuple[type, ...]] = {"comment": str, "moves": list, "back": int, "unplayed": list}


def write(record: Record) -> str:
    head = headers(record, record.replay())
    head["seats"] = [{"name": player.name, "bot": player.bot} for player in record.seats]
    moves = record.start.game.moves.text
    lines = [{"record": FORMAT, **head, "comment": record.comment}]
    lines += [_step(step, moves) for step in record.steps]
    lines += [{"unplayed": _lines(record.unplayed, moves)}] if record.unplayed else []
    return "".join(json.dumps(line) + "\n" for line in lines)


def _step(step: Step, text: Callable[[int], str]) -> dict[str, Any]:
    noted = {"comment": step.comment or None, "clock": step.clock, "eval": step.eval, "at": step.at,
             "hint": step.hint, "coach": WARNED if step.coach else None,
             "variations": _lines(step.variations, text) or None}
    return {"move": text(step.action), **_given(noted)}


def _lines(lines: list[Variation], text: Callable[[int], str]) -> list[dict[str, Any]]:
    return [
        {"comment": line.comment, "moves": [_step(step, text) for step in line.steps],
         **_given({"back": line.back, "unplayed": _lines(line.unplayed, text) or None})}
        for line in lines
    ]


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


# --- reading -------------------------------------------------------------------------------------------


def read_each(lines: Iterable[tuple[int, str]]) -> Iterator[Record]:
    """The records of numbered lines; each begins with its line of headers."""
    reading: _Reading | None = None
    for number, line in lines:
        if not line.strip():
            continue
        with _located(number):
            data = _object(json.loads(line))
            if "move" in data or "unplayed" in data:
                if reading is None:
                    raise ValueError("a record begins with its line of headers")
                reading.read(data)
                continue
        if reading is not None:
            yield reading.finished()
        reading = None
        with _located(number):
            reading = _Reading(data, number)
    if reading is not None:
        yield reading.finished()


class _Reading:
    """A record whose headers were read, and the position after its steps so far."""

    def __init__(self, data: dict[str, Any], number: int) -> None:
        self.record = _headers(data)
        self.result = data["result"]
        self.number = number
        self.end = self.record.start.copy()

    def read(self, data: dict[str, Any]) -> None:
        if self.record.unplayed:
            raise ValueError("nothing follows what has not been played")
        if "move" in data:
            self.record.steps.append(_read_step(data, self.end))
        else:
            _check(data, {"unplayed": list}, ())
            self.record.unplayed = _read_lines(data["unplayed"], self.end)

    def finished(self) -> Record:
        with _located(self.number):
            check_result(self.end, self.result)
        return self.record


@contextmanager
def _located(number: int) -> Iterator[None]:
    """Turn every error into a RecordError for this line."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise _problem(error, number) from error


def _problem(error: Exception, number: int) -> RecordError:
    if isinstance(error, json.JSONDecodeError):
        return RecordError(msg("This is not JSON: {reason}", reason=error.msg), number, error.colno)
    if isinstance(error, RecursionError):
        return RecordError(msg("Variations are nested too deeply."), number)
    return RecordError(getattr(error, "reason", None) or raw(str(error)), number)


def _headers(data: dict[str, Any]) -> Record:
    _check(data, HEADERS, REQUIRED)
    if data["record"] != FORMAT:
        raise ValueError(f"the format is {FORMAT}, not {data['record']}")
    start = begin(data["game"], data["players"], _texts(data.get("options", {})), data["rules"],
                  data.get("position"))
    seats = tuple(_player(_object(seat)) for seat in data["seats"])
    return Record(start, seats, [], data.get("comment", ""), _texts(data.get("tags", {})))


def _player(data: dict[str, Any]) -> Player:
    _check(data, {"name": str, "bot": str}, ("name",))
    return Player(data["name"], data.get("bot", ""))


def _read_step(data: dict[str, Any], position: Position) -> Step:
    """One object, played on `position`."""
    _check(data, STEP, ("move",))
    variations = _read_lines(data.get("variations", []), position)
    action = position.game.moves.parse(data["move"])
    position.play(action)
    step = Step(action, data.get("comment", ""), data.get("clock"), _eval(data), data.get("at"))
    if step.clock is not None and step.clock < 0:
        raise ValueError("a clock is not negative")
    _check_time(step.at)
    step.variations, step.hint, step.coach = variations, _hint(data), _coach(data)
    return step


def _hint(data: dict[str, Any]) -> int | None:
    hint: int | None = data.get("hint")
    if hint is not None and str(hint) not in HINTS:
        raise ValueError(f"a hint is one of {', '.join(HINTS)}")
    return hint


def _coach(data: dict[str, Any]) -> bool:
    if data.get("coach", WARNED) != WARNED:
        raise ValueError(f"a coach can only be {WARNED!r}")
    return "coach" in data


def _read_lines(lines: list[Any], position: Position) -> list[Variation]:
    """Variations that are played on copies of `position`."""
    return [_read_line(_object(line), position.copy()) for line in lines]


def _read_line(data: dict[str, Any], position: Position) -> Variation:
    _check(data, LINE, ("moves",))
    steps = [_read_step(_object(step), position) for step in data["moves"]]
    _check_time(data.get("back"))
    return Variation(
        steps, data.get("comment", ""), data.get("back"), _read_lines(data.get("unplayed", []), position)
    )


def _check_time(at: int | None) -> None:
    if at is not None and not 0 <= at <= LATEST:
        raise ValueError("a time is in milliseconds since 1970")


def _eval(data: dict[str, Any]) -> float | None:
    if "eval" not in data:
        return None
    try:
        value = float(data["eval"])
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ValueError("an evaluation is a finite number")
    return value


# --- checking plain data -------------------------------------------------------------------------------


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("an object was expected")
    return value


def _check(data: dict[str, Any], kinds: Mapping[str, Any], required: tuple[str, ...]) -> None:
    for name in required:
        if name not in data:
            raise ValueError(f"{name!r} is missing")
    for name, value in data.items():
        if name not in kinds:
            raise ValueError(f"{name!r} is unknown; known are {', '.join(kinds)}")
        if not isinstance(value, kinds[name]) or isinstance(value, bool):
            raise ValueError(f"{name!r} cannot be {value!r}"[:200])


def _texts(values: dict[str, Any]) -> dict[str, str]:
    for name, value in values.items():
        if not isinstance(value, str):
            raise ValueError(f"{name!r} should be a text")
    return values
