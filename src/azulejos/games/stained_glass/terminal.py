"""Stained Glass of Sintra in the terminal: the factories above, the boards one below the other.

               1       2      ▼3       the glazier is above window 3
    strip    BBbop   OOopw   Ppy**     upper case: a pane; lower case: an empty space; *: an empty joker
    back     bboop   bbppo     ·       the other side; none if the strip was turned over
    window     ··      ··      P·      the upper and the lower pane
    points     4       3       3
"""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Terminal
from azulejos.core.message import Message, msg, pmsg, raw
from azulejos.core.terminal import Say, Span, TextLine, columns as columns_of, folded, width
from azulejos.games.stained_glass.components import JOKER_LETTER, LETTERS, ROUNDS, WINDOW_POINTS, WINDOWS
from azulejos.games.stained_glass.layout import EMPTY, JOKER, KEEPING, UPPER, State
from azulejos.games.stained_glass.moves import COLOUR_NAMES
from azulejos.games.stained_glass.strips import free_jokers, has_strip, on_jokers, spaces
from azulejos.games.stained_glass.view import NUMERALS, PANES
from azulejos.parts.offer import COLOURS, FACTORIES
from azulejos.parts.offer_text import counted, heap, in_columns, legend, short, status, tile

LABEL: Final = 10
COLUMN: Final = 8
NAME_WIDTH: Final = 30


def draw(s: State, names: tuple[str, ...], say: Say, columns: int) -> list[TextLine]:
    boards = [line for seat in range(s.players) for line in [*_board(s, seat, names[seat], say), []]]
    return folded([
        _status(s, names, say), _track(s, say), [], *_offer(s, say, columns), [], *boards,
        _supply(s, say), *_legend(say),
    ], columns)


def _status(s: State, names: tuple[str, ...], say: Say) -> TextLine:
    drawn = msg("Panes are being drawn.") if s.round else msg("The table is being set up.")
    if s.stage != KEEPING:
        return status(s, names, say, drawn)
    window = int(s.glazier[s.to_move]) + 1
    task = msg("Choose the pane to keep for window {window}: k and its colour.", window=window)
    return status(s, names, say, drawn, task)


def _track(s: State, say: Say) -> TextLine:
    """The round track; the pane of this round is the bonus colour."""
    line: TextLine = [Span(say(msg("round track")) + " ", "quiet")]
    for slot in range(ROUNDS):
        pane = tile(PANES, s.track[slot] - 1) if s.track[slot] else Span("·", "quiet")
        line += [Span(f" {NUMERALS[slot]} ", "strong" if slot == s.round - 1 else "quiet"), pane]
    if s.round and s.track[s.round - 1]:
        colour = COLOUR_NAMES[s.track[s.round - 1] - 1]
        line += [Span("   "), Span(say(msg("bonus colour: {colour}", colour=colour)), "strong")]
    return line


# --- the offer -----------------------------------------------------------------------------------------


def _offer(s: State, say: Say, columns: int) -> list[TextLine]:
    factories = [
        [Span(f"{place + 1} ", "strong"), *heap(PANES, s.factories[place])]
        for place in range(FACTORIES[s.players])
    ]
    start_tile = [_start_tile(), Span(" ")] if s.start_tile < 0 and s.round else []
    there = heap(PANES, s.centre) if any(s.centre) or not start_tile else []
    centre = [Span("0 ", "strong"), Span(say(msg("centre:")) + " "), *start_tile, *there]
    return [*in_columns(factories, columns), centre]


def _start_tile() -> Span:
    return Span("M", "marker")


def _supply(s: State, say: Say) -> TextLine:
    bag = [Span(say(msg("bag")) + " ", "quiet"), *counted(PANES, s.bag)]
    return [*bag, Span("  "), Span(say(msg("tower")) + " ", "quiet"), *counted(PANES, s.tower)]


def _legend(say: Say) -> list[TextLine]:
    start = [_start_tile(), Span(" " + say(msg("start marker")), "quiet")]
    cases = say(msg("upper case: a pane; lower case: an empty space; *: an empty joker space"))
    return [[*legend(PANES, say), *start], [Span(cases, "quiet")]]


# --- a board -------------------------------------------------------------------------------------------


def _board(s: State, seat: int, name: str, say: Say) -> list[TextLine]:
    windows = range(WINDOWS)
    points = [[Span(str(WINDOW_POINTS[window]), "quiet")] for window in windows]
    return [
        _title(s, seat, name, say),
        _row(raw(""), [_number(s, seat, window) for window in windows], say),
        _row(msg("strip"), [_strip(s, seat, window) for window in windows], say),
        _row(pmsg("side of a strip", "back"), [_back(s, seat, window) for window in windows], say),
        _row(msg("window"), [_window(s, seat, window) for window in windows], say),
        _row(msg("points"), points, say),
    ]


def _row(label: Message, cells: list[TextLine], say: Say) -> TextLine:
    """A label and one centred cell per window."""
    text = f"  {say(label)}"
    line: TextLine = [Span(text + " " * (LABEL - columns_of(text)), "quiet")]
    for cell in cells:
        before = (COLUMN - width(cell)) // 2
        line += [Span(" " * before), *cell, Span(" " * (COLUMN - before - width(cell)))]
    return line


def _title(s: State, seat: int, name: str, say: Say) -> TextLine:
    arrow = "> " if s.to_move == seat else "  "
    loss = int(s.losses[s.broken[seat]])
    glass = say(msg("broken glass: step {step}, −{loss}", step=int(s.broken[seat]), loss=loss))
    held = [Span("   "), _start_tile()] if s.start_tile == seat else []
    return [
        Span(arrow, "good"), Span(short(name, NAME_WIDTH), "strong"), Span(f" {s.score[seat]}", "good"),
        Span("   "), Span(glass, "bad" if loss else "quiet"), *held,
    ]


def _number(s: State, seat: int, window: int) -> TextLine:
    return [Span(f"▼{window + 1}" if s.glazier[seat] == window else f"{window + 1}", "strong")]


def _strip(s: State, seat: int, window: int) -> TextLine:
    """Panes and empty spaces colour by colour, then the jokers."""
    if not has_strip(s, seat, window):
        return [Span("·", "quiet")]
    line: TextLine = []
    for colour in range(COLOURS):
        own = spaces(s, seat, window, colour)
        lying = min(own, int(s.panes[seat, window, colour]))
        line += [tile(PANES, colour)] * lying + [Span(LETTERS[colour], "quiet")] * (own - lying)
    for colour in range(COLOURS):
        line += [tile(PANES, colour)] * on_jokers(s, seat, window, colour)
    return line + [Span("*", "quiet")] * free_jokers(s, seat, window)


def _back(s: State, seat: int, window: int) -> TextLine:
    """The other side, until the strip is turned over."""
    if not has_strip(s, seat, window) or s.windows[seat, window, UPPER] != EMPTY:
        return [Span("·", "quiet")]
    other = s.strips[s.strip[seat, window] - 1, 1 - s.face[seat, window]]
    letters = "".join(LETTERS[colour] * int(other[colour]) for colour in range(COLOURS))
    return [Span(letters + JOKER_LETTER * int(other[JOKER]), "quiet")]


def _window(s: State, seat: int, window: int) -> TextLine:
    return [tile(PANES, pane - 1) if pane else Span("·", "quiet") for pane in s.windows[seat, window]]


TERMINAL = Terminal(draw=draw)
