"""What a person has practised: puzzles, own mistakes as cards, games that were judged. One document.

It consists of sets of small entries, each with the time when it began. Two documents are merged by uniting
the sets; entries with the same key are joined field by field. So any number of copies, merged in any order,
become the same document, and nothing in them is lost up to the bounds. Streak, rating and the times of
cards are not stored: they are computed from the entries (`insight.practice`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from azulejos.core.message import Message, Problem, msg

FORMAT: Final = "azulejos progress"
VERSION: Final = 1
MOST_ATTEMPTS: Final = 3000
MOST_CARDS: Final = 200
MOST_ANSWERS: Final = 3000
MOST_GAMES: Final = 200
MOST_BYTES: Final = 1_000_000
"""Of a document as text."""

Count = Annotated[int, Meta(ge=0, le=99)]
Time = Annotated[int, Meta(ge=0, le=1 << 43)]
"""Milliseconds since 1970."""
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
PuzzleName = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}/[A-Za-z0-9_-]{1,40}$")]
Day = Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?$")]
Moves = Annotated[str, Meta(max_length=400)]
Points = Annotated[float, Meta(ge=-500, le=500)]

Lost = Annotated[float, Meta(ge=-10_000, le=10_000)]
Loss = tuple[Lost, Annotated[tuple[Lost, ...], Meta(max_length=20)]]
First = Literal["right", "helped", "wrong"]
"""What somebody did first: found the turn, asked for a hint, or tried another turn."""


class Sentence(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A `Message` in a file. From a file anything may be in it: `i18n.is_ours` tells whether to say it."""

    text: Annotated[str, Meta(max_length=400)]
    args: Annotated[tuple[tuple[str, str | int | float | Sentence], ...], Meta(max_length=10)] = ()
    many: Annotated[str, Meta(max_length=400)] | None = None
    context: Annotated[str, Meta(max_length=100)] | None = None

    @classmethod
    def of(cls, message: Message) -> Sentence:
        return cls(message.text, tuple((name, cls.of(value) if isinstance(value, Message) else value)
                                       for name, value in message.args), message.many, message.context)

    def message(self) -> Message:
        return Message(self.text, tuple((name, value.message() if isinstance(value, Sentence) else value)
                                        for name, value in self.args), self.many, self.context)


class Attempt(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A puzzle that somebody tried."""

    puzzle: PuzzleName
    at: Time
    first: First
    tries: Count = 0
    """Turns tried."""
    hints: Count = 0
    solved: bool = False
    shown: bool = False
    """Whether the answer was shown before it was found."""
    day: Day = ""
    """The day whose puzzle it was, such as 2026-11-17."""


class Card(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A mistake of a game, to be asked again."""

    id: Name
    at: Time
    position: Annotated[str, Meta(max_length=4000)]
    table: Name
    ply: Annotated[int, Meta(ge=0, le=10_000)]
    played: Moves
    better: Moves
    lost: Points
    judge: Annotated[int, Meta(ge=0, le=10_000)]
    weights: Annotated[str, Meta(max_length=32)]
    costs: Annotated[dict[Moves, Points], Meta(max_length=300)] = {}
    """What every turn loses compared with the best one."""
    replies: Annotated[dict[Moves, Moves], Meta(max_length=300)] = {}
    """The best reply to a turn."""
    names: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=8)] = ()
    """Of the seats."""
    reasons: Annotated[tuple[Sentence, ...], Meta(max_length=8)] = ()
    """Why the better turn is better."""


class CardAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card that was asked."""

    card: Name
    at: Time
    first: First
    tries: Count = 0
    hints: Count = 0


class JudgedGame(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a seat gave away in a game that was reviewed."""

    table: Name
    seat: Annotated[int, Meta(ge=0, le=9)]
    at: Time
    box: Name
    players: Annotated[int, Meta(ge=1, le=10)]
    judge: Annotated[int, Meta(ge=0, le=10_000)]
    weights: Annotated[str, Meta(max_length=32)]
    level: Annotated[int, Meta(ge=0, le=10_000)]
    """The version of `insight.level`."""
    losses: Annotated[tuple[Loss, ...], Meta(max_length=400)] = ()
    """By turn: what it lost, and what bots of the levels would have lost there."""
    cards: Count = 0
    """Mistakes of it that became cards."""


class Progress(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Everything that belongs to one person."""

    format: Literal["azulejos progress"] = FORMAT
    version: Annotated[int, Meta(ge=1)] = VERSION
    attempts: tuple[Attempt, ...] = ()
    cards: tuple[Card, ...] = ()
    answers: tuple[CardAnswer, ...] = ()
    games: tuple[JudgedGame, ...] = ()


E = TypeVar("E", Attempt, Card, CardAnswer, JudgedGame)


# --- merging ---------------------------------------------------------------------------------------------


def merged(one: Progress, other: Progress) -> Progress:
    """Everything that is in one of the documents; the newest entries if that is too much."""
    return _bounded(Progress(
        attempts=_united((*one.attempts, *other.attempts), _attempt_key, _joined, MOST_ATTEMPTS),
        cards=_united((*one.cards, *other.cards), lambda card: card.id, _newest, MOST_CARDS),
        answers=_united((*one.answers, *other.answers), _answer_key, _joined, MOST_ANSWERS),
        games=_united((*one.games, *other.games), _game_key, _newest, MOST_GAMES),
    ))


def _bounded(progress: Progress) -> Progress:
    """The newer half of everything, again and again, until the document is small enough."""
    while len(written(progress)) > MOST_BYTES:
        progress = Progress(
            attempts=_newer_half(progress.attempts), cards=_newer_half(progress.cards),
            answers=_newer_half(progress.answers), games=_newer_half(progress.games),
        )
    return progress


def _newer_half(entries: tuple[E, ...]) -> tuple[E, ...]:
    return entries[(len(entries) + 1) // 2 :]


def _united(
    entries: Iterable[E], key: Callable[[E], Any], join: Callable[[E, E], E], most: int
) -> tuple[E, ...]:
    found: dict[Any, E] = {}
    for entry in entries:
        known = found.get(key(entry))
        found[key(entry)] = entry if known is None else join(known, entry)
    return tuple(sorted(found.values(), key=lambda entry: (entry.at, str(key(entry))))[-most:])


def _attempt_key(entry: Attempt) -> tuple[str, int]:
    return entry.puzzle, entry.at


def _answer_key(entry: CardAnswer) -> tuple[str, int]:
    return entry.card, entry.at


def _game_key(entry: JudgedGame) -> tuple[str, int]:
    return entry.table, entry.seat


def _joined(one: E, other: E) -> E:
    """The larger value of every field: counts grow, and what happened stays so. `first` is ordered by its
    letters, so "wrong" outweighs the others."""
    fields = {name: max(getattr(one, name), getattr(other, name)) for name in one.__struct_fields__}
    return type(one)(**fields)


def _newest(one: E, other: E) -> E:
    """The later entry; of two from the same time always the same one, whatever their order."""
    return max(one, other, key=lambda entry: (entry.at, msgspec.json.encode(entry)))


# --- files -----------------------------------------------------------------------------------------------


def written(progress: Progress) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(progress) | {"format": FORMAT, "version": VERSION})


msgspec.convert({}, Progress)  # what it knows of types is made once; by two threads at once, it crashed


def read(text: bytes | str) -> Progress:
    """Read a document. A Problem says why a file is none."""
    if len(text) > MOST_BYTES:
        raise Problem(msg("This file is too large: {size} kB. Files of ours have at most {most} kB.",
                          size=len(text) // 1000, most=MOST_BYTES // 1000))
    try:
        given = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(msg("This is not a file that was saved here: it cannot be read as JSON.")) from error
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise Problem(msg("This file holds something else. Choose one that was saved on this page."))
    if given.get("version") != VERSION:
        raise Problem(msg("This file was saved by another version of azulejos, and this one cannot read "
                          "it."))
    try:
        return merged(Progress(), msgspec.convert(given, Progress))
    except (msgspec.ValidationError, RecursionError) as error:
        raise Problem(msg("This file is damaged: {reason}", reason=str(error)[:200])) from error
