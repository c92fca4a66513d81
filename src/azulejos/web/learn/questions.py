"""What a page can ask, as decisions (`learn.script`): a proved puzzle, a card of an own mistake, a turn of
a review before its answer is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from azulejos.bots.workspaces import is_solvable
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.i18n import is_ours
from azulejos.insight.progress import Card
from azulejos.insight.puzzles import Goal, Puzzle, Question, SolverTurn, tree_of
from azulejos.insight.puzzles.exact import Exact
from azulejos.insight.puzzles.explain import contrast, gift_in, outcome_told, reasons_of
from azulejos.insight.results import JudgedTurn
from azulejos.insight.words import clause_of, reason_sentences, turn_sentences, what_follows
from azulejos.web.learn.script import Actions, Decision, KnownTurn, NextDecision, Script, script_of

# --- puzzles ---------------------------------------------------------------------------------------------


def puzzle_script(puzzle: Puzzle, names: Sequence[str], language: str) -> Script:
    """Everything that can be answered, in one language; raises NotProved."""
    question, writer = tree_of(puzzle), _PuzzleWriter(puzzle, names)
    return script_of(writer.proposal(question) if puzzle.goal is Goal.SAFE else writer.decision(question),
                     names, language)


class _PuzzleWriter:
    """Writes the decisions of a puzzle."""

    def __init__(self, puzzle: Puzzle, names: Sequence[str]) -> None:
        self.puzzle, self.names = puzzle, names
        start = puzzle.start()
        self._seat = start.to_move
        self._exact = Exact(start.game, puzzle.goal)
        self._exact.begin(start)

    def decision(self, question: Question) -> Decision:
        by_key = {question.position.after(answer.actions).key: answer for answer in question.answers}

        def judge(turn: Actions, after: Position) -> KnownTurn:
            answer = by_key[after.key]
            said = [*self._reply(after, answer), outcome_told(question, answer),
                    *self._why(question, answer)]
            return KnownTurn(
                right=answer.right, said=said, line=answer.line,
                next=[NextDecision(actions=each.actions, decision=self.decision(each.question))
                      for each in answer.defences],
            )

        return Decision(position=question.position, best=question.answers[0].actions, judge=judge)

    def proposal(self, question: Question) -> Decision:
        """One turn is proposed; the page asks whether it is safe and shows what follows it."""
        number = question.position.game.moves.number
        return replace(self.decision(question), best=tuple(number(move) for move in self.puzzle.turn))

    def _reply(self, after: Position, answer: SolverTurn) -> list[Message]:
        """How the other seat punishes a wrong turn."""
        reply = after.first_turn(answer.line)
        if answer.right or not reply or after.to_move == self._seat:
            return []
        return turn_sentences(after, reply, self.names[after.to_move])

    def _why(self, question: Question, answer: SolverTurn) -> list[Message]:
        """After a wrong turn what it leads to, after a right one what that leads to: both would give the
        answer away, or speak of a turn that nobody chose."""
        others = [each for each in question.answers if not each.right]
        if answer.right and not others:
            return []
        best, position = question.answers[0], question.position
        worse = others[0] if answer.right else answer
        found = contrast(position, (*best.actions, *best.line), (*worse.actions, *worse.line),
                         turn=len(best.actions), other=len(worse.actions))
        reasons, seat = reasons_of(found, gift_in(found, self._exact))[:1], position.to_move
        if answer.right:
            return [what_follows(each.better, clause_of(position, self.names, seat, each.better.fact))
                    for each in reasons]
        return [sentence for each in reasons
                for sentence in reason_sentences(position, self.names, seat, each)[:-1]]


# --- cards -----------------------------------------------------------------------------------------------

EQUAL = 0.05
"""Points: a turn that loses less is as good as the best."""


def card_script(card: Card, names: Sequence[str], language: str) -> Script:
    """Every turn with its answer; raises ValueError if the card cannot be read by this version."""
    return script_of(card_decision(card), names, language)


def card_decision(card: Card) -> Decision:
    position = Position.from_text(card.position)
    best = actions_of(position, card.better)
    reasons = [sentence.message() for sentence in card.reasons]
    told = [reason for reason in reasons if is_ours(reason)]
    right = position.after(best).key
    known = {position.after(actions_of(position, text)).key: text for text in card.costs}

    def judge(turn: Actions, after: Position) -> KnownTurn:
        text = known.get(after.key, "")
        reply = _reply(after, card.replies.get(text, ""))
        if after.key == right or card.costs.get(text, 1.0) < EQUAL:
            return KnownTurn(right=True, said=[*_in_the_game(card, position), *told], line=reply)
        return KnownTurn(right=False, said=_cost(card, text), line=reply)

    return Decision(position=position, best=best, judge=judge)


def actions_of(position: Position, text: str) -> Actions:
    """The actions of a turn; raises ValueError if it is not legal."""
    return position.after(text.split()).history.actions[position.ply :]


def _reply(after: Position, text: str) -> Actions:
    return actions_of(after, text) if after.to_move >= 0 else ()


def _cost(card: Card, text: str) -> list[Message]:
    played = [msg("That is what you played in the game.")] if text == card.played else []
    if text not in card.costs:
        return [*played, msg("Another turn is better.")]
    return [*played, msg("It costs you about {points} points.", points=round(card.costs[text], 1))]


def _in_the_game(card: Card, position: Position) -> list[Message]:
    played = actions_of(position, card.played)
    return [*turn_sentences(position, played, ""),
            msg("That gave away about {points} points.", points=round(card.lost, 1))]


# --- turns of a review -----------------------------------------------------------------------------------


def can_be_asked(position: Position) -> bool:
    """The page has room for two boards, and a turn there is short enough to write down all of them."""
    return is_solvable(position)


def turn_decision(before: Position, turn: JudgedTurn, reasons: Sequence[Message]) -> Decision:
    """The better turn is right; what was played has its cost; of others the review knows only that the
    judge would not play them."""
    better = turn.better
    if better is None:
        raise ValueError("nothing better was found, so there is nothing to ask")
    right, played = (before.after(line.turn).key for line in (better, turn.played))
    cost = msg("It costs you about {points} points.", points=round(turn.verdict.points.value, 1))

    def judge(_: Actions, after: Position) -> KnownTurn:
        if after.key == right:
            return KnownTurn(right=True, said=reasons, line=better.rest)
        if after.key == played:
            said = [msg("That is what was played."), cost]
            return KnownTurn(right=False, said=said, line=turn.played.rest)
        return KnownTurn(right=False, said=[msg("The judge would play another turn.")], line=())

    return Decision(position=before, best=better.turn, judge=judge)
