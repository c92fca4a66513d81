"""A game as a page to step through."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import azulejos
from azulejos import Player, Position, Record
from azulejos.i18n import translator
from azulejos.replay import Replay


def played(box: str = "azul", decisions: int = 12) -> Position:
    rng, position = random.Random(3), azulejos.new(box, players=2)
    for _ in range(decisions):
        position.deal(rng)
        position.play(rng.choice(position.legal_actions()))
    return position


def data(page: str) -> tuple[list[str], list[list[int]], list[str]]:
    [line] = re.findall(r"^const \[parts, pictures, told\] = (.*);$", page, re.MULTILINE)
    parts, pictures, told = json.loads(line)
    return parts, pictures, told


def test_every_decision_is_a_picture_and_every_move_is_told() -> None:
    end = played()
    replay = Replay(end, names=("Ana", "Bo </script>"))
    parts, pictures, told = data(replay.html())
    assert len(pictures) == len(told) == len(replay.stops)
    assert "".join(parts[part] for part in pictures[-1]) == azulejos.svg.position(end, names=replay.called)
    decided = [end.history[ply].text for ply in range(end.ply) if not end.at(ply).is_chance]
    moves = [line.partition(": ")[2] for lines in told for line in lines.splitlines()]
    assert [text for text in moves if text in decided] == decided
    assert told[1].startswith(("Ana: ", "Bo </script>: "))
    assert replay.html().count("</script>") == 1


def test_pictures_share_their_parts() -> None:
    end = played("garden", 30)
    replay = Replay(end)
    assert len(replay.html()) < 0.2 * len(azulejos.svg.position(end)) * len(replay.stops)


def test_a_record_shows_itself_in_a_notebook_and_in_the_readers_language(tmp_path: Path) -> None:
    record = Record.from_position(played(), seats=[Player("Ada"), Player("Bo")])
    shown = record._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "Ada: " in shown
    file = tmp_path / "game.html"
    Replay(record, say=translator("pl")).write(file)
    assert "Przejdź przez partię" in file.read_text("utf-8")
