"""The rules of Stained Glass of Sintra (stained-glass.md). Numbers in parentheses are its sections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Rules
from azulejos.core.game import first_seat
from azulejos.core.grid import fill
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.points import award
from azulejos.core.verbs import CHANCE, LEGAL, OVER
from azulejos.games.stained_glass.census import boards_are_sound, panes_add_up, stage_is_sound
from azulejos.games.stained_glass.components import (
    ORNAMENT_POINTS, ORNAMENTS, PANES_PER_COLOUR, PANES_PER_POINT, ROUNDS, STRIP_SPACES, WINDOW_POINTS,
    WINDOWS, read_table, read_track,
)
from azulejos.games.stained_glass.layout import (
    ALREADY_BACK, BACK, EMPTY, ENDED, FILLING, FRONT, JOKER, KEEP_NOW, KEEPING, LEFT_OF_GLAZIER, LOT, LOWER,
    MUST_PLACE, NO_SPACE, NO_STRIP, NO_STRIP_LEFT, NOT_ON_STRIP, NOTHING_BEHIND, OFFER, STRIPS, TRACK,
    TURN_NOW, UPPER, State,
)
from azulejos.games.stained_glass.moves import (
    BREAK, DRAW, KEEP, LAY_BONUS, LAY_STRIP, REFUSED, RESET, SEAT, TARGETS, end_reason,
)
from azulejos.games.stained_glass.reasons import (
    BEST_COLOUR, BONUS_COLOUR, BROKEN, ORNAMENT, PANES_LEFT, TRACK_END, WINDOW,
)
from azulejos.games.stained_glass.strips import (
    colours_for, fits_somewhere, free_spaces, has_strip, is_reachable, leftmost_strip, panes_on,
)
from azulejos.parts.bag import can_draw, draw_odds, even_odds, possible_draws
from azulejos.parts.listing import choices
from azulejos.parts.offer import (
    ALL_COLOURS, CENTRE, COLOURS, FACTORIES, FACTORY_TILES, lift, offer_is_empty, possible_takes,
    spread_table, sweep,
)
from azulejos.parts.offer_game import NOT_DRAWN, refused_source

SPREAD = spread_table(TARGETS)

# --- the set-up --------------------------------------------------------------------------------------


def start(s: State, players: int, options: Mapping[str, str]) -> None:
    """All panes are in the bag; the first start player is drawn by lot or given (3)."""
    s.players = players
    s.side_b = int(options["side"] == "b")
    fill(s.bag, PANES_PER_COLOUR)
    fill(s.strips, read_table(options["strips"]))
    losses = read_track(options["broken"])
    s.last_step = len(losses) - 1
    fill(s.losses[: len(losses)], losses)
    s.start_tile = -1
    s.to_move = CHANCE
    seat = first_seat(players, options)
    if seat is None:
        s.stage = LOT
    else:
        s.starter = seat
        s.stage = STRIPS


@rule
def lay_strip(s: State, strip: int, face: int) -> None:
    """Seat by seat and window by window: eight strips in random order, each with a random face up (1)."""
    seat, window = s.laid // WINDOWS, s.laid % WINDOWS
    s.strip[seat, window] = 1 + strip
    s.face[seat, window] = face
    s.laid += 1
    if s.laid == s.players * WINDOWS:
        s.stage = TRACK
        s.laid = 0


@rule
def may_lay_strip(s: State, strip: int, face: int) -> bool:
    """A strip that the seat has not laid yet; the side with jokers starts face down (1)."""
    if face == BACK and s.strips[strip, BACK, JOKER] > 0:
        return False
    seat = s.laid // WINDOWS
    for window in range(WINDOWS):
        if s.strip[seat, window] == 1 + strip:
            return False
    return True


@rule
def lay_bonus(s: State, colour: int) -> None:
    """One pane of each colour on II..VI of the round track, then any pane from the bag on I (2)."""
    s.bag[colour] -= 1
    s.laid += 1
    s.track[s.laid % ROUNDS] = 1 + colour
    if s.laid == ROUNDS:
        begin_round(s)


@rule
def may_lay_bonus(s: State, colour: int) -> bool:
    return s.laid == ROUNDS - 1 or bool(s.bag[colour] == PANES_PER_COLOUR)


# --- setting up a round ------------------------------------------------------------------------------


@rule
def begin_round(s: State) -> None:
    """Return the start tile to the centre, then fill the factories (3, 10)."""
    s.round += 1
    s.start_tile = -1
    s.laid = 0
    s.stage = FILLING
    fill_on(s)


@rule
def fill_on(s: State) -> None:
    """Fill the factories in order with four panes each, one by one, while panes last (10).

    There is always at least one: the pane that has just left the round track.
    """
    if s.laid < FACTORIES[s.players] * FACTORY_TILES and can_draw(s.bag, s.tower):
        s.to_move = CHANCE
    else:
        s.stage = OFFER
        s.to_move = s.starter


@rule
def lay_pane(s: State, colour: int) -> None:
    s.bag[colour] -= 1
    s.factories[s.laid // FACTORY_TILES, colour] += 1
    s.laid += 1
    fill_on(s)


# --- a turn ------------------------------------------------------------------------------------------


@rule
def take(s: State, source: int, colour: int, target: int) -> None:
    """Take all panes of one colour from one source to one strip; panes that do not fit break (4-6)."""
    seat = s.to_move
    panes = lift(s.factories, s.centre, source, colour)
    if source != CENTRE:
        sweep(s.factories, s.centre, source - 1)
    elif s.start_tile < 0:
        s.start_tile = seat
        step_down(s, seat, 1)
    fitting = 0
    if target != BREAK:
        s.glazier[seat] = target
        fitting = min(panes, free_spaces(s, seat, target, colour))
        s.panes[seat, target, colour] += fitting
    s.tower[colour] += panes - fitting
    step_down(s, seat, panes - fitting)
    if target != BREAK and panes_on(s, seat, target) == STRIP_SPACES:
        complete_strip(s, seat, target)
    else:
        next_turn(s)


@rule
def step_down(s: State, seat: int, steps: int) -> None:
    """Move down the broken-glass track; at its end, lose 18 points and continue from the top (9)."""
    step = int(s.broken[seat]) + steps
    while step >= s.last_step:
        step -= s.last_step
        lose(s, seat, int(s.losses[s.last_step]), TRACK_END)
    s.broken[seat] = step


@rule
def lose(s: State, seat: int, points: int, reason: int) -> None:
    """Subtract points for broken glass; their total also breaks ties (9, 14)."""
    s.lost[seat] += points
    award(s, seat, -points, reason, -1)


@rule
def complete_strip(s: State, seat: int, window: int) -> None:
    """A point for each pane of the round's bonus colour; then the seat chooses a pane to keep (7a)."""
    bonus_colour = int(s.track[s.round - 1]) - 1
    award(s, seat, int(s.panes[seat, window, bonus_colour]), BONUS_COLOUR, window)
    s.stage = KEEPING


@rule
def keep(s: State, colour: int) -> None:
    """One pane goes to the window, four to the tower; score the window and those to its right (7b-c)."""
    seat = s.to_move
    window = int(s.glazier[seat])
    for other in range(COLOURS):
        s.tower[other] += s.panes[seat, window, other]
        s.panes[seat, window, other] = 0
    s.tower[colour] -= 1
    if s.windows[seat, window, UPPER] == EMPTY:
        s.windows[seat, window, UPPER] = 1 + colour
        s.face[seat, window] = 1 - s.face[seat, window]
    else:
        s.windows[seat, window, LOWER] = 1 + colour
        s.strip[seat, window] = EMPTY
        s.face[seat, window] = FRONT
    award(s, seat, window_points(s, seat, window), WINDOW, window)
    next_turn(s)


@rule
def window_points(s: State, seat: int, first: int) -> int:
    """The points under a window and under those to its right that hold a pane (7c)."""
    points = 0
    for window in range(first, WINDOWS):
        if s.windows[seat, window, UPPER] != EMPTY:
            points += WINDOW_POINTS[window]
    return points


@rule
def refused_reset(s: State, seat: int) -> int:
    """LEGAL only if the glazier really moves: going back must not be a free pass (8)."""
    leftmost = leftmost_strip(s, seat)
    if leftmost < s.glazier[seat]:
        return LEGAL
    if leftmost == WINDOWS:
        return NO_STRIP_LEFT
    return ALREADY_BACK if leftmost == s.glazier[seat] else NOTHING_BEHIND


@rule
def reset(s: State) -> None:
    """Move the glazier back above the leftmost strip (8)."""
    s.glazier[s.to_move] = leftmost_strip(s, s.to_move)
    next_turn(s)


@rule
def next_turn(s: State) -> None:
    """Continue clockwise until no panes are on offer (10)."""
    if offer_is_empty(s.factories, s.centre):
        end_round(s)
    else:
        s.stage = OFFER
        s.to_move = (s.to_move + 1) % s.players


# --- the end of a round and of the game --------------------------------------------------------------


@rule
def end_round(s: State) -> None:
    """The bonus pane goes to the tower; the holder of the start tile starts; six rounds in all (10)."""
    s.tower[s.track[s.round - 1] - 1] += 1
    s.track[s.round - 1] = EMPTY
    if s.start_tile >= 0:
        s.starter = s.start_tile
    if s.round == ROUNDS:
        end_game(s)
    else:
        begin_round(s)


@rule
def end_game(s: State) -> None:
    """Score the panes left on strips, broken glass, and the bonus for the board's side (11-13)."""
    s.stage = ENDED
    s.to_move = OVER
    for seat in range(s.players):
        award(s, seat, panes_left(s, seat) // PANES_PER_POINT, PANES_LEFT, -1)
        lose(s, seat, int(s.losses[s.broken[seat]]), BROKEN)
        if s.side_b:
            award(s, seat, complete_windows(s, seat) * best_colour(s, seat), BEST_COLOUR, -1)
        else:
            for ornament in range(len(ORNAMENTS)):
                award(s, seat, ornament_points(s, seat, ornament), ORNAMENT, WINDOWS + ornament)


@rule
def panes_left(s: State, seat: int) -> int:
    panes = 0
    for window in range(WINDOWS):
        panes += panes_on(s, seat, window)
    return panes


@rule
def ornament_points(s: State, seat: int, ornament: int) -> int:
    """Side A: points by the number of panes in the four spaces around an ornament (12)."""
    panes = 0
    for window in ORNAMENTS[ornament]:
        for space in (UPPER, LOWER):
            if s.windows[seat, window, space] != EMPTY:
                panes += 1
    return ORNAMENT_POINTS[panes]


@rule
def complete_windows(s: State, seat: int) -> int:
    complete = 0
    for window in range(WINDOWS):
        if s.windows[seat, window, LOWER] != EMPTY:
            complete += 1
    return complete


@rule
def best_colour(s: State, seat: int) -> int:
    """Number of panes of the most frequent colour in the windows (13)."""
    best = 0
    for colour in range(COLOURS):
        best = max(best, panes_in_windows(s, seat, colour))
    return best


@rule
def panes_in_windows(s: State, seat: int, colour: int) -> int:
    panes = 0
    for window in range(WINDOWS):
        for space in (UPPER, LOWER):
            if s.windows[seat, window, space] == 1 + colour:
                panes += 1
    return panes


@rule
def standing(s: State, seat: int) -> int:
    """Points, then fewer points lost through broken glass, at most 1000 (14)."""
    return int(s.score[seat]) * 1001 - int(s.lost[seat])


# --- the functions of the contract -------------------------------------------------------------------


@rule
def apply(s: State, action: int) -> None:
    if action < RESET:
        take(s, action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS)
    elif action < KEEP:
        reset(s)
    elif action < DRAW:
        keep(s, action - KEEP)
    elif action < LAY_STRIP:
        lay_pane(s, action - DRAW)
    elif action < LAY_BONUS:
        lay_strip(s, (action - LAY_STRIP) // 2, (action - LAY_STRIP) % 2)
    elif action < SEAT:
        lay_bonus(s, action - LAY_BONUS)
    else:
        s.starter = action - SEAT
        s.stage = STRIPS


@rule
def legal(s: State, actions: Cells) -> int:
    if s.stage == OFFER:
        return legal_turns(s, actions)
    if s.stage == FILLING:
        return possible_draws(s.bag, DRAW, actions)
    if s.stage == KEEPING:
        return choices(s, KEEP, DRAW, 0, actions)
    if s.stage == STRIPS:
        return choices(s, LAY_STRIP, LAY_BONUS, 0, actions)
    if s.stage == TRACK:
        return choices(s, LAY_BONUS, SEAT, 0, actions)
    if s.stage == LOT:
        return choices(s, SEAT, SEAT + s.players, 0, actions)
    return 0


@rule
def legal_turns(s: State, actions: Cells) -> int:
    """Takes, and moving the glazier back."""
    targets = open_targets(s, s.to_move)
    n = possible_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, actions)
    if refused_reset(s, s.to_move) == LEGAL:
        actions[n] = RESET
        n += 1
    return n


@rule
def open_targets(s: State, seat: int) -> int:
    """Bit colour * TARGETS + target: strips that accept the colour, or BREAK if none does (6)."""
    targets = 0
    placed = 0
    for window in range(s.glazier[seat], WINDOWS):
        colours = colours_for(s, seat, window)
        placed |= colours
        targets |= SPREAD[colours] << window
    targets |= SPREAD[ALL_COLOURS & ~placed] << BREAK
    return int(targets)


@rule
def refusal(s: State, action: int) -> int:
    if s.stage == OFFER:
        if action < RESET:
            source, colour = action // TARGETS // COLOURS, action // TARGETS % COLOURS
            return refused_take(s, source, colour, action % TARGETS)
        return refused_reset(s, s.to_move) if action < KEEP else TURN_NOW
    if s.stage == KEEPING:
        if action < KEEP or action >= DRAW:
            return KEEP_NOW
        on_strip = s.panes[s.to_move, s.glazier[s.to_move], action - KEEP] > 0
        return LEGAL if on_strip else NOT_ON_STRIP
    return LEGAL if may_come(s, action) else NOT_DRAWN


@rule
def refused_take(s: State, source: int, colour: int, target: int) -> int:
    """LEGAL if a strip in reach takes the colour, or BREAK if none does (4-6)."""
    seat = s.to_move
    refused = refused_source(s.factories, s.centre, FACTORIES[s.players], source, colour)
    if refused != LEGAL:
        return refused
    if target == BREAK:
        return MUST_PLACE if fits_somewhere(s, seat, colour) else LEGAL
    if not has_strip(s, seat, target):
        return NO_STRIP
    if not is_reachable(s, seat, target):
        return LEFT_OF_GLAZIER
    return LEGAL if free_spaces(s, seat, target, colour) > 0 else NO_SPACE


@rule
def may_come(s: State, action: int) -> bool:
    """Whether a draw may have this outcome."""
    if s.stage == FILLING:
        return DRAW <= action < LAY_STRIP and bool(s.bag[action - DRAW] > 0)
    if s.stage == STRIPS:
        if action < LAY_STRIP or action >= LAY_BONUS:
            return False
        return may_lay_strip(s, (action - LAY_STRIP) // 2, (action - LAY_STRIP) % 2)
    if s.stage == TRACK:
        return LAY_BONUS <= action < SEAT and may_lay_bonus(s, action - LAY_BONUS)
    return s.stage == LOT and SEAT <= action < SEAT + s.players


@rule
def odds(s: State, weights: Cells) -> int:
    """Panes in proportion to their number in the bag; strips, faces, track colours, seats equally
    likely."""
    if s.stage == FILLING or (s.stage == TRACK and s.laid == ROUNDS - 1):
        return draw_odds(s.bag, weights)
    if s.stage == STRIPS:
        return strip_odds(s, weights)
    return even_odds(s.players if s.stage == LOT else ROUNDS - 1 - s.laid, weights)


@rule
def strip_odds(s: State, weights: Cells) -> int:
    """Every strip is equally likely, whether it may show one face or both."""
    n = 0
    strips_left = 0
    for strip in range(WINDOWS):
        if may_lay_strip(s, strip, FRONT):
            strips_left += 1
            faces = 2 if may_lay_strip(s, strip, BACK) else 1
            for _ in range(faces):
                weights[n] = 2 // faces
                n += 1
    return 2 * strips_left


@rule
def in_turn(s: State) -> bool:
    """After a take that completes a strip, choosing the pane to keep belongs to the same turn."""
    return s.stage == KEEPING


@rule
def census(s: State) -> bool:
    """Twenty panes of each colour, boards that the rules can produce, and at least one possible action."""
    return panes_add_up(s) and boards_are_sound(s) and stage_is_sound(s)


RULES: Final = Rules(
    start=start, legal=legal, refusal=refusal, refused=REFUSED, odds=odds, apply=apply, standing=standing,
    in_turn=in_turn, census=census, steps=frozenset({KEEP_NOW}), end_reason=end_reason, round_end=end_round,
)
