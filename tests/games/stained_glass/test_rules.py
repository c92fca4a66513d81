"""The rules, one named position each; the numbers in brackets refer to stained-glass.md."""

from __future__ import annotations

import random

import pytest

import azulejos
from azulejos import IllegalMove, Position
from azulejos.games.stained_glass.components import LETTERS, ORNAMENT_POINTS, STRIPS
from games.stained_glass.table import Board, panes_on, position, scored, texts, window_of

# --- the worked examples ------------------------------------------------------------------------------


def three_orange() -> Position:
    """The glazier above strip 1 (one orange space), strip 2 has three orange spaces."""
    return position(Board(), centre="ooob")


def test_example_three_orange_one_fits_two_break() -> None:
    game = three_orange()
    game.play("0o1")
    assert panes_on(game, 0, 1) == "o"
    assert game.state.tower.tolist() == [0, 0, 2, 0, 0]
    assert game.state.broken[0] == 1 + 2  # the start tile, and two panes
    assert game.state.glazier[0] == 0


def test_example_three_orange_all_fit_further_right() -> None:
    game = three_orange()
    game.play("0o2")
    assert panes_on(game, 0, 2) == "ooo"
    assert game.state.broken[0] == 1
    assert game.state.glazier[0] == 1


def test_example_two_yellow_panes_and_the_windows_to_the_right() -> None:
    windows = ("", "", "", "", "", "p", "", "ow")
    board = Board(strips=("1f", "2f", "3f", "8f wwyy", "5f", "6f", "7f", ""), windows=windows)
    game = position(board, centre="bo", start_tile=1, bonus="y")
    game.play("0b4")
    assert scored(game) == [(2, "bonus colour on strip 4")]
    game.play("kw")
    assert scored(game) == [(2 + 1 + 2, "window 4 and those to its right")]
    assert game.scores == (7, 0)


ORNAMENTS_23 = ("bb", "oo", "yy", "pp", "", "b", "o", "w")
"""The ornaments have 4, 4, 1 and 2 panes."""


def test_example_final_scoring_of_side_a() -> None:
    strips = ("", "", "", "", "5f yyyb", "6f oow", "7f", "8f")
    board = Board(strips=strips, windows=ORNAMENTS_23, broken=5)
    game = last_pane(board, side="a")
    assert scored(game, 1) == [
        (2, "panes left on strips"),
        (-8, "broken glass"),
        (10, "ornament 1"),
        (10, "ornament 2"),
        (3, "ornament 4"),
    ]


def test_example_final_scoring_of_side_b() -> None:
    board = Board(
        strips=("", "", "", "", "5f", "6f", "7f", "8f"), windows=("oo", "ob", "yo", "pp", "o", "", "", "")
    )
    game = last_pane(board, side="b")
    assert scored(game, 1) == [(20, "complete windows times panes of the most frequent colour")]


def last_pane(board: Board, *, side: str, mover: Board | None = None) -> Position:
    """A finished game: seat 1 has taken the last pane, seat 2 has the given board."""
    game = position(mover or Board(), board, side=side, round_=6, centre="b", start_tile=1)
    game.play("0b1")
    assert game.is_over
    return game


# --- set-up (1-3) -------------------------------------------------------------------------------------


def test_set_up_order_lot_strips_track_factories() -> None:
    game = azulejos.new("sintra-a", players=2)
    assert texts(game) == ["@1", "@2"]
    game.play("@2")
    for _ in range(2):
        for strip in range(1, 9):
            game.play(f"s{strip}f")
    game.play("tw tp tb to ty")
    assert game.state.track.tolist() == [0, 5, 2, 1, 3, 4]
    assert {move.text: odds for move, odds in game.odds().items()} == dict.fromkeys(
        ("tb", "tp", "to", "ty", "tw"), 19
    )
    game.play("tw")
    assert game.state.track[0] == 5
    assert game.state.bag.tolist() == [19, 19, 19, 19, 18]
    game.play("+w +w +w +w +b")
    assert game.state.factories[:2].tolist() == [[0, 0, 0, 0, 4], [1, 0, 0, 0, 0]]
    game.deal(random.Random(0))
    assert game.to_move == 1


def test_the_joker_side_starts_face_down_and_its_strip_is_as_likely_as_others() -> None:
    game = azulejos.new("sintra-a", players=2, start="1")
    odds = {move.text: weight for move, weight in game.odds().items()}
    assert odds == {f"s{n}{f}": 1 for n in range(1, 8) for f in "fb"} | {"s8f": 2}
    game.play("s3b")
    odds = {move.text: weight for move, weight in game.odds().items()}
    assert "s3f" not in odds
    assert sum(odds.values()) == 14


def test_a_given_start_player_needs_a_seat() -> None:
    assert azulejos.new("sintra-a", players=3, start="3").state.starter == 2
    with pytest.raises(ValueError, match="start is seat 3, but there are 2 players"):
        azulejos.new("sintra-a", players=2, start="3")


# --- taking and placing (4-6) -------------------------------------------------------------------------


def test_the_rest_of_a_factory_goes_to_the_centre() -> None:
    game = position(Board(), factories=("bbow", "pp"))
    game.play("1b1")
    assert game.state.centre.tolist() == [0, 0, 1, 0, 1]
    assert game.state.factories[0].sum() == 0
    assert game.state.start_tile == -1
    assert game.state.broken[0] == 0


def test_only_the_first_to_take_from_the_centre_takes_the_start_tile() -> None:
    game = position(Board(), centre="ooyw")
    game.play("0o2")
    assert (game.state.start_tile, game.state.broken[0]) == (0, 1)
    game.play("0y3")
    assert (game.state.start_tile, game.state.broken[1]) == (0, 0)


def test_strips_left_of_the_glazier_are_out_of_reach() -> None:
    game = position(Board(glazier=3), centre="oob")
    assert [text for text in texts(game) if text[1:2] == "o"] == ["0o5", "0o6"]
    with pytest.raises(IllegalMove, match="Strip 2 lies to the left of the glazier"):
        game.play("0o2")


def test_panes_must_be_placed_if_any_strip_in_reach_has_a_space() -> None:
    game = position(Board(), centre="ooob")
    assert "0ox" not in texts(game)
    with pytest.raises(IllegalMove, match="has a space for orange"):
        game.play("0ox")


def test_a_strip_may_be_chosen_although_it_breaks_more() -> None:
    assert {"0o1", "0o2"} <= set(texts(three_orange()))


def test_without_a_fitting_space_all_panes_break_and_the_glazier_stays() -> None:
    board = Board(glazier=7)  # strips 7 and 8: pink, white, yellow, blue
    game = position(board, factories=("ooob",), centre="p")
    assert [text for text in texts(game) if text[:2] == "1o"] == ["1ox"]
    game.play("1ox")
    assert game.state.broken[0] == 3
    assert game.state.tower.tolist() == [0, 0, 3, 0, 0]
    assert game.state.glazier[0] == 6
    assert game.to_move == 1


def test_a_full_colour_takes_no_more_panes() -> None:
    game = position(Board(strips=("1f o", *Board().strips[1:])), centre="ob")
    assert "0o1" not in texts(game)
    with pytest.raises(IllegalMove, match="Strip 1 has no free space for orange"):
        game.play("0o1")


# --- jokers -------------------------------------------------------------------------------------------


def joker_board(panes: str) -> Board:
    return Board(strips=("8b " + panes, "", *Board().strips[2:7], "1f"), windows=("w", "pp", *[""] * 6))


def test_own_spaces_are_filled_before_jokers() -> None:
    game = position(joker_board(""), centre="bbo", start_tile=1)
    game.play("0b1")
    assert panes_on(game, 0, 1) == "bb"  # the blue space and one joker
    assert game.state.broken[0] == 0


def test_what_neither_own_spaces_nor_jokers_take_breaks() -> None:
    game = position(joker_board("bb"), centre="bbpo", start_tile=1)
    assert {"0b1", "0p1", "0o1"} <= set(texts(game))
    game.play("0b1")
    assert panes_on(game, 0, 1) == "bbb"
    assert game.state.broken[0] == 1


def test_full_jokers_leave_only_the_own_spaces() -> None:
    game = position(joker_board("oo"), centre="wobpy", start_tile=1)
    assert [text for text in texts(game) if text[2] == "1"] == ["0b1", "0p1", "0y1"]
    game = position(joker_board("bbb"), centre="wobpy", start_tile=1)
    assert [text for text in texts(game) if text[2] == "1"] == ["0p1", "0y1"]


def test_panes_on_jokers_count_by_their_own_colour() -> None:
    game = position(joker_board("oobp"), centre="yw", start_tile=1, bonus="o")
    game.play("0y1")
    assert scored(game) == [(2, "bonus colour on strip 1")]
    assert texts(game) == ["kb", "kp", "ko", "ky"]
    game.play("ko")
    assert window_of(game, 0, 1) == "wo"


# --- completing a strip (7) ---------------------------------------------------------------------------


def test_the_first_completion_turns_the_strip_over() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="byp", start_tile=1)
    game.play("0p1 kp")
    state = game.state
    assert (state.strip[0, 0], state.face[0, 0]) == (1, 1)
    assert (window_of(game, 0, 1), panes_on(game, 0, 1)) == ("p", "")
    assert state.tower.tolist() == [3, 0, 1, 0, 0]
    assert state.glazier[0] == 0


def test_the_turn_goes_on_until_a_pane_is_kept() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="byp", start_tile=1)
    game.play("0p1")
    assert (game.to_move, game.in_turn) == (0, True)
    assert texts(game) == ["kb", "kp", "ko"]
    game.play("kp")
    assert (game.to_move, game.in_turn) == (1, False)


def test_an_unfinished_strip_ends_the_turn() -> None:
    game = position(Board().with_strip(1, "1f bbo"), centre="byp", start_tile=1)
    game.play("0b1")
    assert (game.to_move, game.in_turn) == (1, False)
    assert panes_on(game, 0, 1) == "bbbo"


def test_the_second_completion_removes_the_strip() -> None:
    board = Board(strips=("1b bboo", *Board().strips[1:]), windows=("w", *[""] * 7))
    game = position(board, centre="pyy", start_tile=1)
    game.play("0p1 kb")
    assert game.state.strip[0, 0] == 0
    assert window_of(game, 0, 1) == "wb"
    assert game.state.glazier[0] == 0


def test_no_bonus_without_the_bonus_colour() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="py", start_tile=1, bonus="w")
    game.play("0p1")
    assert scored(game) == []


def test_windows_score_over_places_whose_strip_is_gone() -> None:
    strips = ("1f bbbo", "", "3f", "", "5f", "6f", "7f", "")
    board = Board(strips=strips, windows=("", "bb", "", "pp", "o", "", "", "yw"))
    game = position(board, centre="py", start_tile=1)
    game.play("0p1 kb")
    assert scored(game) == [(4 + 3 + 2 + 2 + 2, "window 1 and those to its right")]


def test_windows_to_the_left_do_not_score() -> None:
    strips = ("1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f wwyy")
    game = position(Board(strips=strips, windows=("b", "p", *[""] * 6)), centre="bo", start_tile=1)
    game.play("0b8 kw")
    assert scored(game) == [(2, "window 8 and those to its right")]


# --- the glazier goes back (8) ------------------------------------------------------------------------


def test_the_glazier_goes_back_to_the_leftmost_strip_that_is_left() -> None:
    board = Board(strips=("", *Board().strips[1:]), windows=("bb", *[""] * 7), glazier=5)
    game = position(board, centre="ob")
    assert "g" in texts(game)
    game.play("g")
    assert game.state.glazier[0] == 1
    assert game.to_move == 1


def test_the_glazier_goes_back_from_an_empty_place() -> None:
    strips = ("1f", "2f", "", *Board().strips[3:])
    board = Board(strips=strips, windows=("", "", "bb", *[""] * 5), glazier=3)
    game = position(board, centre="ob")
    game.play("g")
    assert game.state.glazier[0] == 0


@pytest.mark.parametrize(
    ("gone", "glazier", "reason"),
    [
        (0, 1, "already above the leftmost strip"),
        (2, 3, "already above the leftmost strip"),
        (2, 1, "is to the right of the glazier"),
        (2, 2, "is to the right of the glazier"),
        (8, 8, "no strip left"),
    ],
)
def test_no_going_back_if_it_does_not_lead_to_the_left(gone: int, glazier: int, reason: str) -> None:
    board = Board(
        strips=("",) * gone + Board().strips[gone:],
        windows=("bp", "ow", "bb", "yy", "pw", "op", "yw", "bo")[:gone] + ("",) * (8 - gone),
        glazier=glazier,
    )
    game = position(board, centre="ob")
    assert "g" not in texts(game)
    with pytest.raises(IllegalMove, match=reason):
        game.play("g")


def test_without_strips_every_pane_breaks() -> None:
    board = Board(strips=("",) * 8, windows=("bp", "ow", "bb", "yy", "pw", "op", "yw", "bo"), glazier=8)
    game = position(board, centre="ob", factories=("ppyy",))
    assert texts(game) == ["0bx", "0ox", "1px", "1yx"]
    with pytest.raises(IllegalMove, match="no longer a strip above window 8"):
        game.play("0b8")


# --- broken glass (9) ---------------------------------------------------------------------------------


def test_the_end_of_the_track_costs_18_at_once_and_the_steps_go_on() -> None:
    game = position(Board(broken=6, glazier=7, score=30), centre="oooob")
    game.play("0ox")  # the start tile and four panes: 6 + 5 = 11
    assert scored(game) == [(-18, "end of the broken-glass track")]
    assert game.scores[0] == 12
    assert (game.state.broken[0], game.state.lost[0]) == (3, 18)


def test_the_end_of_the_track_can_be_reached_twice_in_a_move() -> None:
    game = position(Board(broken=7, glazier=7), centre="oooooooob")
    game.play("0ox")  # 7 + 1 + 8 = 16
    assert [points for points, _ in scored(game)] == [-18, -18]
    assert game.state.broken[0] == 0


def test_the_end_of_the_track_comes_before_the_points_of_the_strip() -> None:
    game = position(Board(broken=7).with_strip(1, "1f bbbo"), centre="ppb", start_tile=1, bonus="b")
    game.play("0p1")
    assert scored(game) == [(-18, "end of the broken-glass track"), (3, "bonus colour on strip 1")]


def test_a_score_may_become_negative() -> None:
    game = position(Board(broken=7, score=5), centre="bo")
    game.play("0b1")
    assert game.scores[0] == -13


# --- the end of a round (10) --------------------------------------------------------------------------


def test_who_took_the_start_tile_starts_the_next_round() -> None:
    game = position(Board(), factories=("bbbb",), start_tile=1, starter=0, round_=3, bonus="y")
    game.play("1b1")
    game.deal(random.Random(1))
    assert (game.state.round, game.to_move, game.state.start_tile) == (4, 1, -1)
    assert game.state.track[2] == 0


def test_without_the_start_tile_taken_the_same_player_starts_again() -> None:
    game = position(Board(), Board(), factories=("bbbb", "oooo"), starter=0)
    game.play("1b1 2o2")
    game.deal(random.Random(1))
    assert (game.state.round, game.to_move) == (4, 0)


def test_the_round_ends_only_when_the_pane_is_kept() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="p", start_tile=0, bonus="b")
    game.play("0p1")
    assert (game.to_move, game.state.round) == (0, 3)
    assert scored(game) == [(3, "bonus colour on strip 1")]
    game.play("kb")
    assert game.state.round == 4
    assert game.is_chance


def test_a_strip_that_is_completed_breaks_the_surplus_too() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="pppb", start_tile=1)
    game.play("0p1")
    assert game.in_turn
    assert game.state.broken[0] == 2


def test_from_above_an_empty_place_only_strips_to_the_right_are_in_reach() -> None:
    board = Board(windows=("", "bp", *[""] * 6), glazier=2).with_strip(2, "")
    game = position(board, centre="pb", start_tile=1)
    assert texts(game) == ["0b4", "0b5", "0b8", "0p3", "0p7", "g"]


def test_the_bonus_pane_goes_to_the_tower_at_the_end_of_a_round() -> None:
    game = position(Board(), factories=("bb",), bonus="w")
    game.play("1b1")
    assert game.state.tower.tolist() == [0, 0, 0, 0, 1]


def test_the_tower_is_poured_into_the_bag_only_when_it_is_empty() -> None:
    game = position(Board(), factories=("bb",), bonus="w", rest_to_tower=True)
    game.play("1b1")
    assert game.is_chance
    assert game.state.bag.sum() > 0
    assert game.state.tower.sum() == 0


def hoarding_boards(spare: dict[str, int]) -> list[Board]:
    """Four boards that hold all panes except the spare ones: four on each strip, the others in windows."""
    left = {letter: 20 - spare.get(letter, 0) for letter in LETTERS}
    boards = []
    for _ in range(4):
        strips = []
        for number, strip in enumerate(STRIPS.lower().split("."), 1):
            taken = ""
            for letter in strip[:4]:
                if left[letter] > 0:
                    left[letter] -= 1
                    taken += letter
            strips.append(f"{number}f {taken}")
        boards.append(strips)
    rest = [letter for letter in LETTERS for _ in range(left[letter])]
    windows = rest + [""] * (32 - len(rest))
    return [
        Board(strips=tuple(strips), windows=tuple(windows[8 * seat : 8 * seat + 8]), glazier=8)
        for seat, strips in enumerate(boards)
    ]


def test_with_bag_and_tower_short_the_round_is_played_with_what_there_is() -> None:
    # Spare: the bonus pane (b), the panes of later rounds (b p o), and a pink one in the centre.
    boards = hoarding_boards({"b": 2, "p": 2, "o": 1})
    game = position(*boards, players=4, round_=3, bonus="b", centre="p", start_tile=2)
    assert game.state.bag.sum() == 0
    game.play("0px")
    game.deal(random.Random(3))
    assert game.state.round == 4
    assert game.state.factories.sum() == 2  # the broken pane and the bonus pane
    assert game.state.bag.sum() == game.state.tower.sum() == 0
    assert game.to_move == 2


# --- final scoring and the winner (11-14) -------------------------------------------------------------


@pytest.mark.parametrize("panes", range(5))
def test_ornaments_score_by_the_panes_around_them(panes: int) -> None:
    windows = [("", ""), ("b", ""), ("b", "p"), ("bp", "o"), ("bp", "oy")][panes]
    strips = tuple("" if len(window) == 2 else f"{n}f" for n, window in enumerate(windows, 3))
    board = Board(
        strips=("1f", "2f", *strips, "5f", "6f", "7f", "8f"), windows=("", "", *windows, "", "", "", "")
    )
    game = last_pane(board, side="a")
    expected = [(ORNAMENT_POINTS[panes], "ornament 2")] if ORNAMENT_POINTS[panes] else []
    assert scored(game, 1) == expected


def test_side_b_counts_single_panes_for_the_best_colour() -> None:
    board = Board(strips=("", *Board().strips[1:]), windows=("oo", "y", "y", "y", *[""] * 4))
    reason = "complete windows times panes of the most frequent colour"
    assert scored(last_pane(board, side="b"), 1) == [(3, reason)]


def test_side_b_without_a_complete_window_gives_nothing() -> None:
    board = Board(windows=("o", "o", "o", *[""] * 5))
    assert scored(last_pane(board, side="b"), 1) == []


def test_a_tie_goes_to_the_one_who_lost_less_glass() -> None:
    mover, other = Board(score=10, lost=18), Board(score=9, broken=0, lost=0).with_strip(1, "1f bbb")
    game = last_pane(other, side="a", mover=mover)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.scores == (10, 10)
    assert outcome.ranks == (2, 1)
    assert outcome.winners == (1,)


def test_the_final_loss_counts_for_the_tie_as_well() -> None:
    game = last_pane(Board(score=12, broken=2, lost=18), side="a", mover=Board(score=10, lost=19))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.scores == (10, 10)
    assert game.state.lost.tolist()[:2] == [19, 20]
    assert outcome.ranks == (1, 2)


def test_a_full_tie_is_shared() -> None:
    game = last_pane(Board(score=10, lost=18), side="b", mover=Board(score=10, lost=18))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.ranks == (1, 1)
    assert outcome.shares() == (0.5, 0.5)
    assert str(outcome.reason) == "Six rounds have been played."


def test_a_better_score_beats_any_amount_of_broken_glass() -> None:
    game = last_pane(Board(score=10, lost=0), side="b", mover=Board(score=11, lost=900))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.ranks == (1, 2)
