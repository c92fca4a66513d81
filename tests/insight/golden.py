"""Golden reviews, advice and puzzles: what the judge says of fixed games, as text to be read and compared.

In the folder `golden` of each game's tests, for every box and number of seats: BOX-SEATS.record is a game
that was played once, .review the whole review of it, .advice what is said of some of its positions (hints,
the coach, study, level). BOX.puzzles has answers and explanations of some puzzles of a pack. Write them
again with

    PYTHONPATH=src:tests python -m insight.golden [NAME...]

such as `azul-2` for a game or `azul` for puzzles, and read the difference before committing it. A game is
only played where a record is missing.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import azulejos
from azulejos import Position, Record
from azulejos.bots.workspaces import is_solvable
from azulejos.core.registry import presets
from azulejos.insight import outlooks, report, review
from azulejos.insight.hint import advisers
from azulejos.insight.judge import Effort, judge_for
from azulejos.insight.level import estimate, losses, told
from azulejos.insight.practice import cards_of
from azulejos.insight.puzzles import Puzzle, Question, explanation, level_of, pack, packs, refuted, tree_of
from azulejos.insight.puzzles.explain import difficulty_told, outcome_told
from azulejos.insight.report import deal_story
from azulejos.insight.results import Review
from azulejos.insight.review import finished_game
from azulejos.insight.study import threat_to
from azulejos.insight.words import sentences
from azulejos.protocol.bot import Limit

FOLDER: Final = Path(__file__).parent.parent / "games"
GAMES: Final = [(box, players) for box in presets() for players in (2, 3, 4)]
PUZZLES: Final = sorted(packs())
NAMES: Final = ["Ana", "Ben", "Cleo", "Dan"]
PLAYERS: Final = ("skill:0.8", "skill:0.2", "skill:0.5", "skill:0.3")
"""Who sits where: nobody searches, so there are mistakes of all sizes."""
EFFORTS: Final = (Effort(nodes=1000, deals=3, deal_nodes=200), Effort(nodes=8000, deals=6, deal_nodes=600))
"""Two passes, so that the second confirms and refutes what the first one says."""
TREE_EFFORTS: Final = (Effort(nodes=150, deals=3, deal_nodes=40),)
LEVEL_EFFORT: Final = Effort(nodes=2000, deals=2, deal_nodes=150)
TREE_LEVEL_EFFORT: Final = Effort(nodes=30, deals=2, deal_nodes=15)
STUDY_NODES: Final = {True: 60_000, False: 500}
"""Where rounds are solved, and where a tree grows."""
NOTHING: Final = {"", "0", "None"}
"""Values that are not written."""
POSITIONS: Final = 3
LEVEL_TURNS: Final = 6
ANSWERS: Final = 4


def path_of(name: str, kind: str) -> Path:
    """Of the file of a kind: `record`, `review`, `advice`, `puzzles`."""
    box = name if kind == "puzzles" else name.rpartition("-")[0]
    return FOLDER / presets()[box][0].name / "golden" / f"{name}.{kind}"


def record_of(name: str) -> Record:
    return Record.read(path_of(name, "record").read_text("utf-8"))


# --- a review --------------------------------------------------------------------------------------------


def review_text(record: Record) -> str:
    """Everything that `report.as_json` holds, and every sentence that is said about it."""
    made = review(record, efforts=EFFORTS if is_solvable(record.start) else TREE_EFFORTS)
    return _text(_review_lines(made, report.as_json(made)))


def _review_lines(made: Review, data: dict[str, Any]) -> Iterator[str]:
    lists = {name: data.pop(name) for name in ("ledgers", "deals", "moments", "turns")}
    # weights are left out: other numbers are what matters about other networks
    yield "review " + _written({name: value for name, value in data.items() if name != "weights"})
    yield str(report.progress_line(made))
    for seat, ledger in enumerate(lists["ledgers"]):
        yield ""
        yield f"ledger {made.record.seats[seat].name} " + _written(ledger)
        rows = zip(report.ledger_lines(made, seat), report.ledger_comments(made, seat), strict=True)
        yield from _indented(" | ".join(map(str, (*row, comment))) for row, comment in rows)
        helped = report.helped_line(made, seat)
        yield from _indented(str(line) for line in (helped, report.nothing_found(made, seat)) if line)
        yield f"  mattered: {_written([turn.ply for turn in made.mattered(seat)])}"
    yield ""
    for deal, found in zip(made.deals, lists["deals"], strict=True):
        yield "deal " + _written(found)
        yield from _indented(str(report.deal_line(made, deal, seat)) for seat in range(len(NAMES))
                             if seat < len(made.record.seats) and deal_story(made, deal, seat))
    yield ""
    for turn, found in zip(made.turns, lists["turns"], strict=True):
        reasons = found.pop("reasons")
        yield "turn " + _written(found)
        if turn.better is not None:
            yield f"  {report.turn_line(made, turn)}"
        yield from _indented(f"reason {_written(reason)}" for reason in reasons)
        yield from _indented(map(str, sentences(made, turn)))
    yield ""
    for found in lists["moments"]:  # their intervals are those of turns and deals, added up
        middles = {name: [each["value"] for each in found.pop(name)] for name in ("margin", "win")}
        yield "moment " + _written(found | middles)


# --- advice about positions ------------------------------------------------------------------------------


def advice_text(record: Record) -> str:
    game = finished_game(record)
    return _text((*_level_lines(record), *(line for before in _beginnings(game)
                                           for line in _position_lines(game, before))))


def _beginnings(game: Position) -> list[Position]:
    """The beginnings of some turns with a choice, from the whole game."""
    plies = [ply for ply in range(game.ply) if game.at(ply).to_move >= 0 and not game.at(ply).in_turn
             and len(game.at(ply).legal_actions()) > 1]
    parts = [plies[len(plies) * part // POSITIONS : len(plies) * (part + 1) // POSITIONS]
             for part in range(POSITIONS)]
    rng = random.Random(game.players)
    return [game.at(rng.choice(part)) for part in parts]


def _position_lines(game: Position, before: Position) -> Iterator[str]:
    yield ""
    yield f"position at {before.ply}, {NAMES[before.to_move]} to move"
    judge = judge_for(before)
    efforts = EFFORTS if is_solvable(before) else TREE_EFFORTS
    for adviser, last in advisers(judge, before, efforts):
        hint = adviser.hint(finished=last)
        yield f"hint {_written(_plain(hint, before))}"
        played = tuple(int(action) for action in game.history.actions[before.ply : _turn_end(game, before)])
        coaching = adviser.coaching(played)
        yield f"coaching {_written(_plain(coaching, before))} speaks {coaching.speaks}"
    *_, seen = outlooks(before, Limit(nodes=STUDY_NODES[is_solvable(before)]))
    yield f"study {_written(_plain(seen, before))}"
    yield f"threat {_written(_plain(threat_to(judge, before, seen.turns[0].actions), before))}"
    end = next(game.at(ply) for ply in range(before.ply, game.ply + 1) if game.at(ply).to_move < 0)
    if is_solvable(before) or end.is_over:
        *_, seen = outlooks(end, Limit(nodes=1))
        yield f"study of the end of the round {_written(_plain(seen, end))}"


def _turn_end(game: Position, before: Position) -> int:
    return next(ply for ply in range(before.ply + 1, game.ply + 1) if not game.at(ply).in_turn
                or game.at(ply).to_move != before.to_move)


def _level_lines(record: Record) -> Iterator[str]:
    """What the last turns of each seat lost beside those of bots, and which of them make cards."""
    solved = is_solvable(record.start)
    effort = LEVEL_EFFORT if solved else TREE_LEVEL_EFFORT
    made = review(record, efforts=[effort])
    for seat in range(len(record.seats)):
        own = [turn for turn in made.turns if turn.seat == seat][-LEVEL_TURNS:]
        few = azulejos.insight.Review(**{field.name: getattr(made, field.name) for field in fields(made)}
                                      | {"turns": tuple(own)})
        found = losses(few, seat, effort=effort)
        yield f"losses {record.seats[seat].name} " + _written(
            {str(turn.ply): [turn.own, *turn.bots] for turn in found.turns})
        yield f"  {told(estimate([found]))}"
        if solved:
            for card in cards_of(made, seat, table="golden", at=0, effort=effort):
                yield (f"card {card.id} at {card.ply} played {card.played} better {card.better} lost "
                       f"{card.lost:g} costs {_written(card.costs)} replies {_written(card.replies)}")
                yield from _indented(str(sentence.message()) for sentence in card.reasons)


# --- puzzles ---------------------------------------------------------------------------------------------


def puzzles_text(box: str) -> str:
    """One puzzle of each goal."""
    chosen = {puzzle.goal: puzzle for puzzle in random.Random(1).sample(pack(box), len(pack(box)))}
    return _text(line for goal in sorted(chosen) for line in _puzzle_lines(chosen[goal]))


def _puzzle_lines(puzzle: Puzzle) -> Iterator[str]:
    question = tree_of(puzzle)
    yield f"puzzle {puzzle.id} {puzzle.goal} of {puzzle.box}, level {level_of(puzzle)}"
    yield f"  {difficulty_told(puzzle)}"
    yield from _indented(map(str, explanation(puzzle, question, NAMES[:2])))
    yield from _indented(_question_lines(puzzle, question))
    yield ""


def _question_lines(puzzle: Puzzle, question: Question) -> Iterator[str]:
    for number, answer in enumerate(question.answers):
        moves = [_moves(question.position, line) for line in (answer.actions, answer.line)]
        yield (f"{'right' if answer.right else 'wrong'} {moves[0]} {answer.value} lost {answer.lost}: "
               f"{outcome_told(question, answer)} {moves[1]}")
        if not answer.right and number < ANSWERS:
            yield from _indented(map(str, refuted(puzzle, question, answer, NAMES[:2])))
        for defence in answer.defences:
            yield f"  reply {_moves(question.position, defence.actions)}"
            yield from _indented(_indented(_question_lines(puzzle, defence.question)))


# --- data as text ----------------------------------------------------------------------------------------


def _plain(value: Any, position: Position) -> Any:
    """Dataclasses as dictionaries, actions as moves, numbers rounded."""
    if is_dataclass(value) and not isinstance(value, type):
        found: dict[str, Any] = {}
        for field in fields(value):
            inner = getattr(value, field.name)
            if field.name in ("turn", "rest", "actions", "line") and isinstance(inner, tuple):
                found[field.name] = _moves(position, inner)
            elif field.name == "lines":
                found[field.name] = [_moves(position, line) for line in inner]
            elif field.name not in ("seconds", "threat"):  # both depend on the clock
                found[field.name] = _plain(inner, position)
        return found
    if isinstance(value, tuple):
        return [_plain(each, position) for each in value]
    return round(value, 4) if isinstance(value, float) else value


def _moves(position: Position, line: Sequence[int]) -> str:
    return " ".join(position.game.moves.text(action) for action in line) or "nothing"


def _written(value: Any) -> str:
    """One line; what is empty is left out of objects, and what is 0 as well."""
    if isinstance(value, dict):
        if value.keys() == {"value", "low", "high"}:
            return _estimate(*(value[name] for name in ("value", "low", "high")))
        if value.keys() == {"turn", "rest"} and isinstance(value["turn"], list):
            return " ".join(value["turn"]) + (" then " + " ".join(value["rest"]) if value["rest"] else "")
        texts = {name: _written(each) for name, each in value.items()}
        return ", ".join(f"{name} {text}" for name, text in texts.items() if text not in NOTHING)
    if isinstance(value, list):
        parts = [f"{{{_written(each)}}}" if isinstance(each, dict) and "low" not in each else _written(each)
                 for each in value]
        return "" if NOTHING.issuperset(parts) else "[" + ", ".join(parts) + "]"
    return _number(value) if isinstance(value, float) else str(value)


def _estimate(value: float, low: float, high: float) -> str:
    """A number and its interval, which is symmetric but for rounding, unless it is cut off."""
    if low == high:
        return _number(value)
    if abs(high + low - 2 * value) < 0.02:
        return f"{_number(value)}±{(high - low) / 2:.3g}"
    return f"{_number(value)} ({_number(low)} to {_number(high)})"


def _number(value: float) -> str:
    return f"{value + 0.0:.4g}" if round(value, 4) else "0"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# --- writing the files -----------------------------------------------------------------------------------


def play(box: str, players: int) -> Record:
    """A game for a box that has none yet; two of its turns with help."""
    position, rng = azulejos.new(box, players=players), random.Random(2026)
    seats = [azulejos.bots.open(word) for word in PLAYERS[:players]]
    position.deal(rng)
    while not position.is_over:
        position.play(seats[position.to_move].play(position, Limit(nodes=1), rng=rng).move)
        position.deal(rng)
    record = Record.from_position(position, seats=NAMES[:players])
    decisions = [ply for ply in range(position.ply) if not position.at(ply).is_chance]
    for ply in rng.sample(decisions, 2):
        record.line[ply].hint = 2
    return record


def rewrite(name: str) -> None:
    if name in PUZZLES:
        path_of(name, "puzzles").write_text(puzzles_text(name), "utf-8")
        return
    game = path_of(name, "record")
    game.parent.mkdir(exist_ok=True)
    if not game.exists():
        box, _, players = name.rpartition("-")
        game.write_text(play(box, int(players)).write(), "utf-8")
    record = record_of(name)
    path_of(name, "review").write_text(review_text(record), "utf-8")
    path_of(name, "advice").write_text(advice_text(record), "utf-8")


if __name__ == "__main__":
    for each in sys.argv[1:] or [*(f"{box}-{players}" for box, players in GAMES), *PUZZLES]:
        rewrite(each)


