"""One record format: replay, verify and import read what the page and the store write."""

from __future__ import annotations

import dataclasses
import random
import shutil
from pathlib import Path

import pytest

import azulejos
from azulejos import Player, Record
from azulejos.web.tables import fair_deal
from cli.conftest import Run

PLAYED = Path(__file__).parent / "records" / "play.txt"
"""A game as `azulejos play --record` wrote it."""

FINISHED, REMATCH, BRANCH = "D7iFBL48kbXN", "oDCHsehyOHOb", "tBOdincb_eHv"
WAITING, RUNNING = "Fq4dhLq-Ebos", "BnAbkCwEYZ_z"
ANA, BO = Player("Ána 青"), Player("Bo")
DUST = Player("Dust", bot="random")


def table(
    name: str, box: str = "azul", *, seats: tuple[Player, Player] = (ANA, BO), kinds: str = "human human",
    state: str = "over", decisions: int = 1000, first: tuple[int, ...] = (), branch_of: str | None = None,
    rematch: str | None = None,
) -> Record:
    """A table's record: `first` was copied from another table, then random moves with a fair deal."""
    promised = f"{name.encode().hex():0>64}"
    position, dealer, rng = azulejos.new(box), fair_deal.Dealer(promised), random.Random(name)
    for action in first:
        position.play(action)
    if state != "waiting":
        fair_deal.deal(position, dealer)
    for _ in range(decisions if state != "waiting" else 0):
        if position.is_over:
            break
        position.play(rng.choice(position.legal_actions()))
        fair_deal.deal(position, dealer)
    tags = {
        "Table": name, "State": state, "SeatKinds": kinds, "Minutes": "10",
        "Created": "2026-11-16T17:55:52.995890Z", "Changed": "2026-11-16T17:55:54.135764Z",
        "Promise": fair_deal.commitment(promised), "Seed": promised, "DealtFrom": str(len(first) or ""),
        "BranchOf": branch_of or "", "Rematch": rematch or "",
    }
    record = Record.from_position(
        position, seats=seats, tags={name: text for name, text in tags.items() if text}
    )
    for ply, node in enumerate(record.line):
        node.at = 1794851753000 + 20 * ply
    return record


@pytest.fixture(scope="module")
def store() -> list[Record]:
    """A finished game, its rematch, a branch of it, a table with a free seat and one with a bot."""
    finished = table(FINISHED, rematch=REMATCH)
    return [
        finished,
        table(REMATCH, state="playing", decisions=0, seats=(BO, ANA)),
        table(BRANCH, state="playing", decisions=0, first=tuple(finished.actions[:30]), branch_of=FINISHED,
              seats=(ANA, DUST), kinds="human bot"),
        table(WAITING, "garden", state="waiting", seats=(Player("Ana"), Player("")), kinds="human open"),
        table(RUNNING, "sintra-b", state="playing", decisions=15, seats=(Player("Ana"), DUST),
              kinds="human bot"),
    ]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: list[Record]) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    monkeypatch.chdir(tmp_path)
    shutil.copy(PLAYED, tmp_path)
    Path("store.jsonl").write_text("".join(record.write_json() for record in store), "utf-8")
    Path("game.txt").write_text(store[0].write(), "utf-8")
    Path("game.jsonl").write_text(store[0].write_json(), "utf-8")
    tags = {name: text for name, text in store[-1].tags.items() if name != "Seed"}
    secret = dataclasses.replace(store[-1], tags=tags)
    Path("running.jsonl").write_text(secret.write_json(), "utf-8")


def test_a_played_game_is_written_as_it_was() -> None:
    played = Record.read(PLAYED.read_text("utf-8"))
    assert played.write() == PLAYED.read_text("utf-8")
    assert played.start.options["strips"].endswith("WWYYO-JJBPY")


def test_a_store_with_a_rematch_a_branch_and_a_free_seat(store: list[Record]) -> None:
    read = Record.read_all(Path("store.jsonl").read_text("utf-8"))
    assert read == store
    finished, rematch, branch, waiting, running = read
    assert finished.replay().is_over
    assert finished.seats == (ANA, BO)
    assert finished.tags["Rematch"] == rematch.tags["Table"]
    assert branch.tags["BranchOf"] == finished.tags["Table"]
    assert branch.tags["DealtFrom"] == "30"
    assert branch.actions[:30] == finished.actions[:30]
    assert waiting.tags["SeatKinds"] == "human open"
    assert waiting.actions == []
    assert running.tags["Seed"]
    assert [Record.read(record.write()) for record in store] == store


@pytest.mark.parametrize("file", ["game.txt", "game.jsonl"])
def test_a_finished_table_is_verified_and_replayed(run: Run, file: str) -> None:
    verified = run("verify", file)
    assert verified.exit_code == 0
    assert f"{FINISHED}: Every draw follows from the promised seed." in verified.stdout
    shown = run("replay", file)
    assert shown.exit_code == 0
    assert "Ána 青" in shown.stdout


@pytest.mark.parametrize("file", ["game.txt", "game.jsonl"])
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
    assert "not over yet" in run("verify", "running.jsonl").stdout


def test_a_store_moves_into_a_new_one_and_out_again(run: Run, store: list[Record]) -> None:
    here = ("--database", "sqlite:///games.sqlite")
    assert "5 tables added" in run("store", "import", *here, "store.jsonl").stdout
    assert "0 tables added, 1 were there" in run("store", "import", *here, "game.txt").stdout
    assert "1 tables added" in run("store", "import", *here, "play.txt").stdout
    assert run("store", "export", *here, "out.jsonl").exit_code == 0
    records = Record.read_all(Path("out.jsonl").read_text("utf-8"))
    written = {record.tags["Table"]: record for record in records}
    assert len(written) == 6
    for old in store:
        assert written[old.tags["Table"]] == old
