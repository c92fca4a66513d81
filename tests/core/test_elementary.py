"""The exponential and the logarithm: exact hardly an error, and none between modes."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Context, Decimal

import numpy as np
import pytest

from azulejos.core import elementary, jit, registry
from azulejos.core.elementary import exp, log, power_of_two
from azulejos.core.jit import rule
from azulejos.core.layout import Cells

DIGITS = Context(prec=40)


@rule
def all_exponentials(numbers: Cells, results: Cells) -> None:
    for i in range(len(numbers)):
        results[i] = exp(numbers[i])


@rule
def all_logarithms(numbers: Cells, results: Cells) -> None:
    for i in range(len(numbers)):
        results[i] = log(numbers[i])


def exponents() -> list[float]:
    """Ordinary ones, tiny ones, and those at whose ends a table's row or a power of two changes."""
    rng = random.Random(1)
    rows = [i * math.log(2) / (2 * elementary.PARTS) for i in range(-300, 300)]
    edges = [math.nextafter(x, x + way) for x in rows for way in (-1, 0, 1)]
    return [
        0.0, 1.0, -1.0, 5e-324, *edges,
        *(rng.uniform(-708, 709.7) for _ in range(2000)), *(rng.uniform(-6, 6) for _ in range(2000)),
        *(rng.choice((-1, 1)) * 10 ** rng.uniform(-20, 0) for _ in range(500)),
    ]


def positive_numbers() -> list[float]:
    rng = random.Random(2)
    near_one = [1 + way * 2.0**-i for i in range(53) for way in (-1, 1) if way * 2.0**-i > -1]
    root = elementary.ROOT_2
    return [
        5e-324, 2.0**-1022, math.nextafter(2.0**-1022, 0), 1.7976931348623157e308, 1.0, root, root / 2,
        math.nextafter(root, 2), *near_one, *(rng.uniform(0.5, 2) for _ in range(2000)),
        *(math.exp(rng.uniform(-744, 709)) for _ in range(2000)),
    ]


def error(number: float, exact: Decimal) -> float:
    """In units of the last bit."""
    return float(abs(DIGITS.subtract(Decimal(number), exact)) / Decimal(math.ulp(float(exact))))


def test_an_exponential_is_wrong_by_hardly_more_than_half_a_bit() -> None:
    assert max(error(exp(x), DIGITS.exp(Decimal(x))) for x in exponents()) < 0.52


def test_a_logarithm_is_wrong_by_less_than_a_bit() -> None:
    assert max(error(log(x), DIGITS.ln(Decimal(x))) for x in positive_numbers() if x != 1) < 0.75


def test_they_agree_with_the_library_to_a_bit() -> None:
    assert all(abs(exp(x) - math.exp(x)) <= math.ulp(math.exp(x)) for x in exponents())
    assert all(abs(log(x) - math.log(x)) <= math.ulp(math.log(x)) for x in positive_numbers())


def test_some_values_are_exact() -> None:
    assert (exp(0.0), exp(1.0), log(1.0)) == (1.0, math.e, 0.0)
    assert [exp(x) for x in (710.0, 1e300, math.inf)] == [math.inf] * 3
    assert [exp(x) for x in (-746.0, -1e300, -math.inf)] == [0.0] * 3
    assert math.isnan(exp(math.nan))
    assert 0 < exp(elementary.SMALLEST) < exp(elementary.LARGEST) < math.inf


def test_the_smallest_results_lose_their_last_bits_only() -> None:
    small = [-745.13, -740.0, -730.5, -720.0, -709.0, -708.4]
    assert all(error(exp(x), DIGITS.exp(Decimal(x))) <= 1 for x in small)


def test_powers_of_two_are_exact() -> None:
    assert all(power_of_two(n) == 2.0**n for n in range(-1022, 1024))


@pytest.mark.skipif(not jit.enabled(), reason="nothing is compiled here")
@pytest.mark.parametrize(
    ("function", "numbers"), [(all_exponentials, exponents), (all_logarithms, positive_numbers)]
)
def test_compiled_they_are_the_same_to_the_last_bit(
    function: Callable[[Cells, Cells], None], numbers: Callable[[], list[float]]
) -> None:
    game, _ = registry.find("azul")
    given = np.array(numbers())
    compiled, interpreted = np.zeros(len(given)), np.zeros(len(given))
    game.compiled.bind(function)(given, compiled)
    game.interpreted.bind(function)(given, interpreted)
    assert compiled.tobytes() == interpreted.tobytes()
