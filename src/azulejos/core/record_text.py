"""A record as text similar to PGN. Reading is strict: every error names a line and a column."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from azulejos.core.message import Argument, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import (
    GameNode, Growing, Player, Record, RecordError, begin, check_depth, check_result, headers,
    millisecond_text, read_milliseconds, scores_text,
)

DEAL = "deal"
"""The word before chance actions."""
UNPLAYED = "*"
"""Stands for an action that has not been played, before lines that were taken back."""
HINTS = ("1", "2", "3")
"""Steps of a hint, after ``[%hint``."""
WARNED = "warned"
"""What a coach did, after ``[%coach``."""
PAGE = "page"
"""Where a bot thought, after ``[%bot``."""
RESERVED = re.compile(r"Game|Players|Options|Rules|Position|Result|Seat\d+(Bot)?", re.ASCII)
"""Headers with a meaning; all others are tags."""


# --- writing -------------------------------------------------------------------------------------------

WIDTH = 100
TAG = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
NUMBERED = re.compile(r"\d+\. ")


def write(record: Record) -> str:
    end, root = record.start.copy(), record.root
    comment = [_braced([], root.comment)] if root.comment else []
    body = "\n".join(_wrap([*comment, *_line(root.next, root.variations, end, turn=0)]))
    top = "\n".join(f"[{name} {json.dumps(text, ensure_ascii=False)}]" for name, text in tags(record, end))
    return f"{top}\n\n{body}\n" if body else f"{top}\n"


def tags(record: Record, end: Position) -> Iterator[tuple[str, str]]:
    """The headers in their order; unknown ones last."""
    head = headers(record, end)
    yield "Game", head["game"]
    yield "Players", str(head["players"])
    if head["options"]:
        yield "Options", " ".join(f"{name}={value}" for name, value in head["options"].items())
    yield "Rules", str(head["rules"])
    if "position" in head:
        yield "Position", head["position"]
    for number, player in enumerate(record.seats, start=1):
        yield f"Seat{number}", player.name
        if player.bot:
            yield f"Seat{number}Bot", player.bot
    yield "Result", scores_text(head["result"])
    for name, text in record.tags.items():
        if not TAG.fullmatch(name) or RESERVED.fullmatch(name):
            raise ValueError(f"{name!r} cannot be the name of a tag")
        yield name, text


def _line(
    node: GameNode | None, others: Sequence[GameNode], position: Position, turn: int
) -> Iterator[str]:
    """The words of a line from a node on, with the `others` that might replace it. It is played on
    `position`, after `turn` turns have begun."""
    dealing = False
    while node is not None:
        chance = position.is_chance
        begins = not chance and not position.in_turn
        if chance and not dealing:
            yield DEAL
        number = f"{turn + 1}. " if begins else ""
        yield number + position.game.moves.text(node.action)
        if note := _note(node):
            yield note
        if others:
            yield from _variations(others, position, turn)
        position.play(node.action)
        turn, dealing = turn + begins, chance and not others
        others, node = node.variations, node.next
    if others:
        yield UNPLAYED
        yield from _variations(others, position, turn)


def _variations(lines: Sequence[GameNode], position: Position, turn: int) -> Iterator[str]:
    for first in lines:
        yield "("
        if first.introduction or first.back is not None:
            yield _braced(_command("back", first.back), first.introduction)
        yield from _line(first, (), position.copy(), turn)
        yield ")"


def _note(node: GameNode) -> str:
    """Clock, evaluation, time and comment in one pair of braces."""
    commands = []
    if node.clock is not None:
        commands.append(f"[%clk {clock_text(node.clock)}]")
    if node.eval is not None:
        commands.append(f"[%eval {node.eval:+}]")
    commands += _command("at", node.at)
    if node.hint is not None:
        commands.append(f"[%hint {node.hint}]")
    if node.coach:
        commands.append(f"[%coach {WARNED}]")
    if node.page:
        commands.append(f"[%bot {PAGE}]")
    return _braced(commands, node.comment) if commands or node.comment else ""


def _braced(commands: list[str], comment: str) -> str:
    escaped = comment.replace("\\", "\\\\").replace("}", "\\}").replace("[%", "\\[%")
    return f"{{{' '.join([*commands, *([escaped] if escaped else [])])}}}"


def _command(name: str, at: int | None) -> list[str]:
    return [] if at is None else [f"[%{name} {millisecond_text(at)}]"]


def clock_text(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:03}" if rest else text


def _wrap(words: Iterable[str]) -> Iterator[str]:
    """Lines of words; a deal has its own lines, a comment is never broken."""
    line = ""
    dealt = False
    for word in words:
        number = NUMBERED.match(word)
        full = len(line) + 1 + len(word) > WIDTH
        if line and (full or word == DEAL or (dealt and number)) and line[-1] != "(":
            yield line
            line = ""
        dealt = word == DEAL or (dealt and number is None)
        glue = "" if not line or line.endswith("(") or word == ")" else " "
        line += glue + word
    if line:
        yield line


# --- reading -------------------------------------------------------------------------------------------

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) ("(?:[^"\\\n]|\\.)*")\][ \t\r]*(?:\n|$)')
SPACE = re.compile(r"\s+")
COMMENT = re.compile(r"\{((?:[^\\}]|\\.)*)\}", re.DOTALL)
COMMAND = re.compile(r"\[%(\w+) ([^\]\s]*)\](?: |$)")
CLOCK = re.compile(r"(\d{1,6}):([0-5]\d):([0-5]\d)(?:\.(\d{3}))?", re.ASCII)
EVAL = re.compile(r"[+-]?\d{1,25}(?:\.\d{1,25})?(?:e[+-]?\d{1,3})?", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z", re.ASCII)
NUMBER = re.compile(r"(\d{1,9})\.(?=\s)", re.ASCII)
WORD = re.compile(r"[^\s{}()]+")

REQUIRED = ("Game", "Players", "Rules", "Result")


def read_all(text: str, most: int) -> list[Record]:
    """The records of a text, each of at most so many actions."""
    reader = _Reader(text, most)
    records = []
    reader.skip_space()
    while not reader.at_end:
        records.append(reader.record())
        reader.skip_space()
    return records


@dataclass(slots=True)
class _Header:
    value: str
    place: int


class _Reader:
    def __init__(self, text: str, most: int) -> None:
        self.text, self.most = text, most
        self.place = 0
        self.growing = Growing(most)

    # --- characters ---------------------------------------------------------------------------------

    @property
    def at_end(self) -> bool:
        return self.place >= len(self.text)

    @property
    def next(self) -> str:
        return self.text[self.place : self.place + 1]

    def skip_space(self) -> None:
        self.take(SPACE)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.place)
        if match:
            self.place = match.end()
        return match

    def fail(self, template: str, place: int | None = None, **details: Argument) -> NoReturn:
        place = self.place if place is None else place
        line = self.text.count("\n", 0, place) + 1
        column = place - (self.text.rfind("\n", 0, place) + 1) + 1
        raise RecordError(msg(template, **details), line, column)

    def complain(self, error: ValueError, place: int) -> NoReturn:
        """Raise a RecordError for an error of the library, with its place in the text."""
        reason = getattr(error, "reason", None) or raw(str(error))
        self.fail("{reason}", place, reason=reason)

    # --- headers ------------------------------------------------------------------------------------

    def record(self) -> Record:
        first = self.place
        found = self.headers()
        for name in REQUIRED:
            if name not in found:
                self.fail("The header {name} is missing.", first, name=name)
        try:
            start = self.start(found)
            self.growing = Growing(self.most)
            record = Record(start, self.seats(found, start.players), self.growing.root)
        except RecordError:
            raise
        except ValueError as error:
            self.complain(error, first)
        record.tags.update({name: found[name].value for name in found if not RESERVED.fullmatch(name)})
        end = start.copy()
        self.skip_space()
        if self.next == "{":
            record.root.comment = self.introduction(record.root)
        self.line(record.root, end, turn=0, depth=0)
        if record.root.back is not None:
            self.fail("Only a variation can be taken back.", first)
        self.check_result(end, found["Result"])
        return record

    def headers(self) -> dict[str, _Header]:
        found: dict[str, _Header] = {}
        while self.next == "[":
            place = self.place
            match = self.take(HEADER)
            if match is None:
                self.fail('A header reads like [Game "azul"], alone on its line.')
            name = match[1]
            if name in found:
                self.fail("The header {name} stands here twice.", place, name=name)
            try:
                found[name] = _Header(json.loads(match[2]), place)
            except ValueError:
                self.fail("The text of the header {name} cannot be read.", place, name=name)
            self.skip_space()
        if not found:
            self.fail('A record begins with headers like [Game "azul"].')
        return found

    def start(self, found: dict[str, _Header]) -> Position:
        options = {}
        for pair in found["Options"].value.split() if "Options" in found else []:
            name, equals, value = pair.partition("=")
            if not equals:
                self.fail("Options read like wall=grey.", found["Options"].place)
            options[name] = value
        position = found["Position"].value if "Position" in found else None
        try:
            return begin(found["Game"].value, self.integer(found["Players"]), options,
                         self.integer(found["Rules"]), position)
        except RecordError:
            raise
        except ValueError as error:
            self.complain(error, found["Game"].place)

    def seats(self, found: dict[str, _Header], players: int) -> tuple[Player, ...]:
        for name, header in found.items():
            match = re.fullmatch(r"Seat(\d+)(Bot)?", name, re.ASCII)
            if match and not (match[1][0] != "0" and int(match[1]) <= players):
                self.fail("There are {players} seats.", header.place, players=players)
        none = _Header("", 0)
        numbers = range(1, players + 1)
        for number in numbers:
            if f"Seat{number}" not in found:
                self.fail("The header {name} is missing.", found["Players"].place, name=f"Seat{number}")
        return tuple(
            Player(found[f"Seat{number}"].value, found.get(f"Seat{number}Bot", none).value)
            for number in numbers
        )

    def integer(self, header: _Header) -> int:
        if not re.fullmatch(r"\d{1,9}", header.value, re.ASCII):
            self.fail("A number was expected, not {text}.", header.place, text=header.value)
        return int(header.value)

    def check_result(self, end: Position, header: _Header) -> None:
        if header.value == "*":
            claimed = None
        elif re.fullmatch(r"-?\d{1,9}( -?\d{1,9})*", header.value, re.ASCII):
            claimed = [int(score) for score in header.value.split()]
        else:
            self.fail("A result is * or the scores, like 45 38.", header.place)
        try:
            check_result(end, claimed)
        except ValueError as error:
            self.complain(error, header.place)

    # --- moves --------------------------------------------------------------------------------------

    def line(self, begun: GameNode, position: Position, turn: int, depth: int) -> None:
        """Moves after a node, up to the end of the line, played on `position`, before which `turn` turns
        were begun."""
        node, dealing = begun, False
        self.skip_space()
        while not (self.at_end or self.next in ")["):
            if self.next == "(":
                if node is begun:
                    self.fail("A variation stands after the move that it replaces.")
                assert node.parent is not None
                before = position.copy()
                before.undo()
                self.variation(node.parent, before, turn - self.begins(before), depth)
                dealing = False
            elif self.next == UNPLAYED and (depth == 0 or node is not begun):
                self.unplayed(node, position, turn, depth)
            else:
                self.number(position, turn)
                dealing = (self.deal(position) or dealing) and position.is_chance
                turn += self.begins(position)
                node = self.move(node, position, dealing)
                self.skip_space()
                if self.next == "{":
                    node.comment = self.notes(node)
            self.skip_space()

    @staticmethod
    def begins(position: Position) -> bool:
        """Whether a turn begins here."""
        return not position.is_chance and not position.in_turn

    def number(self, position: Position, turn: int) -> None:
        """Check the number of a turn: it may be missing, but not wrong."""
        place = self.place
        match = self.take(NUMBER)
        if match is None:
            return
        if not self.begins(position):
            self.fail("No turn begins here.", place)
        if int(match[1]) != turn + 1:
            self.fail("Turn {turn} begins here, not {number}.", place, turn=turn + 1, number=int(match[1]))
        self.skip_space()

    def deal(self, position: Position) -> bool:
        place = self.place
        word = WORD.match(self.text, place)
        if word is None or word[0] != DEAL:
            return False
        if not position.is_chance:
            self.fail("Nothing is drawn here.", place)
        self.place = word.end()
        self.skip_space()
        return True

    def move(self, parent: GameNode, position: Position, dealing: bool) -> GameNode:
        place = self.place
        match = self.take(WORD)
        if match is None:
            self.fail("A move was expected.")
        if position.is_chance and not dealing:
            self.fail("What is drawn stands after the word deal.", place)
        try:
            return self.growing.play(parent, position, match[0])
        except ValueError as error:
            self.complain(error, place + getattr(error, "column", 0))

    def variation(self, parent: GameNode, position: Position, turn: int, depth: int) -> None:
        """A line in parentheses, which begins after a node: its first action."""
        place, count = self.place, len(parent.children)
        try:
            check_depth(depth + 1)
        except ValueError as error:
            self.complain(error, place)
        self.place += 1
        self.skip_space()
        opening = GameNode()
        if self.next == "{":
            opening.introduction = self.introduction(opening)
        self.line(parent, position, turn, depth + 1)
        if self.next != ")":
            self.fail("This variation is not closed.", place)
        if len(parent.children) == count:
            self.fail("A move was expected.")
        self.place += 1
        first = parent.children[count]
        first.introduction, first.back = opening.introduction, opening.back

    def unplayed(self, node: GameNode, position: Position, turn: int, depth: int) -> None:
        """A star and what was taken back, at the end of a line."""
        place = self.place
        self.place += 1
        self.skip_space()
        while self.next == "(":
            self.variation(node, position.copy(), turn, depth)
            self.skip_space()
        if not node.children or node.next is not None or not (self.at_end or self.next in ")["):
            self.fail("After the star, which stands for a move that has not been played, come only "
                      "variations; the first one was taken back.", place)

    # --- comments -----------------------------------------------------------------------------------

    def introduction(self, node: GameNode) -> str:
        """The comment before a line, and when it was taken back."""
        place = self.place
        comment = self.notes(node, opening=True)
        if (node.clock, node.eval, node.at, node.hint) != (None,) * 4 or node.coach or node.page:
            self.fail("A clock, an evaluation or a time belongs after a move.", place)
        return comment

    def notes(self, node: GameNode, *, opening: bool = False) -> str:
        """The comment after a move, or before the first one of a line; its commands go to the node."""
        place = self.place
        match = self.take(COMMENT)
        if match is None:
            self.fail("This comment is not closed.", place)
        body, start = match[1], 0
        while command := COMMAND.match(body, start):
            if command[1] == "back" and opening and node.back is None:
                node.back = self.time(command[2], place + 1 + start)
            else:
                self.command(node, command[1], command[2], place + 1 + start)
            start = command.end()
        if body.startswith("[%", start):
            self.fail_command(place + 1 + start)
        return re.sub(r"\\(.)", r"\1", body[start:], flags=re.DOTALL)

    def command(self, node: GameNode, name: str, value: str, place: int) -> None:
        if name == "clk" and node.clock is None and (clock := CLOCK.fullmatch(value)):
            hours, minutes, seconds = (int(clock[group]) for group in (1, 2, 3))
            node.clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(clock[4] or 0)
        elif name == "eval" and node.eval is None and EVAL.fullmatch(value) and math.isfinite(float(value)):
            node.eval = float(value)
        elif name == "at" and node.at is None:
            node.at = self.time(value, place)
        elif name == "hint" and node.hint is None and value in HINTS:
            node.hint = int(value)
        elif name == "coach" and not node.coach and value == WARNED:
            node.coach = True
        elif name == "bot" and not node.page and value == PAGE:
            node.page = True
        else:
            self.fail_command(place)

    def time(self, value: str, place: int) -> int:
        if not TIME.fullmatch(value):
            self.fail_command(place)
        try:
            return read_milliseconds(value)
        except ValueError:
            self.fail_command(place)

    def fail_command(self, place: int) -> NoReturn:
        self.fail("{commands} was expected.", place,
                  commands="[%clk 0:01:02], [%eval +1.5], [%at 2026-11-16T18:30:00.000Z], "
                           "[%hint 1], [%coach warned] or [%bot page]")
