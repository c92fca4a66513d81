"""Check what reviews claim, without any code that made the claims.

Claims are read from their structured form, the lines are played again by the plain rules of
tests/games/*/oracle.py, and what they score is counted there. `false_claims` lists what is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from azulejos.core import layout
from azulejos.core.position import Position
from azulejos.insight.results import Deal, JudgedTurn, Mood
from games.azul.oracle import COLOURS as TILE_COLOURS
from games.azul.oracle import Oracle as AzulOracle
from games.queens_garden.oracle import BONUS, COLOURS, VALUES, World
from games.queens_garden.oracle import value as hexagon_value
from games.stained_glass.oracle import BROKEN_GLASS
from games.stained_glass.oracle import Oracle as GlassOracle

Numbers = tuple[int, ...]
HEXAGON_LETTERS = COLOURS + VALUES


def false_claims(game: Position, turn: JudgedTurn, end: int) -> Iterator[str]:
    """What is wrong with the reasons of a turn of a finished game; `end`: where its round ends."""
    checker = CHECKERS[game.game.name]
    table = checker(game, turn.ply)
    really = _texts(game, game.history.actions[turn.ply : end])
    for reason in turn.reasons:
        played, better = (_texts(game, line) for line in reason.lines)
        if _texts(game, turn.played.turn) != played[: len(turn.played.turn)]:
            yield "the first line does not begin with the turn that was played"
        assert turn.better is not None
        if _texts(game, turn.better.turn) != better[: len(turn.better.turn)]:
            yield "the second line does not begin with the better turn"
        for said, line, count in ((reason.played, played, len(turn.played.turn)),
                                  (reason.better, better, len(turn.better.turn))):
            lines = [line, really] if said.mood is Mood.HAPPENED else [line]
            for each in lines if checker.to_round_end else [line[:count]]:
                fact = said.fact
                if not table.holds(each, count, fact.name, fact.seat, fact.place, fact.numbers):
                    yield f"{said} after {' '.join(each)}"
        if reason.gift is not None:
            gift = reason.gift
            yield from table.gift_faults(played, better, len(turn.played.turn), len(turn.better.turn),
                                         gift.seat, gift.place, gift.numbers)


def false_stories(game: Position, deal: Deal) -> Iterator[str]:
    """What is wrong with the stories of a deal: counted again from the bag, the used pieces and the boards
    of the plain rules."""
    for seat, story in enumerate(deal.stories):
        if story is None:
            continue
        told = story.brought
        before, dealt = (CHECKERS[game.game.name](game, ply) for ply in (deal.ply, deal.end))
        (bag, used), later = before.supply(), sum(dealt.supply(), Counter())
        came = bag + used - later
        kind = dealt.kind(told.kind)
        count = sum(n for piece, n in came.items() if kind in piece)
        if count != told.pieces:
            yield f"{told.pieces} of {kind} instead of {count}"
        if abs(_average(bag, used, came.total(), kind) - told.average) > 0.0501:
            yield f"{told.average} of {kind} on average"
        if [dealt.room(each, told.kind) for each in range(game.players)] != list(told.room):
            yield f"room for {kind}: {told.room}"
        gains = [min(count, room) - min(told.average, room) for room in told.room]
        if (gains[seat] - gains[story.other]) * deal.luck[seat].value <= 0:
            yield f"{kind} does not favour the seat that was lucky"


def _average(bag: Counter[str], used: Counter[str], pieces: int, kind: str) -> float:
    found = 0.0
    for pile in (bag, used):
        drawn = min(pieces, pile.total())
        share = sum(n for piece, n in pile.items() if kind in piece)
        found, pieces = found + drawn * share / max(1, pile.total()), pieces - drawn
    return found


def _texts(game: Position, actions: Sequence[int]) -> list[str]:
    return [game.game.moves.text(int(action)) for action in actions]


class Table:
    """A position of a game, from which lines are played with the plain rules."""

    to_round_end = True
    colours = ""

    def __init__(self, game: Position, ply: int) -> None:
        self.game, self.ply = game, ply
        self.past = _texts(game, game.history.actions[:ply])

    def begin(self) -> Any:
        raise NotImplementedError

    def played(self, line: list[str]) -> Any:
        """The plain game after the past and a line; `noted` has the points since the line began."""
        oracle = self.begin()
        for text in self.past:
            oracle.play(text)
        oracle.noted.clear()
        oracle.by_reason.clear()
        for text in line:
            for seat, points, reason in oracle.play(text):
                oracle.by_reason[seat, reason] += points
        return oracle

    def holds(
        self, line: list[str], count: int, name: str, seat: int, place: int, numbers: Numbers
    ) -> bool:
        raise NotImplementedError

    def supply(self) -> tuple[Counter[str], Counter[str]]:
        """The bag, and the used pieces that refill it."""
        oracle = self.played([])
        return Counter(oracle.bag), Counter(self.used(oracle))

    def used(self, oracle: Any) -> list[str]:
        raise NotImplementedError

    def kind(self, number: int) -> str:
        return self.colours[number]

    def room(self, seat: int, kind: int) -> int:
        """How many pieces of a kind a seat has a use for."""
        raise NotImplementedError

    def gift_faults(
        self, played: list[str], better: list[str], count: int, other: int, seat: int, place: int,
        numbers: Numbers,
    ) -> Iterator[str]:
        """The reply takes what is said, and it is not possible after the better turn."""
        pieces, colour, source = numbers
        text = f"{source}{self.colours[colour]}{place + 1}"
        after = self.played(played[:count])
        pile = after.centre if source == 0 else after.factories[source - 1]
        if pile.count(self.colours[colour]) != pieces or after.to_move != seat or text not in after.legal():
            yield f"gift {text} of {pieces}"
        if text in self.played(better[:other]).legal():
            yield f"gift {text} is also possible after the better turn"
        if self.fills(after, text, seat, place):
            return
        yield f"gift {text} fills nothing"

    def fills(self, after: Any, text: str, seat: int, place: int) -> bool:
        raise NotImplementedError


# --- Azul ------------------------------------------------------------------------------------------------


class NotingAzul(AzulOracle):
    def __init__(self, *args: Any, **options: Any) -> None:
        self.noted: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.by_reason: Counter[tuple[int, str]] = Counter()
        super().__init__(*args, **options)

    def _tile(self, seat: int, row: int, column: int) -> None:
        before = self.boards[seat].score
        super()._tile(seat, row, column)
        self.noted[seat, row].append(self.boards[seat].score - before)


class AzulTable(Table):
    colours = TILE_COLOURS

    def begin(self) -> NotingAzul:
        options = {name: self.game.options[name] for name in ("wall", "factories", "split", "start")}
        return NotingAzul(self.game.players, **options)

    def holds(
        self, line: list[str], count: int, name: str, seat: int, place: int, numbers: Numbers
    ) -> bool:
        if name == "short":
            return self._is_short(self.played(line[:count]), seat, place, *numbers)
        end = self.played(line)
        if name == "starts":
            return bool(end.to_move != -2 and end.starter == seat)
        if name in ("over", "goes on"):
            return bool((end.to_move == -2) == (name == "over"))
        if name in ("filled", "empty", "begun"):
            return self._line(end, name, seat, place, numbers)
        reason = {"floor": "floor", "rows": "row", "columns": "column", "colours": "colour"}[name]
        return bool(end.by_reason[seat, reason] == numbers[0])

    def _line(self, end: NotingAzul, name: str, seat: int, line: int, numbers: Numbers) -> bool:
        tiled, tiles = end.noted[seat, line], end.boards[seat].lines[line]
        if name == "filled":
            return len(tiled) > 0 and sum(tiled) == numbers[0]
        if name == "empty":
            return not tiled and not tiles
        return not tiled and tiles == [TILE_COLOURS[numbers[1]]] * numbers[0]

    def _is_short(
        self, after: NotingAzul, seat: int, line: int, missing: int, left: int, colour: int
    ) -> bool:
        letter, tiles = TILE_COLOURS[colour], after.boards[seat].lines[line]
        offered = sum(pile.count(letter) for pile in [after.centre, *after.factories])
        return (set(tiles) == {letter} and line + 1 - len(tiles) == missing and offered == left < missing
                and not after.special)

    def used(self, oracle: Any) -> list[str]:
        return list(oracle.lid)

    def kind(self, number: int) -> str:
        return TILE_COLOURS[number % 5]

    def room(self, seat: int, kind: int) -> int:
        board, colour = self.played([]).boards[seat], self.kind(kind)
        rows = [row for row in range(5) if board.accepts(row, colour)]
        return sum(row + 1 - len(board.lines[row]) for row in rows if kind < 5 or board.lines[row])

    def fills(self, after: Any, text: str, seat: int, place: int) -> bool:
        before = len(after.boards[seat].lines[place])
        pile = after.centre if text[0] == "0" else after.factories[int(text[0]) - 1]
        return bool(before + pile.count(text[1]) >= place + 1)


# --- Stained Glass of Sintra ---------------------------------------------------------------------------


class NotingGlass(GlassOracle):
    def __init__(self, *args: Any, **options: Any) -> None:
        self.noted: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.by_reason: Counter[tuple[int, str]] = Counter()
        super().__init__(*args, **options)

    def _score(self, seat: int, points: int, reason: str) -> None:
        super()._score(seat, points, reason)
        if reason in ("window", "bonus"):
            weight = 1 if reason == "window" else 1000
            self.noted[seat, self.boards[seat].glazier].append(points * weight)


class GlassTable(Table):
    colours = "bpoyw"

    def begin(self) -> NotingGlass:
        options = {name: self.game.options[name] for name in ("side", "start")}
        return NotingGlass(self.game.players, **options)

    def holds(
        self, line: list[str], count: int, name: str, seat: int, place: int, numbers: Numbers
    ) -> bool:
        end = self.played(line)
        board = end.boards[seat]
        noted = end.noted[seat, place]
        windows = [points for points in noted if 0 < points < 1000]
        if name == "completed":
            bonus = sum(points // 1000 for points in noted if points >= 1000)
            return (len(windows), sum(windows) + bonus) == numbers
        if name == "panes":
            return not windows and len(board.panes_on(place)) == numbers[0]
        if name == "starts":
            return bool(end.to_move != -2 and end.starter == seat)
        if name == "glazier":
            return bool(board.glazier == place)
        if name == "broken":
            charged = -end.by_reason[seat, "track end"] - end.by_reason[seat, "broken"]
            due = 0 if end.to_move == -2 else -BROKEN_GLASS[board.step]
            return bool(charged + due == numbers[0])
        reason = {"panes left": "panes left", "ornaments": "ornament", "best colour": "best colour"}[name]
        return bool(end.by_reason[seat, reason] == numbers[0])

    def used(self, oracle: Any) -> list[str]:
        return list(oracle.tower)

    def room(self, seat: int, kind: int) -> int:
        board = self.played([]).boards[seat]
        return sum(len(board.free(column, self.kind(kind))) for column in range(board.glazier, 8))

    def fills(self, after: Any, text: str, seat: int, place: int) -> bool:
        board = after.boards[seat]
        pile = after.centre if text[0] == "0" else after.factories[int(text[0]) - 1]
        fitting = min(pile.count(text[1]), len(board.free(place, text[1])))
        return bool(len(board.panes_on(place)) + fitting == 5)


# --- Queen's Garden: positions come from the engine, everything about them from the plain rules --------


class GardenTable(Table):
    to_round_end = False

    def holds(
        self, line: list[str], count: int, name: str, seat: int, place: int, numbers: Numbers
    ) -> bool:
        before, after = self.game.at(self.ply), self.game.at(self.ply)
        for text in line[:count]:
            after.play(text)
        world = self.world(after)
        player = world.players[seat]
        if name == "starts":
            return world.marker == seat
        if name == "nobody passed":
            return world.marker is None
        if name == "purchases":
            price = player.score - self.world(before).players[seat].score
            return price == numbers[0] or (numbers[0] == 0 and line[0] != "f")
        if name == "passes":
            own = self.world(before).players[seat]
            return line[0] == "-" and (own.tiles.total() + len(own.expansions),) == numbers
        if name == "storage":
            return self.storage([*player.tiles.elements(), *player.expansions]) == numbers
        if name == "garden":
            return (self.garden(self.world(before), world, seat),) == numbers
        return {"jokers": (player.jokers,), "passing": (int(player.passed),)}[name] == numbers

    def supply(self) -> tuple[Counter[str], Counter[str]]:
        world = self.world(self.game.at(self.ply))
        return Counter(world.bag), Counter(world.tower)

    def kind(self, number: int) -> str:
        return HEXAGON_LETTERS[number]

    def room(self, seat: int, kind: int) -> int:
        garden = self.world(self.game.at(self.ply)).players[seat].garden
        return sum(self.kind(kind) in hexagon for hexagon in garden.hexagons.values())

    def storage(self, pieces: list[str]) -> Numbers:
        alike = Counter(letter for piece in set(pieces) for letter in piece)
        return len(pieces), sum(map(hexagon_value, pieces)), max(alike.values(), default=0)

    def garden(self, before: World, world: World, seat: int) -> int:
        """Wheel and pavilions of every round from the turn on, and groups at the end."""
        garden, points = world.players[seat].garden, 0
        for number in range(before.round, 5):
            points += replace(world, round=number).wheel_points(garden) + len(garden.pavilions)
        for letter in (0, 1):
            for group in garden.groups(letter):
                if len(group) >= 3:
                    points += sum(hexagon_value(garden.hexagons[cell]) for cell in group)
                    points += BONUS[world.side].get(len(group), 0)
        return points

    def world(self, position: Position) -> World:
        return World.read(layout.as_dict(position.game.state, position.row), position.options["side"])


CHECKERS: dict[str, type[Table]] = {
    "azul": AzulTable, "stained_glass": GlassTable, "queens_garden": GardenTable,
}
