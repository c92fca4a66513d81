"""The exponential and the logarithm, from additions, multiplications and divisions alone.

Every machine rounds these alike. The C library's `exp`, NumPy's and a browser's `Math.exp` differ in the
last bit, and one such bit decides between two turns whose values are nearly equal.
"""

from __future__ import annotations

import math
from typing import Final

from azulejos.core.grid import table
from azulejos.core.jit import rule
from azulejos.core.late import np

PARTS: Final = 128
"""Into so many parts is a factor of two divided: what remains for the polynomial is below ln 2 / 256."""
LN2_HIGH: Final = float.fromhex("0x1.62e42fefap-1")
"""ln 2 in two parts. The first has 36 bits, so that its products with small integers are exact."""
LN2_LOW: Final = float.fromhex("0x1.cf79abc9e3b398p-40")
PARTS_OF_LN2: Final = float.fromhex("0x1.71547652b82fep+7")
"""PARTS / ln 2"""
LARGEST: Final = 709.782712893384
"""e to more than this is infinite."""
SMALLEST: Final = -745.1332191019411
"""e to less than this is 0."""

FRACTION: Final = 52
"""Bits of a float64 after its point; its exponent is stored above them, with BIAS added."""
BIAS: Final = 1023
FRACTION_BITS: Final = (1 << FRACTION) - 1
SUBNORMAL: Final = 2.0**-1022
"""Smaller numbers have fewer bits."""
ROOT_2: Final = 2**0.5


def _roots_of_two() -> tuple[list[float], list[float]]:
    """2 ** (i / PARTS), and what the nearest float64 leaves out of it; computed with 512 bits."""
    step = 1 << (1 + PARTS * (bits := 512))
    for _ in range(PARTS.bit_length() - 1):
        step = math.isqrt(step)  # at last 2 ** (1 / PARTS) << bits, as PARTS is a power of two
    high, low, exact = [], [], 1 << bits
    for _ in range(PARTS):
        high.append(exact / (1 << bits))
        numerator, denominator = high[-1].as_integer_ratio()
        low.append((exact - (numerator << bits) // denominator) / (1 << bits))
        exact = exact * step >> bits
    return high, low


ROOTS, REMAINDERS = (table(column, "f8") for column in _roots_of_two())


@rule
def power_of_two(exponent: int) -> float:
    """2 ** exponent, for -1022 <= exponent <= 1023."""
    return float(np.int64((exponent + BIAS) << FRACTION).view(np.float64))


@rule
def exp(x: float) -> float:
    """e ** x, with an error below 0.52 of the last bit.

    x = (parts / PARTS) ln 2 + r; the factors are a power of two, a root of 2 from the table, and e ** r.
    """
    x = float(x)
    if x > LARGEST:
        return math.inf
    if x < SMALLEST:
        return 0.0
    if x != x:
        return x
    parts = math.floor(x * PARTS_OF_LN2 + 0.5)
    r = x - parts * (LN2_HIGH / PARTS) - parts * (LN2_LOW / PARTS)
    more = r + r * r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))))
    root = float(ROOTS[parts & PARTS - 1])
    result = root + (root * more + float(REMAINDERS[parts & PARTS - 1]))
    exponent = parts // PARTS
    half = exponent >> 1
    return result * power_of_two(half) * power_of_two(exponent - half)


@rule
def log(x: float) -> float:
    """The natural logarithm of a positive number, with an error below 0.75 of the last bit.

    x = 2 ** exponent * (1 + f), with 1 + f between the roots of 1/2 and 2, and with s = f / (2 + f)
    log(1 + f) = 2 s + 2/3 s**3 + 2/5 s**5 ... = f - f**2 / 2 + s (f**2 / 2 + 2/3 s**2 + 2/5 s**4 ...).
    """
    x = float(x)
    exponent = 0
    if x < SUBNORMAL:
        x *= power_of_two(FRACTION)
        exponent = -FRACTION
    bits = int(np.float64(x).view(np.int64))
    exponent += (bits >> FRACTION) - BIAS
    f = float(np.int64(bits & FRACTION_BITS | BIAS << FRACTION).view(np.float64))
    if f > ROOT_2:
        f /= 2
        exponent += 1
    f -= 1
    s = f / (2 + f)
    square = s * s
    series = 0.0
    for n in range(21, 1, -2):
        series = (series + 2 / n) * square
    half = f * f / 2
    return exponent * LN2_HIGH - (half - (s * (half + series) + exponent * LN2_LOW) - f)
