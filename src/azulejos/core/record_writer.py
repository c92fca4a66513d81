"""Writing a record as text similar to PGN."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from azulejos.core.position import Position
from azulejos.core.record import Record, Step, Variation, headers, scores_text
from azulejos.core.record_tags import millisecond_text

WIDTH = 100
DEAL = "deal"
"""The word before chance actions."""
UNPLAYED = "*"
"""Stands for an action that has not been played, before the variations that would replace it."""

TAG = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RESERVED = re.compile(r"Game|Players|Options|Rules|Position|Result|Seat\d+(Bot)?", re.ASCII)

HINTS = ("1", "2", "3")
"""Steps of a hint, after ``[%hint``."""
WARNED = "warned"
"""What a coach did, after ``[%coach``."""

NUMBERED = re.compile(r"\d+\. ")


def write(record: Record) -> str:
    end = record.start.copy()
    body = "\n".join(_wrap(_words(record, end, turn=0)))
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


def _words(line: Record | Variation, position: Position, turn: int) -> Iterator[str]:
    """The words of a line that is played on `position`, after `turn` turns have begun."""
    back = line.back if isinstance(line, Variation) else None
    words = [*_command("back", back), *([_escaped(line.comment)] if line.comment else [])]
    if words:
        yield f"{{{' '.join(words)}}}"
    dealing = False
    for step in line.steps:
        chance = position.is_chance
        begins = not chance and not position.in_turn
        if chance and not dealing:
            yield DEAL
        turn += begins
        number = f"{turn}. " if begins else ""
        yield number + position.game.moves.text(step.action)
        position.play(step.action)
        yield from _notes(step, position, turn - begins)
        dealing = chance and not step.variations
    if line.unplayed:
        yield UNPLAYED
        yield from _variations(line.unplayed, position, turn)


def _notes(step: Step, position: Position, turn: int) -> Iterator[str]:
    note = _note(step)
    if note:
        yield note
    if step.variations:
        branch = position.copy()
        branch.undo()
        yield from _variations(step.variations, branch, turn)


def _variations(lines: list[Variation], position: Position, turn: int) -> Iterator[str]:
    for variation in lines:
        yield "("
        yield from _words(variation, position.copy(), turn)
        yield ")"


def _note(step: Step) -> str:
    """Clock, evaluation, time and comment in one pair of braces."""
    commands = []
    if step.clock is not None:
        commands.append(f"[%clk {clock_text(step.clock)}]")
    if step.eval is not None:
        commands.append(f"[%eval {step.eval:+}]")
    commands += _command("at", step.at)
    if step.hint is not None:
        commands.append(f"[%hint {step.hint}]")
    if step.coach:
        commands.append(f"[%coach {WARNED}]")
    words = [*commands, *([_escaped(step.comment)] if step.comment else [])]
    return f"{{{' '.join(words)}}}" if words else ""


def _command(name: str, at: int | None) -> list[str]:
    return [] if at is None else [f"[%{name} {millisecond_text(at)}]"]


def _escaped(comment: str) -> str:
    return comment.replace("\\", "\\\\").replace("}", "\\}").replace("[%", "\\[%")


def clock_text(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:03}" if rest else text


def _wrap(words: Iterator[str]) -> Iterator[str]:
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
