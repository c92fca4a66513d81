"""Analysis: a value for every action, proved where it says so."""

from __future__ import annotations

import threading

import pytest

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import evaluation_of, weights_of
from azulejos.core.position import new
from azulejos.engine.value import win_chance
from bots.minimax import minimax
from bots.positions import late_in_round, played


@pytest.mark.parametrize("seed", range(4))
def test_proved_values_are_those_of_minimax(seed: int) -> None:
    position = late_in_round("azul", 40 + seed, at_most=5)
    seat = position.to_move
    found = open_bot("search").analyse(position, Limit(nodes=10**5))
    assert found.proved
    for move in found.moves:
        after = position.copy()
        after.play(move.move)
        assert move.value == minimax(after, seat, weights_of(position.game, "")) / 100


def test_the_best_move_is_the_one_that_the_search_values_alike() -> None:
    position = late_in_round("azul", 50, at_most=6)
    limit = Limit(nodes=10**5)
    rated = open_bot("search").analyse(position, limit)
    assert rated.best.value == open_bot("search:round").play(position, limit).value


@pytest.mark.parametrize(("name", "players"), [("azul", 2), ("azul", 4), ("sintra-a", 3), ("garden", 2)])
def test_every_legal_action_is_valued(name: str, players: int) -> None:
    position = played(name, players, seed=5, decisions=6)
    found = open_bot("search").analyse(position, Limit(nodes=60))
    assert {rated.move for rated in found.moves} == set(position.legal_moves)
    assert all(move.win is not None and 0 <= move.win <= 1 for move in found.moves)
    values = [move.value for move in found.moves if move.value is not None]
    assert values == sorted(values, reverse=True)
    assert len(values) == len(found.moves)


@pytest.mark.parametrize(("name", "players"), [("azul", 3), ("azul", 4), ("sintra-a", 4), ("garden", 3)])
def test_at_the_beginning_the_chance_to_win_is_about_a_fair_share(name: str, players: int) -> None:
    """Against the best of several others the chance of each seat is larger: those of all add up to more."""
    found = open_bot("search").analyse(played(name, players, seed=5, decisions=0), Limit(nodes=200))
    assert found.best.win is not None
    assert 0.7 / players < found.best.win < 1.4 / players


def test_with_two_seats_the_chance_to_win_follows_from_the_value_alone() -> None:
    position = played("garden", 2, seed=5, decisions=6)
    found = open_bot("search").analyse(position, Limit(nodes=200))
    swing = evaluation_of(position.game).swing
    for rated in found.moves:
        assert rated.value is not None
        assert rated.win == pytest.approx(win_chance(100 * rated.value, swing), abs=0.001)


def test_values_of_one_analysis_come_from_one_depth() -> None:
    position = played("azul", 2, seed=6, decisions=0)
    found = open_bot("search").analyse(position, Limit(nodes=150))
    assert len({move.depth for move in found.moves}) == 1


def test_without_any_search_moves_are_judged_at_a_glance() -> None:
    found = open_bot("search").analyse(played("azul", 2, seed=6, decisions=0), Limit(nodes=0))
    assert len({move.value for move in found.moves}) > 5
    assert all(move.line == (move.move,) and move.depth == 0 for move in found.moves)


def test_nothing_to_analyse() -> None:
    with pytest.raises(ValueError, match="deal first"):
        open_bot("search").analyse(new("azul"))


# --- as a stream ----------------------------------------------------------------------------------------


def test_a_stream_goes_deeper_and_ends_with_what_analyse_finds() -> None:
    position, limit = late_in_round("azul", 50, at_most=6), Limit(nodes=10**5)
    found = list(open_bot("search").analysis(position, limit))
    assert found[-1].moves == open_bot("search").analyse(position, limit).moves
    depths = [analysis.best.depth for analysis in found]
    assert len(set(depths)) > 2
    assert depths == sorted(depths)
    assert {rated.move for rated in found[0].moves} == set(position.legal_moves)
    assert [analysis.nodes for analysis in found] == sorted(analysis.nodes for analysis in found)


@pytest.mark.parametrize(("name", "players"), [("azul", 3), ("garden", 2)])
def test_a_stream_of_a_tree_grows(name: str, players: int) -> None:
    position = played(name, players, seed=5, decisions=6)
    found = list(open_bot("search").analysis(position, Limit(nodes=150)))
    assert [analysis.nodes for analysis in found] == [64, 128, 150]


def test_answers_in_pieces_are_those_of_one_search() -> None:
    position, limit = played("azul", 3, seed=5, decisions=6), Limit(nodes=150)
    whole = open_bot("search").analyse(position, limit)
    *_, last = open_bot("search").analysis(position, Limit(nodes=150))
    assert [rated.move for rated in whole.moves] == [rated.move for rated in last.moves]


@pytest.mark.timeout(120)
def test_an_endless_stream_ends_with_its_block() -> None:
    position = played("azul", 4, seed=5, decisions=3)
    before = threading.active_count()
    with open_bot("search") as bot, bot.analysis(position) as stream:
        for found in stream:
            assert found.best.move in position.legal_moves
            break
    assert threading.active_count() <= before


@pytest.mark.timeout(120)
def test_a_stopped_stream_gives_its_last_answer() -> None:
    position = played("azul", 4, seed=5, decisions=3)
    with open_bot("search").analysis(position) as stream:
        first = next(iter(stream))
        stream.stop()
        last = stream.wait()
    assert last.nodes >= first.nodes
    assert position.ply == played("azul", 4, seed=5, decisions=3).ply


def test_an_error_of_a_stream_is_raised_where_it_is_read() -> None:
    stream = open_bot("search").analysis(new("azul"))
    with pytest.raises(ValueError, match="deal first"):
        list(stream)
    with pytest.raises(ValueError, match="deal first"):
        stream.wait()


@pytest.mark.parametrize("word", ["random", "greedy", "skill:0.5", "level:1@1"])
def test_bots_that_rate_no_other_move_say_what_they_would_play(word: str) -> None:
    position = played("azul", 2, seed=6, decisions=8)
    with open_bot(word) as bot:
        assert [rated.move for rated in bot.analyse(position).moves] == [bot.play(position).move]


def test_the_strongest_level_rates_every_move() -> None:
    position = late_in_round("azul", 50, at_most=6)
    with open_bot("level:7") as bot:
        assert len(bot.analyse(position, Limit(nodes=300)).moves) == len(position.legal_moves)
