"""The examples in the documentation are correct."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np

import azulejos
from azulejos import Record
from azulejos.core import registry
from azulejos.core.registry import read_components, uncertain
from core.test_record import EXAMPLE

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(name: str, language: str = "") -> list[str]:
    text = (DOCS / name).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for kind, block in found if kind == language]


def test_the_record_of_the_documentation_is_the_one_that_is_tested() -> None:
    assert EXAMPLE in blocks("records.md")


def test_the_json_lines_of_the_documentation() -> None:
    header, draw, step = blocks("records.md", "json")[0].splitlines()
    written = Record.read(EXAMPLE).write_json().splitlines()
    assert written[0] == header
    assert written[1] == draw
    assert written[21] == step


def test_the_reader_of_positions_in_the_protocol_reads_every_field_that_it_names() -> None:
    scope: dict[str, Any] = {}
    exec(blocks("protocol.md", "python")[0], scope)
    rng = random.Random(4)
    position = azulejos.new("azul", players=2)
    while not position.is_over:
        state = position.to_json()["state"]
        for name, value in scope["read"](position.text()).items():
            assert np.ravel(value).tolist() == np.ravel(state[name]).tolist(), name
        position.deal(rng)
        if not position.is_over:
            position.play(rng.choice(position.legal_actions()))


def test_the_codes_of_every_game_are_in_the_page_on_traces() -> None:
    text = (DOCS / "trace.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    codes = {code for row in rows for code in re.findall("`([^`]+)`", row)}
    for game in registry.games():
        assert set(game.reasons.names) <= codes, game.name


def test_the_components_of_the_documentation_are_the_stand_ins() -> None:
    text = blocks("components.md", "toml")[0]
    for game in registry.games():
        if uncertain(game):
            stand_ins = {option.name: option.default for option, _ in uncertain(game)}
            assert read_components(text, game) == stand_ins
