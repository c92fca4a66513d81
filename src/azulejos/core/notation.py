"""One short text per action, used for typing, logs and records.

A game lists its moves once; `MoveTable` reads and writes them. Text and action determine each other
without a position.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from azulejos.core.message import Message, Problem, msg, raw


class Move(Protocol):
    """A move of some game; each game's moves are small frozen dataclasses with more fields."""

    @property
    def text(self) -> str: ...


class Written:
    """For the moves of a game to derive from: `str` is the notation, `repr` shows the fields."""

    __slots__ = ()

    @property
    def text(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Start(Written):
    """Chance: the first start player."""

    seat: int

    @property
    def text(self) -> str:
        return f"@{self.seat + 1}"


class InvalidMove(Problem):
    """The text (or number) names no move of this game."""

    def __init__(self, reason: Message, text: str = "", column: int = 0) -> None:
        super().__init__(reason)
        self.text = text
        self.column = column

    def pointer(self) -> str:
        """The text with a caret below the first character that cannot be read."""
        return f"{self.text}\n{' ' * self.column}^"


class IllegalMove(Problem):
    """The move exists but may not be played now; `reason` says why."""


class MoveTable:
    """All moves of a game, indexed by action."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = tuple(moves)
        self._actions = {move.text: action for action, move in enumerate(self.moves)}
        if len(self._actions) != len(self.moves):
            raise ValueError("two moves share a text")
        self._numbers = {id(move): action for action, move in enumerate(self.moves)}
        """Our own moves, which live as long as this table, are known by where they are."""

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __getitem__(self, action: int) -> Move:
        return self.moves[action]

    def text(self, action: int) -> str:
        return self.moves[action].text

    def number(self, move: Any) -> int:
        """The action of a move, of its text, or of a whole number of any kind."""
        if type(move) is int and 0 <= move < len(self.moves):
            return move
        known = self._numbers.get(id(move))
        if known is not None and self.moves[known] is move:
            return known
        text = move if isinstance(move, str) else getattr(move, "text", None)
        if isinstance(text, str):
            return self.parse(text)
        try:
            action = operator.index(move)
        except TypeError:
            raise TypeError(f"a move is a Move, its text or its action, not {move!r}") from None
        if not 0 <= action < len(self.moves):
            raise InvalidMove(msg("There is no action {action}.", action=action))
        return action

    def parse(self, text: str) -> int:
        """The action for a text; case and surrounding spaces do not matter."""
        action = self.find(text)
        if action is None:
            raise self._unreadable(text, text.strip().lower())
        return action

    def find(self, text: str) -> int | None:
        """Like `parse`, but None if it is no move: without the explanation, which takes 0.3 ms."""
        return self._actions.get(text.strip().lower())

    def parse_line(self, line: str) -> list[int]:
        """Several moves separated by spaces: a whole turn."""
        return [self.parse(word) for word in line.split()]

    def unreadable(self, text: str, among: Iterable[int]) -> InvalidMove:
        """Why a text is no move, and how it could go on to be one of these actions."""
        return self._unreadable(text, text.strip().lower(), [self.text(action) for action in among])

    def _unreadable(self, text: str, word: str, among: Iterable[str] = ()) -> InvalidMove:
        if not word:
            return InvalidMove(msg("There is no move in an empty text."), text)
        known_texts = [*among] or [*self._actions]
        good = max(_common(word, known) for known in known_texts)
        start = text.lower().index(word)
        following = sorted(
            {known[good] for known in known_texts if known[:good] == word[:good] and len(known) > good}
        )
        expected = raw(" ".join(following))
        if good == len(word):
            reason = msg("{text} is not finished; it goes on with one of: {expected}",
                         text=word, expected=expected)
        elif not following:
            reason = msg("{text} is a move, but {rest} after it cannot be read",
                         text=word[:good], rest=word[good:])
        else:
            reason = msg("{text} cannot be read at character {column}; expected one of: {expected}",
                         text=word, column=good + 1, expected=expected)
        return InvalidMove(reason, text, start + good)


def _common(a: str, b: str) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
