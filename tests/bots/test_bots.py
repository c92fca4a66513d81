"""Guarantees of every bot in every game."""

from __future__ import annotations

import random
import threading

import pytest

from azulejos.bots import Bot, Limit, PlayResult, levels
from azulejos.bots import open as open_bot
from azulejos.bots.words import TimedBot
from azulejos.core import registry
from azulejos.core.position import Position, new
from bots.positions import every_box, played

BOTS = ("random", "greedy", "search", "level:1", "level:4", "skill:2.5")
FEW = Limit(nodes=40)


@pytest.mark.parametrize("word", BOTS)
@pytest.mark.parametrize(("name", "players"), list(every_box()))
def test_choices_are_legal(word: str, name: str, players: int) -> None:
    position = played(name, players, seed=7, decisions=9)
    assert open_bot(word).play(position, FEW).move in position.legal_moves


@pytest.mark.parametrize("word", BOTS)
def test_the_same_position_gets_the_same_answer(word: str) -> None:
    position = played("azul", 3, seed=8, decisions=4)
    first, second = (open_bot(word).play(position, FEW) for _ in range(2))
    assert (first.move, first.value, first.line) == (second.move, second.value, second.line)


@pytest.mark.parametrize("word", BOTS)
def test_a_finished_game_is_refused(word: str) -> None:
    position = played("azul", 2, seed=1, decisions=10_000)
    assert position.is_over
    with pytest.raises(ValueError, match="the game is over"):
        open_bot(word).play(position, FEW)


@pytest.mark.parametrize("word", BOTS)
def test_nobody_chooses_for_chance(word: str) -> None:
    with pytest.raises(ValueError, match="deal first"):
        open_bot(word).play(new("azul"), FEW)


@pytest.mark.parametrize(("name", "players"), [("azul", 2), ("azul", 4), ("sintra-a", 3), ("garden", 2)])
@pytest.mark.parametrize("word", BOTS)
def test_no_time_is_enough_for_a_legal_move(word: str, name: str, players: int) -> None:
    position = played(name, players, seed=3, decisions=2)
    assert open_bot(word).play(position, Limit(seconds=0)).move in position.legal_moves


def test_one_legal_move_is_played_without_a_search() -> None:
    position = _forced()
    choice = open_bot("search").play(position, Limit(seconds=100))
    assert (choice.move, choice.nodes) == (position.legal_moves[0], 0)


def _forced() -> Position:
    for seed in range(100):
        position = played("azul", 2, seed=seed, decisions=11)
        if len(position.legal_actions()) == 1:
            return position
    raise AssertionError("no forced move found")


def test_somebody_else_can_stop_the_thinking() -> None:
    stop = threading.Event()
    stop.set()
    position = played("azul", 2, seed=4, decisions=0)
    choice = open_bot("search").play(position, Limit(stop=stop))
    assert choice.move in position.legal_moves
    assert not choice.proved


@pytest.mark.parametrize("name", ["sintra-a", "garden"])
@pytest.mark.parametrize("word", BOTS)
def test_an_unfinished_turn_is_finished(word: str, name: str) -> None:
    """A strip is complete and a pane has to be kept; a piece is placed and has to be paid for."""
    position = _in_turn(name)
    seat = position.to_move
    while position.in_turn and position.to_move == seat:
        position.play(open_bot(word).play(position, FEW).move)
    assert not position.in_turn


def _in_turn(name: str) -> Position:
    for seed in range(200):
        position = played(name, 2, seed=seed, decisions=25)
        if not position.is_over and position.in_turn:
            return position
    raise AssertionError("nobody was in the middle of a turn")


@pytest.mark.parametrize("word", ["search", "greedy", "level:2"])
def test_nobody_peeks(word: str) -> None:
    """Two games with the same visible past and different futures: the bot plays the same move in both."""
    here = played("azul", 2, seed=11, decisions=6)
    there = here.determinize(random.Random(1))
    elsewhere = here.determinize(random.Random(2))
    answers = {open_bot(word).play(table, FEW).move for table in (here, there, elsewhere)}
    assert len(answers) == 1


def test_every_game_offers_seven_levels_that_can_be_made() -> None:
    for game in registry.games():
        offered = levels(game)
        assert len(offered) == 7
        assert [open_bot(level.word).word for level in offered] == [level.word for level in offered]


def test_a_bot_may_take_its_own_time() -> None:
    class Clock(Bot):
        """Reports the time it was given."""

        word = "clock"

        def play(
            self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
        ) -> PlayResult:
            assert limit is not None
            move = position.legal_moves[0]
            return PlayResult(move=move, seconds=limit.time_limit or 0.0, nodes=limit.nodes or 0)

    granted = TimedBot(Clock(), 3).play(played("azul", 2, 1, 0), Limit(seconds=0.1, nodes=5))
    assert (granted.seconds, granted.nodes) == (3, 0)


@pytest.mark.parametrize("word", ["level:7@3", "search@0.5", "search:hand,round@10"])
def test_a_time_belongs_to_the_word(word: str) -> None:
    bot = open_bot(word)
    assert isinstance(bot, TimedBot)
    assert bot.word == word


@pytest.mark.parametrize("word", [
    "serch", "serch@3", "level:7@", "level:7@x", "level:8", "level:", "random:x", "skill:", "skill:-1",
])
def test_unknown_words_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"called|does not accept|number from 0"):
        open_bot(word)


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="it has"):
        open_bot("search:nonsense").play(played("azul", 2, seed=1, decisions=0), FEW)


@pytest.mark.parametrize("wrong", [{"seconds": -1.0}, {"nodes": -1}])
def test_limits_are_not_negative(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="from 0 to"):
        Limit(**wrong)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize("name", ["chocolatier-grey", "sintra-a", "garden"])
def test_a_greedy_line_is_a_whole_turn(name: str) -> None:
    position = played(name, 2, seed=7, decisions=9)
    seat, choice = position.to_move, open_bot("greedy").play(position, FEW)
    assert choice.line[0] == choice.move
    for action in choice.line:
        assert position.to_move == seat
        position.play(action)
    assert not position.in_turn


@pytest.mark.parametrize("cpu", [False, True])
def test_what_is_left_of_a_limit(cpu: bool) -> None:
    limit = Limit(seconds=100, nodes=7, cpu=cpu)
    left = limit.since(limit.now() - 40)
    assert 0 < (left.seconds or 0) <= 60
    assert (left.nodes, left.cpu) == (7, cpu)
    assert limit.since(limit.now() - 101).seconds == 0
    assert Limit(nodes=7).since(0) == Limit(nodes=7)
