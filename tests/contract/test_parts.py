"""Every game's parts are those of `core.contract`; mypy checks each one where it is made."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from azulejos.core import contract, jit, registry, verbs
from azulejos.core.contract import Part, needed
from azulejos.core.game import Game
from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.scene import WIDE
from azulejos.render import themes
from azulejos.render.symbols import empty_sign

every_game = pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
PARTS = [part for part in vars(Game).values() if isinstance(part, Part)]


def test_the_contract_lists_every_part() -> None:
    page = set(vars(contract)) | {"Guide", "Lesson"}
    assert {part.kind.__name__ for part in PARTS} <= page
    for part in PARTS:
        assert f"{part.name}.py" in str(contract.__doc__)


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


def _nothing(*arguments: object) -> NoReturn:
    pytest.fail("not drawn")


def test_what_a_game_leaves_out_has_a_default() -> None:
    """Callers need not check for optional hooks: each has a default."""
    view = contract.View[verbs.State](plan=_nothing, scene=_nothing)
    assert view.slot_of(0, 0) is None
    assert view.log_entry(None, 0) is None  # type: ignore[arg-type]  # the default looks at nothing
    required = [f.name for f in dataclasses.fields(contract.View) if f.default is dataclasses.MISSING]
    assert required == ["plan", "scene"]


def test_a_file_without_its_part_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "halfgame"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "view.py").write_text("VIEW = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    half = dataclasses.replace(registry.games()[0], package="halfgame", name="half")
    with pytest.raises(TypeError, match=r"halfgame\.view must define VIEW, a View of the contract"):
        _ = half.view
    assert half.preview is None
    with pytest.raises(ValueError, match=r"half cannot do this: it has no preview\.py"):
        needed(half, half.preview, "preview.py")


def test_importing_azulejos_loads_no_part() -> None:
    """A new position needs only the rules; views, guides and evaluations cost 30 to 50 ms per game."""
    code = (
        "import sys, azulejos; azulejos.new('azul')\n"
        "print([name for name in sys.modules if name.startswith('azulejos.games.')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    late = {part.name for part in PARTS}
    assert "azulejos.games.azul.rules" in told.stdout
    assert not late & {name.rpartition(".")[2] for name in ast.literal_eval(told.stdout)}
