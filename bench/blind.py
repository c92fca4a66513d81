"""Do headlines tell what would have been better? ``python -m bench.blind FOLDER [CARDS [SEED]]``.

Writes CARDS cards with headlines into FOLDER/cards.txt and as many others with the reasons as they read
before there were headlines into FOLDER/before.txt: a position of Azul with two seats, the turn that was
played, the words, and the four best other turns in any order. The answers go to FOLDER/answers.json, which
the reader does not open. ``python -m bench.blind FOLDER mark CHOICES`` counts: CHOICES is a file with a
line for each card, such as ``cards 17 b``.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from azulejos import Record, bots, new
from azulejos.bots.search import SearchBot
from azulejos.core.position import Position
from azulejos.insight.headlines import told_turns
from azulejos.insight.judge import Effort
from azulejos.insight.results import JudgedTurn, Review
from azulejos.insight.review import review
from azulejos.insight.words import sentences, turn_sentences
from azulejos.protocol.bot import Limit

NAMES = ("You", "Ben")
LEVELS = (1, 2)
"""Of the players, drawn for each game."""
EFFORTS = (Effort(nodes=10_000, deals=4, deal_nodes=1_000),)
RATING = 30_000
"""Nodes that rank the turns of a position."""
LOST = 2.0
AHEAD = 1.0
"""Points by which the better turn is better than the other three, so that a question has one answer."""
A_GAME = 4
"""Cards of one game."""
LETTERS = "abcd"
WIDTH = 100


@dataclass(frozen=True)
class Card:
    before: Position
    told: Sequence[str]
    played: str
    turns: Sequence[str]
    right: int

    def text(self, number: int) -> str:
        terminal = self.before.game.terminal
        assert terminal is not None
        board = terminal.draw(self.before.state, self._names(), str, WIDTH)
        drawn = "\n".join("".join(span.text for span in line) for line in board)
        chosen = "\n".join(f"  {letter}) {turn}" for letter, turn in zip(LETTERS, self.turns, strict=True))
        return f"=== {number}\n{drawn}\n\n{self.played}\n>> {' '.join(self.told)}\n{chosen}\n"

    def _names(self) -> tuple[str, str]:
        mine = self.before.to_move
        return (NAMES[mine], NAMES[1 - mine])


def game(seed: int) -> Position:
    rng, position = random.Random(f"blind/{seed}"), new("azul")
    players = [bots.open(f"level:{rng.choice(LEVELS)}") for _ in range(2)]
    position.deal(rng)
    while not position.is_over:
        position.play(players[position.to_move].play(position, Limit(nodes=2_000), rng=rng).move)
        position.deal(rng)
    return position


def cards(seed: int, *, headlines: bool) -> Iterator[Card]:
    """Some cards of a game: turns of its first seat that lost something, with one turn alone better."""
    end, rng = game(seed), random.Random(f"cards/{seed}")
    record = Record.from_position(end, seats=NAMES)
    found, search = review(record, efforts=EFFORTS), SearchBot()
    told = told_turns(found, 0)
    lost = [turn for turn in found.turns if turn.seat == 0 and turn.better and turn.reasons
            and turn.verdict.points.low >= LOST]
    rng.shuffle(lost)
    made = (_card(found, end.at(turn.ply), turn, search, rng,
                  [str(each) for each in (told[turn.ply].headline if headlines else
                                          sentences(found, turn)[:2])])
            for turn in lost)
    yield from [card for card in made if card is not None][:A_GAME]


def _card(
    found: Review, before: Position, turn: JudgedTurn, search: SearchBot, rng: random.Random,
    told: Sequence[str],
) -> Card | None:
    assert turn.better is not None
    moves = before.game.moves
    best, played = moves.text(turn.better.turn[0]), moves.text(turn.played.turn[0])
    rated = [(move.move.text, move.value or 0.0) for move in search.rate(before, Limit(nodes=RATING)).moves
             if move.move.text != played]
    worth = dict(rated)
    others = [text for text, _ in rated if text != best][:3]
    if len(others) < 3 or any(worth[other] > worth[best] - AHEAD for other in others):
        return None
    turns = [best, *others]
    rng.shuffle(turns)
    words = [str(turn_sentences(before, (moves.number(text),), None)[0]) for text in turns]
    return Card(before=before, told=told, turns=words, right=turns.index(best),
                played=str(turn_sentences(before, turn.played.turn, "")[0]))


def write(folder: Path, count: int, seed: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    answers: dict[str, list[str]] = {}
    for kind in ("cards", "before"):
        found = list[Card]()
        while len(found) < count:
            found += cards(seed, headlines=kind == "cards")
            seed += 1
        (folder / f"{kind}.txt").write_text(
            "\n".join(card.text(number) for number, card in enumerate(found[:count], 1)), "utf-8")
        answers[kind] = [LETTERS[card.right] for card in found[:count]]
        (folder / "answers.json").write_text(json.dumps(answers), "utf-8")
        print(f"{count} in {folder / kind}.txt", flush=True)


def mark(folder: Path, choices: Path) -> None:
    answers = json.loads((folder / "answers.json").read_text("utf-8"))
    for kind, right in answers.items():
        given = dict(line.split()[1:] for line in choices.read_text("utf-8").splitlines()
                     if line.startswith(kind + " "))
        hits = sum(given[number] == right[int(number) - 1] for number in given)
        share = hits / max(1, len(given))
        spread = 1.64 * math.sqrt(share * (1 - share) / max(1, len(given)))
        print(f"{kind}: {hits} of {len(given)} right, {share:.0%} ({share - spread:.0%} to "
              f"{share + spread:.0%}); chance 25 %")


def main() -> None:
    folder, *rest = sys.argv[1:]
    if rest[:1] == ["mark"]:
        mark(Path(folder), Path(rest[1]))
    else:
        count, seed = (int(each) for each in (rest + ["60", "34000"][len(rest) :]))
        write(Path(folder), count, seed)


if __name__ == "__main__":
    main()
