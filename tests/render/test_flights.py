"""Journeys of pieces between two scenes."""

from __future__ import annotations

import random
from collections import Counter

import azulejos
from azulejos.core.message import raw
from azulejos.core.scene import Flight, Panel, Piece, Plan, Scene, Slot, by_slot, flights, scene_of


def named_scene(position: azulejos.Position) -> Scene:
    scene = scene_of(position, ("Ana", "Bruno"))
    assert isinstance(scene, Scene)
    return scene


def opening(deal: str) -> azulejos.Position:
    """A first round with seat 1 to move; `deal` is the factories' tiles, one letter each."""
    position = azulejos.new("azul", start="1")
    for letter in deal.replace(" ", ""):
        position.play(f"+{letter}")
    return position


def flown(position: azulejos.Position, move: str) -> set[Flight]:
    before = named_scene(position)
    position.play(move)
    return set(flights(before, named_scene(position)))


def test_tiles_fly_to_the_line_the_floor_and_the_centre() -> None:
    position = opening("rrrb byrk byrk byrk byrk")
    assert flown(position, "1r2") == {
        Flight("red", "F1.red", "seat1.line2", 2),
        Flight("red", "F1.red", "seat1.floor", 1),
        Flight("blue", "F1.blue", "C.blue", 1),
    }


def test_the_marker_flies_with_the_first_tiles_of_the_centre() -> None:
    position = opening("rrrb byrk byrk byrk byrk")
    position.play("1r3")
    assert flown(position, "0b1") == {
        Flight("marker", "C.marker", "seat2.floor", 1),
        Flight("blue", "C.blue", "seat2.line1", 1),
    }


def test_a_drawn_tile_flies_from_the_bag() -> None:
    position = azulejos.new("azul", start="1")
    assert flown(position, "+k") == {Flight("black", "bag", "F1.black", 1)}


def test_each_tile_flies_to_the_wall_from_its_own_line() -> None:
    """Two lines of one colour are completed: each wall tile comes from its own line, the others leave."""
    before = table(board={"line2": 2, "line4": 4})
    after = table(board={"wall2": 1, "wall4": 1}, lid=4)
    assert set(flights(before, after)) == {
        Flight("red", "line2", "wall2", 1), Flight("red", "line4", "wall4", 1),
        Flight("red", "line2", "lid", 1), Flight("red", "line4", "lid", 3),
    }


def table(*, board: dict[str, int], lid: int = 0) -> Scene:
    """Red tiles in the lid, and in lines and walls at the same height."""
    places = {"line2": (0, 2), "line4": (0, 4), "wall2": (3, 2), "wall4": (3, 4)}
    slots = tuple(Slot(name, *at, raw(name)) for name, at in places.items())
    pieces = [Piece("red", name, count=n) for name, n in board.items()]
    waiting = [Piece("red", "lid", count=lid)] if lid else []
    panels = (
        Panel("seat1", raw("Ana"), 4, 5, slots, ()),
        Panel("supply", raw("supply"), 1, 1, (Slot("lid", 0, 0, raw("lid")),), ()),
    )
    plan = Plan(panels, "tiles", {"red": raw("red")})
    return Scene(plan, by_slot(*pieces, *waiting), (), raw("test"), (raw("Ana"),), 0)


def test_pieces_are_conserved_in_every_move_of_a_game() -> None:
    """Nothing appears or vanishes: a scene always shows all pieces of the box."""
    rng = random.Random(4)
    position = azulejos.new("azul")
    while not position.is_over:
        if position.is_chance:
            position.play(rng.choice(position.legal_actions()))
            continue
        counts: Counter[str] = Counter()
        for panel in named_scene(position).panels:
            for piece in panel.pieces:
                counts[piece.kind] += piece.count
        assert counts == {"blue": 20, "yellow": 20, "red": 20, "black": 20, "white": 20, "marker": 1}
        position.play(rng.choice(position.legal_actions()))


def test_flights_account_for_every_piece_that_changed_its_slot() -> None:
    rng = random.Random(8)
    position = azulejos.new("chocolatier")
    for _ in range(25):
        position.deal(rng)
        before = named_scene(position)
        position.play(rng.choice(position.legal_actions()))
        moved = flights(before, named_scene(position))
        assert all(flight.source != flight.target and flight.count > 0 for flight in moved)
        assert moved
