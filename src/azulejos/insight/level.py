"""How strong somebody plays: what they gave away a turn, beside what bots of known level give away in the
same positions.

    games = [losses(review, seat=0) for review in reviews_of_this_person]
    estimate(games).level        # from 1 to 7, as in bots/levels.py

All turns of a position, the person's and those of the bots, are judged by the same searches, so an easy
game flatters nobody, and errors of the judge that they share cancel.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.bots.levels import NAMES, standards
from azulejos.bots.skill import SEARCHES, SkillBot
from azulejos.core.game import Seat
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.engine.value import WIN
from azulejos.insight.judge import Effort, Z, efforts_for, judge_for
from azulejos.insight.results import JudgedTurn, Review
from azulejos.protocol.bot import Limit

VERSION: Final = 1
"""Of how losses are compared; losses of different versions should be computed again."""
WEAKEST: Final = 1.0
STRONGEST: Final = float(len(NAMES))
RUNGS: Final = (1.0, 1.5, 2.5, 3.5, 4.5, 5.5)
"""The strengths that are asked, on the scale of levels. They lie between the levels, so that a bot of a
known level is not compared with itself; the turn that the review found best stands for the last level."""
SCALE: Final = (*RUNGS, STRONGEST)
EYES: Final = (1e-3, 2e-3, 3e-3)
"""Added to a skill whose errors depend on the position and the skill alone: other errors, same strength."""
WIDER: Final = 1.3
"""Turns of one game resemble each other, and the bots that are asked are not the levels themselves: as wide
as independent turns would make them, intervals held the level of 17 of 22 sets of five games, so 77 %
instead of 90 (bench/level.py)."""


def _grid() -> Cells:
    """The levels among which one is looked for."""
    return np.linspace(WEAKEST, STRONGEST, 241)


@dataclass(frozen=True, slots=True)
class TurnLoss:
    """What a turn lost, in points with the win counted as points (engine/value.py)."""

    ply: int
    own: float
    bots: tuple[float, ...]
    """By strength, as in `SCALE`: what these bots would have lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLosses:
    """A seat's turns of one game, judged; small enough to be kept."""

    version: int
    judge: int
    weights: str
    box: str
    players: int
    seat: Seat
    turns: tuple[TurnLoss, ...]
    """Those with a choice, and without help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelEstimate:
    """A strength on the scale of the levels, with its 90 % interval."""

    level: float
    low: float
    high: float
    games: int
    turns: int
    given: float
    """Points given away a turn."""

    @property
    def name(self) -> Message:
        """The level nearest to the estimate."""
        return NAMES[round(self.level) - 1]

    @property
    def names(self) -> tuple[Message, Message]:
        """The levels nearest to the ends of the interval."""
        return NAMES[round(self.low) - 1], NAMES[round(self.high) - 1]


# --- losses ----------------------------------------------------------------------------------------------


def losses(review: Review, seat: int, *, effort: Effort | None = None) -> GameLosses:
    """What a seat lost in each of its turns, and what bots would have lost there."""
    game = review.record.replay()
    comparison = Comparison(game, effort or efforts_for(game).level)
    helped = review.helped(seat)
    turns = [turn for turn in review.turns
             if turn.seat == seat and turn.choices > 1 and turn.ply not in helped]
    found = [comparison.loss(turn) for turn in reversed(turns)]  # what is proved later is known earlier
    return GameLosses(
        version=VERSION, judge=review.judge, weights=review.weights, box=game.preset.name,
        players=game.players, seat=Seat(seat), turns=tuple(found[::-1]),
    )


class Comparison:
    """Judges the turns of a person and of bots in the positions of a game."""

    def __init__(self, game: Position, effort: Effort) -> None:
        self._game, self._effort = game, effort
        self._judge, self._round = judge_for(game), -1
        self._rungs = [rung_bots(skill) for skill in rung_skills(game)]

    def loss(self, turn: JudgedTurn) -> TurnLoss:
        before = self._game.at(turn.ply)
        self._begin(turn.round)
        own, best = turn.played.turn, (turn.better or turn.played).turn
        rungs = [[whole_turn(bot, before) for bot in bots] for bots in self._rungs] + [[best]]
        worth = self._worth(before, {own, *(line for lines in rungs for line in lines)})
        most = max(worth.values())
        return TurnLoss(turn.ply, _rounded(most - worth[own]), tuple(
            _rounded(most - sum(worth[line] for line in lines) / len(lines)) for lines in rungs
        ))

    def costs(
        self, before: Position, turns: Iterable[tuple[int, ...]]
    ) -> dict[tuple[int, ...], float]:
        """By turn: what it loses compared with the best of them."""
        self._begin(int(before.state.round))
        worth = self._worth(before, turns)
        most = max(worth.values())
        return {turn: _rounded(most - found) for turn, found in worth.items()}

    def reply(self, after: Position) -> tuple[int, ...]:
        """The turn that the judge expects next; empty if the round is over."""
        return after.first_turn(self._judge.best(after).line) if after.to_move >= 0 else ()

    def _begin(self, number: int) -> None:
        if number != self._round:
            self._judge.begin(self._effort)
        self._round = number

    def _worth(self, before: Position, turns: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], float]:
        """By turn: points for the seat to move, with the win counted as points."""
        known: dict[bytes, float] = {}
        worth = {}
        for turn in turns:
            after = before.after(turn)
            if after.key not in known:
                margin, win = self._judge.outlook(after)[before.to_move]
                known[after.key] = float(margin + WIN / 100 * (2 * win - 1))
            worth[turn] = known[after.key]
        return worth


def rung_skills(position: Position) -> list[float]:
    """The skills of `RUNGS` at a table."""
    levels = [level.skill for level in standards(position.game, position.players, position.options)]
    known = [skill for skill in levels if not math.isinf(skill)]
    return [float(np.interp(rung, 1 + np.arange(len(known)), known)) for rung in RUNGS]


def rung_bots(skill: float) -> list[SkillBot]:
    """Bots of one strength; several where they err at random."""
    return [SkillBot(skill + eye) for eye in EYES] if skill < SEARCHES else [SkillBot(skill)]


def whole_turn(bot: SkillBot, before: Position) -> tuple[int, ...]:
    """The actions of a bot's turn."""
    here, seat = before.copy(), before.to_move
    while True:
        here.play(bot.play(here, Limit(nodes=1 << 40)).move)
        if not here.in_turn_of(seat):
            return here.history.actions[before.ply :]


def _rounded(points: float) -> float:
    return round(points, 2)


# --- the estimate ----------------------------------------------------------------------------------------


def estimate(games: Sequence[GameLosses]) -> LevelEstimate | None:
    """The level that loses as much as the person did; None if there is no turn to judge by.

    The interval holds every level whose losses do not differ from the person's more than chance explains,
    turn by turn in the same positions.
    """
    turns = [turn for game in games for turn in game.turns]
    if not turns:
        return None
    own = np.array([turn.own for turn in turns])
    excess = excesses(own, np.array([turn.bots for turn in turns]))
    level = level_with(excess.mean(axis=0))
    possible = [level, *_grid()[np.abs(deviations(excess)) <= WIDER * Z]]
    low, high = min(possible), max(possible)
    return LevelEstimate(level=level, low=float(low), high=float(high), games=len(games), turns=len(turns),
                         given=float(own.mean()))


def excesses(own: Cells, bots: Cells) -> Cells:
    """[turn, grid]: how much more the person lost than a bot of that strength."""
    grid = _grid()
    position = np.clip(np.searchsorted(SCALE, grid) - 1, 0, len(SCALE) - 2)
    share = (grid - np.array(SCALE)[position]) / np.diff(SCALE)[position]
    expected = bots[:, position] * (1 - share) + bots[:, position + 1] * share
    found: Cells = own[:, None] - expected
    return found


def level_with(excess: Cells) -> float:
    """The level that loses as much; an end of the scale for who loses more, or less, than every level."""
    if excess.min() > 0:
        return WEAKEST
    return STRONGEST if excess.max() < 0 else float(_grid()[np.abs(excess).argmin()])


def deviations(excess: Cells) -> Cells:
    """[grid]: the mean over the turns in standard errors."""
    error = np.maximum(excess.std(axis=0), 1e-3) / math.sqrt(len(excess))
    found: Cells = excess.mean(axis=0) / error
    return found


def told(found: LevelEstimate | None) -> Message:
    """An estimate in a sentence or two."""
    if found is None:
        return msg("These games have no turn with a choice.")
    return msg("You play like {name}: level {level} ({low} to {high} with 90 % certainty), after {games}. "
               "You give away {points} points per turn.", name=found.name, level=round(found.level, 1),
               low=round(found.low, 1), high=round(found.high, 1),
               games=nmsg("{n} game", "{n} games", n=found.games), points=round(found.given, 2))
