"""Reading a record's text strictly: every error names a line and a column."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import NoReturn

from azulejos.core.message import Argument, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import Player, Record, RecordError, Step, Variation, begin, check_result
from azulejos.core.record_tags import read_milliseconds
from azulejos.core.record_writer import DEAL, HINTS, RESERVED, UNPLAYED, WARNED

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) ("(?:[^"\\\n]|\\.)*")\][ \t\r]*(?:\n|$)')
SPACE = re.compile(r"\s+")
COMMENT = re.compile(r"\{((?:[^\\}]|\\.)*)\}", re.DOTALL)
COMMAND = re.compile(r"\[%(\w+) ([^\]\s]*)\](?: |$)")
CLOCK = re.compile(r"(\d{1,6}):([0-5]\d):([0-5]\d)(?:\.(\d{3}))?", re.ASCII)
EVAL = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z", re.ASCII)
NUMBER = re.compile(r"(\d{1,9})\.(?=\s)", re.ASCII)
WORD = re.compile(r"[^\s{}()]+")

DEEPEST = 50
"""Most levels of nested variations; a file with more is broken."""

REQUIRED = ("Game", "Players", "Rules", "Result")


def read_all(text: str) -> list[Record]:
    reader = _Reader(text)
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
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

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
            record = Record(start, self.seats(found, start.players))
        except RecordError:
            raise
        except ValueError as error:
            self.complain(error, first)
        record.tags.update({name: found[name].value for name in found if not RESERVED.fullmatch(name)})
        end = start.copy()
        line = self.line(end, turn=0, depth=0)
        if line.back is not None:
            self.fail("Only a variation can be taken back.", first)
        record.steps, record.comment, record.unplayed = line.steps, line.comment, line.unplayed
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

    def line(self, position: Position, turn: int, depth: int) -> Variation:
        """Moves up to the end of the line, played on `position`, before which `turn` turns were begun."""
        line = Variation()
        self.skip_space()
        self.line_comment(line)
        dealing = False
        while not (self.at_end or self.next in ")["):
            if self.next == "(":
                self.variation(line, position, turn, depth)
                dealing = False
            elif self.next == UNPLAYED:
                self.unplayed(line, position, turn, depth)
            else:
                self.number(position, turn)
                dealing = (self.deal(position) or dealing) and position.is_chance
                if not position.is_chance and not position.in_turn:
                    turn += 1
                line.steps.append(self.step(position, dealing))
                self.skip_space()
                if self.next == "{":
                    self.notes(line.steps[-1])
            self.skip_space()
        return line

    def line_comment(self, line: Variation) -> None:
        if self.next != "{":
            return
        place = self.place
        step = Step(0)
        self.notes(step, line)
        if (step.clock, step.eval, step.at) != (None, None, None):
            self.fail("A clock, an evaluation or a time belongs after a move.", place)
        self.skip_space()
        line.comment = step.comment

    def number(self, position: Position, turn: int) -> None:
        """Check the number of a turn: it may be missing, but not wrong."""
        place = self.place
        match = self.take(NUMBER)
        if match is None:
            return
        if position.is_chance or position.in_turn:
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

    def step(self, position: Position, dealing: bool) -> Step:
        place = self.place
        match = self.take(WORD)
        if match is None:
            self.fail("A move was expected.")
        if position.is_chance and not dealing:
            self.fail("What is drawn stands after the word deal.", place)
        try:
            action = position.game.moves.parse(match[0])
            position.play(action)
        except ValueError as error:
            self.complain(error, place + getattr(error, "column", 0))
        return Step(action)

    def variation(self, line: Variation, position: Position, turn: int, depth: int) -> None:
        if not line.steps:
            self.fail("A variation stands after the move that it replaces.")
        branch = position.copy()
        branch.undo()
        begun = not branch.is_chance and not branch.in_turn
        line.steps[-1].variations.append(self.branch(branch, turn - begun, depth))

    def unplayed(self, line: Variation, position: Position, turn: int, depth: int) -> None:
        """A star and the variations after it, at the end of a line."""
        place = self.place
        self.place += 1
        self.skip_space()
        while self.next == "(":
            line.unplayed.append(self.branch(position.copy(), turn, depth))
            self.skip_space()
        if not line.unplayed or not (self.at_end or self.next in ")["):
            self.fail("After the star, which stands for a move that has not been played, come only "
                      "variations.", place)

    def branch(self, position: Position, turn: int, depth: int) -> Variation:
        if depth == DEEPEST:
            self.fail("Variations are nested too deeply.")
        place = self.place
        self.place += 1
        line = self.line(position, turn, depth + 1)
        if self.next != ")":
            self.fail("This variation is not closed.", place)
        self.place += 1
        return line

    # --- comments -----------------------------------------------------------------------------------

    def notes(self, step: Step, line: Variation | None = None) -> None:
        """The comment after a move, or before the first one of a line."""
        place = self.place
        match = self.take(COMMENT)
        if match is None:
            self.fail("This comment is not closed.", place)
        body, start = match[1], 0
        while command := COMMAND.match(body, start):
            if command[1] == "back" and line is not None and line.back is None:
                line.back = self.time(command[2], place + 1 + start)
            else:
                self.command(step, command[1], command[2], place + 1 + start)
            start = command.end()
        if body.startswith("[%", start):
            self.fail_command(place + 1 + start)
        step.comment = re.sub(r"\\(.)", r"\1", body[start:], flags=re.DOTALL)

    def command(self, step: Step, name: str, value: str, place: int) -> None:
        if name == "clk" and step.clock is None and (clock := CLOCK.fullmatch(value)):
            hours, minutes, seconds = (int(clock[group]) for group in (1, 2, 3))
            step.clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(clock[4] or 0)
        elif name == "eval" and step.eval is None and EVAL.fullmatch(value) and math.isfinite(float(value)):
            step.eval = float(value)
        elif name == "at" and step.at is None:
            step.at = self.time(value, place)
        elif name == "hint" and step.hint is None and value in HINTS:
            step.hint = int(value)
        elif name == "coach" and not step.coach and value == WARNED:
            step.coach = True
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
                           "[%hint 1] or [%coach warned]")

