"""People's side of the package needs no NumPy: positions, rules, views, words, records, guides, lessons."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import azulejos

BLOCKED = "import sys\nsys.modules['numpy'] = None\n"


def run(program: str) -> str:
    """What a program prints in a process in which NumPy cannot be imported."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", BLOCKED + textwrap.dedent(program)],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("box", ["azul-grey", "chocolatier", "sintra-a", "garden"])
def test_a_whole_game_is_shown_and_written_down(box: str) -> None:
    played = run(f"""
        import random
        import azulejos
        from azulejos.core.scene import FORMS
        from azulejos.i18n import translator
        from azulejos.svg import position as svg
        rng, say = random.Random(5), translator("pl")
        position = azulejos.new("{box}", players=3)
        position.deal(rng)
        game, names = position.game, ["Ana", "Kiln", "Luz"]
        plans = [game.view.plan(position, form) for form in FORMS]
        while not position.is_over:
            scene = game.view.scene(position, names)
            actions = position.legal_actions()
            assert scene.choices or scene.selection is not None
            if position.ply % 7 == 0:
                for action in actions[:5]:
                    say(position.preview(action))
                    svg(position)
                    if game.preview.ahead is not None:
                        game.preview.ahead(position, action)
            assert position.why_not(actions[0]) is None
            illegal = next(a for a in range(game.decisions) if a not in actions)
            say(position.why_not(illegal))
            position.play(rng.choice(actions))
            position.deal(rng)
        for scored in position.explain():
            say(scored.reason)
        assert azulejos.Position.from_json(position.to_json()) == position
        print(position.scores == azulejos.Position.from_text(position.text()).scores)
    """)
    assert played.strip() == "True"


def test_importing_the_package_imports_no_numpy() -> None:
    assert run("import azulejos; azulejos.presets(); print(sys.modules['numpy'])").strip() == "None"


def test_the_whole_web_application_is_loaded_without_numpy() -> None:
    assert run("import azulejos.web.app; print(sys.modules['numpy'])").strip() == "None"


def test_arrays_of_positions_read_as_numpys() -> None:
    import numpy as np

    state = azulejos.new("azul", players=2, start="1").state
    assert np.asarray(state.wall.tolist()).shape == state.wall.shape
    assert np.asarray(state.bag).sum() == sum(state.bag)
