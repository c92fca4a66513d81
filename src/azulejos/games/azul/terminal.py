"""Azul in the terminal: the factories above, the boards side by side below, as many as fit.

    1       · B y r k w      pattern line 1 (one space, empty) and wall row 1 (blue is tiled)
    2     R · w b y r k      line 2 holds one red tile
"""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Terminal
from azulejos.core.message import Message, msg, pmsg
from azulejos.core.terminal import Say, Span, TextLine, folded, in_rows
from azulejos.core.verbs import OVER
from azulejos.games.azul.layout import (
    CAUGHT, DIVIDING, EMPTY, EXTRA, FLOOR_PENALTY, FLOOR_SPACES, LINES, MARKER, NO_DISC, OPEN_DISC, PLAIN,
    SPLIT, STAY, TILING, WALL_COLUMN, ZERO, State,
)
from azulejos.games.azul.moves import COLOUR_NAMES, LETTERS
from azulejos.games.azul.view import TILES
from azulejos.parts.offer import COLOURS, FACTORIES
from azulejos.parts.offer_text import counted, heap, in_columns, legend, short, status, tile

EFFECT_NAMES: Final = {
    EXTRA: msg("EXTRA"), STAY: msg("STAY"), SPLIT: msg("SPLIT"), ZERO: msg("ZERO"),
    **{1 + colour: msg("NEIGHBOUR {colour}", colour=COLOUR_NAMES[colour]) for colour in range(COLOURS)},
}
EFFECT_RULES: Final = {
    EXTRA: msg("EXTRA: one more was placed here."),
    STAY: msg("STAY: the rest stays on the disc."),
    SPLIT: msg("SPLIT: whoever takes from here divides the other tiles between the two neighbouring "
               "factories."),
    ZERO: msg("ZERO: whoever takes from here keeps the disc; the next piece to fall lands on it "
              "at no cost."),
}
NEIGHBOUR_RULE: Final = msg("NEIGHBOUR: one tile of its colour came from each neighbouring factory.")


def draw(s: State, names: tuple[str, ...], say: Say, columns: int) -> list[TextLine]:
    boards = in_rows([_board(s, seat, names[seat], say) for seat in range(s.players)], columns, gap=2)
    head = status(s, names, say, msg("Tiles are being drawn."), _task(s))
    offer = _offer(s, say, columns)
    return folded([head, [], *offer, [], *boards, [], _supply(s, say), _legend(say)], columns)


def _task(s: State) -> Message | None:
    """What the seat has to choose, if it is not a take."""
    if s.stage == DIVIDING:
        return msg("Divide factory {factory}: type < and the colours that go to the left.",
                   factory=s.dividing + 1)
    if s.stage == TILING:
        line = next(row + 1 for row in range(LINES) if s.line_tiles[s.to_move, row] == row + 1)
        return msg("Choose the column for line {line}: c1 to c5.", line=line)
    return None


# --- the offer -----------------------------------------------------------------------------------------


def _offer(s: State, say: Say, columns: int) -> list[TextLine]:
    sources = [_factory(s, place, say) for place in range(FACTORIES[s.players])]
    return [*in_columns(sources, columns), _centre(s, say), *_rules(s, say)]


def _factory(s: State, place: int, say: Say) -> TextLine:
    number = Span(f"{place + 1} ", "strong")
    if s.gone == place:
        return [number, Span(say(pmsg("factory", "taken")), "quiet")]
    effect = int(s.effects[place])
    line = [number, *heap(TILES, s.factories[place])]
    return line if effect == PLAIN else [*line, Span(say(EFFECT_NAMES[effect]), "strong")]


def _centre(s: State, say: Say) -> TextLine:
    marker = _piece(MARKER) if s.marker < 0 and s.to_move != OVER else []
    there = heap(TILES, s.centre) if any(s.centre) or not marker else []
    return [Span("0 ", "strong"), Span(say(msg("centre:")) + " "), *marker, *there]


def _rules(s: State, say: Say) -> list[TextLine]:
    """What the special factories of this round do."""
    effects = {int(effect) for effect in s.effects if effect != PLAIN}
    rules = [EFFECT_RULES[effect] for effect in sorted(effects) if effect in EFFECT_RULES]
    if any(effect <= COLOURS for effect in effects):
        rules.append(NEIGHBOUR_RULE)
    return [[Span("  "), Span(say(rule), "quiet")] for rule in rules]


def _supply(s: State, say: Say) -> TextLine:
    bag: list[Span] = [Span(say(msg("bag")) + " ", "quiet"), *counted(TILES, s.bag)]
    return [*bag, Span("  "), Span(say(msg("lid")) + " ", "quiet"), *counted(TILES, s.lid)]


def _legend(say: Say) -> TextLine:
    return [*legend(TILES, say), *_piece(MARKER), Span(say(msg("start marker")), "quiet")]


# --- a board -------------------------------------------------------------------------------------------


def _board(s: State, seat: int, name: str, say: Say) -> list[TextLine]:
    columns: list[TextLine] = [[Span(" " * 13), Span("1 2 3 4 5", "quiet")]] if s.grey else []
    rows = [_row(s, seat, row) for row in range(LINES)]
    disc = [_disc(s, seat, say)] if any(s.disc) else []
    return [_title(s, seat, name, say), *columns, *rows, _floor(s, seat), _penalties(), *disc]


def _title(s: State, seat: int, name: str, say: Say) -> TextLine:
    arrow = "> " if s.to_move == seat else "  "
    starts = Span(" *", "strong") if s.starter == seat and s.round else Span("")
    return [Span(arrow, "good"), Span(short(name), "strong"), Span(f" {s.score[seat]}", "good"), starts]


def _row(s: State, seat: int, row: int) -> TextLine:
    """A pattern line, filled from the right, and the wall row beside it."""
    held = int(s.line_tiles[seat, row])
    held_tile = _piece(1 + s.line_colour[seat, row])
    empty = [Span("· ", "quiet")]
    line: TextLine = [Span(f"{row + 1} ", "strong"), Span("  " * (LINES - 1 - row))]
    for space in range(row, -1, -1):
        line += held_tile if space < held else empty
    wall = [span for column in range(LINES) for span in _wall_space(s, seat, row, column)]
    return [*line, Span("│", "quiet"), *wall]


def _wall_space(s: State, seat: int, row: int, column: int) -> TextLine:
    piece = int(s.wall[seat, row, column])
    if piece != EMPTY:
        return _piece(piece)
    if s.grey:
        return [Span("· ", "quiet")]
    return [Span(f"{LETTERS[WALL_COLUMN[row].index(column)]} ", "quiet")]


def _floor(s: State, seat: int) -> TextLine:
    """Three characters per space, aligned with the penalties below."""
    line: TextLine = [Span("f ", "strong")]
    for piece in s.floor[seat]:
        line += [*(_piece(piece) if piece != EMPTY else [Span("· ", "quiet")]), Span(" ")]
    return line


def _penalties() -> TextLine:
    steps = [FLOOR_PENALTY[space] - FLOOR_PENALTY[space + 1] for space in range(FLOOR_SPACES)]
    return [Span(" "), Span(" ".join(f"{step}" for step in steps), "quiet")]


def _disc(s: State, seat: int, say: Say) -> TextLine:
    disc = int(s.disc[seat])
    if disc == NO_DISC:
        return []
    caught = [Span(say(pmsg("ZERO disc", "open")), "quiet")] if disc == OPEN_DISC else _piece(disc - CAUGHT)
    return [Span(f"  {say(EFFECT_NAMES[ZERO])} ", "strong"), *caught]


def _piece(piece: int) -> TextLine:
    """A tile as its letter, the marker as M, so that colour is never the only distinction."""
    if piece == MARKER:
        return [Span("M", "marker"), Span(" ")]
    return [tile(TILES, piece - 1), Span(" ")]


TERMINAL = Terminal(draw=draw)
