"""What follows from somebody's finished games: the climb from bot to bot, medals, records, streaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from azulejos.core.message import Message, msg
from azulejos.web.circle.results import Played

TOP = 7
"""The strongest level."""
TO_WIN = 2
"""Games of a match of three."""
LEVEL = re.compile(r"level:([1-7])(?!\d)")


def level_of(bot: str) -> int:
    """The level of a bot's word, whatever time it has; 0: none of the seven."""
    found = LEVEL.match(bot)
    return int(found[1]) if found else 0


# --- the climb -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Climb:
    """How far somebody has come in a box."""

    beaten: int = 0
    """Levels that were beaten in a match."""
    won: int = 0
    lost: int = 0
    """In the match that goes on now."""

    @property
    def next(self) -> int:
        """The level to meet next; the strongest can always be met again."""
        return min(TOP, self.beaten + 1)

    @property
    def done(self) -> bool:
        return self.beaten >= TOP


def climbs(games: Iterable[Played]) -> dict[str, Climb]:
    """By box, from games of two against one of the seven, oldest first. A match is won with two games of
    three; whoever loses it begins the match again. Beating a stronger bot in a match counts for all below
    it."""
    found: dict[str, Climb] = {}
    running: dict[tuple[str, int], tuple[int, int]] = {}
    for game in games:
        level = level_of(game.others[0].bot) if game.players == 2 and len(game.others) == 1 else 0
        climb = found.get(game.box, Climb())
        if not level or level <= climb.beaten:
            continue
        won, lost = running.get((game.box, level), (0, 0))
        won, lost = won + game.won, lost + (not game.won)
        if won == TO_WIN:
            found[game.box] = Climb(beaten=level)
        running[game.box, level] = (0, 0) if TO_WIN in (won, lost) else (won, lost)
    for box in {box for box, _ in running} | set(found):
        climb = found.get(box, Climb())
        won, lost = running.get((box, climb.next), (0, 0))
        found[box] = Climb(beaten=climb.beaten, won=won, lost=lost)
    return found


def proposed(games: Sequence[Played], box: str, *, estimate: float | None, first: int) -> int:
    """The level of the right opponent in a box: that of the strength estimate, if there is one; otherwise
    one up after two wins in a row against the same bot, one down after three losses."""
    if estimate is not None:
        return max(1, min(TOP, round(estimate)))
    mine = [game for game in games if game.box == box and game.players == 2 and len(game.others) == 1
            and level_of(game.others[0].bot)]
    if not mine:
        return first
    level = level_of(mine[-1].others[0].bot)
    same = [game.won for game in mine[-3:] if level_of(game.others[0].bot) == level]
    if same[-2:] == [True, True]:
        return min(TOP, level + 1)
    return max(1, level - 1) if same == [False] * 3 else level


# --- medals --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Medal:
    name: Message
    how: Message
    earned: bool


def medals(games: Sequence[Played], found: dict[str, Climb], boxes: int) -> list[Medal]:
    """All medals, those that were earned and those that are still to earn."""
    wins = [game for game in games if game.won]
    people = {one.key for game in games for one in game.others if one.key}
    best = max((climb.beaten for climb in found.values()), default=0)
    close = any(
        game.players > 1 and game.points - max(one.points for one in game.others) == 1
        for game in wins if game.others
    )
    row = longest_streak(games)
    given = (
        (msg("First blossom"), msg("Win a game."), len(wins) >= 1),
        (msg("By a hair"), msg("Win by a single point."), close),
        (msg("Three in a row"), msg("Win three games one after the other."), row >= 3),
        (msg("Good company"), msg("Play with five different people."), len(people) >= 5),
        (msg("Full table"), msg("Win a game of four players."), any(g.players == 4 for g in wins)),
        (msg("Every box"), msg("Win a game in every box."), len({g.box for g in wins}) >= boxes > 0),
        (msg("Hundred plates"), msg("Finish a hundred games."), len(games) >= 100),
        (msg("Fired in the kiln"), msg("Beat the fourth bot of a climb."), best >= 4),
        (msg("Porcelain"), msg("Beat the strongest bot of a climb."), best >= TOP),
    )
    return [Medal(name=name, how=how, earned=earned) for name, how, earned in given]


# --- records -------------------------------------------------------------------------------------------


@dataclass(kw_only=True, slots=True)
class Tally:
    games: int = 0
    won: int = 0
    shared: int = 0

    def add(self, game: Played) -> None:
        self.games += 1
        tied = game.won and any(one.place == 1 for one in game.others)
        self.shared += tied
        self.won += game.won and not tied


@dataclass(kw_only=True, slots=True)
class PersonRecord:
    """All that the page of a person counts."""

    boxes: dict[str, Tally] = field(default_factory=dict)
    bots: dict[int, Tally] = field(default_factory=dict)
    people: dict[str, Tally] = field(default_factory=dict)
    best: dict[str, Played] = field(default_factory=dict)
    """By box, the game with the most points."""
    streak: int = 0
    longest: int = 0


def record_of(games: Sequence[Played]) -> PersonRecord:
    found = PersonRecord(longest=longest_streak(games))
    for game in games:
        found.boxes.setdefault(game.box, Tally()).add(game)
        if game.box not in found.best or game.points > found.best[game.box].points:
            found.best[game.box] = game
        for one in game.others:
            duel = Played(
                game=game.game, seat=game.seat, box=game.box, players=2, points=game.points, at=game.at,
                place=1 if game.place <= one.place else 2, others=(one,) if one.place == game.place else (),
            )
            if one.key:
                found.people.setdefault(one.key, Tally()).add(duel)
            elif level_of(one.bot):
                found.bots.setdefault(level_of(one.bot), Tally()).add(duel)
        found.streak = found.streak + 1 if game.won else 0
    return found


def longest_streak(games: Iterable[Played]) -> int:
    longest = running = 0
    for game in games:
        running = running + 1 if game.won else 0
        longest = max(longest, running)
    return longest


def met(games: Iterable[Played]) -> Counter[str]:
    """How often each other person was met."""
    return Counter(one.key for game in games for one in game.others if one.key)
