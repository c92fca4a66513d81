"""The history of a position: readable, shared between copies, never changed by another position."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import azulejos
from azulejos import IllegalMove, Position
from azulejos.core.game import Action


def played(plies: int = 40, seed: int = 1) -> Position:
    position, rng = azulejos.new("azul", start="1"), random.Random(seed)
    while position.ply < plies:
        position.play(rng.choice(position.legal_actions()))
    return position


def test_the_history_reads_like_a_list_of_moves() -> None:
    position = azulejos.new("azul", start="1")
    assert len(position.history) == 0
    drawn = position.deal(random.Random(2024))
    position.play("1k2")
    assert [*position.history] == [*drawn, position.peek()]
    assert position.history[-1].text == "1k2"
    assert [move.text for move in position.history[:3]] == ["+k", "+y", "+w"]
    assert position.history.actions[-1] == position.game.moves.parse("1k2")
    assert repr(position.history).endswith("1k2>")


def test_every_earlier_position_is_at_hand() -> None:
    position = played()
    walked = position.copy()
    for ply in reversed(range(position.ply)):
        walked.undo()
        there = position.at(ply)
        assert there == walked
        assert there.history.actions == walked.history.actions == position.history.actions[:ply]
    assert position.at(position.ply) == position


def test_what_follows_is_played_on_a_copy() -> None:
    position = played(20)
    line = [position.legal_moves[0]]
    after = position.after(line)
    assert position.ply == 20
    assert after.ply == 20 + len(line)
    assert after == position.after([*after.history.actions[20:]])
    assert position.after([]) == position
    with pytest.raises(IllegalMove):
        position.after([len(position.game.moves) - 1] * 2)
    assert position.ply == 20


def test_the_first_turn_of_a_line_ends_where_the_next_begins() -> None:
    """A turn of Queen's Garden is often several actions."""
    rng, lengths = random.Random(1), set[int]()
    game = azulejos.new("garden", start="1").determinize(rng)
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
    game = game.at(game.ply)
    ply = 0
    while ply < game.ply:
        before = game.at(ply)
        if before.is_chance:
            ply += 1
            continue
        turn = before.first_turn(game.history.actions[ply:])
        assert turn == game.history.actions[ply : ply + len(turn)]
        assert not game.at(ply + len(turn)).in_turn_of(before.to_move)
        assert all(game.at(within).in_turn_of(before.to_move) for within in range(ply + 1, ply + len(turn)))
        lengths.add(len(turn))
        ply += len(turn)
    assert len(lengths) > 2


@pytest.mark.parametrize("ply", [-1, 41])
def test_there_is_no_position_before_the_first_or_after_the_last(ply: int) -> None:
    with pytest.raises(IndexError, match="ply must be 0 to 40"):
        played().at(ply)


def test_nothing_played_nothing_to_see() -> None:
    position = azulejos.new("azul")
    for call in (position.peek, position.undo):
        with pytest.raises(IndexError, match="nothing was played yet"):
            call()


def test_positions_that_share_a_past_go_their_own_ways() -> None:
    """Every pair of `at`, `copy`, playing and undoing, in many orders."""
    rng = random.Random(3)
    family = [(played(), played().history.actions)]
    for _ in range(400):
        index = rng.randrange(len(family))
        position, actions = family[index]
        assert position.history.actions == actions
        if rng.random() < 0.3:
            ply = rng.randrange(len(actions) + 1)
            family.append((position.at(ply), actions[:ply]))
        elif rng.random() < 0.3:
            family.append((position.copy(), actions))
        elif rng.random() < 0.5 and actions:
            assert position.game.moves.number(position.undo()) == actions[-1]
            family[index] = (position, actions[:-1])
        elif not position.is_over:
            action = Action(rng.choice(position.legal_actions()))
            position.play(action)
            family[index] = (position, (*actions, action))
    for position, actions in family:
        again = azulejos.new("azul", start="1")
        for action in actions:
            again.play(action)
        assert position == again
        assert position.history.actions == actions


def test_a_pickle_is_small_in_the_middle_of_a_game() -> None:
    position = played(plies=60)
    assert len(pickle.dumps(position)) < 1000
    twin = pickle.loads(pickle.dumps(position.at(30)))
    assert (twin, twin.history.actions) == (position.at(30), position.history.actions[:30])
    assert [str(scored) for scored in pickle.loads(pickle.dumps(position)).explain()] == [
        str(scored) for scored in position.explain()
    ]


def test_a_pickle_begins_where_its_history_begins() -> None:
    position = Position.from_text(played(plies=40).text())
    position.play(position.legal_moves[0])
    twin = pickle.loads(pickle.dumps(position))
    twin.undo()
    assert twin == played(plies=40)


def test_copies_and_pickles_keep_the_history() -> None:
    position = played()
    for twin in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert twin.history.actions == position.history.actions
        assert twin.at(7) == position.at(7)


def test_a_key_stands_for_a_position() -> None:
    position = played()
    keys = {position.at(ply).key for ply in range(position.ply + 1)}
    assert len(keys) == position.ply + 1
    assert position.copy().key == position.key in keys
    assert azulejos.new("azul", wall="grey").key != azulejos.new("azul").key
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)
