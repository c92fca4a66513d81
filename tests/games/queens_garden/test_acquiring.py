"""A: acquiring hexagons, the stack and the expansions beside it (queens-garden.md 2, 7)."""

from __future__ import annotations

from azulejos.core.position import Position
from games.queens_garden.table import Player, expansions, refusal, storage, table, turns

FOUR = [Player() for _ in range(4)]


def legal(position: Position) -> set[str]:
    return {move.text for move in position.legal_moves}


def on_source(position: Position, source: int) -> int:
    return sum(tile != 0 for tile in position.state.tiles[source - 1])


def test_a_name_takes_tiles_from_everywhere_and_face_up_expansions() -> None:
    position = table(display=["b1 y2", "!b5", "b3 g4 l4 p6"])
    position.play("ab")
    assert (storage(position), expansions(position)) == ("b1 b3", "b5")


def test_identical_hexagons_on_a_tile_and_an_expansion_are_a_choice() -> None:
    position = table(display=["b1 y2", "!b1", "b3 g4 l4 p6"])
    assert set(turns(position, "ab")) == {"ab s1", "ab s2"}
    by_tile, by_expansion = position.copy(), position.copy()
    by_tile.play("ab s1")
    by_expansion.play("ab s2")
    assert (storage(by_tile), expansions(by_tile)) == ("b1 b3", "")
    assert (storage(by_expansion), expansions(by_expansion)) == ("b3", "b1")


def test_two_identical_tiles_on_one_expansion_are_no_choice() -> None:
    position = table(display=["b1 b1 y2", "g4 g5 l4 p6"])
    position.play("ab")
    assert storage(position) == "b1"
    assert on_source(position, 1) == 2


def test_both_names_of_the_same_pieces_are_legal() -> None:
    position = table(display=["b1", "y2 y3 y4 y5"])
    assert {"ab", "a1"} <= legal(position)


def test_no_room_for_tiles() -> None:
    full = "l1 l1 l1 y1 y1 y1 g1 g1"
    position = table(Player(storage=full, jokers=3), display=["b2 b3 l4", "d4 d5 d6 p6"])
    assert "ab" not in legal(position)
    assert refusal(position, "ab") == "blue does not fit: your storage has 1 space left for tiles."
    assert "a2" in legal(position)


def test_no_room_for_expansions() -> None:
    position = table(Player(expansions="y5 y6"), display=["!b2", "d4 d5 d6 p6"])
    assert refusal(position, "ab") == (
        "blue does not fit: your storage has 0 spaces left for expansions."
    )


def test_another_selection_fits_where_one_does_not() -> None:
    full = "l1 l1 l1 y1 y1 y1 g1 g1"  # one space for a tile beside three jokers, two for expansions
    position = table(Player(storage=full, jokers=3), display=["b1 l6", "!b1", "b3 d5 d6 p6"])
    assert set(turns(position, "ab")) == {"ab s2"}
    assert "this tile" in refusal(position, "ab s1")
    crowded = table(Player(expansions="y5 y6"), display=["b1 l6", "!b1", "d4 d5 d6 p6"])
    assert set(turns(crowded, "ab")) == {"ab s1"}
    assert "this expansion" in refusal(crowded, "ab s2")


def test_no_selection_fits() -> None:
    full = "l1 l1 l1 y1 y1 y1 g1 g1 g1"
    position = table(Player(storage=full, expansions="y5 y6"), display=["b1 l6", "!b1", "d4 d5 d6 p6"])
    assert refusal(position, "ab") == "blue does not fit in your storage."


def test_what_is_not_on_offer_cannot_be_named() -> None:
    assert refusal(table(display=["b1 b2 b3 b4"]), "ay") == "Nothing in the display is yellow."


def test_a_copy_that_is_not_there_cannot_be_chosen() -> None:
    position = table(display=["b1 y2", "b1 g4 l4 p6"])
    assert refusal(position, "ab s3") == "There is no blue tree on expansion 3."
    assert refusal(position, "ab s8") == "The stack has only 5 expansions."
    assert refusal(position, "ab b1") == "First choose which of the identical hexagons to take."


def test_a_tile_of_the_top_moves_it_beside_the_stack_and_the_next_gets_four() -> None:
    position = table(display=["b1 y2 y3 y4"])
    position.play("ab")
    assert position.state.top == 1
    position.play("+g1 +g2 +g3 +g4")
    assert (on_source(position, 1), on_source(position, 2)) == (3, 4)
    assert position.to_move == 1


def test_the_stack_stays_if_its_top_is_not_touched() -> None:
    position = table(display=["b1 y2", "g1 g2 g3 g4"])
    position.play("ab")
    assert position.state.top == 1
    assert position.to_move == 1


def test_the_last_expansion_of_the_stack_gets_no_successor() -> None:
    position = table(display=["taken", "taken", "taken", "taken", "b1 b2 g3 g4"])
    position.play("ab")
    assert position.state.top == 5
    assert position.to_move == 1
    assert on_source(position, 5) == 2


def test_the_last_expansion_emptied_is_turned_up() -> None:
    position = table(display=["taken", "taken", "taken", "taken", "b1 b2"])
    position.play("ab")
    assert position.is_chance
    position.play("!d6")
    assert {"ad", "a6"} <= legal(position)


def test_nothing_is_left_to_acquire() -> None:
    assert not [text for text in legal(table()) if text.startswith("a")]


def test_several_expansions_are_turned_up_one_by_one() -> None:
    position = table(display=["b1", "b2", "y1 y2 y3 y4"])
    position.play("ab")
    assert len(position.legal_moves) == 36
    position.play("!b1")
    assert len(position.legal_moves) == 35
    position.play("!g1")
    assert position.to_move == 1


def test_an_expansion_seen_before_is_not_turned_up_again() -> None:
    position = table(Player(expansions="y5"), Player(faces={"14": "g2"}), display=["b1", "y1 y2 y3 y4"])
    position.play("ab")
    assert not {"!y5", "!g2"} & legal(position)


def test_the_tower_is_poured_into_an_empty_bag() -> None:
    position = table(*FOUR, display=["b1 y2 y3 y4"], bag="", tower="g1 g2", round=4)
    position.play("ab")
    assert legal(position) == {"+g1", "+g2"}


def test_the_tower_is_poured_in_the_middle_of_a_refill_and_fewer_tiles_are_laid() -> None:
    position = table(*FOUR, display=["b1 y2 y3 y4"], bag="p6", tower="g1 g2", round=4)
    position.play("ab +p6")
    assert legal(position) == {"+g1", "+g2"}
    position.play("+g2 +g1")
    assert position.to_move == 1
    assert on_source(position, 2) == 3


def test_without_any_tile_the_whole_stack_is_laid_out_face_up() -> None:
    position = table(*FOUR, display=["b1 y2 y3 y4"], bag="", round=4)
    position.play("ab")
    assert position.state.top == 8
    for _ in range(7):
        position.play(next(iter(position.legal_moves)))
    assert position.to_move == 1
    assert on_source(position, 1) == 3


def test_tiles_that_reach_the_tower_later_wait_for_the_next_round() -> None:
    buyer = Player(storage="b2 b1", jokers=0)
    position = table(buyer, Player(), Player(), Player(), bag="", round=3, seat=0)
    position.play("b2 01 b1")
    assert position.to_move == 1
    for _ in range(4):
        position.play("-")
        while position.in_turn:
            position.play("-")
    assert position.state.round == 4
    assert legal(position) == {"+b1"}
    position.play("+b1")
    assert position.to_move == 1
    assert {"ab", "a1", "-"} <= legal(position)
