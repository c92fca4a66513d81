"""What `import azulejos` offers."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

import pytest

import azulejos


def test_rooms_are_opened_when_they_are_used() -> None:
    told = subprocess.run([sys.executable, "-c", (
        "import sys, azulejos\n"
        "rooms = 'azulejos.bots', 'azulejos.arena', 'azulejos.render', 'azulejos.svg'\n"
        "print(*(room in sys.modules for room in rooms))\n"
        "azulejos.bots.open, azulejos.arena.Match, azulejos.render.themes, azulejos.svg.position\n"
        "print(*(room in sys.modules for room in rooms), 'bots' in dir(azulejos))\n"
    )], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["False False False False", "True True True True True"]


def test_there_is_no_other_room() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'chess'"):
        azulejos.chess  # noqa: B018


def test_public_names_belong_to_the_package() -> None:
    lazy = {"arena", "bots", "render", "svg"}
    for name in set(azulejos.__all__) - lazy:
        public = getattr(azulejos, name)
        assert getattr(public, "__module__", "azulejos") == "azulejos", name
    error = pickle.loads(pickle.dumps(azulejos.Player("Ana")))
    assert error == azulejos.Player("Ana")


def test_a_random_move_is_chosen_from_the_legal_ones() -> None:
    position, rng = azulejos.new("azul"), random.Random(1)
    position.deal(rng)
    moves = position.legal_moves
    assert rng.choice(moves) in moves
    assert moves[0] == next(iter(moves))
    assert [*moves[:2]] == [*moves][:2]
