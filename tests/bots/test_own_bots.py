"""Bots of one's own: a function that says what positions are worth, words of modules and of packages."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from azulejos.arena.match import Fixture, Match, play
from azulejos.bots import HeuristicBot, Limit
from azulejos.bots import open as open_bot
from azulejos.bots.simple import turns_of
from azulejos.bots.words import announced
from azulejos.core.position import Position
from bots.positions import played


def points(position: Position, seat: int) -> float:
    return position.scores[seat]


def test_the_turn_with_the_largest_value_is_played() -> None:
    bot = HeuristicBot("hungry", points)
    for seed in range(1, 4):
        position = played("garden", 2, seed=seed, decisions=20)
        ends = dict(turns_of(position))
        found = bot.play(position)
        assert found.value == max(points(end, position.to_move) for end in ends.values())
        assert found.line in ends
        assert found.move == found.line[0]


def test_nodes_limit_the_turns_that_are_compared() -> None:
    position = played("azul", 2, seed=1, decisions=3)
    assert HeuristicBot("hungry", points).play(position, Limit(nodes=3)).nodes == 3


def test_it_sits_in_a_match_and_in_a_pickle() -> None:
    bot = pickle.loads(pickle.dumps(HeuristicBot("hungry", points)))
    result = play(Match(game="azul", bots=(bot, "random"), nodes=20), Fixture(0, (0, 1)))
    assert len(result.scores) == 2


SOURCE = """
from azulejos.bots import Bot, PlayResult

class Mine(Bot):
    def __init__(self, argument=""):
        self.argument = argument

    @property
    def word(self):
        return f"mine:{self.argument}"

    def play(self, position, limit=None, *, rng=None):
        return PlayResult(move=position.legal_moves[0])

BOT = Mine("ready")
"""


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = "module_with_a_bot"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return name


def test_a_word_names_a_bot_of_a_module(own_module: str) -> None:
    assert open_bot(f"py:{own_module}:Mine", commands=True).word == "mine:"
    assert open_bot(f"py:{own_module}:Mine:Deep", commands=True).word == "mine:Deep"
    assert open_bot(f"py:{own_module}:BOT", commands=True).word == "mine:ready"


def test_what_is_wrong_with_such_a_word_is_said(own_module: str) -> None:
    with pytest.raises(ValueError, match="no bot is called"):
        open_bot(f"py:{own_module}:Mine")
    for word, reason in {
        "py:": "should read py:module:name", "py:no_such_module:X": "there is no module no_such_module",
        f"py:{own_module}:Nobody": "has no Nobody",
    }.items():
        with pytest.raises(ValueError, match=reason):
            open_bot(word, commands=True)
    with pytest.raises(TypeError, match="is no Bot"):
        open_bot("py:pathlib:Path", commands=True)


def test_an_installed_package_brings_its_word(
    own_module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = tmp_path / f"{own_module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {own_module}\nVersion: 1.0\n")
    entries = f"[azulejos.bots]\nmine = {own_module}:Mine\nrandom = {own_module}:Mine\n"
    (metadata / "entry_points.txt").write_text(entries)
    monkeypatch.syspath_prepend(tmp_path)
    announced.cache_clear()
    try:
        assert open_bot("mine:deep").word == "mine:deep"
        assert open_bot("random").word == "random", "ours cannot be replaced"
        with pytest.raises(ValueError, match=r"there are .*mine"):
            open_bot("nobody")
    finally:
        announced.cache_clear()
