"""Golden playthroughs: whole games as text that a reviewer can read. Write them again with

    PYTHONPATH=src:tests python -m contract.playthroughs

and read the difference before committing it.
"""

from __future__ import annotations

import random
from pathlib import Path

import azulejos
from azulejos import Position

FOLDER = Path(__file__).parent.parent / "games"


def playthrough(name: str, players: int, seed: int) -> str:
    """A random game: each decision with its alternatives, each scoring, every tenth position in full."""
    position = azulejos.new(name, players=players)
    rng = random.Random(seed)
    lines = [f"# {name}, {players} players, seed {seed}"]
    while not position.is_over:
        if position.is_chance:
            lines.append("deal " + " ".join(move.text for move in position.deal(rng)))
        else:
            lines += _turn(position, rng)
    outcome = position.outcome()
    assert outcome is not None
    lines += [f"scores {outcome.scores} ranks {outcome.ranks}: {outcome.reason}", position.text(), ""]
    return "\n".join(lines)


def _turn(position: Position, rng: random.Random) -> list[str]:
    lines = []
    if position.ply % 10 == 0:
        lines.append(f"  = {position.text()}")
    legal = position.legal_actions()
    action = rng.choice(legal)
    lines.append(f"{position.to_move + 1}: {position.game.moves.text(action)}  (of {len(legal)})")
    position.play(action)
    lines += [f"  seat {s.seat + 1} {s.points:+d} {s.reason}" for s in position.explain(-1)]
    return lines


def path_of(name: str) -> Path:
    game, _ = azulejos.presets()[name]
    return FOLDER / game.name / "playthroughs" / f"{name}.txt"


def seats_of(name: str) -> int:
    """A different number of players for each box."""
    return 2 + list(azulejos.presets()).index(name) % 3


if __name__ == "__main__":
    for box in azulejos.presets():
        target = path_of(box)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(playthrough(box, seats_of(box), seed=2024), encoding="utf-8")
