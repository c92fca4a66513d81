"""Puzzles: packs, proofs, trees of answers, difficulty, and solving them in a terminal."""

from __future__ import annotations

import datetime
import io
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from azulejos.cli import main
from azulejos.cli.puzzles import TerminalPuzzle
from azulejos.core import readiness, registry
from azulejos.core.position import Position
from azulejos.insight.puzzles import (
    Goal,
    Puzzle,
    PuzzleEnd,
    Question,
    SolverTurn,
    Value,
    daily,
    find,
    level_of,
    pack,
    packs,
    tree_of,
)
from azulejos.insight.puzzles.difficulty import (
    SKILLS,
    SURE,
    Trials,
    is_monotone,
    rated_again,
    shares_of,
    skill_of,
)
from azulejos.insight.puzzles.exact import answer_key, canonical_key, value_at
from azulejos.insight.puzzles.mine import DistinctPuzzles, MinedGame
from azulejos.insight.puzzles.packs import HEADING, read_pack, write_pack
from azulejos.insight.puzzles.prove import GAP, MOST_DEFENCES, UNSAFE, fault_of
from azulejos.insight.puzzles.puzzle import read_line, write_line

BOXES = sorted(packs())
every_box = pytest.mark.parametrize("box", BOXES)
SMALL = 1500
"""Positions of the rest of a round that a minimax in plain Python visits in a moment."""


def sample(box: str, count: int) -> list[Puzzle]:
    return random.Random(box).sample(pack(box), min(count, len(pack(box))))


def first(goal: Goal, box: str = "azul") -> Puzzle:
    return next(puzzle for puzzle in pack(box) if puzzle.goal is goal)


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    for box in BOXES:
        readiness.use_compiled(registry.find(box)[0])


# --- packs ----------------------------------------------------------------------------------------------


@every_box
def test_a_pack_is_read_and_written_as_it_is(box: str, tmp_path: Path) -> None:
    puzzles = pack(box)
    assert len(puzzles) > 10
    assert {puzzle.box for puzzle in puzzles} == {box}
    write_pack(tmp_path / "copy.txt", puzzles)
    assert (tmp_path / "copy.txt").read_bytes() == packs()[box].read_bytes()
    assert find(box, puzzles[-1].id) is puzzles[-1]


@every_box
def test_no_two_puzzles_of_a_pack_are_alike(box: str) -> None:
    assert len(DistinctPuzzles(pack(box))) == len(pack(box))


@every_box
def test_success_grows_with_skill(box: str) -> None:
    monotone = [is_monotone(puzzle.curve) for puzzle in pack(box)]
    assert sum(monotone) >= 0.95 * len(monotone)
    for puzzle in pack(box):
        skill = skill_of(puzzle.curve, SURE if puzzle.goal is Goal.SAFE else 0.5)
        assert skill is not None
        assert skill - 0.01 <= puzzle.difficulty <= skill + 0.51
        assert 1 <= level_of(puzzle) <= 7


@every_box
def test_packs_were_rated_with_today_s_bots(box: str) -> None:
    """If this fails because networks have changed: `azulejos puzzles rate`."""
    trials = Trials()
    for puzzle in sample(box, 6):
        rated = rated_again(puzzle, trials)
        assert rated is not None
        assert (rated.curve, rated.difficulty) == (puzzle.curve, puzzle.difficulty)


@pytest.mark.slow
def test_rating_a_rated_pack_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "rated.txt"
    result = CliRunner().invoke(main, ["puzzles", "rate", "garden", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert read_pack(out, "garden") == pack("garden")


@pytest.mark.slow
@every_box
def test_success_grows_with_skill_for_other_seeds(box: str) -> None:
    trials, monotone = Trials(), []
    for puzzle in (each for each in sample(box, 120) if each.goal is not Goal.SAFE):
        right = {puzzle.start().after(answer.actions).key for answer in tree_of(puzzle).answers
                 if answer.right}
        hardest = SKILLS[len(puzzle.curve) - 1]
        monotone.append(is_monotone(trials.curve(puzzle.start(), right, seed="fresh", hardest=hardest)))
    assert sum(monotone) >= 0.95 * len(monotone)


def test_the_puzzle_of_the_day_changes_daily_and_comes_back_after_all_others() -> None:
    size, day = len(pack("azul")), datetime.date(2026, 11, 17)
    year = [daily("azul", day + datetime.timedelta(days=n)).id for n in range(size + 1)]
    assert len(set(year)) == size
    assert year[0] == year[-1]


GOOD = next(iter(pack("azul")))
COLUMNS = write_line(GOOD).split(" ")


def changed(column: int, text: str) -> str:
    return " ".join([*COLUMNS[:column], text, *COLUMNS[column + 1 :]])


@pytest.mark.parametrize(("line", "reason"), [
    ("", "a puzzle has 9 columns"),
    (write_line(GOOD) + " more", "a puzzle has 9 columns"),
    (changed(0, "x"), "'x' is not the name of a puzzle"),
    (changed(1, "draw"), "'draw' is none of win, points, safe"),
    (changed(2, "hard"), "'hard' is not a difficulty"),
    (changed(3, "!!"), "'!!' is not a curve"),
    (changed(4, "luck"), "'luck' is none of own"),
    (changed(5, "5"), "'5' is not a margin"),
    (changed(5, "+05"), "'+05' is not a margin"),
    (changed(7, "9z9"), "the turn cannot be played"),
    (changed(7, f"{GOOD.turn[0]}+{GOOD.turn[0]}"), "the turn cannot be played: it has already ended"),
    (changed(8, "to_move=0,wall=5"), "the position cannot be read"),
    (changed(8, "round=1"), "nobody begins a turn"),
])
def test_a_bad_line_is_refused_with_a_reason(line: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_line(line, "azul")
    path = tmp_path / "azul.txt"
    path.write_text(f"{HEADING}\n{write_line(GOOD)}\n{line}\n", "utf-8")
    with pytest.raises(ValueError, match=re.escape(f"azul.txt, line 3: {reason}")):
        read_pack(path, "azul")


def test_a_file_that_is_no_pack_and_a_puzzle_that_is_there_twice_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "azul.txt"
    path.write_text("hello\n", "utf-8")
    with pytest.raises(ValueError, match="does not begin with"):
        read_pack(path, "azul")
    path.write_text(f"{HEADING}\n" + 2 * f"{write_line(GOOD)}\n", "utf-8")
    with pytest.raises(ValueError, match="there twice"):
        read_pack(path, "azul")


# --- proofs ---------------------------------------------------------------------------------------------


@every_box
def test_puzzles_are_proved_again_without_the_miner_s_shortcuts(box: str) -> None:
    for puzzle in sample(box, 4):
        assert fault_of(puzzle) is None, puzzle


@pytest.mark.slow
@every_box
def test_all_puzzles_are_proved_again(box: str) -> None:
    for puzzle in pack(box):
        assert fault_of(puzzle) is None, puzzle


@every_box
def test_small_puzzles_are_proved_by_a_minimax_over_positions(box: str) -> None:
    """Shares nothing with the solver but the rules; each turn is searched to the end of the round."""
    checked = 0
    for puzzle in sample(box, 60):
        start = puzzle.start()
        if checked < 2 and _size(start, SMALL) < SMALL:
            checked += 1
            tree = tree_of(puzzle)
            for answer in tree.answers:
                assert _minimax(start.after(answer.actions), puzzle.goal, start.to_move,
                                int(start.state.round)) == _worth(puzzle.goal, answer.value)


def _size(position: Position, limit: int) -> int:
    """How many positions can be reached, as long as they are fewer than a limit."""
    count, waiting = 0, [position]
    while waiting and count < limit:
        here = waiting.pop()
        count += 1
        if here.to_move >= 0:
            waiting += [here.after([action]) for action in here.legal_actions()]
    return count if count < limit else limit


def _minimax(position: Position, goal: Goal, seat: int, round_: int) -> int:
    if position.to_move < 0:
        assert position.is_over or position.state.round > round_, "something was drawn within the round"
        return _worth(goal, value_at(position, seat))
    best = max if position.to_move == seat else min
    return best(_minimax(position.after([action]), goal, seat, round_)
                for action in position.legal_actions())


def _worth(goal: Goal, value: Value) -> int:
    order = {PuzzleEnd.WON: 1, PuzzleEnd.LOST: -1}
    return value.margin + (10_000 * order.get(value.result, 0) if goal is Goal.WIN and value.result else 0)


@pytest.mark.parametrize("goal", list(Goal))
def test_wrong_claims_are_found(goal: Goal) -> None:
    puzzle = first(goal)
    better = replace(puzzle.best, margin=puzzle.best.margin + 1)
    assert fault_of(replace(puzzle, best=better)) is not None
    tree = tree_of(puzzle)
    wrong = next(answer for answer in reversed(tree.answers) if not answer.right)
    moves = tuple(puzzle.start().game.moves.text(action) for action in wrong.actions)
    assert fault_of(replace(puzzle, turn=moves, other=puzzle.best)) is not None


# --- trees ----------------------------------------------------------------------------------------------


def questions(question: Question) -> Iterator[tuple[Question, int]]:
    """Every decision that is asked, with the number of those before it."""
    waiting = [(question, 0)]
    while waiting:
        asked, before = waiting.pop()
        yield asked, before
        waiting += [
            (defence.question, before + 1) for answer in asked.answers for defence in answer.defences
        ]


@every_box
def test_every_decision_that_is_asked_has_one_answer(box: str) -> None:
    for puzzle in sample(box, 4):
        for asked, before in questions(tree_of(puzzle)):
            right = [answer for answer in asked.answers if answer.right]
            assert len({answer_key(asked.position.after(answer.actions)) for answer in right}) == 1
            assert len(asked.answers) > len(right)
            assert asked.position.to_move == puzzle.seat
            assert all(len(answer.defences) <= MOST_DEFENCES for answer in asked.answers)
            assert before < 3
            if puzzle.goal is Goal.POINTS:
                key = answer_key(asked.position.after(right[0].actions))
                others = [answer for answer in asked.answers
                          if answer_key(asked.position.after(answer.actions)) != key]
                assert all(answer.lost >= GAP for answer in others)


@every_box
def test_lines_lead_to_what_they_say(box: str) -> None:
    for puzzle in sample(box, 2):
        tree = tree_of(puzzle)
        for answer in tree.answers:
            end = tree.position.after((*answer.actions, *answer.line))
            assert end.to_move < 0
            assert value_at(end, puzzle.seat) == answer.value


@every_box
def test_every_legal_turn_has_an_answer(box: str) -> None:
    puzzle = sample(box, 1)[0]
    tree, rng = tree_of(puzzle), random.Random(1)
    for _ in range(20):
        here, actions = puzzle.start(), list[int]()
        while not actions or (here.to_move == puzzle.seat and here.in_turn):
            actions.append(rng.choice(here.legal_actions()))
            here.play(actions[-1])
        assert tree.position.after(tree.answer(tuple(actions)).actions).key == here.key


@pytest.mark.parametrize("box", [box for box in BOXES if any(p.goal is Goal.SAFE for p in pack(box))])
def test_a_turn_is_safe_or_costs_much(box: str) -> None:
    for puzzle in [each for each in pack(box) if each.goal is Goal.SAFE][:3]:
        tree = tree_of(puzzle)
        moves = puzzle.start().game.moves
        proposed = tree.answer(tuple(moves.number(text) for text in puzzle.turn))
        assert proposed.right == puzzle.is_safe
        assert proposed.lost == 0 if puzzle.is_safe else proposed.lost >= UNSAFE


# --- mining ---------------------------------------------------------------------------------------------


def test_mining_depends_on_the_seed_alone_and_finds_what_can_be_proved() -> None:
    games = (MinedGame(box="azul", seed=seed) for seed in range(1, 20))
    game, found = next((game, found) for game in games if (found := game.mine()))
    assert found == game.mine()
    for puzzle in found:
        assert read_line(write_line(puzzle), "azul").id == puzzle.id
        assert shares_of(puzzle.curve)[0] < 0.9


def test_distinct_puzzles_refuse_the_same_position_twice() -> None:
    assert len(DistinctPuzzles([GOOD, replace(GOOD, id="another0")])) == 1


# --- in the terminal ------------------------------------------------------------------------------------


def typed(puzzle: Puzzle, *lines: str, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    """What the terminal says to somebody who types these lines and then leaves."""
    out, waiting = Console(file=io.StringIO(), width=200), [*lines, "quit"]
    monkeypatch.setattr(out, "input", lambda prompt, **_: waiting.pop(0))
    solved = TerminalPuzzle(puzzle, rng=random.Random(1), out=out).run()
    assert isinstance(out.file, io.StringIO)
    return solved, out.file.getvalue()


def moves_of(puzzle: Puzzle, answer: SolverTurn) -> str:
    return " ".join(puzzle.start().game.moves.text(action) for action in answer.actions)


@pytest.mark.parametrize("goal", [Goal.WIN, Goal.POINTS])
def test_a_wrong_turn_is_refuted_and_the_right_one_solves(
    goal: Goal, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = next(each for each in pack("azul") if each.goal is goal and "deep" not in each.themes)
    wrong = next(answer for answer in tree_of(puzzle).answers if not answer.right)
    solved, said = typed(puzzle, "0z0", "help", moves_of(puzzle, wrong), " ".join(puzzle.turn),
                         monkeypatch=monkeypatch)
    assert solved
    assert "cannot be read" in said
    assert "Not this one." in said
    assert "Best play after it" in said or not wrong.line
    assert "Solved with 2 tries." in said


def test_a_deep_puzzle_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(each for each in pack("azul") if "deep" in each.themes)
    solved, said = typed(puzzle, " ".join(puzzle.turn), "answer", monkeypatch=monkeypatch)
    assert not solved
    assert "And now?" in said or "you move again" in said
    assert "The answer:" in said


def test_yes_and_no_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    for puzzle in [each for each in pack("azul") if each.goal is Goal.SAFE][:2]:
        right, wrong = ("yes", "no") if puzzle.is_safe else ("no", "yes")
        solved, said = typed(puzzle, "perhaps", wrong, right, monkeypatch=monkeypatch)
        assert solved
        assert "Type yes or no." in said
        assert "Wrong. Look again." in said
        assert canonical_key(puzzle.start())
