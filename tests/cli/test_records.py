"""One record format: replay, verify and import read what the page and the store write."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from azulejos import Record
from cli.conftest import Run

OLD = Path(__file__).parents[1] / "core" / "first_edition"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    monkeypatch.chdir(tmp_path)
    for file in OLD.iterdir():
        shutil.copy(file, tmp_path)
    record = Record.read(Path("page-finished.json").read_text("utf-8"))
    Path("new.txt").write_text(record.write(), "utf-8")
    Path("new.jsonl").write_text(record.write_json(), "utf-8")


@pytest.mark.parametrize("file", ["page-finished.json", "new.txt", "new.jsonl"])
def test_a_finished_table_is_verified_and_replayed(run: Run, file: str) -> None:
    verified = run("verify", file)
    assert verified.exit_code == 0
    assert "D7iFBL48kbXN: Every draw follows from the promised seed." in verified.stdout
    shown = run("replay", file)
    assert shown.exit_code == 0
    assert "Ána 青" in shown.stdout


@pytest.mark.parametrize("file", ["new.txt", "new.jsonl"])
def test_a_bent_draw_is_found_in_both_forms(run: Run, file: str) -> None:
    record = Record.read(Path(file).read_text("utf-8"))
    record.tags["Seed"] = "0" * 64
    Path(file).write_text(record.write_json() if file.endswith("l") else record.write(), "utf-8")
    result = run("verify", file)
    assert result.exit_code == 1
    assert "not the one that was promised" in result.stdout


def test_a_game_without_a_promise_is_not_called_fair(run: Run) -> None:
    result = run("verify", "play.txt")
    assert result.exit_code == 1
    assert "no seed was promised" in result.stdout
    assert "not over yet" in run("verify", "page-running.json").stdout


def test_an_old_store_moves_into_a_new_one_and_out_again(run: Run) -> None:
    here = ("--database", "sqlite:///games.sqlite")
    assert "5 tables added" in run("store", "import", *here, "store.jsonl").stdout
    assert "0 tables added, 1 were there" in run("store", "import", *here, "new.txt").stdout
    assert "1 tables added" in run("store", "import", *here, "play.txt").stdout
    assert run("store", "export", *here, "out.jsonl").exit_code == 0
    records = Record.read_all(Path("out.jsonl").read_text("utf-8"))
    written = {record.tags["Table"]: record for record in records}
    assert len(written) == 6
    for old in Record.read_all(Path("store.jsonl").read_text("utf-8")):
        assert written[old.tags["Table"]] == old
