"""Records that cannot be reviewed: one sentence, exit code 2, and nothing else is written anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from azulejos.core.record import Record
from cli.conftest import Run
from insight.games import finished, record

Spoil = Callable[[str], str]


TEXT: dict[str, tuple[Spoil, str]] = {
    "another version": (lambda text: text.replace('[Rules "1"]', '[Rules "99"]'), "version 99"),
    "cut within a move": (lambda text: text[: text.index("52. 0y1") + 5], "line 17, column 86"),
    "cut after a move": (lambda text: text[: text.index("52. 0y1")], "not 0 2"),
    "an illegal move": (lambda text: text.replace("3. 0k4", "3. 5k4"), "no black on"),
    "one seat": (lambda text: text.replace('[Players "2"]', '[Players "1"]'), "2 to 4"),
}
JSON: dict[str, tuple[Spoil, str]] = {
    "another version": (lambda text: text.replace('"rules":1', '"rules":99'), "version 99"),
    "cut within a move": (lambda text: text[: len(text) // 2], "line "),
    "cut after a move": (lambda text: text[: text.index("\n", len(text) // 2) + 1], "not 0 2"),
    "an illegal move": (lambda text: text.replace('{"move":"0k4"}', '{"move":"5k4"}', 1), "no black on"),
    "one seat": (lambda text: text.replace('"players":2', '"players":1'), "2 to 4"),
}


@pytest.mark.parametrize("fault", TEXT)
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_that_cannot_be_reviewed_is_refused_in_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, fault: str
) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    monkeypatch.chdir(tmp_path)
    whole = record("azul", 2, 1)
    spoil, hint = (TEXT if form == "text" else JSON)[fault]
    good = whole.write() if form == "text" else whole.write_json()
    bad = spoil(good)
    assert bad != good
    Path("game").write_text(bad)
    refuses(run, tmp_path, hint)


def test_a_game_in_progress_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    monkeypatch.chdir(tmp_path)
    unfinished = Record.from_position(finished("azul", 2, 1).at(40))
    for text in (unfinished.write(), unfinished.write_json()):
        Path("game").write_text(text)
        refuses(run, tmp_path, "not finished")


def refuses(run: Run, folder: Path, hint: str) -> None:
    """Without and with --json."""
    for words in (("review", "game"), ("review", "game", "--json")):
        found = run(*words)
        assert found.exit_code == 2
        assert isinstance(found.exception, SystemExit)
        assert found.stdout == ""
        assert hint in found.stderr
        assert found.stderr.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["game"]
