"""Every message between a page and the server, in both directions: JSON objects over one WebSocket.

A place, a kind of piece and a label are identified by their number in the plan (`wire/plan.py`), which
the page has already read. Every command with an `id` is answered exactly once.

At a table the `ply` of a question is the number of actions so far. At a study board it is the number of a
node: a move in the tree of lines, or a whole draw of pieces.

docs/web-protocol.md is generated from this file: ``python -m azulejos.web.wire.written``.
"""

from __future__ import annotations

import hashlib
from typing import Literal, TypeVar

import msgspec

T = TypeVar("T")

# --- from every page ---------------------------------------------------------------------------------


class Command(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """A message from the page: one JSON object of at most 4 kB, its kind in ``do``."""


class Hello(Command, tag="hello"):
    """The first message of every connection. A whole frame or the nodes of a study follow, or `Reload`."""

    protocol: str
    """The page's value of `PROTOCOL`."""
    plan: str
    """The digest of the plan that the page has read."""


class JudgeMarked(Command, tag="mark"):
    """Ask what these pieces stand for together. Answered by `Judged`."""

    slots: list[int]
    """Each place, repeated once per marked piece."""
    ply: int


class GetPreview(Command, tag="preview"):
    """Ask what the moves that one more click completes would do. Answered by `Previewed`."""

    path: list[int]
    """The places clicked so far."""
    ply: int


class GetReason(Command, tag="why"):
    """Ask why this path is not legal. Answered by `Explained`."""

    path: list[int]


Question = JudgeMarked | GetPreview | GetReason
"""What a page asks while the player is still choosing. Only the newest of each kind is answered."""


class CanThink(Command, tag="thinks"):
    """Whether the page can think for its visitor: it has read what `Prepare` names, and is not hidden."""

    on: bool
    memory: str = ""
    """The address of the memory that it has read."""


# --- from a table ------------------------------------------------------------------------------------


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


class EnterText(Command, tag="ask"):
    """Typed text: a question (answered by `TextAnswer`) or a move (answered by `Done`)."""

    id: int
    ply: int
    text: str
    at_once: bool = False


class ShowMoment(Command, tag="look"):
    """Show an earlier moment: the one after `ply` actions, or number `stop` of those that `Walk` counts;
    the present if both are null."""

    ply: int | None = None
    stop: int | None = None


class GetHint(Command, tag="hint"):
    """Ask for a step of a hint: 1 where to look, 2 what it is about, 3 the turn. Each needs the one before
    it. Answered by `Hinted`; every step taken is noted in the record."""

    ply: int
    step: int


class Coach(Command, tag="coach"):
    """Whether the player wants to be told after a turn that was a mistake for certain."""

    on: bool
    heard: bool = False
    """Whether the player has heard what the coach said and plays on: the bots answer then."""


class FoundMove(Command, tag="found"):
    """The answer to `Think`."""

    task: int
    action: int
    """The number of the action to play."""
    nodes: int
    """Positions searched."""


class Searched(Command, tag="searched"):
    """The answer to `Search`."""

    task: int
    found: list[FoundLine]
    """One for each position."""


class WeighGame(Command, tag="weigh"):
    """Ask what every moment of a finished game promised. Answered by `Weighed` again and again."""


class GetLog(Command, tag="earlier"):
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


class AnswerRequest(Command, tag="reply"):
    """Agree to what is asked at the table, or decline it; whoever asked withdraws it with `no`."""

    id: int
    yes: bool


class ResumeSeat(Command, tag="return"):
    """Play one's own seat again after a bot or a guest has played it."""

    id: int
    seat: int


class ReplacePlayer(Command, tag="replace"):
    """Let a bot play for somebody who has been away too long."""

    id: int
    seat: int


class AddNumber(Command, tag="number"):
    """Add a random number to the draws of a game that has not begun, knowing the SHA-256 of its seed. Only
    the first one of a player counts."""

    number: str
    """32 hexadecimal digits."""


FromTable = (
    Hello | AddNumber | Play | Undo | Confirm | EnterText | ShowMoment | JudgeMarked | GetPreview
    | GetReason | GetHint | Coach | CanThink | FoundMove | Searched | GetLog | WeighGame | Speak
    | Propose | AnswerRequest | ResumeSeat | ReplacePlayer
)


# --- from a study board ------------------------------------------------------------------------------


class ShowNode(Command, tag="visit"):
    """Show the position at a node."""

    node: int


class AddMove(Command, tag="add"):
    """Play a move at a node: follow the line that begins with it, or begin one."""

    id: int
    node: int
    move: str


class DrawPieces(Command, tag="draw"):
    """Draw the pieces of the next round at random."""

    id: int
    node: int


class SetComment(Command, tag="comment"):
    """Write the comment of a node."""

    id: int
    node: int
    text: str


class RemoveNode(Command, tag="remove"):
    """Remove a node and everything after it."""

    id: int
    node: int


class PromoteLine(Command, tag="promote"):
    """Make the line of a node the main one."""

    id: int
    node: int


class SetTitle(Command, tag="title"):
    """Give the study a title."""

    id: int
    title: str


class SetPosition(Command, tag="arrange"):
    """Begin a study with a position that was set up; answered by `Opened`, or `Refusal` with what the rules
    object to. With `check`, nothing is begun."""

    id: int
    position: str
    check: bool = False


class FoundTurns(Command, tag="rated"):
    """An answer to `Rate`; better ones follow until the last."""

    task: int
    nodes: int
    """Positions searched."""
    turns: list[SearchedTurn]
    """The best ones."""
    means: list[float]
    """Of a tree: the mean result of every seat, from 0 to 1."""
    last: bool


class CopyStudy(Command, tag="duplicate"):
    """Make a copy that belongs to the visitor, with everything they have added. Answered by `Opened`."""

    id: int


class JudgeNode(Command, tag="judge"):
    """Judge the position at a node, instead of the one before. Answered by `NodeOutlook` again and again,
    or by `NoJudge`."""

    node: int
    engine: str = ""


class StopJudging(Command, tag="pause"):
    """Judge nothing."""


FromStudy = (
    Hello | ShowNode | AddMove | DrawPieces | SetComment | RemoveNode | PromoteLine | SetTitle | SetPosition
    | CopyStudy | JudgeNode | StopJudging | CanThink | FoundTurns | JudgeMarked | GetPreview | GetReason
)

Awaited = CanThink | FoundMove | FoundTurns | Searched | AddNumber
"""What the server waits for: it is heard even from a visitor who owes time, but later."""


# --- parts of messages -------------------------------------------------------------------------------


class MessagePart(msgspec.Struct, omit_defaults=True):
    """A part of a message; fields at their default are left out."""


class WantedSearch(MessagePart):
    """A search of a given size."""

    row: str
    """The bytes of the position, in base64."""
    nodes: int
    """Simulations, where a tree is searched."""
    seed: str
    """The state of a random generator, a number of 64 bits."""
    fresh: bool
    """Whether nothing that was found before may help; then nothing but the value is wanted."""
    out: bool
    """Whether best play is followed until something is drawn or the game is over, with as many nodes for
    each decision."""


Lying = list[int | str]
"""A piece in a place: [kind, spot, count, turn in degrees, name]. Default values (0, 1, 0, "") at the end
are left out, and the name is given only if it differs from the plan's name for the kind."""


class SlotChange(MessagePart):
    """How a place differs from the plan; fields left out are as in the plan."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    key: str | msgspec.UnsetType = msgspec.UNSET
    mark: str | msgspec.UnsetType = msgspec.UNSET
    caption: str | msgspec.UnsetType = msgspec.UNSET


class LabelText(MessagePart):
    """A label that differs from the plan."""

    text: str
    style: str | msgspec.UnsetType = msgspec.UNSET


class Seat(MessagePart):
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
    """It is the viewer's seat, but a bot or a guest plays it: `ResumeSeat` gives it back."""
    face: str = ""
    """The face that a person has chosen."""


class LogStep(MessagePart, kw_only=True):
    """One part of a turn in the log: pieces as [kind, how many], and the place or what was done."""

    pieces: list[tuple[int, int]] = []
    name: str


class LogTurn(MessagePart):
    """A line of the log."""

    first: int
    """The ply of its first decision. A line replaces an earlier line with the same `first`."""
    ply: int
    """The ply of its last decision."""
    stop: int
    """The number of the moment after it, as `Walk` counts."""
    seat: int
    move: str
    steps: list[LogStep] = []
    points: list[int] = []
    """Its points for the seat, term by term."""
    searched: str = ""
    """How many positions the bot searched, in words."""


class ScoredAction(MessagePart):
    """The points of one action: shown rising from the table and added to the list of points."""

    ply: int
    before: list[int]
    """The score of every seat before the action."""
    reasons: list[str]
    short: list[str]
    """The same in one or two words."""
    terms: list[tuple[int, int, int, int | None, list[int]]]
    """[seat, points, number of the reason, place from which the number rises, places that light up]"""


class Breakdown(MessagePart):
    """Where the points of a game came from."""

    kinds: list[str]
    points: list[list[int]]
    """By seat, then by kind."""


class Band(MessagePart):
    """What is going on, in words."""

    headline: str
    detail: str = ""
    notice: str = ""
    round: str = ""
    """Which round is played."""
    rounds: str = ""
    """The same with how many there are, where that is known and there is room."""


class PathMove(MessagePart):
    """A path of clicks whose move is not the joined keys of its places."""

    move: str
    path: list[int]


class MarkedVerdict(MessagePart):
    """What the marked pieces stand for together."""

    marked: list[int]
    said: str
    problem: str = ""
    move: str = ""
    """The moves they make, if they are enough."""


class Markable(MessagePart):
    """Pieces that can be marked in any order; the verdict is about the suggested ones."""

    slots: list[int]
    """Each place, repeated once per piece that can be marked."""
    verdict: MarkedVerdict


class TurnOffer(MessagePart):
    """What the player to move may do: choose a path of clicks, or mark pieces."""

    choices: list[list[list[int]]] = []
    """Paths as products: [[17, 22], [61, 63]] is 17-61, 17-63, 22-61 and 22-63. The text of a move is the
    keys of its places, joined."""
    moves: list[PathMove] = []
    selection: Markable | None = None
    pale: list[int] = []
    """Places whose pieces cannot be used now."""


class Effect(MessagePart):
    """What a move would do, and the places whose pieces it affects."""

    move: str
    said: str
    lights: list[int] = []
    ghosts: dict[int, list[Lying]] = {}
    """By place: the pieces that would come to lie there, now or at the end of the round. Ghosts and points
    are given if the path of the question is complete."""
    points: list[tuple[int, int]] = []
    """[place, points gained or lost there], now or later."""


class Blocked(MessagePart):
    """A place where only a rule stops the path."""

    slot: int
    reason: str


class BotThinking(MessagePart):
    """A bot that is thinking; times in milliseconds."""

    seat: int
    elapsed: int
    budget: int


class Walk(MessagePart):
    """The place of this moment among those of the game, and the plies before and after it."""

    index: int
    last: int
    back: int | None = None
    on: int | None = None
    deals: list[int] = []
    """The moments after which a round begins, by their number."""


class TakenBack(MessagePart):
    """A line that was taken back: its number, the ply where it left the game, and its moves."""

    number: int
    ply: int
    moves: str


class WaitingRequest(MessagePart):
    """A request that waits for answers."""

    what: str
    text: str
    answer: bool = False
    """Whether the viewer has not answered yet."""
    own: bool = False
    """Whether the viewer has asked."""


class SpokenLine(MessagePart):
    """One line of the chat."""

    number: int
    seat: int
    name: str
    text: str
    phrase: bool = False


class GameEnd(MessagePart):
    """The summary at the end of a game."""

    breakdown: Breakdown
    winners: list[int]
    """Seats."""
    seed: str
    """The seed of all draws; empty: others still play the same deal."""
    numbers: list[str] = []
    """What the players had added to it, by seat; "-": nothing."""
    rematch: str = ""
    """The address of the next game, after that of the home page."""


class News(MessagePart):
    """What differs from the previous frame of the same connection; anything left out is unchanged."""

    whole: bool = False
    """Discard all earlier frames: this is the first one of a connection."""
    lies: dict[int, list[Lying]] = {}
    """By place: all pieces there now."""
    places: dict[int, SlotChange | None] = {}
    """By place: how it differs from the plan; {}: as in the plan, null: it is hidden."""
    labels: dict[int, LabelText | None] = {}
    """By label: its text in place of the plan's; null: the plan's text again."""
    seats: list[Seat] = []
    """All seats, if one has changed."""
    log: list[LogTurn] = []
    """New turns, oldest first; a turn replaces an earlier line with the same `first`."""
    earlier: str = ""
    """How many moves came before the first turn of a whole frame, in words."""
    scored: list[ScoredAction] = []
    """New scorings, oldest first; each replaces all with the same or a later ply."""
    ending: GameEnd | None = None
    branches: list[TakenBack] = []
    """Lines that were taken back, in a whole frame."""


# --- parts of messages to a study board --------------------------------------------------------------


class StudyNode(MessagePart):
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
    steps: list[LogStep] = msgspec.field(default_factory=list)
    comment: str = ""
    order: int = 0
    """Its place among the children of its parent; 0 continues the line."""


class SearchedTurn(MessagePart, forbid_unknown_fields=True):
    """A turn as a search in a page sees it."""

    line: list[int]
    """Actions: the turn, and what is expected after it."""
    value: float
    """Of a solver: in points, for the seat to move. Of a tree: its mean result, from 0 to 1."""
    visits: int
    """Of a tree: how often it was tried."""
    proved: bool


class FoundLine(MessagePart, forbid_unknown_fields=True):
    """What a search in a page has found."""

    line: list[int]
    """Actions: the best play as far as it is known, if it is wanted."""
    value: int = 0
    """Of a solver: for the seat to move, in hundredths of a point."""
    proved: bool = False
    means: list[float] = []
    """Of a tree: the mean result of every seat, from 0 to 1."""


class PromisedMoment(MessagePart):
    """What was to be expected at one moment of a game."""

    stop: int
    """The moment as the replay counts them."""
    points: list[float]
    """[seat]: the expected margin at the end of the game."""
    win: list[float]
    """[seat]: the chance to win, from 0 to 1."""


class Measured(MessagePart):
    """A number and its interval."""

    value: float
    low: float
    high: float


class ComparedTurn(MessagePart):
    """One of the best turns, compared with the best."""

    move: str
    steps: list[LogStep]
    path: list[int]
    """Places from which and to which it leads."""
    points: Measured
    proved: bool = False
    exact: bool = False
    equal: bool = False
    """Equal for our judge."""


class PassThreat(MessagePart):
    """What the next player would do if the seat to move passed."""

    text: str
    pieces: list[tuple[int, int]] = msgspec.field(default_factory=list)
    path: list[int] = msgspec.field(default_factory=list)


# --- to every page -----------------------------------------------------------------------------------


class ServerMessage(msgspec.Struct, tag_field="type", omit_defaults=True):
    """A message from the server: one JSON object, its kind in ``type``. Default values are left out."""


class Reload(ServerMessage, tag="reload"):
    """The page is older than the server and has to reload; it tells the user why."""

    text: str


class Done(ServerMessage, tag="done"):
    """A command was accepted."""

    id: int
    ply: int
    """Number of actions so far, including the draft."""
    saved: int
    """How many of them are committed."""


class Refusal(ServerMessage, tag="refused", kw_only=True):
    """A command was refused, with the reason; `section` is the section of the rules about it."""

    id: int = 0
    """0: the command could not be parsed."""
    text: str
    section: str = ""


class Previewed(ServerMessage, tag="preview"):
    """The moves that continue a path, and the places that are blocked."""

    ply: int
    path: list[int]
    effects: list[Effect] = []
    blocked: list[Blocked] = []
    superseded: bool = False
    """Not answered, because a newer one was requested; it can be requested again."""


class Explained(ServerMessage, tag="why"):
    """Why a path is not legal."""

    path: list[int]
    text: str
    section: str = ""
    plain: bool = False
    """Whether the only answer is that nothing can be done there."""
    step: bool = False
    """Whether the answer only says which step comes next."""


class Judged(ServerMessage, tag="judged"):
    """The verdict on marked pieces."""

    ply: int
    verdict: MarkedVerdict


class Prepare(ServerMessage, tag="prepare"):
    """The page may think for its visitor with these files: addresses after that of the home page. Answered
    by `CanThink`."""

    code: str
    """The module of the game."""
    description: str
    """What the module holds."""
    memory: str
    """Weights, networks and levels for this box and number of seats."""


# --- to a table --------------------------------------------------------------------------------------


class TextAnswer(ServerMessage, tag="said"):
    """The answer to a question."""

    id: int
    text: str


class Hinted(ServerMessage, tag="hint"):
    """A step of a hint."""

    ply: int
    step: int
    said: list[str]
    lights: list[int] = []
    """Places to look at."""
    arrow: list[int] = []
    """The clicks of the turn's first move: an arrow goes from the first to the last."""
    more: bool = False
    """Whether another step follows."""


class Think(ServerMessage, tag="think"):
    """It is the turn of a bot. Answered by `FoundMove`; if that takes too long, the server thinks."""

    task: int
    level: str
    row: str
    """The bytes of the position, in base64."""
    seconds: float
    seed: str
    """The state of a random generator, a number of 64 bits."""


class Search(ServerMessage, tag="search"):
    """What a hint or the coach needs to know of positions. Answered by `Searched`; if that takes too long,
    the server searches."""

    task: int
    anew: bool
    """Whether what was found before has to be forgotten first."""
    searches: list[WantedSearch]


class Weighed(ServerMessage, tag="weighed"):
    """What moments of a finished game promised."""

    moments: list[PromisedMoment]


class Moves(ServerMessage, tag="moves"):
    """The whole log."""

    log: list[LogTurn]


class Talk(ServerMessage, tag="talk"):
    """New lines of the chat, oldest first."""

    lines: list[SpokenLine]
    old: bool = False
    """They were said before the connection was opened."""


class Frame(ServerMessage, tag="frame", kw_only=True):
    """One moment of the table, as this viewer sees it."""

    news: News
    ply: int
    """Number of actions so far, including the viewer's draft; commands repeat this number."""
    seen: int
    """Number of actions shown: scorings before it belong to this moment, and those since the previous frame
    rise from the table. It is less than `ply` while the end of a round is held back until the turn is
    confirmed."""
    course: int
    """Number of entries in the log of the game: after a take-back the same `ply` comes again."""
    to_move: int
    """A seat; -1: pieces are being drawn, -2: the game is over."""
    title: str
    band: Band
    walk: Walk
    moved: list[int] = []
    """At an earlier moment: the places that the turn before it changed."""
    live: bool = False
    """The present, or a moment on the way to it; otherwise an earlier moment."""
    more: bool = False
    """A moment on the way to the present: the next one follows at once."""
    mine: bool = False
    over: bool = False
    confirm: bool = False
    """The turn is complete and has to be confirmed."""
    undo: bool = False
    foreseen: Effect | None = None
    """What the turn does that has to be confirmed."""
    offer: TurnOffer | None = None
    told: list[str] = []
    """Sentences for screen readers."""
    thinking: BotThinking | None = None
    clocks: list[int] = []
    """Milliseconds left for each seat."""
    away: list[int | None] = []
    """For each seat, how many milliseconds its player has been away; null: here, or no person. Empty:
    nobody is away."""
    called: bool = False
    """An earlier moment is shown, and it is the viewer's turn."""
    can_take_back: bool = False
    asked: WaitingRequest | None = None
    hints: bool = False
    """Whether the viewer may ask for a hint now."""
    warned: str = ""
    """What the coach says about the viewer's last turn."""


ToTable = (
    Reload | Done | Refusal | TextAnswer | Previewed | Explained | Judged | Hinted | Prepare | Think | Moves
    | Talk | Frame
)


# --- to a study board --------------------------------------------------------------------------------


class NodesChanged(ServerMessage, tag="nodes"):
    """Nodes that are new or have changed."""

    nodes: list[StudyNode]


class NodesRemoved(ServerMessage, tag="removed"):
    """Nodes that are gone."""

    nodes: list[int]


class Board(ServerMessage, tag="board", kw_only=True):
    """The position at a node, as far as it differs from the one that the page shows."""

    node: int
    news: News
    to_move: int
    """A seat; -1: pieces are to be drawn, -2: the game is over."""
    offer: TurnOffer | None = None
    status: str
    position: str
    """Its text."""
    scores: list[int]


class Opened(ServerMessage, tag="opened"):
    """Another study, or (after a check) nothing to object to."""

    id: int
    address: str = ""
    picture: str = ""


class Rate(ServerMessage, tag="rate"):
    """Rate the turns of a position, instead of the one before. Answered by `FoundTurns`; if that takes too
    long, the server does it."""

    task: int
    row: str
    """The bytes of the position, in base64."""
    seconds: float
    seed: str
    """The state of a random generator, a number of 64 bits."""


class NodeOutlook(ServerMessage, tag="outlook", kw_only=True):
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
    threat: PassThreat | None
    finished: bool
    seconds: float


class NoJudge(ServerMessage, tag="nojudge"):
    """Nothing is judged now, and why."""

    node: int
    text: str


ToStudy = (
    Reload | Done | Refusal | Previewed | Explained | Judged | Prepare | Rate | NodesChanged | NodesRemoved
    | Board | Opened | NodeOutlook | NoJudge
)

_FROM_TABLE: msgspec.json.Decoder[FromTable] = msgspec.json.Decoder(FromTable)
_FROM_STUDY: msgspec.json.Decoder[FromStudy] = msgspec.json.Decoder(FromStudy)
write = msgspec.json.Encoder().encode


def read_from_table(text: str) -> FromTable:
    return _read(_FROM_TABLE, text)


def read_from_study(text: str) -> FromStudy:
    return _read(_FROM_STUDY, text)


def _read(decoder: msgspec.json.Decoder[T], text: str) -> T:
    """Whatever is wrong with a text, it is a MsgspecError."""
    try:
        return decoder.decode(text)
    except (RecursionError, UnicodeEncodeError) as error:
        raise msgspec.DecodeError(str(error)) from error


def _digest() -> str:
    """A digest of all messages, so that no version number has to be raised by hand."""
    _, parts = msgspec.json.schema_components([FromTable, FromStudy, ToTable, ToStudy])
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:8]


PROTOCOL: str = _digest()
"""The protocol version of this server. A page with another version reloads."""
