"""The tags that describe a table in its record (docs/records.md), and the format of times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

TABLE: Final = "Table"
STATE: Final = "State"
SEAT_KINDS: Final = "SeatKinds"
CREATED: Final = "Created"
CHANGED: Final = "Changed"
MINUTES: Final = "Minutes"
LISTED: Final = "Listed"
PROMISE: Final = "Promise"
SEED: Final = "Seed"
DEALT_FROM: Final = "DealtFrom"
BRANCH_OF: Final = "BranchOf"
REMATCH: Final = "Rematch"
AT_ZERO: Final = "AtZero"
REPLACE_AFTER: Final = "ReplaceAfter"
CHAT: Final = "Chat"
TIME_UP: Final = "TimeUp"
CONTEST: Final = "Contest"
RANKED: Final = "Ranked"
NODES: Final = "Nodes"

YES: Final = "yes"


def table_tags(
    *, table: str, state: str, seat_kinds: Iterable[str], created: float, changed: float, minutes: int,
    listed: bool, promise: str, seed: str, dealt_from: int, branch_of: str | None, rematch: str | None,
    at_zero: str = "", replace_after: int | None = None, chat: str = "", time_up: str = "",
    guests: Iterable[str] = (), contest: str = "", ranked: bool = False, nodes: int = 0,
) -> dict[str, str]:
    """The tags of a table; those that would be empty, zero or "no" are left out."""
    tags = {
        TABLE: table, STATE: state, SEAT_KINDS: " ".join(seat_kinds),
        CREATED: time_text(created), CHANGED: time_text(changed),
        MINUTES: str(minutes or ""), LISTED: YES if listed else "",
        PROMISE: promise, SEED: seed, DEALT_FROM: str(dealt_from or ""),
        BRANCH_OF: branch_of or "", REMATCH: rematch or "", AT_ZERO: at_zero,
        REPLACE_AFTER: "" if replace_after is None else str(replace_after), CHAT: chat, TIME_UP: time_up,
        CONTEST: contest, RANKED: YES if ranked else "", NODES: str(nodes or ""),
        **{guest(seat): name for seat, name in enumerate(guests)},
    }
    return {name: text for name, text in tags.items() if text}


def guest(seat: int) -> str:
    """The tag with the name of a guest who plays for the person of a seat."""
    return f"Guest{seat + 1}"


# --- times -------------------------------------------------------------------------------------------

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

LATEST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1)
"""The last millisecond since 1970 that can be written: in the year 9999."""


def time_text(seconds: float) -> str:
    """Seconds since 1970 as a date and time in UTC, to the microsecond."""
    return _iso(_EPOCH + timedelta(seconds=seconds), "microseconds")


def read_time(text: str) -> float:
    """Seconds since 1970; a ValueError if the text is no time."""
    return _since_1970(text) / timedelta(seconds=1)


def millisecond_text(at: int) -> str:
    """Milliseconds since 1970 as a date and time in UTC."""
    return _iso(_EPOCH + timedelta(milliseconds=at), "milliseconds")


def read_milliseconds(text: str) -> int:
    """Milliseconds since 1970; a ValueError if the text is no time."""
    return _since_1970(text) // timedelta(milliseconds=1)


def _iso(moment: datetime, precision: str) -> str:
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def _since_1970(text: str) -> timedelta:
    moment = datetime.fromisoformat(text)
    if not text.endswith("Z") or moment < _EPOCH:
        raise ValueError(f"a time reads like 2026-11-16T18:30:00.000Z, not {text!r}")
    return moment - _EPOCH
