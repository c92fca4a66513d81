"""Every message between a study board and the server, in both directions.

`Hello`, `Mark`, `Preview` and `Why`, and the answers to them, are those of a table (`messages.py`); their
`ply` is the number of a node here. A node is a move in the tree of lines, or a whole draw of pieces.
"""

from __future__ import annotations

import hashlib

import msgspec

from azulejos.web.wire.messages import (
    Answer,
    Command,
    Done,
    Explained,
    Hello,
    Judged,
    Mark,
    News,
    Offer,
    Part,
    Preview,
    Previewed,
    Refused,
    Reload,
    Step,
    Why,
)

# --- from the page -----------------------------------------------------------------------------------


class Visit(Command, tag="visit"):
    """Show the position at a node."""

    node: int


class Add(Command, tag="add"):
    """Play a move at a node: follow the line that begins with it, or begin one."""

    id: int
    node: int
    move: str


class Draw(Command, tag="draw"):
    """Draw the pieces of the next round at random."""

    id: int
    node: int


class Remark(Command, tag="remark"):
    """Write the comment of a node."""

    id: int
    node: int
    text: str


class Remove(Command, tag="remove"):
    """Remove a node and everything after it."""

    id: int
    node: int


class Promote(Command, tag="promote"):
    """Make the line of a node the main one."""

    id: int
    node: int


class Entitle(Command, tag="entitle"):
    """Give the study a title."""

    id: int
    title: str


class Arrange(Command, tag="arrange"):
    """Begin a study with a position that was set up; answered by `Opened`, or `Refused` with what the rules
    object to. With `check`, nothing is begun."""

    id: int
    position: str
    check: bool = False


class Duplicate(Command, tag="duplicate"):
    """Make a copy that belongs to the visitor, with everything they have added. Answered by `Opened`."""

    id: int


class Consider(Command, tag="consider"):
    """Judge the position at a node, instead of the one before. Answered by `Outlook` again and again, or by
    `NoJudge`."""

    node: int
    engine: str = ""


class Pause(Command, tag="pause"):
    """Judge nothing."""


FromStudyPage = (
    Hello | Visit | Add | Draw | Remark | Remove | Promote | Entitle | Arrange | Duplicate | Consider
    | Pause | Mark | Preview | Why
)


# --- parts -----------------------------------------------------------------------------------------------


class Twig(Part):
    """A node of the tree."""

    number: int
    parent: int
    """-1: the first position."""
    seat: int = -1
    """Who moved; -1: pieces were drawn."""
    turn: int = 0
    """The number of the turn in its line; 0 for a draw."""
    round: int = 0
    move: str = ""
    steps: list[Step] = msgspec.field(default_factory=list)
    comment: str = ""
    order: int = 0
    """Its place among the children of its parent; 0 continues the line."""


class Measured(Part):
    """A number and its interval."""

    value: float
    low: float
    high: float


class ComparedTurn(Part):
    """One of the best turns, compared with the best."""

    move: str
    steps: list[Step]
    path: list[int]
    """Places from which and to which it leads."""
    points: Measured
    proved: bool = False
    exact: bool = False
    equal: bool = False
    """Equal for our judge."""


class Menace(Part):
    """What the next player would do if the seat to move passed."""

    text: str
    pieces: list[tuple[int, int]] = msgspec.field(default_factory=list)
    path: list[int] = msgspec.field(default_factory=list)


# --- from the server -------------------------------------------------------------------------------------


class Grown(Answer, tag="grown"):
    """Nodes that are new or have changed."""

    nodes: list[Twig]


class Shed(Answer, tag="shed"):
    """Nodes that are gone."""

    nodes: list[int]


class Board(Answer, tag="board", kw_only=True):
    """The position at a node, as far as it differs from the one that the page shows."""

    node: int
    news: News
    to_move: int
    """A seat; -1: pieces are to be drawn, -2: the game is over."""
    offer: Offer | None = None
    status: str
    position: str
    """Its text."""
    scores: list[int]


class Opened(Answer, tag="opened"):
    """Another study, or (after a check) nothing to object to."""

    id: int
    address: str = ""
    picture: str = ""


class Outlook(Answer, tag="outlook", kw_only=True):
    """What is known about the position at a node so far."""

    node: int
    points: list[Measured]
    """[seat]: the expected margin at the end of the game."""
    win: list[Measured]
    kind: str
    """exact, proved round or estimate."""
    turns: list[ComparedTurn]
    equals: int
    """How many of the first turns are equal for our judge."""
    menace: Menace | None
    finished: bool
    seconds: float


class NoJudge(Answer, tag="nojudge"):
    """Nothing is judged now, and why."""

    node: int
    text: str


FromStudy = (
    Reload | Done | Refused | Previewed | Explained | Judged | Grown | Shed | Board | Opened | Outlook
    | NoJudge
)

read = msgspec.json.Decoder(FromStudyPage).decode
write = msgspec.json.Encoder().encode


def _digest() -> str:
    _, parts = msgspec.json.schema_components([FromStudyPage, FromStudy])
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:8]


PROTOCOL: str = _digest()
