"""Conditional frequencies: how often a draw repeats something that was drawn before, against the odds.

Before every draw an event names some of its outcomes, from what was drawn earlier in the game: "the same as
at this place in the round before". If every draw has exactly the odds of its position, whatever was seen,
then the sum of (1 if it happened, else 0) - (its chance) has mean 0, and its variance is the sum of
chance * (1 - chance), whoever plays what.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import azulejos
from azulejos import Position
from azulejos.core.position import chance_weights

BINS = 20


class Dealer(Protocol):
    def draw(self, position: Position) -> int: ...


@dataclass
class Tally:
    """How often an event happened, and how often it should have."""

    draws: int = 0
    happened: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, chance: float, happened: bool) -> None:
        if 0 < chance < 1:
            self.draws += 1
            self.happened += happened
            self.expected += chance
            self.variance += chance * (1 - chance)

    @property
    def p_value(self) -> float:
        """The chance that the difference is at least as large if the odds are exact."""
        difference = abs(self.happened - self.expected)
        return math.erfc(difference / math.sqrt(2 * self.variance)) if self.variance else 1.0


@dataclass
class History:
    """What was drawn in one game, in one kind of draw. An occasion is a run of draws: it ends when a player
    moves, when something else is drawn, or when there is more of an outcome than was left of it (the strips
    of the next seat)."""

    occasions: list[list[str]] = field(default_factory=list)
    ply: int = -1
    left: Mapping[str, int] = field(default_factory=dict)

    def begin(self, ply: int, odds: Mapping[str, int]) -> None:
        grown = any(count > self.left.get(outcome, 0) for outcome, count in odds.items())
        if ply != self.ply + 1 or grown:
            self.occasions.append([])

    def end(self, ply: int, odds: Mapping[str, int], drawn: str) -> None:
        self.occasions[-1].append(drawn)
        self.ply, self.left = ply, {**odds, drawn: odds[drawn] - 1}

    def at_this_place(self, back: int) -> list[str]:
        """What was drawn at the place of the next draw, so many occasions ago."""
        place = len(self.occasions[-1])
        earlier = self.occasions[-1 - back] if len(self.occasions) > back else []
        return earlier[place : place + 1]


EVENTS: dict[str, Callable[[History], Iterable[str]]] = {
    "as the draw before": lambda seen: seen.occasions[-1][-1:],
    "as at its place the time before": lambda seen: seen.at_this_place(1),
    "as at its place two times before": lambda seen: seen.at_this_place(2),
    "as anywhere the time before": lambda seen: seen.occasions[-2] if len(seen.occasions) > 1 else [],
}
"""What the event repeats, from what was drawn before."""

PARTS: dict[str, Callable[[str], str]] = {
    "the same": lambda outcome: outcome,
    "same beginning": lambda outcome: outcome[:-1],
    "same end": lambda outcome: outcome[-1],
}
"""In which part of its text: "!3e" is place 3 and EXTRA, "s5f" the front of strip 5."""


class Frequencies:
    """Those of one kind of draw: all outcomes whose text begins with the same character."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.draws = 0
        self.tallies: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
        self._bins, self._rng = Counter[int](), random.Random(kind)

    def watch(self, position: Position, dealer: Dealer, rng: random.Random, *, in_one_run: bool) -> None:
        """Play a game at random, and count. `in_one_run`: only the first run of this kind, so that a game
        need not be played if there is no other."""
        seen, texts = History(), position.game.moves.text
        while not position.is_over:
            if not position.is_chance:
                if in_one_run:
                    return
                position.play(rng.choice(position.legal_actions()))
                continue
            if in_one_run and seen.occasions and texts(position.legal_actions()[0])[0] != self.kind:
                return
            action = dealer.draw(position)
            drawn = texts(action)
            if drawn[0] == self.kind:
                odds = {texts(one): weight for one, weight in zip(*chance_weights(position), strict=True)}
                seen.begin(position.ply, odds)
                self._count(seen, odds, drawn)
                seen.end(position.ply, odds, drawn)
            position.play(action)

    def _count(self, seen: History, odds: Mapping[str, int], drawn: str) -> None:
        self.draws += 1
        total = sum(odds.values())
        below = sum(odds[outcome] for outcome in sorted(odds) if outcome < drawn)
        self._bins[int(BINS * (below + self._rng.random() * odds[drawn]) / total)] += 1
        for event, repeated in EVENTS.items():
            earlier = [*repeated(seen)]
            if not earlier:
                continue
            for part, cut in PARTS.items() if len(drawn) > 2 else [("the same", PARTS["the same"])]:
                named = {cut(outcome) for outcome in earlier}
                weight = sum(count for outcome, count in odds.items() if cut(outcome) in named)
                self.tallies[event, part].add(weight / total, cut(drawn) in named)

    def rows(self) -> Iterator[tuple[str, Tally]]:
        """The events that are uncertain at least once, in words."""
        for (event, part), tally in self.tallies.items():
            if tally.draws:
                yield f"{part} {event}", tally

    def uniform(self) -> float:
        """The p-value of chi-squared for the place of each draw within the odds, laid end to end."""
        expected = self._bins.total() / BINS
        chi = sum((self._bins[i] - expected) ** 2 / expected for i in range(BINS))
        # Wilson and Hilferty: the cube root of chi-squared is nearly normal
        freedom = BINS - 1
        z = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
        return math.erfc(z / math.sqrt(2)) / 2


def watched(
    box: str, kind: str, draws: int, dealer: Callable[[str], Dealer], *, players: int, in_one_run: bool
) -> Frequencies:
    """The frequencies of at least so many draws, in games whose seeds are their numbers."""
    found, start = Frequencies(kind), azulejos.new(box, players=players)
    for number in itertools.count():
        if found.draws >= draws:
            break
        rng = random.Random(number)
        found.watch(start.copy(), dealer(str(number)), rng, in_one_run=in_one_run)
    return found
