"""Corner cases of the rules, each with a hand-made position."""

from __future__ import annotations

import random

import pytest

from azulejos import Position
from azulejos.games.azul.layout import MARKER
from games.azul.build import COLOURED_WALL, table, tiles

GREY = {"wall": "grey"}
SPECIAL = {"factories": "special"}


def legal(position: Position) -> set[str]:
    return {move.text for move in position.legal_moves}


# --- the deal ----------------------------------------------------------------------------------------


def test_the_bag_is_refilled_from_the_lid_in_the_middle_of_a_deal() -> None:
    position = table(centre="b", marker=0, bag="yyyyyy")
    position.play("0bf")
    for _ in range(6):
        assert legal(position) == {"+y"}
        position.play("+y")
    assert position.is_chance
    assert tiles(position.state.lid) == ""
    assert sum(position.odds().values()) == 100 - 6
    position.deal(random.Random(1))
    assert position.state.factories[0].tolist() == [0, 4, 0, 0, 0]
    assert position.state.laid == 20


def everything_is_stuck(dry_rounds: int = 0) -> Position:
    """One tile is in the centre; the others are on walls without a complete row or in incomplete lines.

    Each wall lacks one column; the lines hold colours that are missing from their rows.
    """
    lacking = {1: 0, 2: 0, 3: 1, 4: 3}
    line_tiles = {1: (0, 0, 0, 1, 4), 2: (0, 0, 2, 3, 0), 3: (0, 1, 2, 2, 0), 4: (0, 0, 0, 3, 2)}
    walls = {
        seat: [row[:column] + "." + row[column + 1 :] for row in COLOURED_WALL]
        for seat, column in lacking.items()
    }
    lines = {
        seat: {line + 1: COLOURED_WALL[line][lacking[seat]] * n for line, n in enumerate(tiles) if n}
        for seat, tiles in line_tiles.items()
    }
    last = lines[4][5][0]
    lines[4][5] = last
    return table(players=4, walls=walls, lines=lines, centre=last, to_move=3, marker=3, bag="",
                 dry_rounds=dry_rounds)


def test_without_any_tile_the_game_ends() -> None:
    position = everything_is_stuck()
    assert sum(position.state.bag) + sum(position.state.lid) == 0
    position.play(f"0{tiles(position.state.centre)}5")
    outcome = position.outcome()
    assert outcome is not None
    assert str(outcome.reason) == "There are no tiles left to lay out."


def test_five_rounds_without_a_new_tile_are_named_before_the_lack_of_tiles() -> None:
    position = everything_is_stuck(dry_rounds=4)
    position.play(f"0{tiles(position.state.centre)}5")
    outcome = position.outcome()
    assert outcome is not None
    assert str(outcome.reason) == "Five rounds have passed without a new tile on any wall."


def test_a_short_round_is_played_with_what_there_is() -> None:
    position = everything_is_stuck()
    colour = tiles(position.state.centre)
    position.play(f"0{colour}f")
    assert legal(position) == {f"+{colour}"}
    position.play(f"+{colour}")
    assert position.state.laid == 1
    assert position.to_move == position.state.starter == 3
    assert position.state.factories.sum() == 1


def test_five_rounds_without_a_wall_tile_end_the_game() -> None:
    position = table(centre="b", marker=0, dry_rounds=4, round=9)
    position.play("0b2")
    outcome = position.outcome()
    assert outcome is not None
    assert str(outcome.reason) == "Five rounds have passed without a new tile on any wall."


def test_a_wall_tile_starts_the_count_of_dry_rounds_again() -> None:
    position = table(centre="b", marker=0, dry_rounds=4, round=9)
    position.play("0b1")
    assert position.state.dry_rounds == 0
    assert position.is_chance


# --- the marker --------------------------------------------------------------------------------------


def test_if_nobody_takes_the_marker_the_start_player_stays() -> None:
    position = table(factories=["bbbb"], starter=1)
    position.play("1b4")
    assert position.state.marker == -1
    assert position.state.starter == 1
    assert position.state.round == 2


def test_the_marker_lies_left_of_the_surplus() -> None:
    position = table(centre="bbbk", floors={1: "y"})
    position.play("0b1")
    assert position.state.floor[0].tolist() == [2, MARKER, 1, 1, 0, 0, 0]


def test_a_full_floor_takes_the_marker_without_penalty() -> None:
    position = table(centre="bk", floors={1: "yyyyyyy"}, score=[30, 0, 0, 0])
    position.play("0b1")
    assert position.state.marker == 0
    assert MARKER not in position.state.floor[0]
    position.play("0k1")
    assert position.scores[0] == 30 + 1 - 14
    assert position.state.starter == 0


def test_a_full_floor_sends_tiles_to_the_lid() -> None:
    position = table(factories=["bbbb", "kkkk"], floors={1: "yyyyy"}, bag="r")
    before = tiles(position.state.lid).count("b")
    position.play("1bf")
    assert position.state.floor[0].tolist() == [2, 2, 2, 2, 2, 1, 1]
    assert tiles(position.state.lid).count("b") == before + 2


def test_a_score_never_falls_below_0() -> None:
    position = table(centre="b", marker=0, floors={1: "yyyyyyy"}, score=[3, 0, 0, 0])
    position.play("0b2")
    assert position.scores[0] == 0
    assert [(p.seat, p.points) for p in position.explain(-1)] == [(0, -3)]


# --- the grey wall -----------------------------------------------------------------------------------


def test_columns_are_chosen_line_by_line_and_only_open_ones() -> None:
    position = table(
        options=GREY, centre="w", to_move=1, marker=1, lines={1: {1: "b", 2: "bb"}},
        walls={1: [".y...", ".....", "b...."]},
    )
    position.play("0wf")
    assert position.to_move == 0
    assert legal(position) == {"c3", "c4", "c5"}
    assert str(position.why_not("c1")) == "Column 1 already holds blue."
    assert str(position.why_not("c2")) == "Row 1 already has a tile in column 2."
    position.play("c3")
    assert legal(position) == {"c2", "c4", "c5"}


def test_a_single_open_column_is_still_an_action() -> None:
    position = table(
        options=GREY, centre="w", to_move=1, marker=1, lines={1: {1: "b"}}, walls={1: ["yrkw."]}
    )
    position.play("0wf")
    assert legal(position) == {"c5"}
    position.play("c5")
    assert position.is_over


def test_a_grey_line_that_cannot_be_placed_falls_to_the_floor() -> None:
    position = table(
        options=GREY, centre="w", to_move=1, marker=1, lines={1: {2: "bb"}}, score=[10, 0, 0, 0],
        walls={1: ["b....", ".yrk.", "....b"]},
    )
    position.play("0wf")
    assert position.scores[0] == 10 - 2
    assert position.state.line_tiles[0, 1] == 0
    assert position.state.wall[0, 1].tolist() == [0, 2, 3, 4, 0]


def test_a_falling_grey_line_runs_over_a_full_floor_into_the_lid() -> None:
    position = table(
        options=GREY, centre="w", to_move=1, marker=1, lines={1: {3: "bbb"}}, floors={1: "yyyyy"},
        score=[20, 0, 0, 0], walls={1: ["b....", ".b...", "..krw", "...b.", "....b"]}, bag="y" * 9,
    )
    before = tiles(position.state.lid).count("b")
    position.play("0wf")
    assert position.scores[0] == 20 - 14
    assert tiles(position.state.lid).count("b") == before + 3


# --- special factories -------------------------------------------------------------------------------


def start_of_round(effects: dict[int, str], bag: str) -> Position:
    """Everything outside the bag is in a line or on a wall, so that the lid stays empty."""
    return table(options=SPECIAL, effects=effects, bag=bag, stage=2, to_move=-1, round=1)


def deal_tiles(position: Position, letters: str) -> None:
    for letter in letters:
        position.play(f"+{letter}")


def test_extra_lays_one_more_tile_drawn_last() -> None:
    position = start_of_round({2: "e", 4: "s"}, bag="b" * 20 + "y" * 1)
    deal_tiles(position, "b" * 20)
    assert position.is_chance
    deal_tiles(position, "y")
    assert position.state.factories[1].tolist() == [4, 1, 0, 0, 0]
    assert not position.is_chance


def test_extra_with_an_empty_bag_refills_from_the_lid() -> None:
    position = start_of_round({2: "e", 4: "s"}, bag="b" * 20)
    deal_tiles(position, "b" * 20)
    assert position.is_chance
    assert tiles(position.state.lid) == ""
    assert "+b" not in legal(position)


def test_extra_with_bag_and_lid_empty_lays_nothing() -> None:
    data = start_of_round({2: "e", 4: "s"}, bag="b" * 20).to_json()
    data["state"]["centre"] = data["state"]["lid"]
    data["state"]["lid"] = [0] * 5
    position = Position.from_json(data)
    deal_tiles(position, "b" * 20)
    assert position.to_move == 0
    assert position.state.factories[1].tolist() == [4, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("tiles_laid", "attracted"),
    [("kkkk rrrr kkkk rrrr kkkk", 0), ("bkkk rrrr kkkk rrrr kkkk", 1), ("bkkk rrrr bbkk rrrr kkkk", 2)],
)
def test_neighbour_finds_none_one_or_two(tiles_laid: str, attracted: int) -> None:
    position = start_of_round({2: "b", 4: "s"}, bag="b" * 20 + "r" * 20 + "k" * 20)
    deal_tiles(position, tiles_laid.replace(" ", ""))
    assert position.state.factories[1, 0] == attracted
    left = tiles_laid.split()[0].count("b") + tiles_laid.split()[2].count("b") - attracted
    assert position.state.factories[0, 0] + position.state.factories[2, 0] == left


def test_stay_leaves_the_other_tiles_on_the_disc() -> None:
    position = table(options=SPECIAL, effects={2: "s"}, factories=["", "bbyr", "kkkk"])
    position.play("2b2")
    assert tiles(position.state.factories[1]) == "yr"
    assert tiles(position.state.centre) == ""
    assert "2y1" in legal(position)


def test_split_divides_as_evenly_as_possible() -> None:
    position = table(options=SPECIAL, effects={2: "d"}, factories=["", "byyr", "kkkk"])
    position.play("2b1")
    assert position.to_move == 0
    assert position.in_turn
    assert legal(position) == {"<y", "<r"}
    assert str(position.why_not("<yr")) == "You must divide the tiles as evenly as possible."
    position.play("<y")
    assert tiles(position.state.factories[0]) == "yy"
    assert tiles(position.state.factories[2]) == "rkkkk"
    assert position.to_move == 1


def test_split_divides_freely_by_option() -> None:
    options = {**SPECIAL, "split": "free"}
    position = table(options=options, effects={2: "d"}, factories=["", "byyr", "kkkk"])
    position.play("2b1")
    assert legal(position) == {"<", "<y", "<r", "<yr"}
    position.play("<")
    assert tiles(position.state.factories[2]) == "yyrkkkk"


def test_split_with_nothing_left_asks_nothing() -> None:
    position = table(options=SPECIAL, effects={2: "d"}, factories=["", "bbbb", "kkkk"])
    position.play("2b5")
    assert position.to_move == 1
    assert not position.in_turn


def test_split_beside_a_taken_zero_disc_reaches_over_the_gap() -> None:
    position = table(options=SPECIAL, effects={2: "d", 3: "z"}, factories=["", "bbyr", "kkww", "", ""])
    position.play("3k2")
    assert position.state.gone == 2
    position.play("2b2 <y")
    assert tiles(position.state.factories[0]) == "y"
    assert tiles(position.state.factories[2]) == ""
    assert tiles(position.state.factories[3]) == "r"


@pytest.mark.parametrize(("place", "left", "right"), [(1, 5, 2), (5, 4, 1)])
def test_the_circle_closes_for_split(place: int, left: int, right: int) -> None:
    factories = ["", "", "", "", ""]
    factories[place - 1] = "bbyr"
    position = table(options=SPECIAL, effects={place: "d"}, factories=factories)
    position.play(f"{place}b2 <y")
    assert tiles(position.state.factories[left - 1]) == "y"
    assert tiles(position.state.factories[right - 1]) == "r"


def test_one_colour_left_on_split_goes_to_either_side() -> None:
    position = table(options=SPECIAL, effects={2: "d"}, factories=["", "bbyy"])
    position.play("2b2")
    assert legal(position) == {"<", "<y"}


def test_tiles_that_split_moves_obey_the_disc_they_come_to() -> None:
    stays = table(options=SPECIAL, effects={2: "d", 3: "s"}, factories=["", "bbyr", "kkww"])
    stays.play("2b2 <y 3k2")
    assert tiles(stays.state.factories[2]) == "rww"
    taken = table(options=SPECIAL, effects={2: "d", 3: "z"}, factories=["", "bbyr", "kkww"])
    taken.play("2b2 <y 3r1")
    assert taken.state.gone == 2
    assert taken.state.disc[1] == 1
    assert tiles(taken.state.centre) == "kkww"


def test_neighbours_attract_over_the_closed_circle_the_extra_tile_too() -> None:
    position = start_of_round({1: "b", 2: "e"}, bag="b" * 20 + "k" * 20)
    deal_tiles(position, "kkkk kkkk kkkk kkkk bkkk b".replace(" ", ""))
    assert tiles(position.state.factories[0]) == "bbkkkk"
    assert tiles(position.state.factories[1]) == "kkkk"
    assert tiles(position.state.factories[4]) == "kkk"


def test_neighbours_side_by_side_attract_their_own_colours() -> None:
    position = start_of_round({2: "b", 3: "k"}, bag="b" * 20 + "k" * 20 + "r" * 20)
    deal_tiles(position, "rrrr krrr brrr rrrr rrrr".replace(" ", ""))
    assert tiles(position.state.factories[1]) == "brrr"
    assert tiles(position.state.factories[2]) == "rrrk"


def test_the_marker_on_a_zero_disc_costs_nothing_and_starts_the_next_round() -> None:
    position = table(options=SPECIAL, centre="b", discs={1: ""}, gone=1, score=[5, 0, 0, 0])
    position.play("0b1")
    assert position.scores[0] == 6
    assert (position.state.round, position.state.starter) == (2, 0)
    assert position.state.disc.tolist() == [0, 0, 0, 0]


def test_zero_catches_a_surplus_tile_of_the_same_move() -> None:
    position = table(options=SPECIAL, effects={2: "z"}, factories=["", "bbbr", "kkkk"])
    position.play("2b1")
    state = position.state
    assert state.disc[0] == 2
    assert state.floor[0].tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert tiles(state.centre) == "r"


def test_zero_catches_the_marker() -> None:
    position = table(options=SPECIAL, centre="bk", discs={1: ""}, gone=1)
    position.play("0b1")
    assert position.state.disc[0] == 1 + MARKER
    assert position.state.floor[0].tolist() == [0] * 7
    assert position.state.marker == 0


def test_zero_catches_the_first_tile_of_a_falling_grey_line() -> None:
    position = table(
        options={**SPECIAL, **GREY}, centre="w", to_move=1, marker=1, lines={1: {2: "bb"}},
        discs={1: ""}, gone=1, score=[10, 0, 0, 0], walls={1: ["b....", ".yrk.", "....b"]},
    )
    position.play("0wf")
    assert position.scores[0] == 10 - 1


def test_zero_stays_unused_with_a_full_floor() -> None:
    position = table(options=SPECIAL, factories=["bbbb", "kkkk"], discs={1: ""}, gone=2,
                     floors={1: "yyyyyyy"})
    position.play("1b1")
    assert position.state.disc[0] == 1
    assert position.state.floor[0].tolist() == [2] * 7


def test_a_taken_zero_disc_comes_back_and_its_tile_goes_to_the_lid() -> None:
    position = table(options=SPECIAL, centre="w", to_move=1, marker=1, discs={1: "b"}, gone=1, bag="r")
    before = tiles(position.state.lid).count("b")
    position.play("0wf")
    assert position.state.disc.tolist() == [0, 0, 0, 0]
    assert position.state.gone == -1
    assert tiles(position.state.lid).count("b") == before + 1


# --- the end -----------------------------------------------------------------------------------------

ROW_1, ROW_2 = "byrkw", "wbyrk"


def test_complete_columns_and_colours_do_not_end_the_game() -> None:
    walls = {1: ["b....", "wb...", "k.b..", "r..b.", "y...b"]}
    position = table(centre="w", marker=0, walls=walls)
    position.play("0wf")
    assert position.state.round == 2
    assert not position.is_over


def test_everybody_tiles_before_the_game_ends() -> None:
    walls = {1: ["byrk."], 2: [".....", "wbyr."]}
    position = table(centre="w", marker=0, walls=walls, lines={2: {2: "kk"}})
    position.play("0w1")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (5 + 2, 5 + 2)
    assert outcome.winners == (0, 1)


def test_without_tiles_the_discs_are_turned_and_then_the_game_ends() -> None:
    stuck = everything_is_stuck().to_json()
    stuck["options"] = {"start": "1", "factories": "special"}
    stuck["state"]["special"] = 1
    position = Position.from_json(stuck)
    position.play(position.legal_actions()[0])
    drawn = position.deal(random.Random(1))
    assert len(drawn) == 4
    assert str(getattr(position.outcome(), "reason", "")) == "There are no tiles left to lay out."


def test_bonuses_for_rows_columns_and_colours() -> None:
    walls = {1: ["byrk.", "wb...", "k.b..", "r..b.", "y...b"]}
    position = table(centre="w", marker=0, walls=walls, score=[20, 0, 0, 0])
    position.play("0w1")
    gained = [(str(p.reason), p.points) for p in position.explain(-1) if p.seat == 0]
    assert gained == [
        ("tile in row 1, column 5", 5), ("complete rows", 2), ("complete columns", 7),
        ("complete colours", 10),
    ]
    assert position.scores[0] == 20 + 5 + 2 + 7 + 10


def test_a_tie_is_broken_by_complete_rows() -> None:
    position = table(
        centre="w", marker=0, walls={1: ["byrk."], 2: [ROW_1, ROW_2]}, score=[10, 11, 0, 0]
    )
    position.play("0wf")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (9, 15)
    position = table(
        centre="w", marker=0, walls={1: [ROW_1], 2: [ROW_1, ROW_2]}, score=[14, 11, 0, 0]
    )
    position.play("0wf")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (15, 15)
    assert outcome.ranks == (2, 1)
    assert outcome.winners == (1,)


def test_an_equal_number_of_rows_shares_the_win() -> None:
    position = table(centre="w", marker=0, walls={1: [ROW_1], 2: [ROW_1]}, score=[12, 11, 0, 0])
    position.play("0wf")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (13, 13)
    assert outcome.winners == (0, 1)
    assert outcome.shares() == (0.5, 0.5)
