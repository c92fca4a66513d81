"""Mistakes of a reviewed game as cards: positions to be asked again, if one turn alone is best there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from azulejos.bots.workspaces import is_solvable
from azulejos.core.game import Seat
from azulejos.core.position import Position
from azulejos.insight.judge import Effort, efforts_for
from azulejos.insight.level import Comparison, GameLosses, TurnLoss, losses
from azulejos.insight.progress import Card, JudgedGame, Progress, Sentence
from azulejos.insight.puzzles.exact import NotProved, turns_of
from azulejos.insight.results import JudgedTurn, Review
from azulejos.insight.words import sentences

CLEAR: Final = 1.0
"""Points by which every other turn has to be worse."""
MOST_TURNS: Final = 200
"""Turns of a position; each is searched."""


def practice_of(
    review: Review, seat: int, *, table: str, at: int, effort: Effort | None = None
) -> Progress:
    """What somebody takes away from a finished review: cards, and what they gave away."""
    cards = tuple(cards_of(review, seat, table=table, at=at, effort=effort))
    game = judged_game(losses(review, seat, effort=effort), table=table, at=at, cards=len(cards))
    return Progress(cards=cards, games=(game,))


def cards_of(
    review: Review, seat: int, *, table: str, at: int, effort: Effort | None = None
) -> Iterator[Card]:
    """A card for each mistake of a seat whose better turn is the only good one.

    Only where rounds are solved: elsewhere not all turns can be judged well enough to say so.
    """
    game = review.record.replay()
    if not is_solvable(game):
        return
    comparison = Comparison(game, effort or efforts_for(game).level)
    own = [turn for turn in review.turns if turn.seat == seat and turn.better]
    mistakes = [turn for turn in own if turn.grade.is_mistake]
    for turn in reversed(mistakes):  # what is proved later is known earlier
        card = _card(review, game.at(turn.ply), turn, comparison, table, at)
        if card is not None:
            yield card


def _card(
    review: Review, before: Position, turn: JudgedTurn, comparison: Comparison, table: str, at: int
) -> Card | None:
    assert turn.better is not None
    try:
        turns = dict(turns_of(before))
    except NotProved:
        return None
    best = before.after(turn.better.turn).key
    if len(turns) > MOST_TURNS or best not in {after.key for after in turns.values()}:
        return None
    costs = comparison.costs(before, turns)
    if any((after.key == best) != (costs[actions] < CLEAR) for actions, after in turns.items()):
        return None
    position = before.text()
    return Card(
        id=hashlib.sha256(f"{position} {turn.seat}".encode()).hexdigest()[:16], at=at, position=position,
        table=table, ply=turn.ply, played=_text(before, turn.played.turn),
        better=_text(before, turn.better.turn), lost=round(turn.verdict.points.value, 1),
        judge=review.judge, weights=review.weights,
        names=tuple(player.name[:64] if player.bot else "" for player in review.record.seats),
        costs={_text(before, actions): cost for actions, cost in costs.items()},
        replies={_text(before, actions): _text(after, comparison.reply(after))
                 for actions, after in turns.items()},
        reasons=tuple(Sentence.of(sentence) for sentence in sentences(review, turn)[:6]),
    )


def _text(position: Position, actions: tuple[int, ...]) -> str:
    return " ".join(position.game.moves.text(action) for action in actions)


# --- judged games ----------------------------------------------------------------------------------------


def judged_game(found: GameLosses, *, table: str, at: int, cards: int) -> JudgedGame:
    return JudgedGame(
        table=table, seat=found.seat, at=at, box=found.box, players=found.players, judge=found.judge,
        weights=found.weights, level=found.version, cards=min(99, cards),
        losses=tuple((turn.own, turn.bots) for turn in found.turns),
    )


def game_losses(game: JudgedGame) -> GameLosses:
    """As `insight.level` wants it."""
    return GameLosses(
        version=game.level, judge=game.judge, weights=game.weights, box=game.box, players=game.players,
        seat=Seat(game.seat),
        turns=tuple(TurnLoss(number, own, bots) for number, (own, bots) in enumerate(game.losses)),
    )
