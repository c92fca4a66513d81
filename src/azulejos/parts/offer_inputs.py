"""Network inputs for what games with a shared offer have in common: piles, factories and the centre.

A *pile* is all tiles of one colour at one source. Inputs do not depend on the order of the factories.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.parts.offer import COLOURS, FACTORY_TILES

# --- inputs of the offer: where each begins -------------------------------------------------------------

IN_CENTRE: Final = 0
"""[colour, tiles - 1]: tiles in the centre. At most 6."""
MOST: Final = 6
MARKER_THERE: Final = IN_CENTRE + COLOURS * MOST
FACTORY: Final = MARKER_THERE + 1
"""[contents]: number of factories with these four tiles."""
CONTENTS: Final = 70
PILES: Final = FACTORY + CONTENTS
"""[piles - 1]: piles on offer for every five factories; bounds the moves left. At most 16."""
MOST_PILES: Final = 16
FEWEST_PLACES: Final = 5
OFFER_INPUTS: Final = PILES + MOST_PILES


def _contents() -> Cells:
    """CONTENTS_OF[code]: index among the 70 ways to fill a factory; `code` is its tile counts in base 5."""
    table = np.full(5**COLOURS, -1, np.int64)
    codes = [code for code in range(5**COLOURS) if sum(digits(code)) == FACTORY_TILES]
    table[codes] = np.arange(CONTENTS)
    return table


def digits(code: int) -> list[int]:
    """Number of tiles of each colour."""
    return [code // 5**colour % 5 for colour in range(COLOURS)]


CONTENTS_OF: Final = _contents()


def offer_factors() -> Cells:
    """[input, factor]: every input, plus the number of offered tiles of each colour."""
    factors = np.eye(OFFER_INPUTS, OFFER_INPUTS + COLOURS, dtype=np.uint8)
    for code in np.flatnonzero(CONTENTS_OF >= 0):
        factors[FACTORY + CONTENTS_OF[code], OFFER_INPUTS:] = digits(int(code))
    for colour in range(COLOURS):
        for tiles in range(1, MOST + 1):
            factors[IN_CENTRE + colour * MOST + tiles - 1, OFFER_INPUTS + colour] = tiles
    return factors


# --- writing inputs -------------------------------------------------------------------------------------


@rule
def add(found: int, inputs: Cells, amounts: Cells, which: int, amount: int) -> int:
    inputs[found] = which
    amounts[found] = amount
    return found + 1


@rule
def add_set(found: int, inputs: Cells, amounts: Cells, first: int, bits: int) -> int:
    """Add the input of a non-empty set."""
    if bits == 0:
        return found
    return add(found, inputs, amounts, first + bits, 1)


@rule
def add_count(found: int, inputs: Cells, amounts: Cells, first: int, count: int) -> int:
    """Add the input of a positive number."""
    return add_set(found, inputs, amounts, first - 1, count)


@rule
def source_inputs(
    factories: Cells, centre: Cells, places: int, first: int, found: int, inputs: Cells, amounts: Cells
) -> int:
    """Add the inputs of the offer, except for the marker, from `first` on."""
    piles = 0
    for place in range(places):
        code = 0
        power = 1
        for colour in range(COLOURS):
            tiles = int(factories[place, colour])
            piles += 1 if tiles > 0 else 0
            code += tiles * power
            power *= 5
        if code < len(CONTENTS_OF) and CONTENTS_OF[code] >= 0:
            found = add(found, inputs, amounts, first + FACTORY + int(CONTENTS_OF[code]), 1)
    for colour in range(COLOURS):
        tiles = int(centre[colour])
        piles += 1 if tiles > 0 else 0
        found = add_count(found, inputs, amounts, first + IN_CENTRE + colour * MOST, min(tiles, MOST))
    piles = -(-piles * FEWEST_PLACES // places)
    return add_count(found, inputs, amounts, first + PILES, min(piles, MOST_PILES))


# --- piles as bits --------------------------------------------------------------------------------------

SIZES: Final = 8
"""Bits for the pile sizes of one colour: 0 to 5, then 6 or more; the last bit is unused."""
BIGGEST: Final = SIZES - 2
MASK: Final = (1 << SIZES - 1) - 1
PILE_BITS: Final = SIZES * COLOURS
EACH: Final = sum(1 << SIZES * colour for colour in range(COLOURS))
"""The lowest bit of every colour."""
SIZES_IN: Final = np.array([bits.bit_count() for bits in range(MASK + 1)], np.int64)


@rule
def piles_of(factories: Cells, centre: Cells, places: int) -> int:
    """Bit colour * SIZES + size is set if there is a pile of this size."""
    piles = 0
    for colour in range(COLOURS):
        piles |= 1 << (colour * SIZES + min(int(centre[colour]), BIGGEST))
        for place in range(places):
            piles |= 1 << (colour * SIZES + min(int(factories[place, colour]), BIGGEST))
    return piles
