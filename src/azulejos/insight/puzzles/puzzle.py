"""What a puzzle is, and how it is written: one line of text, read strictly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from azulejos.core.game import Seat
from azulejos.core.position import Position

SEATS: Final = 2
E = TypeVar("E", bound=StrEnum)


class Goal(StrEnum):
    WIN = "win"
    """The only turn that wins the game, which ends with this round."""
    POINTS = "points"
    """The only turn that reaches the best margin at the end of the round."""
    SAFE = "safe"
    """Whether a proposed turn keeps the best margin at the end of the round."""


class Proof(StrEnum):
    """What was solved."""

    GAME = "game"
    ROUND = "round"


class PuzzleTheme(StrEnum):
    """What separates the answer from the turn that looks best."""

    OWN_POINTS = "own"
    THEIR_POINTS = "theirs"
    PENALTY = "penalty"
    SACRIFICE = "sacrifice"
    GIFT = "gift"
    TIMING = "timing"
    TIE_BREAK = "tie-break"
    DEEP = "deep"


class PuzzleEnd(StrEnum):
    """How the game ends for the solver."""

    WON = "won"
    SHARED = "shared"
    LOST = "lost"


@dataclass(frozen=True, slots=True, order=False)
class Value:
    """The end of the round for the solver: points ahead, and the result if the game is over."""

    margin: int
    result: PuzzleEnd | None = None

    def __str__(self) -> str:
        return f"{self.result or ''}{self.margin:+d}"

    @classmethod
    def read(cls, text: str) -> Value:
        found = re.fullmatch(r"(won|shared|lost|)([+-]\d{1,3})", text)
        if not found or str(made := cls(int(found[2]), PuzzleEnd(found[1]) if found[1] else None)) != text:
            raise ValueError(f"{text!r} is not a margin such as +3 or won+3")
        return made


@dataclass(frozen=True, kw_only=True, slots=True)
class Puzzle:
    """A proved question about a position in which the solver is to move."""

    id: str
    box: str
    goal: Goal
    position: str
    """As text, with everything (`core.writing`)."""
    turn: tuple[str, ...]
    """The moves of the answer, one of the forms that are accepted; the proposed turn of `Goal.SAFE`."""
    best: Value
    """After the best turn."""
    other: Value
    """After the best other answer; after the proposed turn of `Goal.SAFE`."""
    difficulty: float
    """The skill that finds the answer in half of its tries, with the penalties of `difficulty`."""
    curve: str
    """One digit of `difficulty.DIGITS` for each of its SKILLS: how many of its tries find the answer."""
    themes: tuple[PuzzleTheme, ...] = ()

    @property
    def proof(self) -> Proof:
        return Proof.GAME if self.goal is Goal.WIN else Proof.ROUND

    @property
    def seat(self) -> Seat:
        return Seat(self.start().to_move)

    @property
    def is_safe(self) -> bool:
        """`Goal.SAFE`: the answer."""
        return self.best.margin == self.other.margin

    def start(self) -> Position:
        return Position.from_text(self.position)


# --- one line -------------------------------------------------------------------------------------------

COLUMNS: Final = ("id", "goal", "difficulty", "curve", "themes", "best", "other", "turn", "position")
NONE: Final = "-"
LONGEST: Final = 4000
"""Characters of a line."""


def write_line(puzzle: Puzzle) -> str:
    return " ".join((
        puzzle.id, puzzle.goal, f"{puzzle.difficulty:.2f}", puzzle.curve,
        ",".join(puzzle.themes) or NONE, str(puzzle.best), str(puzzle.other), "+".join(puzzle.turn),
        shortened(puzzle.position.removeprefix(_head(puzzle.box))),
    ))


def read_line(line: str, box: str, *, check: bool = True) -> Puzzle:
    """A puzzle of a box; a ValueError says what is wrong with the line. With `check` its position is read
    and its turn played, which takes a millisecond."""
    cells = line.split(" ")
    if len(line) > LONGEST or len(cells) != len(COLUMNS):
        raise ValueError(f"a puzzle has {len(COLUMNS)} columns: {', '.join(COLUMNS)}")
    id_, goal, difficulty, curve, themes, best, other, turn, position = cells
    if not re.fullmatch(r"[0-9a-z]{8}", id_):
        raise ValueError(f"{id_!r} is not the name of a puzzle: eight digits or letters")
    if not re.fullmatch(r"\d\.\d\d", difficulty):
        raise ValueError(f"{difficulty!r} is not a difficulty such as 2.50")
    if not re.fullmatch(r"[0-9a-w]{4,20}", curve):
        raise ValueError(f"{curve!r} is not a curve of successes")
    puzzle = Puzzle(
        id=id_, box=box, goal=_word(Goal, goal), position=_head(box) + lengthened(position),
        turn=tuple(turn.split("+")), best=Value.read(best), other=Value.read(other),
        difficulty=float(difficulty), curve=curve,
        themes=() if themes == NONE else tuple(_word(PuzzleTheme, theme) for theme in themes.split(",")),
    )
    if check:
        _check(puzzle)
    return puzzle


def _word(kind: type[E], text: str) -> E:
    if text not in list(kind):
        raise ValueError(f"{text!r} is none of {', '.join(kind)}")
    return kind(text)


def _check(puzzle: Puzzle) -> None:
    """A ValueError unless the position can be read and the turn is a whole turn in it."""
    try:
        start = puzzle.start()
    except ValueError as error:
        raise ValueError(f"the position cannot be read: {error}") from error
    if start.to_move < 0 or start.preset.name != puzzle.box or start.players != SEATS or start.in_turn:
        raise ValueError("nobody begins a turn in this position")
    seat = start.to_move
    try:
        for text in puzzle.turn:
            if start.ply and not start.in_turn_of(seat):
                raise ValueError(f"it has already ended before {text}")
            start.play(text)
    except ValueError as error:
        raise ValueError(f"the turn cannot be played: {error}") from error
    if start.in_turn_of(seat):
        raise ValueError("the turn is not finished")


def _head(box: str) -> str:
    return f"{box},players={SEATS}/"


ZEROS: Final = re.compile("0{5,}")
COUNT: Final = re.compile(r"~(\d{1,3})~")


def shortened(text: str) -> str:
    """A position with long runs of zeros replaced by their number: a third of the length."""
    return ZEROS.sub(lambda run: f"~{len(run[0])}~", text)


def lengthened(text: str) -> str:
    return COUNT.sub(lambda run: "0" * int(run[1]), text)
