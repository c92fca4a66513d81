"""The wheel of the variant side, and custom wheels."""

from __future__ import annotations

import random
from typing import Any

import pytest

import azulejos
from azulejos.core.writing import header
from azulejos.games.queens_garden.components import (
    COLOURS,
    HEXAGONS,
    PATTERNS,
    ROUNDS,
    STANDARD_WHEEL,
    VARIANT_WHEEL,
)
from azulejos.games.queens_garden.prospects import wheel_from_now, wheel_now
from azulejos.games.queens_garden.wheel import check_wheel, wheel_on

OWN = "b:7-6:2-l:1.1:1-d:3-2:9.y:2-5:4-g:5.p:8-3:6-4:1"


def test_the_wheels_of_the_box() -> None:
    for text in (STANDARD_WHEEL, VARIANT_WHEEL):
        assert check_wheel(text) == text
    standard, variant = (azulejos.new(name).state for name in ("garden", "garden-variant"))
    bells = COLOURS + 5
    assert wheel_on(standard)[3][-1] == (bells, 3)
    assert wheel_on(variant)[3][-1] == (bells, 6)


def test_a_wheel_has_one_text_in_whatever_order_it_is_given() -> None:
    assert check_wheel(OWN) == check_wheel(check_wheel(OWN).upper())
    assert sorted(check_wheel(OWN).split(".")[0]) == sorted(OWN.split(".")[0])


def test_a_wheel_of_ones_own_is_only_used_on_the_variant_side() -> None:
    own = azulejos.new("garden-variant", wheel=OWN)
    assert own.options["wheel"] == check_wheel(OWN)
    assert header(own)["options"] == {"wheel": check_wheel(OWN)}
    assert azulejos.Position.from_text(own.text()) == own
    assert azulejos.new("garden", wheel=OWN) == azulejos.new("garden")
    assert header(azulejos.new("garden", wheel=OWN))["options"] == {}


@pytest.mark.parametrize("wheel", [VARIANT_WHEEL, OWN])
def test_what_evaluation_expects_of_the_wheel_is_what_the_rounds_will_pay(wheel: str) -> None:
    position, rng = azulejos.new("garden-variant", wheel=wheel), random.Random(1)
    while not position.is_over:
        s = position.state
        for hexagon in range(HEXAGONS):
            paid = [_paid(s, number, hexagon) for number in range(1, 1 + ROUNDS)]
            assert wheel_from_now(s, hexagon) == sum(paid[max(s.round, 1) - 1 :])
            assert wheel_now(s, hexagon) == paid[max(s.round, 1) - 1]
        position.deal(rng)
        while not (position.is_over or position.is_chance or position.state.round > s.round > 0):
            position.play("-" if "-" in position.legal_moves else rng.choice(position.legal_actions()))


def _paid(s: Any, number: int, hexagon: int) -> int:
    matching = (hexagon // PATTERNS, COLOURS + hexagon % PATTERNS)
    return sum([points for field, points in wheel_on(s)[number - 1] if field in matching])


@pytest.mark.parametrize(("text", "error"), [
    ("", "four rounds like"),
    (VARIANT_WHEEL.replace("d:1", "x:1"), "four rounds like"),
    (VARIANT_WHEEL.replace("6:6", "6:10"), "bells in round 4 of the wheel scores 1 to 9 points, not 10"),
    (VARIANT_WHEEL.replace("6:6", "6:0"), "scores 1 to 9 points, not 0"),
    (VARIANT_WHEEL.replace("6:6", "1:6"), "tree stands twice on the wheel, the second time in round 4"),
    (VARIANT_WHEEL.replace("-6:6", ""), "round 4 of the wheel has 3 colours or patterns, not 2"),
    (VARIANT_WHEEL.rpartition(".")[0], "has 4 rounds, not 3"),
])
def test_errors_say_what_is_wrong_with_a_wheel(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        azulejos.new("garden-variant", wheel=text)
