"""What `core.contract` promises to games and to their callers."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from azulejos.conformance.test_parts import PARTS
from azulejos.core import contract, registry, verbs
from azulejos.core.contract import needed


def test_the_contract_lists_every_part() -> None:
    page = set(vars(contract)) | {"Guide", "Lesson"}
    assert {part.kind.__name__ for part in PARTS} <= page
    for part in PARTS:
        assert f"{part.name}.py" in str(contract.__doc__)



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

