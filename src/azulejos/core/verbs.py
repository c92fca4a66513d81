"""The verbs of the contract, which engines call and games define (`core.contract`).

A state ``s`` is one record (see the game's ``layout.py``). Every record has the fields ``players``,
``to_move`` (a seat, ``CHANCE`` or ``OVER``), ``round`` and ``score[seat]``.
These are declarations: `jit.Binding` puts the game's own functions in their place.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from azulejos.core.chance import below, drawn
from azulejos.core.jit import rule, verb
from azulejos.core.layout import Cells

CHANCE: Final = -1
OVER: Final = -2
MAX_SEATS: Final = 4


class State(Protocol):
    """The fields that every game's record has, for engines."""

    players: int
    to_move: int
    round: int
    score: Cells


STATE: Any = None
"""The record's dtype; bound per game."""

MAX_LEGAL: int = 0
"""The largest number of legal actions in any state; bound per game."""

NUM_ACTIONS: int = 0
"""Actions are 0 <= a < NUM_ACTIONS; bound per game."""


@verb
def legal(s: State, actions: Cells) -> int:
    """Write the legal actions (at CHANCE: possible outcomes) in ascending order; returns their number."""
    raise NotImplementedError


LEGAL: Final = 0
"""What `refusal` says of a legal action."""


@verb
def refusal(s: State, action: int) -> int:
    """Why one action is not legal (at CHANCE: not possible): a number of the game's own; LEGAL if it is.

    Any integer 0 <= action < NUM_ACTIONS."""
    raise NotImplementedError


@verb
def odds(s: State, weights: Cells) -> int:
    """At CHANCE: write the weight of each outcome of `legal`, in its order; returns the sum."""
    raise NotImplementedError


@verb
def apply(s: State, action: int) -> None:
    """Play one legal action (or chance outcome) in place. Unchecked."""
    raise NotImplementedError


@verb
def standing(s: State, seat: int) -> int:
    """At OVER: a number that ranks the seats, tie-breaks included; equal numbers share the rank."""
    raise NotImplementedError


@verb
def in_turn(s: State) -> bool:
    """Whether the seat to move is in the middle of a turn that it has begun."""
    raise NotImplementedError


@verb
def census(s: State) -> bool:
    """Whether the pieces add up and the state is possible."""
    raise NotImplementedError


# --- random play: a game may do this faster in its dice.py, drawing the same numbers ---------------------


@rule
def listed_action(s: State, actions: Cells, weights: Cells, rng: Cells) -> int:
    """A legal action (at CHANCE: an outcome by its odds) of the list of all, at random."""
    n = legal(s, actions)
    if s.to_move == CHANCE:
        return drawn(actions, weights, odds(s, weights), rng)
    return int(actions[below(rng, n)])


@verb
def random_action(s: State, actions: Cells, weights: Cells, rng: Cells) -> int:
    """A legal action (at CHANCE: an outcome by its odds), at random.

    `actions` and `weights` have room for MAX_LEGAL; what they hold afterwards means nothing.
    """
    return listed_action(s, actions, weights, rng)


@verb
def deal(s: State, actions: Cells, weights: Cells, rng: Cells) -> None:
    """Draw until a seat is to move or the game is over."""
    while s.to_move == CHANCE:
        apply(s, random_action(s, actions, weights, rng))


MARKED: Final = 32
"""Actions in one cell of a mask."""


@rule
def mark_listed(s: State, actions: Cells, marks: Cells) -> None:
    for cell in range(len(marks)):
        marks[cell] = 0
    for n in range(legal(s, actions)):
        action = int(actions[n])
        marks[action // MARKED] |= 1 << action % MARKED


@verb
def mark_legal(s: State, actions: Cells, marks: Cells) -> None:
    """Set bit a % 32 of marks[a // 32] for each legal action a of the players, and clear the others.

    `marks`: int64, of which 32 bits are used; `actions` is scratch memory.
    """
    mark_listed(s, actions, marks)


# --- for searches only: a game may define these in its evaluate.py and shortlist.py -----------------------

MAX_TERMS: Final = 256


@verb
def terms_of(s: State, terms: Cells) -> int:
    """Before OVER: write the terms of each side, terms[seat, term]; returns the row of the weights to use.

    A game without an evaluation counts the points on the board.
    """
    for seat in range(s.players):
        terms[seat, 0] = s.score[seat]
    return 0


@rule
def evaluate(s: State, weights: Cells, terms: Cells, values: Cells) -> None:
    """Before OVER: write how far each seat expects to end ahead of the best other, hundredths of a point.

    With two seats the values of both add up to 0. `weights`: [phase, term], of which the game has named
    sets in WEIGHTS; `terms`: scratch memory, int64 [seat, MAX_TERMS]; `values`: int64 [seat].
    """
    phase = terms_of(s, terms)
    best = -(1 << 40)
    second = best
    for seat in range(s.players):
        worth = 0
        for term in range(weights.shape[1]):
            worth += terms[seat, term] * weights[phase, term]
        values[seat] = worth
        second = max(second, min(best, worth))
        best = max(best, worth)
    for seat in range(s.players):
        values[seat] -= best if values[seat] < best else second


@verb
def promise(s: State, action: int) -> int:
    """How good a legal action looks before any search: actions with more promise are tried earlier."""
    return 0


@verb
def tidy(s: State, seat: int) -> None:
    """Bring equivalent states into one form, by sorting what a seat's action left in an arbitrary order.

    A search then treats positions that play and score alike as one. Actions keep their numbers.
    """


@verb
def shortlist(s: State, actions: Cells) -> int:
    """Write the legal actions that a search of whole turns should try first; returns how many.

    The other actions are not lost: a search adds them when it has time. An empty shortlist means that the
    turn begun leads nowhere. A game without its own function shortlists everything.
    """
    return legal(s, actions)


@verb
def observe(s: State, seat: int, out: Cells) -> None:
    """Write the state as a seat sees it: whole numbers from 0 to 255 (see `core.observation`)."""
    raise NotImplementedError


# --- inputs of networks: a game may define these in its features.py ------------------------------------

MAX_INPUTS: Final = 192
"""Most inputs that are not zero, of a side or of the table. `amounts` has MAX_TERMS more cells behind them,
as scratch memory."""


@verb
def network_for(s: State) -> int:
    """Which of the game's networks evaluates a state; -1: none, so `evaluate` is used."""
    return -1


@verb
def viewpoint(s: State) -> int:
    """The seat whose side the network sees first."""
    return 0


@verb
def side_inputs(s: State, seat: int, inputs: Cells, amounts: Cells) -> int:
    """Write the inputs of a seat's side that are not zero, and their amounts (up to 255); returns how many.

    Amounts of an input that is written twice are added.
    """
    return 0


@verb
def table_inputs(s: State, inputs: Cells, amounts: Cells) -> int:
    """The same for what belongs to no side."""
    return 0


@verb
def table_context(s: State) -> int:
    """Everything on which the inputs of the table depend besides the game's TABLE_FIELDS, as one number."""
    return 0


@verb
def side_context(s: State, seat: int, table: int) -> int:
    """Everything on which the inputs of a side depend besides its part of SIDE_FIELDS, as one number.

    A search computes inputs once for all positions that agree in this. `table` is the `table_context`.
    """
    return 0
