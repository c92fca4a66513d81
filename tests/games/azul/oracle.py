"""Azul with all its variants, written from the rules text as literally as possible.

The fast engine is compared with this one action by action. The two share no code. This one is meant to be
read beside the rules (azul.md, chocolatier.md; "choc" below): a pile is a list of colour letters, a wall is
a grid of letters, and there are no tricks. Run it to get the figures of random play at the end of azul.md.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product

COLOURS = "byrkw"  # blue, yellow, red, black, white
EXTRA, STAY, SPLIT, ZERO = "esdz"
EFFECTS = COLOURS + EXTRA + STAY + SPLIT + ZERO  # a colour letter is the NEIGHBOUR of that colour
MARKER = "m"
FLOOR_PENALTIES = (1, 1, 2, 2, 2, 3, 3)
FACTORIES = {2: 5, 3: 7, 4: 9}
STALLED_AFTER = 5
CHANCE, OVER = -1, -2

Points = tuple[int, int, str]  # seat from 0, points, reason


def counts(tiles: list[str]) -> list[int]:
    return [tiles.count(colour) for colour in COLOURS]


def run_length(cells: list[str], at: int) -> int:
    """How many tiles form an unbroken run through `at` in this row or column."""
    first = last = at
    while first > 0 and cells[first - 1]:
        first -= 1
    while last < 4 and cells[last + 1]:
        last += 1
    return last - first + 1


@dataclass
class Board:
    score: int = 0
    lines: list[list[str]] = field(default_factory=lambda: [[] for _ in range(5)])
    wall: list[list[str]] = field(default_factory=lambda: [[""] * 5 for _ in range(5)])
    floor: list[str] = field(default_factory=list)
    zero_disc: list[str] | None = None  # None: not here; []: nothing caught yet

    def column(self, number: int) -> list[str]:
        return [row[number] for row in self.wall]

    def accepts(self, row: int, colour: str) -> bool:
        """May tiles of this colour go into this pattern line (azul.md 3)?"""
        line = self.lines[row]
        return len(line) < row + 1 and set(line) <= {colour} and colour not in self.wall[row]

    def topmost_complete_line(self) -> int | None:
        return next((row for row in range(5) if len(self.lines[row]) == row + 1), None)

    def tile_score(self, row: int, column: int) -> int:
        """Points for the tile that lies here (azul.md 6)."""
        runs = [run_length(self.wall[row], column), run_length(self.column(column), row)]
        return sum(run for run in runs if run >= 2) or 1

    def complete_rows(self) -> int:
        return sum(all(row) for row in self.wall)

    def complete_columns(self) -> int:
        return sum(all(self.column(number)) for number in range(5))

    def complete_colours(self) -> int:
        tiles = [tile for row in self.wall for tile in row]
        return sum(tiles.count(colour) == 5 for colour in COLOURS)

    def pieces(self) -> list[str]:
        """Every tile on the board, and the marker if it is here, for the census."""
        pieces = [tile for row in self.lines + self.wall for tile in row if tile]
        return pieces + self.floor + (self.zero_disc or [])

    def snapshot(self) -> dict[str, object]:
        return {
            "score": self.score,
            "lines": [[line[0] if line else "", len(line)] for line in self.lines],
            "wall": [list(row) for row in self.wall],
            "floor": list(self.floor),
            "zero_disc": None if self.zero_disc is None else "".join(self.zero_disc),
        }


class Oracle:
    def __init__(
        self,
        players: int,
        *,
        wall: str = "coloured",
        factories: str = "plain",
        split: str = "even",
        start: str = "lot",
    ) -> None:
        starts = ["lot", "1", "2", "3", "4"][: players + 1]
        good = players in FACTORIES and start in starts and split in ("even", "free")
        if not good or wall not in ("coloured", "grey") or factories not in ("plain", "special"):
            raise ValueError(f"no such game: {players, wall, factories, split, start}")
        self.players = players
        self.grey = wall == "grey"
        self.special = factories == "special"
        self.free_split = split == "free"

        self.places = FACTORIES[players]
        self.bag = list(COLOURS) * 20
        self.lid: list[str] = []
        self.factories: list[list[str]] = [[] for _ in range(self.places)]
        self.effects = [""] * self.places
        self.gone = [False] * self.places
        self.centre: list[str] = []
        self.boards = [Board() for _ in range(players)]

        self.round = 1
        self.starter = 0 if start == "lot" else int(start) - 1
        self.marker_holder: int | None = None  # None: the marker lies in the centre
        self.end_reason: str | None = None
        self.barren_rounds = 0  # consecutive rounds up to this one without a tile for any wall

        self.phase = "lot"  # then in every round: discs, fill, offer (with split), tiling; over
        self.seat = 0  # the player to act in the phases offer, split and tiling
        self.draws_due: list[int] = []  # places that still need a tile, in order
        self.split_place = 0  # in the phase split
        self.row_to_tile = 0  # in the phase tiling
        self.seats_to_tile: list[int] = []
        self.points: list[Points] = []  # scored by the action being played
        if start != "lot":
            self._begin_round()

    # --- what may be done

    @property
    def to_move(self) -> int:
        if self.phase == "over":
            return OVER
        return CHANCE if self.phase in ("lot", "discs", "fill") else self.seat

    def odds(self) -> dict[str, int]:
        if self.phase == "lot":
            return {f"@{seat + 1}": 1 for seat in range(self.players)}
        if self.phase == "discs":
            places = [place for place in range(self.places) if not self.effects[place]]
            effects = [effect for effect in EFFECTS if effect not in self.effects]
            return {f"!{place + 1}{effect}": 1 for place in places for effect in effects}
        if self.phase == "fill":
            return {f"+{tile}": self.bag.count(tile) for tile in COLOURS if tile in self.bag}
        raise ValueError("nothing is left to chance here")

    def legal(self) -> list[str]:
        if self.phase == "offer":
            return self._legal_takes()
        if self.phase == "split":
            return self._legal_divisions()
        if self.phase == "tiling":
            columns = self._open_columns(self.seat, self.row_to_tile)
            return [f"c{column + 1}" for column in columns]
        return [] if self.phase == "over" else list(self.odds())

    def _legal_takes(self) -> list[str]:
        board = self.boards[self.seat]
        takes = []
        for source, pile in enumerate([self.centre, *self.factories]):
            for colour in COLOURS:
                if colour in pile:
                    lines = [str(row + 1) for row in range(5) if board.accepts(row, colour)]
                    takes += [f"{source}{colour}{line}" for line in [*lines, "f"]]
        return takes

    def _legal_divisions(self) -> list[str]:
        """The colours that may go left together (choc 4, SPLIT)."""
        pile = self.factories[self.split_place]
        colours = [colour for colour in COLOURS if colour in pile]
        unevenness = {}
        for size in range(len(colours) + 1):
            for left in combinations(colours, size):
                going_left = sum(tile in left for tile in pile)
                unevenness["<" + "".join(left)] = abs(going_left - (len(pile) - going_left))
        best = min(unevenness.values())
        return [text for text in unevenness if self.free_split or unevenness[text] == best]

    def _open_columns(self, seat: int, row: int) -> list[int]:
        """Where the tile of a complete line may go (azul.md Components, 11)."""
        board = self.boards[seat]
        colour = board.lines[row][0]
        if not self.grey:
            return [(COLOURS.index(colour) + row) % 5]
        free = [column for column in range(5) if not board.wall[row][column]]
        return [column for column in free if colour not in board.column(column)]

    # --- doing it

    def play(self, text: str) -> list[Points]:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal here")
        self.points = []
        if self.phase == "lot":
            self.starter = int(text[1]) - 1
            self._begin_round()
        elif self.phase == "discs":
            self.effects[int(text[1]) - 1] = text[2]
            self._turn_discs_or_fill()
        elif self.phase == "fill":
            self.bag.remove(text[1])
            self.factories[self.draws_due.pop(0)].append(text[1])
            self._fill_or_offer()
        elif self.phase == "offer":
            self._take(int(text[0]), text[1], text[2])
        elif self.phase == "split":
            self._divide(text[1:])
        else:
            self._tile(self.seat, self.row_to_tile, int(text[1]) - 1)
            self._tile_walls()
        return self.points

    def _score(self, seat: int, points: int, reason: str) -> None:
        if points:
            self.boards[seat].score += points
            self.points.append((seat, points, reason))

    # --- set-up of a round

    def _begin_round(self) -> None:
        """The first player puts the marker back; the discs return and are shuffled (choc 2, 5)."""
        for board in self.boards:
            self.lid += [piece for piece in board.zero_disc or [] if piece != MARKER]
            board.zero_disc = None
        self.marker_holder = None
        self.effects = [""] * self.places
        self.gone = [False] * self.places
        self.barren_rounds += 1
        self._turn_discs_or_fill()

    def _turn_discs_or_fill(self) -> None:
        turned = sum(effect != "" for effect in self.effects)
        if self.special and turned < self.players:
            self.phase = "discs"
            return
        self.draws_due = [place for place in range(self.places) for _ in range(4)]
        if EXTRA in self.effects:
            self.draws_due.append(self.effects.index(EXTRA))
        self._fill_or_offer()

    def _fill_or_offer(self) -> None:
        """Draw one more tile if one is needed and left; otherwise the offer is ready (azul.md 8)."""
        if self.draws_due and not self.bag:
            self.bag, self.lid = self.lid, []
        if self.draws_due and self.bag:
            self.phase = "fill"
            return
        self.draws_due = []
        if not any(self.factories):
            self._finish("no tiles")
            return
        self._move_to_neighbour_discs()
        self.seat = self.starter
        self.phase = "offer"

    def _move_to_neighbour_discs(self) -> None:
        """NEIGHBOUR discs get a tile of their colour from either side (choc 3)."""
        for place, effect in enumerate(self.effects):
            for step in (-1, +1):
                source = self.factories[self._neighbour(place, step)]
                if effect in source:  # no other effect has the letter of a tile
                    source.remove(effect)
                    self.factories[place].append(effect)

    def _neighbour(self, place: int, step: int) -> int:
        """The next disc in this direction that is still in the circle (choc 5)."""
        circle = [place for place in range(self.places) if not self.gone[place]]
        return circle[(circle.index(place) + step) % len(circle)]

    # --- the offer

    def _take(self, source: int, colour: str, line: str) -> None:
        """A turn (azul.md 2-3, choc 4)."""
        board = self.boards[self.seat]
        pile = self.centre if source == 0 else self.factories[source - 1]
        taken = [tile for tile in pile if tile == colour]
        others = [tile for tile in pile if tile != colour]
        effect = "" if source == 0 else self.effects[source - 1]
        pile.clear()
        (pile if effect in (STAY, SPLIT) else self.centre).extend(others)
        if source == 0 and self.marker_holder is None:
            self.marker_holder = self.seat
            self._drop(self.seat, MARKER)
        if effect == ZERO:
            self.effects[source - 1] = ""
            self.gone[source - 1] = True
            board.zero_disc = []
        for tile in taken:
            if line != "f" and len(board.lines[int(line) - 1]) < int(line):
                board.lines[int(line) - 1].append(tile)
            else:
                self._drop(self.seat, tile)
        if effect == SPLIT and others:
            self.phase, self.split_place = "split", source - 1
        else:
            self._next_turn()

    def _drop(self, seat: int, piece: str) -> None:
        """A falling piece: to the lid if the floor line is full, else to an empty ZERO disc, else to the
        floor line (azul.md 3, choc 4 ZERO)."""
        board = self.boards[seat]
        if len(board.floor) == len(FLOOR_PENALTIES):
            if piece != MARKER:
                self.lid.append(piece)
        elif board.zero_disc == []:
            board.zero_disc.append(piece)
        else:
            board.floor.append(piece)

    def _divide(self, left: str) -> None:
        pile = self.factories[self.split_place]
        for tile in pile:
            step = -1 if tile in left else +1
            self.factories[self._neighbour(self.split_place, step)].append(tile)
        pile.clear()
        self._next_turn()

    def _next_turn(self) -> None:
        if self.centre or any(self.factories):
            self.seat = (self.seat + 1) % self.players
            self.phase = "offer"
            return
        self.seats_to_tile = [(self.starter + turn) % self.players for turn in range(self.players)]
        self._tile_walls()

    # --- wall tiling

    def _tile_walls(self) -> None:
        """Seat by seat, line by line, until a column must be chosen (azul.md 5-7, 12-14)."""
        while self.seats_to_tile:
            seat = self.seats_to_tile[0]
            row = self.boards[seat].topmost_complete_line()
            if row is None:
                self._pay_floor(seat)
                self.seats_to_tile.pop(0)
            elif not self._open_columns(seat, row):
                for tile in self.boards[seat].lines[row]:
                    self._drop(seat, tile)
                self.boards[seat].lines[row].clear()
            elif self.grey:
                self.phase, self.seat, self.row_to_tile = "tiling", seat, row
                return
            else:
                self._tile(seat, row, self._open_columns(seat, row)[0])
        self._end_round()

    def _tile(self, seat: int, row: int, column: int) -> None:
        board = self.boards[seat]
        board.wall[row][column] = board.lines[row].pop()
        self.lid += board.lines[row]
        board.lines[row].clear()
        self.barren_rounds = 0
        self._score(seat, board.tile_score(row, column), "tile")

    def _pay_floor(self, seat: int) -> None:
        board = self.boards[seat]
        penalty = sum(FLOOR_PENALTIES[: len(board.floor)])
        self._score(seat, -min(penalty, board.score), "floor")
        self.lid += [piece for piece in board.floor if piece != MARKER]
        board.floor.clear()

    def _end_round(self) -> None:
        if any(board.complete_rows() for board in self.boards):
            self._finish("row")
        elif self.barren_rounds == STALLED_AFTER:
            self._finish("stalled")
        else:
            self.round += 1
            if self.marker_holder is not None:
                self.starter = self.marker_holder
            self._begin_round()

    # --- the end

    def _finish(self, reason: str) -> None:
        """Bonuses (azul.md 9)."""
        self.phase = "over"
        self.end_reason = reason
        for seat, board in enumerate(self.boards):
            self._score(seat, 2 * board.complete_rows(), "row")
            self._score(seat, 7 * board.complete_columns(), "column")
            self._score(seat, 10 * board.complete_colours(), "colour")

    @property
    def scores(self) -> list[int]:
        return [board.score for board in self.boards]

    def ranks(self) -> list[int]:
        """1 + the number of better players: by score, then by complete rows (azul.md 10)."""
        merits = [(board.score, board.complete_rows()) for board in self.boards]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    @property
    def winners(self) -> list[int]:
        """Seats from 0; none before the game is over."""
        return [seat for seat in range(self.players) if self.end_reason and self.ranks()[seat] == 1]

    # --- for the comparison

    def snapshot(self) -> dict[str, object]:
        return {
            "bag": counts(self.bag),
            "lid": counts(self.lid),
            "factories": [counts(pile) for pile in self.factories],
            "effects": list(self.effects),
            "gone": list(self.gone),
            "centre": counts(self.centre),
            "marker_in_centre": self.marker_holder is None,
            "marker_holder": self.marker_holder,
            "starter": None if self.phase == "lot" else self.starter,
            "seats": [board.snapshot() for board in self.boards],
        }

    def census(self) -> None:
        """All 100 tiles are on the table, and at most one marker."""
        pieces = Counter(self.bag + self.lid + self.centre)
        for pile in [*self.factories, *[board.pieces() for board in self.boards]]:
            pieces.update(pile)
        if pieces.pop(MARKER, 0) > 1 or pieces != Counter(COLOURS * 20):
            raise AssertionError(f"tiles are missing or too many: {pieces}")


def play_at_random(game: Oracle, rng: random.Random) -> int:
    """Play to the end; return the number of actions by players."""
    actions = 0
    while game.to_move != OVER:
        if game.to_move == CHANCE:
            odds = game.odds()
            game.play(rng.choices(list(odds), list(odds.values()))[0])
        else:
            game.play(rng.choice(game.legal()))
            actions += 1
        game.census()
    return actions


def print_figures(games: int = 300) -> None:
    rng = random.Random(2017)
    offers = ("plain", "even"), ("special", "even"), ("special", "free")
    print("actions  rounds  score  variant, ends")
    for wall, (factories, split), players in product(("coloured", "grey"), offers, FACTORIES):
        new_game = partial(Oracle, players, wall=wall, factories=factories, split=split)
        played = [new_game() for _ in range(games)]
        actions = sum(play_at_random(game, rng) for game in played) / games
        rounds = sum(game.round for game in played) / games
        score = sum(sum(game.scores) for game in played) / games / players
        ends = dict(Counter(game.end_reason for game in played))
        print(f"{actions:7.1f}{rounds:8.2f}{score:7.2f}  ", players, wall, factories, split, ends)


if __name__ == "__main__":
    print_figures()
