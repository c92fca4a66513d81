"""Stained Glass of Sintra, written from the rules text as literally as possible.

The fast engine is compared with this one action by action. The two share no code. This one is meant to be
read beside the rules (stained-glass.md): a pile is a list of colour letters, a strip is a list of spaces
with or without a pane, and there are no tricks. Run it to get the figures of random play at the end of the
rules.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

COLOURS = "bpoyw"  # blue, pink, orange, yellow, white
JOKER = "j"
FACTORIES = {2: 5, 3: 7, 4: 9}
WINDOW_POINTS = [4, 3, 3, 2, 2, 1, 1, 2]
BROKEN_GLASS = [0, -1, -2, -4, -6, -8, -11, -14, -18]
ORNAMENT_POINTS = {0: 0, 1: 0, 2: 3, 3: 6, 4: 10}
STRIPS = [
    ("bbbop", "bboop"), ("ooopw", "bbppo"), ("pppwy", "bbwwo"), ("wwwyb", "bbyyp"),
    ("yyybo", "ooppb"), ("oowwy", "ooyyw"), ("ppwwy", "ppyyw"), ("wwyyb", "jjbpy"),
]
CHANCE, OVER = -1, -2

Points = tuple[int, int, str]  # seat from 0, points, reason


def counts(panes: list[str]) -> list[int]:
    return [panes.count(colour) for colour in COLOURS]


@dataclass
class Space:
    """One space of a strip: the colour printed on it, and the pane on it if there is one."""

    printed: str
    pane: str = ""


@dataclass
class Strip:
    number: int  # 1..8
    up: str  # "f" or "b"
    spaces: list[Space]
    other_side: str | None  # None once it was turned over


@dataclass
class Board:
    score: int = 0
    lost: int = 0  # points lost through broken glass
    step: int = 0  # on the broken-glass track
    glazier: int = 0
    strips: list[Strip | None] = field(default_factory=list)
    windows: list[list[str]] = field(default_factory=lambda: [[] for _ in range(8)])

    def free(self, column: int, colour: str) -> list[Space]:
        """The spaces that panes of a colour would fill, in order (5)."""
        strip = self.strips[column]
        if strip is None:
            return []
        empty = [space for space in strip.spaces if not space.pane]
        own = [space for space in empty if space.printed == colour]
        return own + [space for space in empty if space.printed == JOKER]

    def fitting_columns(self, colour: str) -> list[int]:
        return [column for column in range(self.glazier, 8) if self.free(column, colour)]

    def leftmost(self) -> int | None:
        return next((column for column in range(8) if self.strips[column]), None)

    def panes_on(self, column: int) -> list[str]:
        strip = self.strips[column]
        return [space.pane for space in strip.spaces if space.pane] if strip else []

    def panes_on_strips(self) -> list[str]:
        return [pane for column in range(len(self.strips)) for pane in self.panes_on(column)]

    def panes_in_windows(self) -> list[str]:
        return [pane for window in self.windows for pane in window]

    def snapshot(self) -> dict[str, object]:
        strips = [
            "" if strip is None else f"{strip.number}{strip.up}" for strip in self.strips
        ] + [""] * (8 - len(self.strips))
        return {
            "score": self.score,
            "lost": self.lost,
            "step": self.step,
            "glazier": self.glazier,
            "strips": strips,
            "panes": [counts(self.panes_on(column)) for column in range(len(self.strips))]
            + [[0] * 5] * (8 - len(self.strips)),
            "windows": ["".join(window) for window in self.windows],
        }


class Oracle:
    def __init__(
        self, players: int, *, side: str = "a", start: str = "lot", strips: list[tuple[str, str]] = STRIPS,
        broken_glass: list[int] = BROKEN_GLASS,
    ) -> None:
        self.broken_glass = broken_glass
        self.players = players
        self.side = side
        self.table = strips
        self.bag = list(COLOURS) * 20
        self.hand: list[str] = []  # the five panes that are laid on the round track first
        self.tower: list[str] = []
        self.factories: list[list[str]] = [[] for _ in range(FACTORIES[players])]
        self.centre: list[str] = []
        self.track = [""] * 6
        self.boards = [Board() for _ in range(players)]
        self.starter = 0 if start == "lot" else int(start) - 1
        self.tile_holder: int | None = None  # None: the start tile lies in the centre
        self.round = 0
        self.phase = "lot" if start == "lot" else "strips"  # then track, fill, offer, keep; over
        self.seat = 0
        self.draws_due: list[int] = []
        self.points: list[Points] = []

    # --- what may be done

    @property
    def to_move(self) -> int:
        if self.phase == "over":
            return OVER
        return self.seat if self.phase in ("offer", "keep") else CHANCE

    def odds(self) -> dict[str, int]:
        if self.phase == "lot":
            return {f"@{seat + 1}": 1 for seat in range(self.players)}
        if self.phase == "strips":
            return self._strip_odds()
        if self.phase == "track":
            pile = self.hand or self.bag
            return {f"t{colour}": pile.count(colour) for colour in COLOURS if colour in pile}
        if self.phase == "fill":
            return {f"+{colour}": self.bag.count(colour) for colour in COLOURS if colour in self.bag}
        raise ValueError("nothing is left to chance here")

    def _strip_odds(self) -> dict[str, int]:
        """Remaining strips and their sides are equally likely, but a side with jokers is never up (1)."""
        laid = {strip.number for strip in self._board_to_lay().strips if strip}
        odds: dict[str, int] = {}
        for number, (_, back) in enumerate(self.table, 1):
            if number not in laid:
                up = "f" if JOKER in back else "fb"
                odds |= {f"s{number}{side}": 2 // len(up) for side in up}
        return odds

    def _board_to_lay(self) -> Board:
        return next(board for board in self.boards if len(board.strips) < 8)

    def legal(self) -> list[str]:
        if self.phase == "offer":
            return self._legal_turns()
        if self.phase == "keep":
            board = self.boards[self.seat]
            return [f"k{colour}" for colour in COLOURS if colour in board.panes_on(board.glazier)]
        return [] if self.phase == "over" else list(self.odds())

    def _legal_turns(self) -> list[str]:
        """Taking panes (4-6) or moving the glazier back (8)."""
        board = self.boards[self.seat]
        turns = []
        for source, pile in enumerate([self.centre, *self.factories]):
            for colour in COLOURS:
                if colour in pile:
                    columns = [str(column + 1) for column in board.fitting_columns(colour)]
                    turns += [f"{source}{colour}{column}" for column in columns or ["x"]]
        leftmost = board.leftmost()
        if leftmost is not None and leftmost < board.glazier:
            turns.append("g")
        return turns

    # --- doing it

    def play(self, text: str) -> list[Points]:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal here")
        self.points = []
        if self.phase == "lot":
            self.starter = int(text[1]) - 1
            self.phase = "strips"
        elif self.phase == "strips":
            self._lay_strip(int(text[1]), text[2])
        elif self.phase == "track":
            self._lay_on_track(text[1])
        elif self.phase == "fill":
            self.bag.remove(text[1])
            self.factories[self.draws_due.pop(0)].append(text[1])
            self._fill_or_offer()
        elif self.phase == "keep":
            self._keep(text[1])
        elif text == "g":
            board = self.boards[self.seat]
            board.glazier = board.leftmost() or 0
            self._next_turn()
        else:
            self._take(int(text[0]), text[1], text[2])
        return self.points

    def _score(self, seat: int, points: int, reason: str) -> None:
        if points:
            self.boards[seat].score += points
            self.points.append((seat, points, reason))

    def _lay_strip(self, number: int, up: str) -> None:
        front, back = self.table[number - 1]
        shown, hidden = (front, back) if up == "f" else (back, front)
        strip = Strip(number, up, [Space(colour) for colour in shown], hidden)
        self._board_to_lay().strips.append(strip)
        if all(len(board.strips) == 8 for board in self.boards):
            self.phase = "track"
            self.hand = list(COLOURS)
            for colour in COLOURS:
                self.bag.remove(colour)

    def _lay_on_track(self, colour: str) -> None:
        """II to VI from the hand, I from the bag (2)."""
        if self.hand:
            self.track[6 - len(self.hand)] = colour
            self.hand.remove(colour)
        else:
            self.track[0] = colour
            self.bag.remove(colour)
            self._begin_round()

    def _begin_round(self) -> None:
        self.round += 1
        self.tile_holder = None
        self.draws_due = [place for place in range(len(self.factories)) for _ in range(4)]
        self.phase = "fill"
        self._fill_or_offer()

    def _fill_or_offer(self) -> None:
        """Draw one more pane if one is needed and left; otherwise the offer is ready (10)."""
        if self.draws_due and not self.bag:
            self.bag, self.tower = self.tower, []
        if not self.draws_due or not self.bag:
            self.phase, self.seat = "offer", self.starter

    def _take(self, source: int, colour: str, column: str) -> None:
        board = self.boards[self.seat]
        pile = self.centre if source == 0 else self.factories[source - 1]
        taken = [pane for pane in pile if pane == colour]
        others = [pane for pane in pile if pane != colour]
        pile.clear()
        self.centre.extend(others)
        if source == 0 and self.tile_holder is None:
            self.tile_holder = self.seat
            self._one_step_down()
        if column != "x":
            board.glazier = int(column) - 1
            for space in board.free(board.glazier, colour):
                if taken:
                    space.pane = taken.pop()
        for pane in taken:
            self.tower.append(pane)
            self._one_step_down()
        if column != "x" and len(board.panes_on(board.glazier)) == 5:
            bonus = self.track[self.round - 1]
            self._score(self.seat, board.panes_on(board.glazier).count(bonus), "bonus")
            self.phase = "keep"
        else:
            self._next_turn()

    def _one_step_down(self) -> None:
        """The last step costs its points at once and leads back to the top (9)."""
        board = self.boards[self.seat]
        board.step += 1
        if board.step == len(self.broken_glass) - 1:
            self._lose(self.seat, "track end")
            board.step = 0

    def _lose(self, seat: int, reason: str) -> None:
        board = self.boards[seat]
        board.lost -= self.broken_glass[board.step]
        self._score(seat, self.broken_glass[board.step], reason)

    def _keep(self, colour: str) -> None:
        """Put the pane into the window and the others into the tower; turn or remove the strip (7b, 7c)."""
        board = self.boards[self.seat]
        column = board.glazier
        others = board.panes_on(column)
        others.remove(colour)
        self.tower += others
        board.windows[column].append(colour)
        strip = board.strips[column]
        if strip is not None and strip.other_side is not None:
            up = "b" if strip.up == "f" else "f"
            turned = [Space(printed) for printed in strip.other_side]
            board.strips[column] = Strip(strip.number, up, turned, None)
        else:
            board.strips[column] = None
        right = [WINDOW_POINTS[other] for other in range(column + 1, 8) if board.windows[other]]
        self._score(self.seat, WINDOW_POINTS[column] + sum(right), "window")
        self._next_turn()

    def _next_turn(self) -> None:
        if self.centre or any(self.factories):
            self.phase = "offer"
            self.seat = (self.seat + 1) % self.players
            return
        self.tower.append(self.track[self.round - 1])
        self.track[self.round - 1] = ""
        if self.tile_holder is not None:
            self.starter = self.tile_holder
        if any(self.track):
            self._begin_round()
        else:
            self._finish()

    # --- the end

    def _finish(self) -> None:
        self.phase = "over"
        for seat, board in enumerate(self.boards):
            self._score(seat, len(board.panes_on_strips()) // 3, "panes left")
            self._lose(seat, "broken")
            if self.side == "a":
                for left in (0, 2, 4, 6):
                    around = board.windows[left] + board.windows[left + 1]
                    self._score(seat, ORNAMENT_POINTS[len(around)], "ornament")
            else:
                complete = [window for window in board.windows if len(window) == 2]
                best = max(counts(board.panes_in_windows()))
                self._score(seat, len(complete) * best, "best colour")

    @property
    def scores(self) -> list[int]:
        return [board.score for board in self.boards]

    def ranks(self) -> list[int]:
        """1 + the number of better players: by score, then by points lost through broken glass (14)."""
        merits = [(board.score, -board.lost) for board in self.boards]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    # --- for the comparison

    def snapshot(self) -> dict[str, object]:
        return {
            "bag": counts(self.bag + self.hand),
            "tower": counts(self.tower),
            "factories": [counts(pile) for pile in self.factories],
            "centre": counts(self.centre),
            "track": list(self.track),
            "tile_holder": self.tile_holder,
            "starter": self.starter,
            "round": self.round,
            "seats": [board.snapshot() for board in self.boards],
        }

    def census(self) -> None:
        """All 100 panes are on the table."""
        panes = Counter(self.bag + self.hand + self.tower + self.centre)
        panes.update(pane for pane in self.track if pane)
        for pile in self.factories:
            panes.update(pile)
        for board in self.boards:
            panes.update(board.panes_on_strips() + board.panes_in_windows())
        if panes != Counter(COLOURS * 20):
            raise AssertionError(f"panes are missing or too many: {panes}")


def random_action(game: Oracle, rng: random.Random) -> str:
    if game.to_move != CHANCE:
        return rng.choice(game.legal())
    odds = game.odds()
    return rng.choices(list(odds), list(odds.values()))[0]


def play_at_random(game: Oracle, rng: random.Random) -> int:
    """Play to the end; return the number of actions by players."""
    actions = 0
    while game.to_move != OVER:
        actions += game.to_move != CHANCE
        game.play(random_action(game, rng))
        game.census()
    return actions


def print_figures(games: int = 300) -> None:
    rng = random.Random(2018)
    for side in "ab":
        for players in FACTORIES:
            played = [Oracle(players, side=side) for _ in range(games)]
            actions = sum(play_at_random(game, rng) for game in played) / games
            score = sum(sum(game.scores) for game in played) / games / players
            lost = sum(board.lost for game in played for board in game.boards) / games / players
            print(f"{side}, {players} seats: {actions:.1f} actions, {score:.1f} points, {lost:.1f} lost")


if __name__ == "__main__":
    print_figures()
