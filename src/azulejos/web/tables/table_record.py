"""A table as a record, and back: what the page saves and the store copies.

The log of a table only grows: a take-back is an entry like any other. In a record, what was taken back is a
variation of what was played instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from azulejos.core.position import Position
from azulejos.core.record import (
    GameNode, Player, Record, millisecond_text, read_milliseconds, read_time, time_text,
)
from azulejos.core.writing import header
from azulejos.web.store.saved import (
    AT_ZERO, BACK, BOT, CHATS, COACH, FINISHED, HINT, HUMAN, NUMBER, NUMBERS, OPEN, PAGE, PHRASES, PLAYED,
    PLAYING, PLAYS, REMIND, REPLACE_AFTER, TABLE_ID, TIME_UP, WAITING, SavedAction, SavedSeat, SavedTable,
    new_id, now, replayed,
)
from azulejos.web.tables import fair_deal


class Tag(StrEnum):
    """The tags that describe a table (docs/records.md)."""

    TABLE = "Table"
    STATE = "State"
    SEAT_KINDS = "SeatKinds"
    CREATED = "Created"
    CHANGED = "Changed"
    MINUTES = "Minutes"
    LISTED = "Listed"
    PROMISE = "Promise"
    SEED = "Seed"
    NUMBERS = "Numbers"
    DEALT_FROM = "DealtFrom"
    BRANCH_OF = "BranchOf"
    REMATCH = "Rematch"
    AT_ZERO = "AtZero"
    REPLACE_AFTER = "ReplaceAfter"
    CHAT = "Chat"
    TIME_UP = "TimeUp"
    CONTEST = "Contest"
    RANKED = "Ranked"
    NODES = "Nodes"
    DAYS = "Days"
    AGREED = "Agreed"


YES = "yes"
NO_TAKE_BACKS, NO_HINTS, RATED, PROGRAMS = "no-take-backs", "no-hints", "rated", "programs"
"""What a table agreed on, in its tag."""


def guest_tag(seat: int) -> str:
    """The tag with the name of a guest who plays for the person of a seat."""
    return f"Guest{seat + 1}"


# --- from a table to a record ----------------------------------------------------------------------------


def record_of(table: SavedTable, *, with_secrets: bool = False) -> Record:
    """Everything about a table except its keys and its chat. The seed of a running game stays secret.

    Raises Unreplayable if the table does not replay.
    """
    whole = replayed(table)
    tags = {
        Tag.TABLE: table.id, Tag.STATE: table.state,
        Tag.SEAT_KINDS: " ".join(seat.kind for seat in table.seats),
        Tag.CREATED: time_text(table.created), Tag.CHANGED: time_text(table.changed),
        Tag.MINUTES: str(table.minutes or ""), Tag.LISTED: YES if table.listed else "",
        Tag.PROMISE: table.promise, Tag.SEED: table.seed if with_secrets or table.shows_seed else "",
        Tag.NUMBERS: " ".join(table.numbers), Tag.DEALT_FROM: str(table.dealt_from or ""),
        Tag.BRANCH_OF: table.branch_of or "", Tag.REMATCH: table.rematch or "",
        Tag.AT_ZERO: "" if table.at_zero == REMIND else table.at_zero,
        Tag.REPLACE_AFTER: "" if table.replace_after == REPLACE_AFTER else str(table.replace_after),
        Tag.CHAT: "" if table.chat == PHRASES else table.chat, Tag.TIME_UP: _time_up(table.actions),
        Tag.CONTEST: table.contest, Tag.RANKED: YES if table.ranked else "",
        Tag.NODES: str(table.nodes or ""), Tag.DAYS: str(table.days or ""), Tag.AGREED: _agreed(table),
        **{guest_tag(seat.seat): seat.guest for seat in table.seats},
    }
    return Record(
        whole.position.at(0), tuple(Player(seat.name, seat.bot) for seat in table.seats),
        tree_of_log(whole.entries), {str(name): text for name, text in tags.items() if text},
    )


def _agreed(table: SavedTable) -> str:
    words = ((NO_TAKE_BACKS, not table.takes_back), (NO_HINTS, not table.helps), (RATED, table.rated),
             (PROGRAMS, table.programs))
    return " ".join(word for word, holds in words if holds)


def tree_of_log(log: Sequence[SavedAction]) -> GameNode:
    """The game as it stands, with everything that was taken back as variations."""
    root = GameNode()
    line, times = [root], [0]
    before: int | None = None
    hint: int | None = None
    for entry in log:
        if entry.event == BACK:
            first, parent = line[entry.action + 1], line[entry.action]
            first.at = times[entry.action + 1]  # in the record it does not follow the action before it
            first.back = entry.at
            parent.children.append(parent.children.pop(0))
            del line[entry.action + 1 :], times[entry.action + 1 :]
            before = None
        elif entry.event in PLAYS:
            node = GameNode(entry.action, line[-1], at=None if entry.at == before else entry.at, hint=hint,
                            page=entry.event == PAGE)
            line[-1].children.insert(0, node)
            line.append(node)
            times.append(entry.at)
            before, hint = entry.at, None
        elif entry.event == HINT:
            hint = max(hint or 0, entry.action)
        elif entry.event == COACH and entry.action + 1 < len(line):
            line[entry.action + 1].coach = True
    return root


def played_lines(log: Sequence[SavedAction]) -> Iterator[list[int]]:
    """The actions of the game as it stands and, before it, of every line that was taken back."""
    line: list[int] = []
    for entry in log:
        if entry.event == BACK:
            yield line
            line = line[: entry.action]
        elif entry.event in PLAYS:
            line = [*line, entry.action]
    yield line


def _time_up(log: Sequence[SavedAction]) -> str:
    """The seat whose time ran out, counted from 1, and when."""
    last = log[-1] if log else None
    if last is None or last.event != TIME_UP:
        return ""
    return f"{last.seat + 1} {millisecond_text(last.at)}"


# --- and back ------------------------------------------------------------------------------------------


def table_of(record: Record) -> SavedTable:
    """The table that a record was saved from, or one for a finished game that was played elsewhere.

    Without the old seed its draws cannot be continued, so later draws follow from a new seed with a new
    hash. Raises ValueError if the record is inconsistent.
    """
    time_up, over = record.tags.get(Tag.TIME_UP), record.result() is not None
    actions = (*_read_numbers(record), *log_of_tree(record.root, record.start),
               *([] if time_up is None else [_read_time_up(time_up, len(record.seats))]))
    given, moment = record.tags, time_text(now() / 1000)
    agreed = given.get(Tag.AGREED, "").split()
    seed = given.get(Tag.SEED) or fair_deal.new_seed()
    promised = Tag.SEED in given
    return SavedTable(
        id=_id(given.get(Tag.TABLE) or new_id()), box=record.start.preset.name,
        players=record.start.players, options=header(record.start)["options"],
        rules_version=record.start.game.version, seed=seed,
        promise=given.get(Tag.PROMISE, "") if promised else fair_deal.commitment(seed),
        dealt_from=_number(given, Tag.DEALT_FROM) if promised else len(record.line),
        state=FINISHED if over else _unfinished(given), listed=given.get(Tag.LISTED) == YES,
        minutes=_number(given, Tag.MINUTES), created=read_time(given.get(Tag.CREATED, moment)),
        changed=read_time(given.get(Tag.CHANGED, moment)), branch_of=given.get(Tag.BRANCH_OF),
        rematch=given.get(Tag.REMATCH), at_zero=_word(given, Tag.AT_ZERO, AT_ZERO, REMIND),
        replace_after=_number(given, Tag.REPLACE_AFTER, REPLACE_AFTER),
        chat=_word(given, Tag.CHAT, CHATS, PHRASES),
        start_position="" if record.from_beginning() else record.start.text(),
        contest=given.get(Tag.CONTEST, ""), ranked=given.get(Tag.RANKED) == YES,
        nodes=_number(given, Tag.NODES), days=_number(given, Tag.DAYS),
        takes_back=NO_TAKE_BACKS not in agreed, helps=NO_HINTS not in agreed, rated=RATED in agreed,
        programs=PROGRAMS in agreed, seats=_seats(record), actions=actions,
    )


def source_of(record: Record) -> str:
    """The table where a game was played, or of which it is a copy; empty: unknown."""
    name = record.tags.get(Tag.TABLE, "")
    return name if TABLE_ID.fullmatch(name) else ""


def log_of_tree(root: GameNode, start: Position) -> Iterator[SavedAction]:
    """The log of a game: variations that were taken back come before what replaced them."""
    yield from _log(root, start.copy(), [0])


def _log(node: GameNode, position: Position, clock: list[int]) -> Iterator[SavedAction]:
    """The entries of a line after a node, played on `position`. `clock` holds the time of the last entry:
    actions played at the same time as the one before them have none."""
    while True:
        for first in node.variations:
            if first.back is not None:
                ahead = position.copy()
                yield from _entries(first, ahead, clock)
                yield from _log(first, ahead, clock)
                yield SavedAction(action=position.ply, seat=ahead.to_move, at=first.back, event=BACK)
        if node.next is None:
            return
        node = node.next
        yield from _entries(node, position, clock)


def _entries(node: GameNode, position: Position, clock: list[int]) -> Iterator[SavedAction]:
    """The entries of one action, which is played on `position`."""
    at = clock[0] = clock[0] if node.at is None else node.at
    ply, move = position.ply, position.game.moves.text(node.action)
    if node.hint is not None:
        yield SavedAction(action=node.hint, seat=position.to_move, at=at, event=HINT)
    yield SavedAction(action=node.action, seat=position.to_move, at=at, move=move,
                      event=PAGE if node.page else PLAYED)
    position.play(node.action)
    if node.coach:
        yield SavedAction(action=ply, seat=position.to_move, at=at, event=COACH)


def _read_numbers(record: Record) -> list[SavedAction]:
    """What the players had added to the seed, as the first entry of the log."""
    text = record.tags.get(Tag.NUMBERS)
    if text is None:
        return []
    numbers = text.split()
    known = all(number == fair_deal.NO_NUMBER or NUMBER.fullmatch(number) for number in numbers)
    if len(numbers) != len(record.seats) or not known:
        raise ValueError(f"{Tag.NUMBERS} is 32 hexadecimal digits or - for each seat, not {text!r}")
    first = next((node.at for node in record.line if node.at is not None), 0)
    return [SavedAction(action=0, seat=-1, at=first, move=" ".join(numbers), event=NUMBERS)]


def _read_time_up(text: str, seats: int) -> SavedAction:
    match = re.fullmatch(r"([1-9]) (\S+)", text, re.ASCII)
    if match is None or int(match[1]) > seats:
        raise ValueError(f"{Tag.TIME_UP} is a seat and a time, not {text!r}")
    at = read_milliseconds(match[2])
    return SavedAction(action=0, seat=int(match[1]) - 1, at=at, event=TIME_UP)


def _seats(record: Record) -> tuple[SavedSeat, ...]:
    """Players from elsewhere become persons here: this program may not know their bots."""
    text = record.tags.get(Tag.SEAT_KINDS)
    kinds = [HUMAN] * len(record.seats) if text is None else text.split()
    if len(kinds) != len(record.seats) or not {*kinds} <= {HUMAN, BOT, OPEN}:
        raise ValueError(f"{Tag.SEAT_KINDS} is {HUMAN}, {BOT} or {OPEN} for each seat, not {text!r}")
    return tuple(
        SavedSeat(
            seat=seat, kind=kind, name=player.name, bot="" if text is None else player.bot,
            guest=record.tags.get(guest_tag(seat), ""),
        )
        for seat, (kind, player) in enumerate(zip(kinds, record.seats, strict=True))
    )


def _unfinished(given: Mapping[str, str]) -> str:
    state = given.get(Tag.STATE)
    if state not in (WAITING, PLAYING, FINISHED):
        raise ValueError("this game was neither finished nor played at a table, so nobody could go on")
    return state


def _id(text: str) -> str:
    if not TABLE_ID.fullmatch(text):
        raise ValueError(f"{Tag.TABLE} is a name of letters, digits, _ and -, not {text!r}")
    return text


def _word(given: Mapping[str, str], name: str, known: Sequence[str], usual: str) -> str:
    text = given.get(name, usual)
    if text not in known:
        raise ValueError(f"{name} is one of {', '.join(known)}, not {text!r}")
    return text


def _number(given: Mapping[str, str], name: str, usual: int = 0) -> int:
    text = given.get(name, str(usual))
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"{name} is a number, not {text!r}")
    return int(text)
