"""Unusable files, folders, programs and pipes: one line of error, never a traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cli.conftest import Run, environment, program
from patience import PATIENCE

NOWHERE = "nowhere/at/all"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of files that are not what they should be."""
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    monkeypatch.setenv("AZULEJOS_BOTS", "")
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("folder.npz").mkdir()
    Path("junk.txt").write_text("junk\n")
    Path("junk.npz").write_text("junk\n")
    Path("binary.txt").write_bytes(b"\xff\xfe\x00")
    Path("mute.sh").write_text("#!/bin/sh\nread hello\necho game azul players 2\necho uaiok\n")
    Path("mute.sh").chmod(0o755)


@pytest.mark.parametrize(("words", "hint"), [
    (f"play azul greedy greedy --record {NOWHERE}", "there is no folder"),
    ("play azul greedy greedy --record folder", "is a directory"),
    ("play azul --seconds nan", "is not a number"),
    ("play azul cmd:false", "cmd:false: dead"),
    (f"draw azul --out {NOWHERE}.svg", "there is no folder"),
    ("draw azul --out picture.pdf", "should end in .svg or .png"),
    (f"match azul greedy random --out {NOWHERE}.csv", "there is no folder"),
    ("match azul greedy random --out match.txt", "should end in .csv or .json or .svg"),
    (f"match azul greedy random --log {NOWHERE}.jsonl", "there is no folder"),
    ("match azul greedy random --log folder", "is a directory"),
    ("match azul greedy random --log junk.txt", "is no log of a match"),
    ("match azul greedy random --log binary.txt", "another match, or none at all"),
    ("match azul greedy cmd:false", "cmd:false: dead"),
    (f"dataset azul --out {NOWHERE}.npz", "there is no folder"),
    ("dataset azul --out table.txt", "should end in .npz or .parquet"),
    ("dataset azul --moves binary.txt --out table.npz", "decode"),
    (f"fit azul --out {NOWHERE}.npz", "there is no folder"),
    ("fit azul --out weights.txt", "should end in .npz"),
    ("fit azul --weights missing.npz --out weights.npz", "cannot read missing.npz"),
    ("fit azul --weights junk.npz --out weights.npz", "junk.npz holds no weights"),
    ("fit azul --weights folder.npz --out weights.npz", "cannot read folder.npz"),
    ("replay binary.txt", "decode"),
    ("verify junk.txt", "junk.txt, line 1, column 1: A record begins"),
    ("verify binary.txt", "binary.txt is no text"),
    ("store import --database sqlite:///games.db junk.txt", "junk.txt, line 1, column 1: A record begins"),
    ("store import --database sqlite:///games.db binary.txt", "binary.txt is no text"),
    ("store export --database junk", "cannot use this database"),
    ("store export --database oracle://x", "the database is sqlite:///FILE"),
    ("store export --database sqlite:///junk.txt", "cannot use this database"),
    ("serve --no-open --port 0 --database sqlite:///junk.txt", "cannot use this database"),
])
def test_said_before_any_work(run: Run, words: str, hint: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2, result.output
    assert hint in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(("words", "hint"), [
    ("serve --no-open --bot x='y", "No closing quotation"),
    ("serve --no-open --bot x=false", "dead"),
])
def test_what_does_not_hold(run: Run, words: str, hint: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 1, result.output
    assert hint in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_bot_without_its_weights_leaves_the_table(run: Run) -> None:
    result = run("play", "azul", "search:missing.npz", "--seed", "1")
    assert result.exit_code == 2
    assert result.stderr == (
        "azulejos play: cannot read missing.npz: No such file or directory (see azulejos play --help)\n"
    )


def test_a_file_that_is_no_log_is_left_alone(run: Run) -> None:
    before = Path("binary.txt").read_bytes()
    run("match", "azul", "greedy", "random", "--log", "binary.txt")
    assert Path("binary.txt").read_bytes() == before


def test_faults_of_a_program_are_reported(run: Run) -> None:
    """The program answers the handshake and exits: the random moves in its place must be reported."""
    result = run("match", "azul", "random", "cmd:./mute.sh", "--deals", "1", "--seconds", "0.1")
    assert result.exit_code == 0, result.output
    assert "cmd:./mute.sh failed 6 times, and random moves were played for it" in result.stdout


def test_a_closed_input_says_nothing() -> None:
    command = f"{' '.join(program('play', 'azul', 'me', 'random', '--seed', '1'))} <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False,
                          env=environment(), timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The game is not finished.\n")


@pytest.mark.parametrize("words", ["rules azul", "trace azul --seed 1"])
@pytest.mark.parametrize(("redirected", "said"), [
    ("| head -1", ""), (">&-", ""), (">/dev/full", "azulejos: No space left on device\n"),
])
def test_closed_and_full_channels(words: str, redirected: str, said: str) -> None:
    command = f"{' '.join(program(*words.split()))} {redirected}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False,
                          env=environment(), timeout=PATIENCE)
    assert done.stderr == said


def test_faults_at_the_table_are_told(run: Run) -> None:
    shown = run("play", "azul", "cmd:./mute.sh", "random", "--seed", "1").stdout
    assert shown.count("cmd:./mute.sh failed, so a random move is played: dead: ") == 3
