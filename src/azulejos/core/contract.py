"""What a game consists of: the first page to read.

A game is a package with one value, ``GAME`` (`core.game.Game`), and one file for each part. A part is
a value of a type on this page, named after its file: view.py defines ``VIEW = View(scene=scene, …)``.

    must bring   __init__.py with GAME, layout.py (the state), moves.py, rules.py, reasons.py
    may bring    view.py, shapes.py, theme.toml      pictures, and the table in a browser
                 preview.py, terminal.py, guide.py   what a move would do, the table as text, the rules
                 lesson.py                           a first lesson on the real table (`core.guide`)
                 observe.py                          learning environments
                 dice.py                             faster random games
                 evaluate.py, shortlist.py           stronger bots,
                 levels.toml                         and how strong each level is
                 judge.npz                           what values mean, for reviews (`insight.scale`)
                 tell.py                             why a turn is better than another (`core.tell`)
                 symmetry.py, puzzles/               which positions are alike; puzzles by box
                 features.py, factors.py             networks

A field without a default must be given; the default of any other is what happens if it is left out. A
part that a game does not bring is None (`Game.view` and the others).
``S`` is the game's own state record. (No ``eq`` and ``repr``: parts are never compared, and generating
them doubled the time to import this page.)
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar, get_origin, overload

from azulejos.core import verbs
from azulejos.core.message import Problem, msg

if TYPE_CHECKING:
    from azulejos.core.game import Game
    from azulejos.core.layout import Cells
    from azulejos.core.message import Message
    from azulejos.core.observation import Plane
    from azulejos.core.position import Position, Scored
    from azulejos.core.scene import Marking, Panel, Piece, Plan, Prospect, Scene
    from azulejos.core.tell import Aspect, Brought, Cause, Difference, Fact, Future, NameOf
    from azulejos.core.terminal import Say, TextLine


INTERFACE: Final = 1
"""The version of this page. It rises when a game that was written for an older one may stop working; an
installed game says which one it was written for (docs/promises.md)."""

S = TypeVar("S", bound=verbs.State)
Function = Callable[..., Any]
Functions = Mapping[Function, Function]
"""A game's own functions, by the declarations of `core.verbs` that they replace."""
Refused = Mapping[int, Callable[[Any, Any], "Message"]]
"""What the numbers of `verbs.refusal` say, from the state and the move that was tried."""


class HasVerbs(Protocol):
    """A part with functions of the compiled dialect (`core.jit`)."""

    @property
    def by_verb(self) -> Functions: ...


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rules(Generic[S]):
    """rules.py: the only copy of the rules. `core.verbs` says what each verb does."""

    start: Callable[[S, int, Mapping[str, str]], None]
    """Set up a state that is all zero, for a number of players and the options."""
    legal: Callable[[S, Cells], int]
    refusal: Callable[[S, int], int]
    odds: Callable[[S, Cells], int]
    apply: Callable[[S, int], None]
    standing: Callable[[S, int], int]
    in_turn: Callable[[S], bool]
    census: Callable[[S], bool]
    refused: Refused
    """A sentence for each number that `refusal` answers with a seat to move."""
    steps: frozenset[int] = frozenset()
    """Refusals that only say which step comes next, whatever else was tried: said without reproach."""
    end_reason: Callable[[S], Message]
    """At OVER: why the game ended."""
    round_end: Callable[..., None] | None = None
    """The rule that ends a round, if rounds end by themselves: `position.before_round_end` stops there."""

    @property
    def by_verb(self) -> Functions:
        return {
            verbs.legal: self.legal, verbs.refusal: self.refusal, verbs.odds: self.odds,
            verbs.apply: self.apply, verbs.standing: self.standing, verbs.in_turn: self.in_turn,
            verbs.census: self.census,
        }


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Reasons:
    """reasons.py: what points are scored for. A reason is a number given to `core.points.award`."""

    names: Sequence[str]
    """[reason]: a short code for traces."""
    text: Callable[[int, int], Message]
    """A reason and its place on the seat's board, in words."""
    short: Callable[[int, int], Message] | None = None
    """The same in one or two words, where the board shows the rest; None: as `text`."""
    kind: Callable[[int], Message] | None = None
    """The heading under which points are summed up; None: each text is its own heading."""


# --- for people -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class View(Generic[S]):
    """view.py: the table as data (`core.scene`), for pictures and browsers; it needs shapes."""

    plan: Callable[[Position, str], Plan]
    """What is the same in every position of a game: panels, slots, kinds of pieces. The second argument is
    the form (`core.scene.FORMS`); a game may draw all of them alike."""
    scene: Callable[[Position, Sequence[str]], Scene]
    """A position with the names of the seats: what lies where, and which clicks select each legal move."""
    slot_of: Callable[[int, int], str | None] = lambda seat, place: None
    """The slot of a seat and the place of a reason; None: the board as a whole."""
    scored_slots: Callable[[S, S, Scored], Sequence[str]] = lambda before, after, scored: ()
    """Slots that earned points, in the states before and after the action that scored."""
    log_entry: Callable[[Position, int], tuple[Sequence[Piece], Message] | None] = (
        lambda position, action: None
    )
    """A move for the log: the pieces, and what was done with them; None: show the slots of its path."""
    judge: Callable[[Position, Sequence[str]], Marking] | None = None
    """What marked pieces mean together; required if a scene has a `Selection`."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Art:
    """A picture of its own: SVG elements; colours are ``var(--NAME)`` of the theme."""

    width: int
    height: int
    body: str
    kinds: Sequence[str] = ()
    """Pieces that it shows: ``<use href="#piece-KIND"/>``."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Shapes:
    """shapes.py: drawings, 100 wide around the origin (`parts.shapes`); theme.toml has their colours."""

    piece: Callable[[str, str], str]
    """A kind of piece in a theme, as a fragment of SVG."""
    mark: Callable[[str, str], str]
    """Path data that identifies a kind without colour in a theme: drawn in an empty place."""
    sign: Callable[[str], str] = lambda kind: ""
    """What a badge shows, as a fragment of SVG."""
    surface: Callable[[str, str], str] = lambda shape, theme: ""
    """The material of a place of a shape ("square", "plate", …) in a theme; empty: the usual one."""
    ground: Callable[[Panel, str], str] = lambda panel, theme: ""
    """What is drawn on a panel under its places, in units of the picture (a tile is 100)."""
    art: Callable[[str, str], Art | None] = lambda theme, what: None
    """Pictures of a theme: its "cover", one repeat of its "frieze", its "table"."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Preview:
    """preview.py: what a legal move would do."""

    effect: Callable[[Position, int], Message]
    concerns: Callable[[Position, int], Sequence[str]] = lambda position, action: ()
    """Slots, besides those to click, whose pieces the move takes or joins."""
    ahead: Callable[[Position, int], Prospect] | None = None
    """What only the end of the round or of the game brings: further pieces, and points by slot."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Terminal(Generic[S]):
    """terminal.py: the table as text (`core.terminal`), for a terminal of so many columns."""

    draw: Callable[[S, tuple[str, ...], Say, int], list[TextLine]]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Tell(Generic[S]):
    """tell.py: why a turn is better than another, in words (`core.tell`). Without it, reviews compare
    points by the headings of `Reasons`."""

    aspects: Callable[[Position], Sequence[Aspect]]
    """Everything in which two positions of a game may differ. The parts of all aspects together are the
    whole state except the score, and every reason for points belongs to one aspect of each seat."""
    fact: Callable[[Aspect, Future], Fact | None]
    """What holds for an aspect after a line; None: nothing that a player would say."""
    say: Callable[[Fact, str], Message]
    """A fact as a clause, for the board of a player with this name; an empty name: of the reader."""
    certain: Callable[[Aspect, Future], Fact | None] = lambda aspect, future: None
    """What is certain for an aspect right after the turn, whatever is played then."""
    gift: Callable[[Position, int, Aspect], Fact | None] = lambda position, action, aspect: None
    """What a reply takes that improves an aspect of its seat, if it takes something that can be missing."""
    remove: Callable[[S, int], None] = lambda s, action: None
    """Take what a reply with a gift takes out of the offer."""
    gives_up: Callable[[Position, int, int], tuple[Fact, Fact] | None] = \
        lambda before, action, better: None
    """From the first actions of two turns: what holds after each of them, if the first turn ends something
    for its seat with which the other goes on, such as the round."""
    causes: Mapping[str, Cause] = field(default_factory=dict)
    """What facts about the own board are about, by their names; `Cause.OWN` for all others."""
    headline: Callable[[Difference, NameOf], Sequence[Message]] = lambda difference, name_of: ()
    """Ways to name a difference in one or two sentences, all of them true; none: it makes no headline."""
    turn: Callable[[Position, Sequence[int], str | None], Sequence[Message]] = \
        lambda before, actions, name: ()
    """A turn in sentences without codes: played by somebody with this name, or by the reader if it is
    empty; None: as advice, as in “Take 3 blue tiles from factory 5 for line 3.”"""
    took: Callable[[Position, Sequence[int]], Sequence[Message]] = lambda before, actions: ()
    """Ways to say to the reader what a turn of theirs took, each a sentence before a headline."""
    brought: Callable[[S, S], Sequence[Brought]] = lambda before, dealt: ()
    """What a deal brought, kind by kind, from the states before and after it."""
    tell_deal: Callable[[Brought, int, tuple[int, int], str], Message] | None = None
    """What the deal of a round brought, as a sentence: for the seat of the reader beside another seat with
    this name. None: `brought` is empty."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Symmetry(Generic[S]):
    """symmetry.py: which positions are alike. Without it, only equal states are. Both change a copy."""

    canonical: Callable[[S], None]
    """Give a state the form that all states have which are the same up to symmetry."""
    answer: Callable[[S], None] = lambda s: None
    """After `canonical`, at the end of a turn: remove what does not distinguish answers to a puzzle."""


# --- for bots and learning --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Observe(Generic[S]):
    """observe.py: the state as numbers (`core.observation`)."""

    planes: Callable[[int, Mapping[str, str]], tuple[Plane, ...]]
    """What the numbers mean, for a number of players and the options."""
    observe: Callable[[S, int, Cells], None]

    @property
    def by_verb(self) -> Functions:
        return {verbs.observe: self.observe}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Dice(Generic[S]):
    """dice.py: random play and masks without listing what is possible. Equal numbers must lead to equal
    states."""

    random_action: Callable[[S, Cells, Cells, Cells], int] = verbs.random_action
    deal: Callable[[S, Cells, Cells, Cells], None] = verbs.deal
    mark_legal: Callable[[S, Cells, Cells], None] = verbs.mark_legal

    @property
    def by_verb(self) -> Functions:
        return {
            verbs.random_action: self.random_action, verbs.deal: self.deal,
            verbs.mark_legal: self.mark_legal,
        }


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evaluate(Generic[S]):
    """evaluate.py: the value of a position. Without it, bots count the points on the board."""

    terms: int
    """How many terms `terms_of` writes for each seat, less than `verbs.MAX_TERMS`."""
    weights: Mapping[str, Cells]
    """Named sets, int32 [phase, term]; the first is the best, "plain" a beginner's."""
    terms_of: Callable[[S, Cells], int]
    promise: Callable[[S, int], int] = verbs.promise
    tidy: Callable[[S, int], None] = verbs.tidy
    nonsense: int | None = None
    """No bot plays an action with less promise than this while another has more."""
    swing: int = 1000
    """Hundredths of a point that make winning e times as likely: 1000 fitted 600 games of Azul best."""
    chance_free_rounds: bool = False
    """Whether nothing is drawn between the deal and the end of a round, so that its rest can be solved."""

    @property
    def by_verb(self) -> Functions:
        return {verbs.terms_of: self.terms_of, verbs.promise: self.promise, verbs.tidy: self.tidy}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Shortlist(Generic[S]):
    """shortlist.py: which actions a search of whole turns tries first; without it, all of them."""

    shortlist: Callable[[S, Cells], int]

    @property
    def by_verb(self) -> Functions:
        return {verbs.shortlist: self.shortlist}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Features(Generic[S]):
    """features.py: the inputs of networks (`engine.network`). New inputs are added at the end."""

    folder: Path
    """The trained weights: FAMILY.npz."""
    family: Callable[[int, Mapping[str, str]], str]
    """The name of the networks for a number of players and the options."""
    networks: int
    """How many there are in a family."""
    groups: Mapping[str, Sequence[int]]
    """Groups of networks that are trained together first."""
    side_size: int
    """The number of inputs of a side, and of the table."""
    table_size: int
    side_fields: Sequence[str]
    """Fields of the state on which the inputs depend."""
    table_fields: Sequence[str]
    network_for: Callable[[S], int]
    viewpoint: Callable[[S], int]
    side_inputs: Callable[[S, int, Cells, Cells], int]
    table_inputs: Callable[[S, Cells, Cells], int]
    side_context: Callable[[S, int, int], int]
    table_context: Callable[[S], int]
    second_looks: int = 0
    """How many turns of a listing a network evaluates, the best by the linear evaluation; 0: all."""

    @property
    def by_verb(self) -> Functions:
        return {
            verbs.network_for: self.network_for, verbs.viewpoint: self.viewpoint,
            verbs.side_inputs: self.side_inputs, verbs.table_inputs: self.table_inputs,
            verbs.side_context: self.side_context, verbs.table_context: self.table_context,
        }


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Factors:
    """factors.py: what inputs have in common, so that training learns rare ones from frequent ones."""

    side: Cells
    """[input, factor]"""
    table: Cells


# --- parts are loaded when they are first used --------------------------------------------------------


P = TypeVar("P")


class Part(Generic[P]):
    """``view = Part(View)`` in `Game`: the VIEW of the package's view.py, or None if it has no such file.

    All parts of a game together take 30 to 50 ms to load, and most programs use two or three of them.
    """

    def __init__(self, kind: type[P]) -> None:
        self.kind: type[P] = get_origin(kind) or kind

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, game: None, owner: type) -> Part[P]: ...
    @overload
    def __get__(self, game: Game, owner: type) -> P | None: ...
    def __get__(self, game: Game | None, owner: type) -> Part[P] | P | None:
        if game is None:
            return self
        part = self._load(game.package)
        game.__dict__[self.name] = part  # from now on it is found before this descriptor
        return part

    def _load(self, package: str) -> P | None:
        module, constant = f"{package}.{self.name}", self.name.upper()
        if importlib.util.find_spec(module) is None:
            return None
        part = vars(importlib.import_module(module)).get(constant)
        if not isinstance(part, self.kind):
            raise TypeError(f"{module} must define {constant}, a {self.kind.__name__} of the contract")
        return part


def needed(game: Game, part: P | None, file: str) -> P:
    """A part that the caller requires; a ValueError if the game does not have it."""
    if part is None:
        raise Problem(msg("{game} cannot do this: it has no {file}", game=game.name, file=file))
    return part
