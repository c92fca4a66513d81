"""The daily deal: one box, seed and opponent a day, the same for everybody; the first game counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from azulejos.core import registry
from azulejos.core.message import Message, msg
from azulejos.web.store.saved import BOT, HUMAN, NO_CHAT, SavedSeat, SavedTable
from azulejos.web.tables.boxes import shelf
from azulejos.web.tables.fair_deal import new_seed
from azulejos.web.tables.live_table import new_table

OPPONENT = "level:4"
NODES = 20_000
"""Positions that the opponent may search for an action; its level searches fewer."""

PAR_PLAYER = "level:7"
PAR_NODES = 100_000

SEAT, OTHER = 0, 1
"""The seats of the person and of the bot."""

GRACE = timedelta(hours=12)
"""How long after the end of the day a game counts that was begun before."""

LONGEST_NAME = 64

RANKED: Final = "ranked"
LATE: Final = "late"
FOREIGN: Final = "foreign"
FORGED: Final = "forged"
OTHER_BOT: Final = "bot"

REFUSALS: dict[str, Message] = {
    LATE: msg("Your game was finished after the deal was closed, so it is not ranked."),
    FOREIGN: msg("This game is not your game of this day, so it is not ranked."),
    FORGED: msg("This game does not follow from the deal of the day when it is replayed, so it is not "
                "ranked."),
    OTHER_BOT: msg("The opponent's moves in this game are not those of the opponent of the day, so it is "
                   "not ranked."),
}
"""Why a game does not count, by verdict."""


@dataclass(frozen=True, kw_only=True)
class DailyDeal:
    day: str
    box: str
    rules_version: int
    seed: str
    bot: str
    nodes: int
    par: int | None = None
    """The margin of the strongest level on the same seat, once it is known."""

    @property
    def contest(self) -> str:
        """The page of this deal."""
        return f"daily/{self.day}"

    @property
    def ends(self) -> datetime:
        """From then on nobody can begin a game that counts."""
        return datetime.fromisoformat(self.day).replace(tzinfo=UTC) + timedelta(days=1)

    @property
    def closes(self) -> datetime:
        """From then on no game counts, and the seed is shown."""
        return self.ends + GRACE

    def table(self, *, name: str, opponent: str, ranked: bool) -> SavedTable:
        """A new game of this deal."""
        seats = (
            SavedSeat(seat=SEAT, kind=HUMAN, name=name),
            SavedSeat(seat=OTHER, kind=BOT, name=opponent, bot=self.bot),
        )
        table = new_table(self.box, seats, {}, chat=NO_CHAT, seed=self.seed)
        return replace(table, contest=self.contest, ranked=ranked, nodes=self.nodes)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """The first game of a visitor in a deal."""

    day: str
    visitor: str
    game: str
    """The id of its table."""
    name: str
    verdict: str = ""
    """RANKED, a key of REFUSALS, or empty: not finished, or not checked yet."""
    margin: int | None = None
    points: int | None = None


def day_of(seconds: float) -> str:
    """The day in UTC of a moment in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def new_deal(day: str) -> DailyDeal:
    """The seed is random and made on the day, so that nobody can know it before."""
    box = box_of(date.fromisoformat(day))
    return DailyDeal(
        day=day, box=box, rules_version=registry.find(box)[0].version, seed=new_seed(), bot=OPPONENT,
        nodes=NODES,
    )


def box_of(day: date) -> str:
    """The boxes for two take turns; each time another variant of the box."""
    boxes = sorted((box for box in shelf() if box.players[0] <= 2 <= box.players[1]), key=lambda b: b.name)
    turn, number = divmod(day.toordinal(), len(boxes))
    variants = boxes[number].presets
    return variants[turn % len(variants)].name
