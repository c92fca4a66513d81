"""Queen's Garden in the terminal: the display above, the gardens side by side below.

A hexagon is its letter and value (B3: light blue butterflies); printed ones are followed by an apostrophe.
A free cell shows its name as typed, a place without an expansion is blank, and garden elements are <>
(fountain), () (statue), [] (bench) and /\\ (pavilion). A garden is 38 columns wide.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Terminal
from azulejos.core.message import Message, msg, pmsg
from azulejos.core.terminal import Say, Span, TextLine, beside, folded, in_rows, width
from azulejos.games.queens_garden.components import (
    BENCHES_AT, CELLS, CENTRES_AT, COLOURS, COORDINATES, FIELDS, FOUNTAIN_AT, HEXAGONS, STACK, STATUES_AT,
    STORAGE_SPACES,
)
from azulejos.games.queens_garden.garden import exists, is_printed
from azulejos.games.queens_garden.layout import (
    BACK, CHOOSING, DISCARDING, EMPTY, HELD_BACK, HELD_EXPANSION, HELD_TILE, PAYING, PLACING, TAKEN, State,
)
from azulejos.games.queens_garden.moves import (
    FIELD_KINDS, FIELD_NAMES, cell_text, field_text, hexagon_name, hexagon_text, kind,
)
from azulejos.games.queens_garden.storage import tile_room
from azulejos.games.queens_garden.wheel import wheel_on
from azulejos.parts.offer_text import in_columns, short, status

GARDEN_COLUMNS: Final = 38
GAP: Final = 2
NAME_WIDTH: Final = 16

ELEMENT_SIGNS: Final = {
    FOUNTAIN_AT: "<>", **dict.fromkeys(STATUES_AT, "()"), **dict.fromkeys(BENCHES_AT, "[]"),
}


def draw(s: State, names: tuple[str, ...], say: Say, columns: int) -> list[TextLine]:
    head = status(s, names, say, msg("A draw is in progress."), _task(s))
    gardens = [_padded(_garden(s, seat, names[seat], say)) for seat in range(s.players)]
    return folded([
        head, [], _wheel(s, say), *_display(s, say, columns), [],
        *in_rows(gardens, columns, gap=GAP, between=True), [], *_legend(say),
    ], columns)


def _hexagon(hexagon: int) -> Span:
    return Span(hexagon_text(hexagon).upper(), kind(hexagon))


def _spaced(inks: list[Span]) -> TextLine:
    return [part for span in inks for part in (span, Span(" "))]


# --- above the gardens -------------------------------------------------------------------------------


def _task(s: State) -> Message | None:
    """What the seat has to choose in the middle of its turn."""
    if s.stage == CHOOSING:
        return msg("Which {hexagon}? Type s and the number of the expansion.",
                   hexagon=hexagon_name(s.choosing))
    if s.stage == PLACING and s.held == HELD_BACK:
        return msg("Where? Type the centre cell of a place, 10 to 60.")
    if s.stage == PLACING:
        held = s.held - (HELD_EXPANSION if s.held >= HELD_EXPANSION else HELD_TILE)
        return msg("Where does {hexagon} go?", hexagon=hexagon_name(held))
    if s.stage == PAYING:
        return msg("Still to pay: {due}; j pays the rest with jokers.", due=s.due)
    if s.stage == DISCARDING:
        return msg("Discard hexagons, or end with -.")
    return None


def _wheel(s: State, say: Say) -> TextLine:
    """What scores in this round."""
    line: TextLine = [Span(say(msg("wheel")) + " ", "quiet")]
    for field, points in wheel_on(s)[max(1, s.round) - 1]:
        line += [Span(f"{say(FIELD_NAMES[field])} ({field_text(field)}) +{points}   ", "strong")]
    return line


def _display(s: State, say: Say, columns: int) -> list[TextLine]:
    sources = [_source(s, source, say) for source in range(min(s.top + 1, STACK[s.players]))]
    below = STACK[s.players] - s.top - 1
    counts = msg("below the top expansion: {stack}   supply: {supply}   bag: {bag}   tower: {tower}",
                 stack=max(0, below), supply=s.supply, bag=sum(s.bag), tower=sum(s.tower))
    return [*in_columns(sources, columns), [Span(say(counts), "quiet")]]


def _source(s: State, source: int, say: Say) -> TextLine:
    top = "^" if source == s.top else ""
    line: TextLine = [Span(f"s{source + 1}{top}", "strong"), Span(" ")]
    if s.face[source] == TAKEN:
        return [*line, Span(say(pmsg("expansion", "taken")), "quiet")]
    if s.face[source] != EMPTY:
        return [*line, Span("x", "strong"), _hexagon(int(s.face[source]) - 1)]
    tiles = [_hexagon(int(tile) - 1) for tile in s.tiles[source] if tile != EMPTY]
    return [*line, *_spaced(tiles)]


def _legend(say: Say) -> list[TextLine]:
    colours: TextLine = []
    for colour, name in enumerate(FIELD_NAMES[:COLOURS]):
        letter = field_text(colour).upper()
        colours += [Span(letter, FIELD_KINDS[colour]), Span(f" {say(name)}   ", "quiet")]
    patterns = [f"{field_text(field)} {say(FIELD_NAMES[field])}" for field in range(COLOURS, FIELDS)]
    signs = msg("<> fountain  () statue  [] bench  /\\ pavilion  ' printed  x expansion  ^ top of the "
                "stack")
    return [colours, [Span("   ".join(patterns), "quiet")], [Span(say(signs), "quiet")]]


# --- gardens -----------------------------------------------------------------------------------------


def _padded(lines: list[TextLine]) -> list[TextLine]:
    return beside(lines, [], gap=max(0, GARDEN_COLUMNS - max(width(line) for line in lines)))


def _garden(s: State, seat: int, name: str, say: Say) -> list[TextLine]:
    return [_title(s, seat, name, say), *(_row(s, seat, r) for r in range(-4, 5)), *_storage(s, seat, say)]


def _title(s: State, seat: int, name: str, say: Say) -> TextLine:
    arrow = "> " if s.to_move == seat else "  "
    marks = (" *" if s.marker == seat else "") + (f" {say(msg('passed'))}" if s.passed[seat] else "")
    score = Span(f" {s.score[seat]}", "good")
    return [Span(arrow, "good"), Span(short(name, NAME_WIDTH), "strong"), score, Span(marks, "quiet")]


def _row(s: State, seat: int, r: int) -> TextLine:
    """Four columns for a cell, two for half a cell."""
    line: TextLine = []
    column = 0
    for q, span in sorted(_row_cells(s, seat, r)):
        at = 18 + 4 * q + 2 * r
        line += [Span(" " * (at - column)), span]
        column = at + len(span.text)
    return line


def _row_cells(s: State, seat: int, r: int) -> list[tuple[int, Span]]:
    found = [(at[0], Span(sign, "quiet")) for at, sign in ELEMENT_SIGNS.items() if at[1] == r]
    for place, centre in enumerate(CENTRES_AT):
        if centre[1] == r and s.places[seat, place] > BACK:
            found.append((centre[0], Span("/\\", "strong")))
    for cell in range(CELLS):
        if COORDINATES[cell][1] == r and exists(s, seat, cell):
            found.append((COORDINATES[cell][0], _cell(s, seat, cell)))
    return found


def _cell(s: State, seat: int, cell: int) -> Span:
    if s.garden[seat, cell] == EMPTY:
        return Span(cell_text(cell), "quiet")
    lying = _hexagon(int(s.garden[seat, cell]) - 1)
    return Span(lying.text + "'", lying.style) if is_printed(s, seat, cell) else lying


def _storage(s: State, seat: int, say: Say) -> list[TextLine]:
    tiles = [_hexagon(hexagon) for hexagon in range(HEXAGONS) for _ in range(s.stored[seat, hexagon])]
    expansions = [(slot, int(number) - 1) for slot, number in enumerate(s.slots[seat]) if number != EMPTY]
    used = STORAGE_SPACES - tile_room(s, seat)
    jokers = say(msg("jokers {n}", n=int(s.jokers[seat])))
    line: TextLine = [Span(f"  {jokers}   ", "strong"), Span(f"{used}/{STORAGE_SPACES}", "quiet")]
    for slot, hexagon in expansions:
        line += [Span(f"   x{slot + 1} "), _hexagon(hexagon)]
    return [line, [Span("  "), *_spaced(tiles)]]


TERMINAL = Terminal(draw=draw)
