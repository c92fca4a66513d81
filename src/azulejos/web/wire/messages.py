"""Every message between a page and the server, in both directions: JSON objects over one WebSocket.

A place, a kind of piece and a label are identified by their number in the plan (`wire/plan.py`), which
the page has already read. Every command with an `id` is answered exactly once, by `Done`, `Refused` or
`Said`.

docs/web-protocol.md is generated from this file: ``python -m azulejos.web.wire.written``.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

# --- from the page -----------------------------------------------------------------------------------


class Command(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """A message from the page: one JSON object of at most 2 kB, its kind in ``do``."""


class Hello(Command, tag="hello"):
    """The first message of every connection. A whole frame follows, or `Reload`."""

    protocol: str
    """The page's value of `PROTOCOL`."""
    plan: str
    """The digest of the plan that the page has read."""


class Play(Command, tag="play"):
    """One step of the player's turn, or several in one text."""

    id: int
    ply: int
    """The number of actions so far, including the draft. A command is valid for one moment only, so a page
    that does not know whether it arrived can send it again."""
    move: str
    at_once: bool = False
    """Whether a complete turn needs no confirmation."""


class Undo(Command, tag="undo"):
    """Take back the last real choice of the draft and the forced steps after it."""

    id: int
    ply: int


class Confirm(Command, tag="confirm"):
    """Commit the drafted turn."""

    id: int
    ply: int


class Ask(Command, tag="ask"):
    """Typed text: a question (answered by `Said`) or a move (answered by `Done`)."""

    id: int
    ply: int
    text: str
    at_once: bool = False


class Look(Command, tag="look"):
    """Show an earlier moment: the one after `ply` actions, or number `stop` of those that `Walk` counts;
    the present if both are null."""

    ply: int | None = None
    stop: int | None = None


class Mark(Command, tag="mark"):
    """Ask what these pieces stand for together. Answered by `Judged`."""

    slots: list[int]
    """Each place, repeated once per marked piece."""
    ply: int


class Preview(Command, tag="preview"):
    """Ask what the moves that one more click completes would do. Answered by `Previewed`."""

    path: list[int]
    """The places clicked so far."""
    ply: int


class Why(Command, tag="why"):
    """Ask why this path is not legal. Answered by `Explained`."""

    path: list[int]


class Hint(Command, tag="hint"):
    """Ask for a step of a hint: 1 where to look, 2 what it is about, 3 the turn. Each needs the one before
    it. Answered by `Hinted`; every step taken is noted in the record."""

    ply: int
    step: int


class Coach(Command, tag="coach"):
    """Whether the player wants to be told after a turn that was a mistake for certain."""

    on: bool


class Earlier(Command, tag="earlier"):
    """Ask for the whole log. Answered by `Moves`."""


class Speak(Command, tag="speak"):
    """Say something in the chat: one of the phrases, or a text where the table allows it."""

    id: int
    phrase: str = ""
    text: str = ""


class Propose(Command, tag="propose"):
    """Ask the others to take back one's last turn ("back") or to play again ("again"). If nobody else
    plays, it is done at once."""

    id: int
    what: Literal["back", "again"]


class Reply(Command, tag="reply"):
    """Agree to what is asked at the table, or decline it; whoever asked withdraws it with `no`."""

    id: int
    yes: bool


class Return(Command, tag="return"):
    """Play one's own seat again after a bot or a guest has played it."""

    id: int
    seat: int


class Replace(Command, tag="replace"):
    """Let a bot play for somebody who has been away too long."""

    id: int
    seat: int


FromPage = (
    Hello | Play | Undo | Confirm | Ask | Look | Mark | Preview | Why | Hint | Coach | Earlier
    | Speak | Propose | Reply | Return | Replace
)


# --- parts of a frame --------------------------------------------------------------------------------


class Part(msgspec.Struct, omit_defaults=True):
    """A part of a message; fields at their default are left out."""


Lying = list[int | str]
"""A piece in a place: [kind, spot, count, turn in degrees, name]. Default values (0, 1, 0, "") at the end
are left out, and the name is given only if it differs from the plan's name for the kind."""


class Change(Part):
    """How a place differs from the plan; fields left out are as in the plan."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    key: str | msgspec.UnsetType = msgspec.UNSET
    mark: str | msgspec.UnsetType = msgspec.UNSET
    caption: str | msgspec.UnsetType = msgspec.UNSET


class Words(Part):
    """A label that differs from the plan."""

    text: str
    style: str | msgspec.UnsetType = msgspec.UNSET


class Seat(Part):
    """A seat and who plays it."""

    name: str
    kind: str
    """open, human or bot."""
    role: str
    """A word for the page: "you", "bot", "waiting"."""
    bot: str = ""
    """The name of the bot that plays for the seat, as on the command line."""
    strength: str = ""
    own: bool = False
    back: bool = False
    """It is the viewer's seat, but a bot or a guest plays it: `Return` gives it back."""


class Step(Part, kw_only=True):
    """One part of a turn in the log: pieces as [kind, how many], and the place or what was done."""

    pieces: list[tuple[int, int]] = []
    name: str


class Turn(Part):
    """A line of the log."""

    first: int
    """The ply of its first decision. A line replaces an earlier line with the same `first`."""
    ply: int
    """The ply of its last decision."""
    stop: int
    """The number of the moment after it, as `Walk` counts."""
    seat: int
    move: str
    steps: list[Step] = []
    points: list[int] = []
    """Its points for the seat, term by term."""
    searched: str = ""
    """How many positions the bot searched, in words."""


class Scoring(Part):
    """The points of one action: shown rising from the table and added to the list of points."""

    ply: int
    before: list[int]
    """The score of every seat before the action."""
    reasons: list[str]
    short: list[str]
    """The same in one or two words."""
    terms: list[tuple[int, int, int, int | None, list[int]]]
    """[seat, points, number of the reason, place from which the number rises, places that light up]"""


class Breakdown(Part):
    """Where the points of a game came from."""

    kinds: list[str]
    points: list[list[int]]
    """By seat, then by kind."""


class Band(Part):
    """What is going on, in words."""

    headline: str
    detail: str = ""
    notice: str = ""


class Move(Part):
    """A path of clicks whose move is not the joined keys of its places."""

    move: str
    path: list[int]


class Verdict(Part):
    """What the marked pieces stand for together."""

    marked: list[int]
    said: str
    problem: str = ""
    move: str = ""
    """The moves they make, if they are enough."""


class Selection(Part):
    """Pieces that can be marked in any order; the verdict is about the suggested ones."""

    slots: list[int]
    """Each place, repeated once per piece that can be marked."""
    verdict: Verdict


class Offer(Part):
    """What the player to move may do: choose a path of clicks, or mark pieces."""

    choices: list[list[list[int]]] = []
    """Paths as products: [[17, 22], [61, 63]] is 17-61, 17-63, 22-61 and 22-63. The text of a move is the
    keys of its places, joined."""
    moves: list[Move] = []
    selection: Selection | None = None
    pale: list[int] = []
    """Places whose pieces cannot be used now."""


class Thinking(Part):
    """A bot that is thinking; times in milliseconds."""

    seat: int
    elapsed: int
    budget: int


class Walk(Part):
    """The place of this moment among those of the game, and the plies before and after it."""

    index: int
    last: int
    back: int | None = None
    on: int | None = None
    deals: list[int] = []
    """The moments after which a round begins, by their number."""


class TakenBack(Part):
    """A line that was taken back: its number, the ply where it left the game, and its moves."""

    number: int
    ply: int
    moves: str


class Asked(Part):
    """A request that waits for answers."""

    what: str
    text: str
    answer: bool = False
    """Whether the viewer has not answered yet."""
    own: bool = False
    """Whether the viewer has asked."""


class ChatLine(Part):
    """One line of the chat."""

    number: int
    seat: int
    name: str
    text: str
    phrase: bool = False


class Ending(Part):
    """The summary at the end of a game."""

    breakdown: Breakdown
    winners: list[int]
    """Seats."""
    seed: str
    """The seed of all draws; empty: others still play the same deal."""
    rematch: str = ""
    """The address of the next game, after that of the home page."""


# --- from the server ---------------------------------------------------------------------------------


class Answer(msgspec.Struct, tag_field="type", omit_defaults=True):
    """A message from the server: one JSON object, its kind in ``type``. Default values are left out."""


class Reload(Answer, tag="reload"):
    """The page is older than the server and has to reload; it tells the user why."""

    text: str


class Done(Answer, tag="done"):
    """A command was accepted."""

    id: int
    ply: int
    """Number of actions so far, including the draft."""
    saved: int
    """How many of them are committed."""


class Refused(Answer, tag="refused", kw_only=True):
    """A command was refused, with the reason; `section` is the section of the rules about it."""

    id: int = 0
    """0: the command could not be parsed."""
    text: str
    section: str = ""


class Said(Answer, tag="said"):
    """The answer to a question."""

    id: int
    text: str


class Effect(Part):
    """What a move would do, and the places whose pieces it affects."""

    move: str
    said: str
    lights: list[int] = []
    ghosts: dict[int, list[Lying]] = {}
    """By place: the pieces that would come to lie there, now or at the end of the round. Ghosts and points
    are given if the path of the question is complete."""
    points: list[tuple[int, int]] = []
    """[place, points gained or lost there], now or later."""


class Blocked(Part):
    """A place where only a rule stops the path."""

    slot: int
    reason: str


class Previewed(Answer, tag="preview"):
    """The moves that continue a path, and the places that are blocked."""

    ply: int
    path: list[int]
    effects: list[Effect] = []
    blocked: list[Blocked] = []
    superseded: bool = False
    """Not answered, because a newer one was requested; it can be requested again."""


class Explained(Answer, tag="why"):
    """Why a path is not legal."""

    path: list[int]
    text: str
    section: str = ""
    plain: bool = False
    """Whether the only answer is that nothing can be done there."""


class Judged(Answer, tag="judged"):
    """The verdict on marked pieces."""

    ply: int
    verdict: Verdict


class Hinted(Answer, tag="hint"):
    """A step of a hint."""

    ply: int
    step: int
    said: list[str]
    lights: list[int] = []
    """Places to look at."""
    more: bool = False
    """Whether another step follows."""


class News(Part):
    """What differs from the previous frame of the same connection; anything left out is unchanged."""

    whole: bool = False
    """Discard all earlier frames: this is the first one of a connection."""
    lies: dict[int, list[Lying]] = {}
    """By place: all pieces there now."""
    places: dict[int, Change | None] = {}
    """By place: how it differs from the plan; {}: as in the plan, null: it is hidden."""
    labels: dict[int, Words | None] = {}
    """By label: its text in place of the plan's; null: the plan's text again."""
    seats: list[Seat] = []
    """All seats, if one has changed."""
    log: list[Turn] = []
    """New turns, oldest first; a turn replaces an earlier line with the same `first`."""
    earlier: str = ""
    """How many moves came before the first turn of a whole frame, in words."""
    scored: list[Scoring] = []
    """New scorings, oldest first; each replaces all with the same or a later ply."""
    ending: Ending | None = None
    branches: list[TakenBack] = []
    """Lines that were taken back, in a whole frame."""


class Moves(Answer, tag="moves"):
    """The whole log."""

    log: list[Turn]


class Talk(Answer, tag="talk"):
    """New lines of the chat, oldest first."""

    lines: list[ChatLine]
    old: bool = False
    """They were said before the connection was opened."""


class Frame(Answer, tag="frame", kw_only=True):
    """One moment of the table, as this viewer sees it."""

    news: News
    ply: int
    """Number of actions so far, including the viewer's draft; commands repeat this number."""
    seen: int
    """Number of actions shown: scorings before it belong to this moment, and those since the previous frame
    rise from the table. It is less than `ply` while the end of a round is held back until the turn is
    confirmed."""
    to_move: int
    """A seat; -1: pieces are being drawn, -2: the game is over."""
    title: str
    band: Band
    walk: Walk
    live: bool = False
    """The present, or a moment on the way to it; otherwise an earlier moment."""
    more: bool = False
    """A moment on the way to the present: the next one follows at once."""
    mine: bool = False
    over: bool = False
    confirm: bool = False
    """The turn is complete and has to be confirmed."""
    undo: bool = False
    offer: Offer | None = None
    told: list[str] = []
    """Sentences for screen readers."""
    thinking: Thinking | None = None
    clocks: list[int] = []
    """Milliseconds left for each seat."""
    away: list[int | None] = []
    """For each seat, how many milliseconds its player has been away; null: here, or no person. Empty:
    nobody is away."""
    called: bool = False
    """An earlier moment is shown, and it is the viewer's turn."""
    can_take_back: bool = False
    asked: Asked | None = None
    hints: bool = False
    """Whether the viewer may ask for a hint now."""
    warned: str = ""
    """What the coach says about the viewer's last turn."""


FromServer = (
    Reload | Done | Refused | Said | Previewed | Explained | Judged | Hinted | Moves | Talk | Frame
)

read = msgspec.json.Decoder(FromPage).decode
write = msgspec.json.Encoder().encode


def _digest() -> str:
    """A digest of all messages, so that no version number has to be raised by hand."""
    _, parts = msgspec.json.schema_components([FromPage, FromServer])
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:8]


PROTOCOL: str = _digest()
"""The protocol version of this server. A page with another version reloads."""
