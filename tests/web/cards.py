"""Cards of own mistakes, for tests."""

from __future__ import annotations

import random

from starlette.testclient import TestClient

from azulejos.core.message import msg
from azulejos.core.position import Position, new
from azulejos.insight.judge import VERSION
from azulejos.insight.progress import Card, JudgedGame, Progress, Sentence, written
from azulejos.insight.review import weights_version


def late_position() -> Position:
    """A position late in a round with a few turns to choose from."""
    rng, position = random.Random(3), new("azul")
    position.deal(rng)
    while not 3 <= len(position.legal_actions()) <= 12 or position.is_chance:
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    return Position.from_text(position.text())


def card(start: Position, **changes: object) -> Card:
    moves = [start.game.moves.text(action) for action in start.legal_actions()]
    values: dict[str, object] = {
        "id": "a1", "at": 1, "position": start.text(), "table": "t", "ply": 3, "played": moves[1],
        "better": moves[0], "lost": 3.5, "judge": VERSION, "weights": weights_version(start.game),
        "costs": {move: 3.5 * number for number, move in enumerate(moves)},
        "reasons": (Sentence.of(msg("You")), Sentence("{x:>99999999}", (("x", 1),))),
        "names": ("Ana", "Ben"),
    }
    return Card(**(values | changes))  # type: ignore[arg-type]


def bring_cards(client: TestClient, *cards: Card, games: tuple[JudgedGame, ...] = ()) -> None:
    file = written(Progress(cards=cards, games=games))
    assert client.post("/you/import", files={"file": ("x.json", file)}).status_code == 200
