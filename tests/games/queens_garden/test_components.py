"""The tables of the box, checked against their drawings, and the texts of the moves."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from azulejos.core.position import new
from azulejos.games.queens_garden import GAME, components
from azulejos.games.queens_garden.components import (
    AROUND,
    BENCHES_AT,
    CELLS,
    COORDINATES,
    ELEMENTS,
    FIELD_BITS,
    HEXAGONS,
    NEIGHBOURS,
    REWARD,
    STATUES_AT,
    TOUCHED,
)
from azulejos.games.queens_garden.garden import place_of
from azulejos.games.queens_garden.moves import FIELD_NAMES, MOVES, SEAT, cell_text
from azulejos.games.queens_garden.reasons import NAMES, PIECES_LEFT, reason_text


def drawing() -> dict[str, tuple[int, int]]:
    """Axial coordinates of the names in the module's picture: four characters per column, two per half."""
    picture = (components.__doc__ or "").split("benches:\n\n")[1].rstrip().splitlines()
    found = {}
    for r, line in enumerate(picture, -4):
        for column in range(0, len(line), 2):
            name = line[column : column + 2].strip()
            if name:
                found[name] = ((column - 22 - 2 * r) // 4, r)
    return found


def test_the_picture_shows_the_coordinates() -> None:
    names = {cell_text(cell): at for cell, at in enumerate(COORDINATES)}
    names |= {f"S{i + 1}": at for i, at in enumerate(STATUES_AT)}
    names |= {f"B{i + 1}": at for i, at in enumerate(BENCHES_AT)}
    assert drawing() == names | {"FF": (0, 0)}


def test_neighbours_are_mutual() -> None:
    pairs = {(cell, int(near)) for cell in range(CELLS) for near in NEIGHBOURS[cell] if near >= 0}
    assert pairs == {(b, a) for a, b in pairs}
    between = {frozenset((a, b)) for a, b in pairs if place_of(a) != place_of(b)}
    assert len(between) == 12


def test_elements_and_what_touches_them() -> None:
    assert AROUND.shape == (ELEMENTS, 6)
    touching = {(cell, int(e)) for cell in range(CELLS) for e in TOUCHED[cell] if e >= 0}
    assert touching == {(int(cell), e) for e in range(ELEMENTS) for cell in AROUND[e]}
    assert REWARD == (1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3)


def test_every_hexagon_is_on_two_fields() -> None:
    for hexagon in range(HEXAGONS):
        assert sum(bits >> hexagon & 1 for bits in FIELD_BITS) == 2


def test_the_numbering() -> None:
    assert SEAT == GAME.decisions == 109
    assert len(MOVES) == 109 + 4 + 36 + 36


def test_no_text_begins_another() -> None:
    texts = sorted(move.text for move in MOVES)
    assert not [(a, b) for a, b in itertools.pairwise(texts) if b.startswith(a)]


def test_every_reason_has_a_text() -> None:
    assert len(NAMES) == PIECES_LEFT + 1
    assert all(str(reason_text(reason, -1)) for reason in range(len(NAMES)))
    assert len(FIELD_NAMES) == 12


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_refusal_has_words(players: int) -> None:
    """In every position of a game, every illegal decision is refused with a sentence."""
    rng = np.random.default_rng(players)
    position = new("garden", players=players)
    while not position.is_over:
        position.deal(rng)
        legal = position.legal_actions()
        refused = rng.integers(0, GAME.decisions, 10)
        for action in refused.tolist():
            reason = position.why_not(action)
            assert (reason is None) == (action in legal)
            assert reason is None or not str(reason).startswith("That is not possible")
        if legal:
            position.play(int(rng.choice(legal)))


def test_the_documented_texts_are_all_the_texts() -> None:
    """The grammar of docs/notation/queens_garden.md, written out."""
    hexagons = [colour + value for colour in "blygdp" for value in "123456"]
    cells = [f"0{value}" for value in "123456"] + [f"{p}{d}" for p in "123456" for d in "0123456"]
    assert [move.text for move in MOVES] == [
        *(f"a{name}" for name in "blygdp123456"), *hexagons, "x1", "x2", *cells,
        *(f"s{source}" for source in "12345678"), "f", "j", "-",
        *(f"@{seat}" for seat in "1234"), *(f"+{h}" for h in hexagons), *(f"!{h}" for h in hexagons),
    ]
