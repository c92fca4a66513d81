"""B, C: paying for and placing tiles and expansions, surrounded elements (queens-garden.md 3-5)."""

from __future__ import annotations

import pytest

from azulejos.core.position import Position
from azulejos.games.queens_garden.components import CELLS
from azulejos.games.queens_garden.moves import cell_text
from games.queens_garden.table import CELL, HEXAGON, Player, expansions, refusal, storage, table, turns


def cells(position: Position, piece: str) -> set[str]:
    """The cells on which a piece may be placed."""
    position = position.copy()
    position.play(piece)
    return {move.text for move in position.legal_moves}


FOUNTAIN_BOARD = {"01", "02", "03", "04", "05", "06"}


# --- payments ----------------------------------------------------------------------------------------


def test_payments_mix_pattern_colour_expansions_and_jokers() -> None:
    me = Player(storage="y4 y1 y2 l4 g4", expansions="y5 d4", jokers=1)
    assert set(turns(table(me), "y4 01")) == {
        "y4 01 y1 y2 x1", "y4 01 y1 y2 j", "y4 01 y1 x1 j", "y4 01 y2 x1 j",  # yellow; x1 is y5
        "y4 01 l4 g4 x2", "y4 01 l4 g4 j", "y4 01 l4 x2 j", "y4 01 g4 x2 j",  # flowers; x2 is d4
    }


def test_a_tile_and_an_expansion_of_one_hexagon_are_two_payments_but_pay_not_together() -> None:
    me = Player(storage="y3 y1 y2", expansions="y1", jokers=0)
    assert set(turns(table(me), "y3 01")) == {"y3 01 y1 y2", "y3 01 y2 x1"}
    assert refusal(table(me), "y3 01 y1 x1") == (
        "yellow tree is already part of the payment; identical hexagons cannot pay together."
    )


def test_paid_tiles_go_to_the_tower_and_expansions_under_the_supply() -> None:
    position = table(Player(storage="y3 y1", expansions="g3 y2", jokers=0))
    supply = position.state.supply
    position.play("y3 01 y1 x1")
    assert position.state.supply == supply + 1
    assert position.state.tower[2 * 6 + 0] == 1
    assert (storage(position), expansions(position)) == ("", "g3")


def test_the_twin_expansion_of_a_placed_tile_never_pays() -> None:
    me = Player(storage="y2", expansions="y2", jokers=1)
    assert set(turns(table(me), "y2 01")) == {"y2 01 j"}
    assert refusal(table(me), "y2 01 x1") == "An identical hexagon cannot pay for yellow bird."


def test_an_expansion_is_paid_like_a_tile() -> None:
    me = Player(storage="y1 y2", expansions="y2 g2", jokers=0)
    assert set(turns(table(me), "x1 11")) == {"x1 11 y1", "x1 11 x2"}


def test_every_refused_payment_has_its_reason() -> None:
    me = Player(storage="y4 y4 y1 y2 y3 l4 g4 d4 p1", jokers=1)
    position = table(me)
    assert refusal(position, "y4 01 y4") == "An identical hexagon cannot pay for yellow flower."
    assert refusal(position, "y4 01 p1") == (
        "dark purple tree has neither the colour nor the pattern of yellow flower."
    )
    assert refusal(position, "y4 01 y1 g4") == (
        "You are paying with one colour; light green flower has another."
    )
    assert refusal(position, "y4 01 l4 y1") == "You are paying with one pattern; yellow tree has another."
    assert refusal(position, "y4 01 y2 y1") == (
        "Name the pieces in order, tiles before expansions; it is too late for yellow tree."
    )
    assert refusal(position, "y4 01 y3") == "If you pay with yellow butterflies, you cannot pay the rest."
    assert refusal(position, "y4 01 j") == "Still to pay: 3. Your jokers: 1."
    assert refusal(position, "y4 01 b4") == "There is no blue flower tile in your storage."
    assert refusal(position, "y4 01 x1") == "There is no expansion in space 1 of your storage."
    assert refusal(position, "y4 01 -") == "First pay for the piece you placed."


def test_a_hexagon_that_cannot_be_paid_cannot_be_placed() -> None:
    position = table(Player(storage="b6 b1 l6", jokers=3))
    assert refusal(position, "b6") == (
        "To pay 6 for blue bells you have too few of that colour or pattern, jokers included."
    )
    assert "b6" in table(Player(storage="b6 b1 b2", jokers=3)).legal_moves


# --- the placement rule ------------------------------------------------------------------------------


def test_a_tile_may_lie_beside_nothing() -> None:
    assert cells(table(Player(storage="b1")), "b1") == FOUNTAIN_BOARD


def test_a_tile_beside_others_needs_one_that_matches() -> None:
    position = table(Player(storage="b1", garden={"01": "y2", "02": "b3"}))
    # 03 touches b3; 06 touches y2 only; 04 and 05 touch nothing
    assert cells(position, "b1") == {"03", "04", "05"}
    assert refusal(position, "b1 06") == (
        "No neighbour there has the colour or the pattern of blue tree."
    )
    assert refusal(position, "b1 02") == "There lies blue butterflies already."


def test_one_match_suffices_among_strangers() -> None:
    position = table(Player(storage="b1", garden={"01": "y2", "03": "b3"}))
    assert "02" in cells(position, "b1")


def test_an_identical_neighbour_is_no_match() -> None:
    position = table(Player(storage="b1", garden={"01": "b1"}))
    assert cells(position, "b1") == {"03", "04", "05"}
    assert refusal(position, "b1 02") == "There, an identical hexagon would be its neighbour: blue tree."


def test_two_groups_with_identical_hexagons_must_not_be_joined() -> None:
    position = table(Player(storage="b3", garden={"01": "b1", "03": "b2", "04": "b1"}))
    assert "02" not in cells(position, "b3")
    assert refusal(position, "b3 02") == (
        "There, blue butterflies would make a blue group with two identical hexagons."
    )
    by_pattern = table(Player(storage="b3", garden={"01": "l3", "03": "y3", "04": "l3"}))
    assert "butterflies group" in refusal(by_pattern, "b3 02")


def test_a_group_must_not_get_a_second_identical_hexagon() -> None:
    position = table(Player(storage="b3", garden={"01": "b3", "02": "b2"}))
    assert cells(position, "b3") == {"04", "05"}


def test_identical_hexagons_may_be_linked_through_other_kinds() -> None:
    """b1 - b2 - y2 - y1 - b1: no single group holds both blue trees."""
    position = table(Player(storage="b1", garden={"01": "b1", "02": "b2", "03": "y2", "04": "y1"}))
    assert "05" in cells(position, "b1")


def test_hexagons_on_different_pieces_are_neighbours() -> None:
    position = table(Player(storage="b1", garden={"01": "y2"}, backs="1"))
    assert "14" not in cells(position, "b1")
    assert "13" in cells(position, "b1")


def test_cells_that_cannot_hold_a_tile() -> None:
    position = table(Player(storage="b1", faces={"14": "y2"}))
    assert "10" not in cells(position, "b1")
    assert refusal(position, "b1 10") == "A pavilion stands in the centre of place 1."
    assert refusal(position, "b1 21") == "There is no expansion at place 2 yet."
    assert refusal(position, "b1 y1") == "First choose where the piece goes."


def test_a_piece_that_lies_well_nowhere() -> None:
    ring = {"01": "y2", "03": "y4", "05": "y6"}
    position = table(Player(storage="b1", garden=ring))
    assert refusal(position, "b1") == "There is nowhere in your garden to place blue tree."


# --- expansions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", range(1, 7))
def test_an_expansion_in_each_rotation(direction: int) -> None:
    position = table(Player(expansions="b1"))
    position.play(f"x1 2{direction}")
    me = position.state
    cell = next(cell for cell in range(CELLS) if me.garden[0, cell])
    assert cell_text(cell) == f"2{direction}"
    assert me.places[0].tolist() == [0, 1 + direction, 0, 0, 0, 0]
    assert expansions(position) == ""
    follow = table(Player(storage="b2", jokers=1, faces={f"2{direction}": "b1"}))
    rim = {f"2{other}" for other in range(1, 7) if other != direction}
    assert cells(follow, "b2") == FOUNTAIN_BOARD | rim


def test_an_expansion_needs_no_contact_but_a_match_where_it_touches() -> None:
    position = table(Player(expansions="b1", garden={"01": "y2"}))
    allowed = cells(position, "x1")
    assert "14" not in allowed  # beside a hexagon that shares nothing with it
    assert len(allowed) == 35
    matching = table(Player(expansions="b1", garden={"01": "b2"}))
    assert "14" in cells(matching, "x1")


def test_refused_places_of_expansions() -> None:
    position = table(Player(expansions="b1", backs="3"))
    assert refusal(position, "x1 30") == "There is already an expansion at place 3."
    assert refusal(position, "x1 01") == (
        "An expansion goes to one of the six places around the fountain board."
    )
    assert refusal(position, "x1 20") == "For the printed hexagon, choose a cell on the rim of place 2."
    full = table(Player(expansions="b1", backs="123456"))
    assert refusal(full, "x1") == "Your garden has no place left for an expansion."
    assert refusal(full, "f") == "Your garden has no place left for an expansion."


def test_a_face_down_expansion_costs_six_points_and_has_seven_cells() -> None:
    position = table(Player(storage="b1", score=6))
    supply = position.state.supply
    assert set(turns(position, "f")) == {"f 10", "f 20", "f 30", "f 40", "f 50", "f 60"}
    assert refusal(position, "f 11") == (
        "To place a face-down expansion, name the centre cell of its place: 10."
    )
    position.play("f 40")
    assert position.scores[0] == 0
    assert position.state.supply == supply - 1
    after = table(Player(storage="b1", backs="4"))
    assert cells(after, "b1") == FOUNTAIN_BOARD | {f"4{direction}" for direction in range(7)}


def test_a_face_down_expansion_with_five_points() -> None:
    position = table(Player(score=5))
    assert refusal(position, "f") == "A face-down expansion costs 6 points; you have 5."


def test_a_face_down_expansion_from_an_empty_supply() -> None:
    players = [Player(backs="1") for _ in range(4)]
    position = table(*players, display=["b1 b2 b3 b4"])
    assert position.state.supply == 0
    assert refusal(position, "f") == "There is no face-down expansion left in the supply."


def test_an_expansion_that_paid_can_be_bought() -> None:
    me = Player(storage="b2", expansions="y2", jokers=0)
    position = table(me, *(Player(backs="1") for _ in range(3)), display=["b1 b2 b3 b4"])
    assert position.state.supply == 0
    position.play("b2 01 x1")
    assert position.state.supply == 1
    assert "f" in position.legal_moves


def test_a_printed_hexagon_must_not_join_a_group_with_its_twin() -> None:
    alone = table(Player(expansions="b3", garden={"01": "b1"}))
    assert "14" in {turn.split()[1] for turn in turns(alone, "x1")}
    twin = table(Player(expansions="b3", garden={"01": "b1", "02": "b3"}))
    assert "14" not in {turn.split()[1] for turn in turns(twin, "x1")}


def test_the_other_expansion_pays_from_its_own_slot() -> None:
    position = table(Player(expansions="b2 y2", jokers=0))
    position.play("x1 11 x2")
    assert position.state.slots[0].tolist() == [0, 0]
    position = table(Player(expansions="b2 y2", jokers=0))
    position.play("x2 11 x1")
    assert position.state.garden[0][CELL["11"]] == 1 + HEXAGON["y2"]


# --- what is surrounded ------------------------------------------------------------------------------

RING = ("b1", "b2", "b3", "b4", "b5", "b6")


def jokers_after(me: Player, turn: str) -> int:
    position = table(me)
    position.play(turn)
    return int(position.state.jokers[0])


def test_the_fountain_gives_a_joker() -> None:
    garden = {f"0{i + 1}": RING[i] for i in range(1, 6)}
    assert jokers_after(Player(storage="b1", jokers=0, garden=garden), "b1 01") == 1


def test_a_statue_gives_two_jokers() -> None:
    garden = {"06": "b2", "15": "b3", "14": "b4", "62": "b5", "63": "b6"}
    assert jokers_after(Player(storage="b1", jokers=0, garden=garden, backs="16"), "b1 01") == 2


def test_a_bench_gives_two_jokers() -> None:
    garden = {"02": "b2", "14": "b3", "13": "b4", "25": "b5", "26": "b6"}
    assert jokers_after(Player(storage="b1", jokers=0, garden=garden, backs="12"), "b1 01") == 2


def test_a_pavilion_gives_three_jokers_and_its_printed_hexagon_counts() -> None:
    garden = {f"1{i + 1}": RING[i] for i in range(1, 5)}
    me = Player(storage="b1", jokers=0, garden=garden, faces={"16": "b6"})
    assert jokers_after(me, "b1 11") == 3


def test_a_face_down_expansion_has_no_pavilion() -> None:
    garden = {f"1{i + 1}": RING[i] for i in range(1, 6)}
    assert jokers_after(Player(storage="b1", jokers=0, garden=garden, backs="1"), "b1 11") == 0


def several_at_once(storage: str, jokers: int) -> Player:
    """Cell 01 completes the fountain (1), statue 1 (2) and bench 1 (2)."""
    garden = {"02": "b2", "03": "y2", "04": "y3", "05": "y4", "06": "b3", "15": "l3", "14": "b4",
              "13": "d4", "62": "l1", "63": "l2", "25": "b5", "26": "p5"}
    return Player(storage=storage, jokers=jokers, garden=garden, backs="126")


def test_several_elements_at_once_add_up() -> None:
    assert jokers_after(several_at_once("b1", 0), "b1 01") == 5


def test_jokers_without_room_are_lost() -> None:
    nine = "l4 l4 l4 d1 d1 d1 p1 p1 p1"
    assert jokers_after(several_at_once(f"{nine} b1", 1), "b1 01") == 3


def test_room_counts_after_the_tile_and_the_payment_have_left() -> None:
    garden = {f"0{i + 1}": RING[i] for i in (0, 2, 3, 4, 5)}
    ten = "l4 l4 l4 d1 d1 d1 p1 p1 p1 y2"
    me = Player(storage=f"{ten} b2", jokers=1, garden=garden)
    assert jokers_after(me, "b2 02 y2") == 2  # one space from the tile, one from the payment


def test_an_element_pays_once() -> None:
    garden = {f"0{i + 1}": RING[i] for i in range(6)}
    me = Player(storage="g1", jokers=0, garden=garden, backs="1")
    assert jokers_after(me, "g1 11") == 0
