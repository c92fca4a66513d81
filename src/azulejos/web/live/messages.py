"""Every message between a page and the server, in both directions: JSON objects over one WebSocket.

A place, a kind of piece and a label are named by their number in the plan (`frames/plan.py`), which the
page has read before. Every command with an `id` is answered exactly once, by `Done`, `Refused` or `Said`.

docs/web-protocol.md is made from this file: ``python -m azulejos.web.live.messages``.
"""

from __future__ import annotations

import hashlib

import msgspec

# --- from the page -----------------------------------------------------------------------------------


class Command(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """What a page says: one JSON object of at most 2 kB, its kind in ``do``."""


class Hello(Command, tag="hello"):
    """The first word of every connection. A whole frame follows, or `Reload`."""

    protocol: str
    """`PROTOCOL` as the page knows it."""
    plan: str
    """The digest of the plan that the page has read."""


class Play(Command, tag="play"):
    """A step of my turn, or several in one text."""

    id: int
    ply: int
    """After so many actions, those of the draft included: a command counts for one moment only, so that it
    can be sent again when nobody knows whether it has arrived."""
    move: str
    at_once: bool = False
    """Whether a complete turn needs no confirmation."""


class Undo(Command, tag="undo"):
    """Take back the last real choice of the draft."""

    id: int
    ply: int


class Confirm(Command, tag="confirm"):
    """The drafted turn counts."""

    id: int
    ply: int


class Ask(Command, tag="ask"):
    """Typed words: a question (answered by `Said`) or a move (answered by `Done`)."""

    id: int
    ply: int
    text: str
    at_once: bool = False


class Look(Command, tag="look"):
    """Walk through the game: to the moment after so many actions, or back to the present (null)."""

    ply: int | None


class Mark(Command, tag="mark"):
    """What would these pieces mean together? Answered by `Judged`."""

    slots: list[int]
    """A place as often as pieces of it are marked."""
    ply: int


class Preview(Command, tag="preview"):
    """What would the moves do that one more click completes? Answered by `Previewed`."""

    path: list[int]
    """The places clicked so far."""
    ply: int


class Why(Command, tag="why"):
    """Why does this path lead nowhere? Answered by `Explained`."""

    path: list[int]


FromPage = Hello | Play | Undo | Confirm | Ask | Look | Mark | Preview | Why


# --- parts of a frame --------------------------------------------------------------------------------


class Part(msgspec.Struct, omit_defaults=True):
    """A part of a message; fields at their default are left out."""


Lying = list[int | str]
"""A piece in a place: [kind, spot, count, turn in degrees, name], cut behind the last one that is not the
default (0, 1, 0, ""). The name only where it is not what the plan calls the kind."""


class Change(Part):
    """How a place differs from the plan; what is left out is as in the plan."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    key: str | msgspec.UnsetType = msgspec.UNSET
    mark: str | msgspec.UnsetType = msgspec.UNSET
    caption: str | msgspec.UnsetType = msgspec.UNSET


class Words(Part):
    """A label that differs from the plan."""

    text: str
    style: str | msgspec.UnsetType = msgspec.UNSET


class Seat(Part):
    """Who sits there."""

    name: str
    kind: str
    """open, human or bot."""
    role: str
    """In words: "you", "bot", "waiting"."""
    bot: str = ""
    """Who plays for the seat, as a word of the command line."""
    strength: str = ""
    own: bool = False


class Step(Part, kw_only=True):
    """One part of a turn in the log: pieces as [kind, how many], and the place or what was done."""

    pieces: list[tuple[int, int]] = []
    name: str


class Turn(Part):
    """A line of the log."""

    first: int
    """The ply of its first decision: a turn that goes on takes the place of its beginning."""
    ply: int
    """The ply of its last decision."""
    seat: int
    move: str
    steps: list[Step] = []
    points: list[int] = []
    """What it scored for the seat, term by term."""
    searched: str = ""
    """How many positions a bot has looked at, in words."""


class Scoring(Part):
    """What one action scored: it rises from the table, and the list of points grows by it."""

    ply: int
    before: list[int]
    """The score of every seat before it."""
    reasons: list[str]
    terms: list[tuple[int, int, int, int | None, list[int]]]
    """[seat, points, number of the reason, place where the number rises, places that light up]"""


class Breakdown(Part):
    """Where the points of a game came from."""

    kinds: list[str]
    points: list[list[int]]
    """[seat][kind]"""


class Band(Part):
    """What is going on, in words."""

    headline: str
    detail: str = ""
    notice: str = ""


class Move(Part):
    """A path of clicks whose move is not the keys of its places joined."""

    move: str
    path: list[int]


class Verdict(Part):
    """What marked pieces mean together."""

    marked: list[int]
    said: str
    problem: str = ""
    move: str = ""
    """The moves that they make, once they suffice."""


class Selection(Part):
    """Pieces to mark in any order; the verdict is about those that the table proposes."""

    slots: list[int]
    """A place as often as pieces of it can be marked."""
    verdict: Verdict


class Offer(Part):
    """What the player to move may do: choose a path of clicks, or mark pieces."""

    choices: list[list[list[int]]] = []
    """Paths as products: [[17, 22], [61, 63]] is 17-61, 17-63, 22-61 and 22-63. The move is the keys of the
    places joined."""
    moves: list[Move] = []
    selection: Selection | None = None
    pale: list[int] = []
    """Places whose pieces are of no use now."""


class Thinking(Part):
    """A bot at work, in milliseconds."""

    seat: int
    elapsed: int
    budget: int


class Walk(Part):
    """Where this moment stands among those of the game; plies before and after it."""

    index: int
    last: int
    back: int | None = None
    on: int | None = None


class Ending(Part):
    """What is told when a game is over."""

    breakdown: Breakdown
    seed: str
    """Of all draws."""
    rematch: str = ""
    """The address of the next game."""


# --- from the server ---------------------------------------------------------------------------------


class Answer(msgspec.Struct, tag_field="type", omit_defaults=True):
    """What the server says: one JSON object, its kind in ``type``; fields at their default are left out."""


class Reload(Answer, tag="reload"):
    """The page is older than the server: it says so and loads again."""

    text: str


class Done(Answer, tag="done"):
    """A command was taken."""

    id: int
    ply: int
    """Actions played, those of the draft included."""
    saved: int
    """So many of them are saved for good."""


class Refused(Answer, tag="refused", kw_only=True):
    """A command was not taken, and why; `section` is where the rules tell more."""

    id: int = 0
    """0: the command could not even be read."""
    text: str
    section: str = ""


class Said(Answer, tag="said"):
    """The answer to a question."""

    id: int
    text: str


class Effect(Part):
    """What a move would do, and the places whose pieces it concerns."""

    move: str
    said: str
    lights: list[int] = []


class Blocked(Part):
    """A place to which the path could go on, but for a rule."""

    slot: int
    reason: str


class Previewed(Answer, tag="preview"):
    """What goes on from a path, and what does not."""

    ply: int
    path: list[int]
    effects: list[Effect] = []
    blocked: list[Blocked] = []


class Explained(Answer, tag="why"):
    """Why a path leads nowhere."""

    path: list[int]
    text: str
    section: str = ""
    plain: bool = False
    """Whether there is no more to say than that nothing can be done there."""


class Judged(Answer, tag="judged"):
    """What marked pieces mean."""

    ply: int
    verdict: Verdict


class News(Part):
    """What differs from the frame before on the same connection; what is left out stays as it was."""

    whole: bool = False
    """Forget what earlier frames said: this is the first one of a connection."""
    lies: dict[int, list[Lying]] = {}
    """By place: all that lies there now."""
    places: dict[int, Change | None] = {}
    """By place: how it differs from the plan; {} as in the plan, null: it is not there."""
    labels: dict[int, Words | None] = {}
    """By label: what it says instead of the plan's words; null: the plan's again."""
    seats: list[Seat] = []
    """All of them, if one has changed."""
    log: list[Turn] = []
    """New turns, oldest first; one that was told before takes the place of its beginning."""
    earlier: str = ""
    """How many moves came before the first turn of a whole frame, in words."""
    scored: list[Scoring] = []
    """New ones, oldest first; one takes the place of all with the same ply or a later one."""
    ending: Ending | None = None


class Frame(Answer, tag="frame", kw_only=True):
    """One moment of the table, as this viewer sees it."""

    news: News
    ply: int
    """Actions played, those of the own draft included: commands repeat it."""
    seen: int
    """Actions that are seen: scorings before it belong to this moment, and those since the frame before
    rise from the table. Less than `ply` while the end of a round waits until the turn is confirmed."""
    to_move: int
    """A seat, -1: something is drawn, -2: the game is over."""
    title: str
    band: Band
    walk: Walk
    live: bool = False
    """The present, or a moment on the way to it; otherwise somebody looks back."""
    more: bool = False
    """On the way to the present: the next moment follows at once."""
    mine: bool = False
    over: bool = False
    confirm: bool = False
    """The turn is complete and waits for a word."""
    undo: bool = False
    offer: Offer | None = None
    told: list[str] = []
    """Sentences to speak."""
    thinking: Thinking | None = None
    clocks: list[int] = []
    """Milliseconds left to each seat."""


FromServer = Reload | Done | Refused | Said | Previewed | Explained | Judged | Frame

read = msgspec.json.Decoder(FromPage).decode
write = msgspec.json.Encoder().encode


def _digest() -> str:
    """Changes with every change of a message, so that nobody has to remember to count up."""
    _, parts = msgspec.json.schema_components([FromPage, FromServer])
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:8]


PROTOCOL: str = _digest()
"""What this server speaks. A page that speaks something else loads itself again."""
