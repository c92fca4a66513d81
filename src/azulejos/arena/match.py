"""Matches: the same deals in every seat order; each result is saved when its game ends."""

from __future__ import annotations

import functools
import itertools
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from azulejos import __version__, bots
from azulejos.bots.words import split_time
from azulejos.bots.workspaces import is_solvable
from azulejos.core.position import Position, new
from azulejos.core.record import Player, Record
from azulejos.insight.judge import Judge, judge_for
from azulejos.insight.ledger import deal_luck
from azulejos.insight.scale import MARGIN
from azulejos.protocol.bot import Bot, Limit
from azulejos.protocol.external import ExternalBot

QUICK = re.compile(r"random|greedy|level:[1-6](@.*)?|skill:.*")
"""Bots that need little of the time they have."""
LUCK_NODES = 100_000
"""Positions to search after each deal whose luck is measured, where rounds can be solved; ..."""
LUCK_SIMULATIONS = 300
"""... elsewhere simulations."""


@dataclass(frozen=True, kw_only=True)
class Match:
    """The bots and their limits. A bot that is named twice takes two seats.

    A bot is a word (`azulejos.bots.open`) or an object of your own; processes get copies of it by pickle.
    """

    game: str
    bots: tuple[str | Bot, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    nodes: int | None = None
    seed: int = 0
    luck: int = 0
    """Other deals with which every deal is compared, to tell luck from skill; 0: none."""

    def __post_init__(self) -> None:
        named: dict[str, str | Bot] = {}
        for bot in self.bots:
            if not isinstance(bot, str | Bot):
                raise TypeError(f"a bot is a word or a Bot, not {bot!r}")
            if named.setdefault(word_of(bot), bot) is not bot and not isinstance(bot, str):
                raise ValueError(f"two different bots are both called {bot.word}: give one another word")

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """What the bots are called in results."""
        return tuple(map(word_of, self.bots))

    def described(self) -> dict[str, Any]:
        """As plain data, with words for bots."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**found, "bots": list(self.words), "options": dict(self.options)}

    @property
    def limit(self) -> Limit:
        """CPU time, not wall-clock time: other load on the machine must not affect the result."""
        return Limit(seconds=self.seconds, nodes=self.nodes, cpu=True)

    def orders(self) -> list[tuple[int, ...]]:
        """Every different seating of the bots: order[seat] is the index of a bot."""
        seen: dict[tuple[str, ...], tuple[int, ...]] = {}
        for order in itertools.permutations(range(len(self.bots))):
            seen.setdefault(tuple(self.words[i] for i in order), order)
        return list(seen.values())

    def fixtures(self, first_deal: int, deals: int) -> Iterator[Fixture]:
        for deal in range(first_deal, first_deal + deals):
            for order in self.orders():
                yield Fixture(deal, order)


def word_of(bot: str | Bot) -> str:
    return bot if isinstance(bot, str) else bot.word


@dataclass(frozen=True, order=True)
class Fixture:
    """One game to be played: the deal and the seating."""

    deal: int
    order: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Result:
    """One finished game; tuples are indexed by seat, and `order` names the bots."""

    deal: int
    order: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    plies: int
    seconds: tuple[float, ...]
    faults: tuple[int, ...] = ()
    """How often a random move replaced that of a failing program (`protocol.external`)."""
    luck: tuple[float, ...] = ()
    """Points of the margin that the deals brought each seat; empty if it was not measured."""
    actions: tuple[int, ...] = field(default=(), repr=False, compare=False)
    """All actions, chance included. Not stored in a log."""

    @property
    def fixture(self) -> Fixture:
        return Fixture(self.deal, self.order)

    def shares(self) -> tuple[float, ...]:
        """The win by seat, divided equally among the winners."""
        winners = self.ranks.count(1)
        return tuple(1 / winners if rank == 1 else 0.0 for rank in self.ranks)


def play(match: Match, fixture: Fixture) -> Result:
    """Play one game. Its random draws depend only on the match's seed and the deal."""
    position = new(match.game, players=len(match.bots), **match.options)
    rng = random.Random(f"{match.seed}/{fixture.deal}")
    seated = [(seat, match.bots[i]) for seat, i in enumerate(fixture.order)]
    bots = [_bot(bot, seat) if isinstance(bot, str) else bot for seat, bot in seated]
    spent = [0.0] * len(bots)
    before = _faults(bots)
    while not position.is_over:
        position.deal(rng)
        if not position.is_over:
            seat = position.to_move
            result = bots[seat].play(position, match.limit)
            spent[seat] += result.seconds
            position.play(result.move)
    faults = tuple(now - then for now, then in zip(_faults(bots), before, strict=True))
    luck = measured_luck(position, match.luck) if match.luck else ()
    return _result(fixture, position, spent, faults, luck)


def _faults(bots: Iterable[Bot]) -> list[int]:
    return [len(bot.faults) if isinstance(bot, ExternalBot) else 0 for bot in bots]


def _result(
    fixture: Fixture, position: Position, spent: list[float], faults: tuple[int, ...],
    luck: tuple[float, ...],
) -> Result:
    outcome = position.outcome()
    if outcome is None:
        raise ValueError("the game is not over")
    return Result(
        deal=fixture.deal, order=fixture.order, scores=outcome.scores, ranks=outcome.ranks,
        plies=position.ply, seconds=tuple(round(seconds, 3) for seconds in spent), faults=faults, luck=luck,
        actions=position.history.actions,
    )


def measured_luck(game: Position, deals: int) -> tuple[float, ...]:
    """[seat]: points that the deals of a finished game brought, compared with `deals` others each."""
    nodes = LUCK_NODES if is_solvable(game) else LUCK_SIMULATIONS
    judge = _judge(game.preset.name, game.players)
    luck = deal_luck(judge, game, deals=deals, nodes=nodes)
    return tuple(round(float(points), 2) for points in luck[:, MARGIN])


def record_of(match: Match, result: Result) -> Record:
    """The record of a result that was just played."""
    start = new(match.game, players=len(match.bots), **match.options)
    words = [match.words[bot] for bot in result.order]
    seats = tuple(Player(word, bot=f"{word} {__version__}") for word in words)
    tags = {"Event": "match", "Deal": str(result.deal), "DealSeed": str(match.seed)}
    return Record.of_actions(start, result.actions, seats=seats, tags=tags)


def forget_bots() -> None:
    """Open new ones for the next game: a game that was left behind may still use these."""
    _bot.cache_clear()


@functools.cache
def _bot(word: str, seat: int) -> Bot:
    """A bot for each seat, reused in later games; seats must not share a bot's memory."""
    return bots.open(word, commands=True)


@functools.lru_cache(maxsize=1)
def _judge(box: str, players: int) -> Judge:
    return judge_for(new(box, players=players))


def usual_seconds(match: Match) -> float:
    """Seconds that a game takes if its bots use their time; 0 if no limit of time says so."""
    rng = random.Random(match.seed)
    position = new(match.game, players=len(match.bots), **match.options)
    limits = [_seconds_of(word, match) for word in match.words]
    total = 0.0
    while not position.is_over:
        position.deal(rng)
        if not position.is_over:
            moves = position.legal_actions()
            total += limits[position.to_move] if len(moves) > 1 else 0.0
            position.play(rng.choice(moves))
    return total


def _seconds_of(word: str, match: Match) -> float:
    if QUICK.fullmatch(word):
        return 0.0
    own = split_time(word)[1] if ":./" not in word else None
    return own or match.seconds or 0.0


class Log:
    """An append-only file of results: an interrupted match can be continued from it."""

    def __init__(self, path: Path, match: Match) -> None:
        self.path = path
        described = {name: value for name, value in match.described().items() if name != "luck" or value}
        self.header = {"match": json.loads(json.dumps(described))}
        if not path.exists() or path.stat().st_size == 0:
            self._append(self.header)

    def read(self) -> list[Result]:
        """Results so far; drops an incomplete last line and refuses to change a file that is not a log."""
        whole = self.path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        header, *lines = self._parsed(kept) or [None]
        if header != self.header:
            raise ValueError(f"{self.path} holds another match, or none at all: {header}")
        if kept != whole:
            self.path.write_bytes(kept)
        return [_read(line) for line in lines]

    def _parsed(self, lines: bytes) -> list[Any]:
        try:
            return [json.loads(line) for line in lines.decode().splitlines()]
        except ValueError as error:
            raise ValueError(f"{self.path} is no log of a match: {error}") from error

    def add(self, result: Result) -> None:
        self._append({name: value for name, value in asdict(result).items() if name != "actions"})

    def _append(self, record: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def _read(line: dict[str, Any]) -> Result:
    tuples = {name: tuple(value) for name, value in line.items() if isinstance(value, list)}
    return Result(**{**line, **tuples})


def missing(match: Match, deals: int, played: Iterable[Result]) -> list[Fixture]:
    """The games of the first `deals` deals that have not been played yet."""
    done = {result.fixture for result in played}
    return [fixture for fixture in match.fixtures(0, deals) if fixture not in done]
