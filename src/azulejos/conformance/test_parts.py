"""Every game's parts are those of `core.contract`; mypy checks each one where it is made."""

from __future__ import annotations

import pytest

from azulejos.core import jit, registry, verbs
from azulejos.core.contract import Part, needed
from azulejos.core.game import Game
from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.scene import WIDE
from azulejos.render import themes
from azulejos.render.symbols import empty_sign

every_game = pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
PARTS = [part for part in vars(Game).values() if isinstance(part, Part)]


@every_game
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_is_there_exactly_when_its_file_is(game: Game, part: Part[object]) -> None:
    found = part.__get__(game, Game)
    assert (found is not None) == (game.folder / f"{part.name}.py").exists()
    assert found is None or isinstance(found, part.kind)
    assert found is part.__get__(game, Game)


@every_game
def test_every_verb_of_the_rules_is_the_game_s_own(game: Game) -> None:
    for verb, own in game.rules.by_verb.items():
        assert game.own(verb) is own
        assert own is not verb
        assert own in jit._rules, f"{own.__name__} is not marked @rule"


@every_game
def test_a_verb_without_a_function_keeps_its_own_body(game: Game) -> None:
    own = game.own(verbs.shortlist)
    assert own is (verbs.shortlist if game.shortlist is None else game.shortlist.shortlist)


@every_game
def test_every_reason_has_a_code_a_text_and_a_heading(game: Game) -> None:
    for reason in range(len(game.reasons.names)):
        assert game.reasons.names[reason]
        assert isinstance(game.reasons.text(reason, 0), Message)
        if game.reasons.kind is not None:
            assert isinstance(game.reasons.kind(reason), Message)


@every_game
def test_every_box_is_drawn_by_its_own_game(game: Game) -> None:
    for preset in game.presets:
        theme = themes()[preset.theme]
        assert theme.game is game
        plan = needed(game, game.view, "view.py").plan(Position(game, preset, 2, {}), WIDE)
        for kind in plan.kinds:
            assert theme.shapes.piece(kind, preset.theme).startswith("<g class=")
            assert kind.partition(".")[0] in theme.pieces
        for shape, kind in plan.marks:
            assert empty_sign(shape, kind, theme.name)
