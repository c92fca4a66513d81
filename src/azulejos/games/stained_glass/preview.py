"""The effect of a move in words."""

from __future__ import annotations

from azulejos.core.contract import Preview
from azulejos.core.message import Message, msg, nmsg, signed
from azulejos.core.position import Position
from azulejos.core.scene import Prospect
from azulejos.games.stained_glass.components import STRIP_SPACES, WINDOW_POINTS
from azulejos.games.stained_glass.layout import State
from azulejos.games.stained_glass.moves import BREAK, COLOUR_NAMES, Keep, Reset, Take
from azulejos.games.stained_glass.rules import window_points
from azulejos.games.stained_glass.strips import free_spaces, panes_on
from azulejos.parts.offer import CENTRE, COLOURS, tiles_at
from azulejos.parts.sentences import with_leftovers


def effect(position: Position, action: int) -> Message:
    """One short line, shown beside the target of a move."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Take):
        return with_leftovers(_take_effect(s, move), s.centre, _centre_after(s, move), COLOUR_NAMES)
    if isinstance(move, Reset):
        return msg("all strips can be reached again")
    assert isinstance(move, Keep)
    window = int(s.glazier[s.to_move])
    return msg("{points} for the windows", points=signed(chain_points(s, window)))


def _take_effect(s: State, move: Take) -> Message:
    panes = tiles_at(s.factories, s.centre, move.source, move.colour)
    fitting = 0 if move.target == BREAK else min(panes, free_spaces(s, s.to_move, move.target, move.colour))
    takes_start_tile = move.source == CENTRE and s.start_tile < 0
    said = _placed(panes, fitting)
    if takes_start_tile:
        said = msg("{what}, with the start marker", what=said)
    loss = glass_loss(s, s.to_move, panes - fitting + takes_start_tile)
    if loss:
        said = msg("{what} ({points})", what=said, points=signed(-loss))
    if move.target == BREAK or panes_on(s, s.to_move, move.target) + fitting < STRIP_SPACES:
        return said
    points = bonus_points(s, move, fitting) + chain_points(s, move.target)
    completed = msg("completes the strip: {points}", points=signed(points))
    return msg("{first}; {second}", first=said, second=completed) if loss else completed


def _centre_after(s: State, move: Take) -> list[int]:
    """The centre after the other panes of the factory have moved there."""
    if move.source == CENTRE:
        return [0] * COLOURS
    left = s.factories[move.source - 1].tolist()
    left[move.colour] = 0
    return [there + more for there, more in zip(s.centre, left, strict=True)]


def _placed(panes: int, fitting: int) -> Message:
    breaking = nmsg("{n} breaks", "{n} break", n=panes - fitting)
    if fitting == 0:
        return breaking
    if fitting == panes:
        return nmsg("{n} fits", "all {n} fit", n=panes)
    return msg("{fitting} of {panes} fit, {breaking}", fitting=fitting, panes=panes, breaking=breaking)


def glass_loss(s: State, seat: int, steps: int) -> int:
    """Points that steps down the broken-glass track cost a seat, now or at the end of the game."""
    step = int(s.broken[seat])
    ends, after = divmod(step + steps, s.last_step)
    return int(ends * s.losses[s.last_step] + s.losses[after] - s.losses[step])


def ahead(position: Position, action: int) -> Prospect:
    """What the broken-glass track costs at the end of the game, and the windows that a pane to be chosen
    will score."""
    s, move = position.state, position.game.moves[action]
    if not isinstance(move, Take):
        return Prospect()
    seat, board = s.to_move, f"seat{s.to_move + 1}"
    panes = tiles_at(s.factories, s.centre, move.source, move.colour)
    fitting = 0 if move.target == BREAK else min(panes, free_spaces(s, seat, move.target, move.colour))
    steps = panes - fitting + (move.source == CENTRE and s.start_tile < 0)
    points = [(f"{board}.broken", -_later_loss(s, seat, steps))]
    if move.target != BREAK and panes_on(s, seat, move.target) + fitting == STRIP_SPACES:
        others = s.panes[seat, move.target].tolist()
        del others[move.colour]
        if any(others):  # a single colour is kept without asking: those points are scored at once
            points.append((f"{board}.window{move.target + 1}.upper", chain_points(s, move.target)))
    return Prospect(points=tuple(points))


def _later_loss(s: State, seat: int, steps: int) -> int:
    """The part of `glass_loss` that is not charged at once."""
    ends = (int(s.broken[seat]) + steps) // s.last_step
    return glass_loss(s, seat, steps) - int(ends * s.losses[s.last_step])


def bonus_points(s: State, move: Take, fitting: int) -> int:
    """Panes of the round's bonus colour on the strip, including those that the move places."""
    bonus_colour = int(s.track[s.round - 1]) - 1
    placed = fitting if move.colour == bonus_colour else 0
    return int(s.panes[s.to_move, move.target, bonus_colour]) + placed


def chain_points(s: State, window: int) -> int:
    """Points for a window that is about to get a pane, and for those to its right."""
    return WINDOW_POINTS[window] + window_points(s, s.to_move, window + 1)


PREVIEW = Preview(effect=effect, ahead=ahead)
