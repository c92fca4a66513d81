"""Queen's Garden written from the rules text as literally as possible, one whole turn at a time.

The fast engine plays a turn in small steps; this one lists complete turns and shares no code with it. A
hexagon is a text like "b3" (blue, three butterflies), a garden is a dict from axial coordinates to
hexagons, piles are Counters, and there are no tricks. `World.read` reads the fields of the engine's
record, so that both can be compared after every turn.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, product
from typing import Any

COLOURS = "blygdp"  # blue, light purple, yellow, light green, dark green, dark purple
VALUES = "123456"  # tree, bird, butterflies, flower, plant, bells
HEXAGONS = [colour + value for colour in COLOURS for value in VALUES]
STACK = {2: 5, 3: 7, 4: 8}

Cell = tuple[int, int]
STEPS: list[Cell] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
ROOTS: list[Cell] = [(3, 0), (0, 3), (-3, 3), (-3, 0), (0, -3), (3, -3)]
FOUNTAIN: Cell = (0, 0)
STATUES: list[Cell] = [(2, -1), (-1, 2), (-1, -1)]
BENCHES: list[Cell] = [(1, 1), (-2, 1), (1, -2)]

WHEEL = {
    "standard": [
        {"d": 1, "1": 1, "b": 1}, {"2": 1, "p": 1, "3": 2}, {"l": 1, "4": 2, "y": 1},
        {"5": 3, "g": 1, "6": 3},
    ],
    "variant": [
        {"d": 1, "1": 1, "b": 1}, {"2": 2, "p": 1, "3": 3}, {"l": 1, "4": 4, "y": 1},
        {"5": 5, "g": 1, "6": 6},
    ],
}
BONUS = {"standard": {6: 6}, "variant": {4: 4, 5: 5, 6: 6}}
STAGES = {0: "lot", 1: "fill", 2: "turn up", 3: "act", 8: "over"}


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + q, cell[1] + r) for q, r in STEPS]


NUMBERED = [*around(FOUNTAIN), *(cell for root in ROOTS for cell in [root, *around(root)])]


def value(hexagon: str) -> int:
    return int(hexagon[1])


def subsets(things: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    pool = list(things)
    return chain.from_iterable(combinations(pool, size) for size in range(len(pool) + 1))


@dataclass
class Garden:
    hexagons: dict[Cell, str] = field(default_factory=dict)
    backs: set[Cell] = field(default_factory=set)  # centres of face-down expansions
    pavilions: dict[Cell, Cell] = field(default_factory=dict)  # centre -> cell of the printed hexagon

    def copy(self) -> Garden:
        return Garden(dict(self.hexagons), set(self.backs), dict(self.pavilions))

    def cells(self) -> list[Cell]:
        """All cells that can hold a hexagon."""
        found = around(FOUNTAIN)
        for centre in self.backs:
            found += [centre, *around(centre)]
        for centre in self.pavilions:
            found += around(centre)
        return found

    def free_roots(self) -> list[Cell]:
        return [root for root in ROOTS if root not in self.backs and root not in self.pavilions]

    def groups(self, letter: int) -> list[set[Cell]]:
        """Connected hexagons of one colour (letter 0) or one pattern (letter 1)."""
        left = set(self.hexagons)
        groups = []
        while left:
            group: set[Cell] = set()
            edge = {left.pop()}
            while edge:
                group |= edge
                edge = {
                    near for cell in edge for near in around(cell)
                    if near in left and self.hexagons[near][letter] == self.hexagons[cell][letter]
                }
                left -= edge
            groups.append(group)
        return groups

    def allows(self, cell: Cell, hexagon: str) -> bool:
        """The placement rule (4)."""
        near = [self.hexagons[other] for other in around(cell) if other in self.hexagons]
        if near and not any(other[0] == hexagon[0] or other[1] == hexagon[1] for other in near):
            return False
        after = Garden({**self.hexagons, cell: hexagon})
        for letter in (0, 1):
            for group in after.groups(letter):
                if len({after.hexagons[member] for member in group}) < len(group):
                    return False
        return True

    def surrounded(self) -> dict[Cell, int]:
        """Every surrounded element with the number of its jokers."""
        elements = {FOUNTAIN: 1, **dict.fromkeys(STATUES, 2), **dict.fromkeys(BENCHES, 2)}
        elements |= dict.fromkeys(self.pavilions, 3)
        return {at: jokers for at, jokers in elements.items() if set(around(at)) <= set(self.hexagons)}

    def key(self) -> Any:
        return (
            frozenset(self.hexagons.items()), frozenset(self.backs), frozenset(self.pavilions.items())
        )


@dataclass
class Player:
    score: int = 15
    jokers: int = 3
    tiles: Counter[str] = field(default_factory=Counter)
    expansions: frozenset[str] = frozenset()
    garden: Garden = field(default_factory=Garden)
    passed: bool = False

    def copy(self) -> Player:
        return replace(self, tiles=Counter(self.tiles), garden=self.garden.copy())

    def fits(self) -> bool:
        return self.tiles.total() + self.jokers <= 12 and len(self.expansions) <= 2

    def key(self) -> Any:
        tiles = frozenset((+self.tiles).items())
        return (self.score, self.jokers, tiles, self.expansions, self.garden.key(), self.passed)


@dataclass
class Piled:
    """An expansion of the round's stack: the tiles on it, and whether it is face up or gone."""

    tiles: Counter[str] = field(default_factory=Counter)
    face: str = "down"  # down, gone, or a hexagon

    def copy(self) -> Piled:
        return Piled(Counter(self.tiles), self.face)

    def offer(self) -> set[str]:
        return set(+self.tiles) | ({self.face} if self.face in HEXAGONS else set())


@dataclass
class World:
    side: str
    players: list[Player]
    stage: str = "lot"  # lot, fill, turn up, act, over
    round: int = 0
    seat: int = 0
    marker: int | None = None
    bag: Counter[str] = field(default_factory=lambda: Counter(HEXAGONS * 3))
    tower: Counter[str] = field(default_factory=Counter)
    unseen: frozenset[str] = frozenset(HEXAGONS)
    supply: int = 0
    display: list[Piled] = field(default_factory=list)
    top: int = 0

    @classmethod
    def new(cls, players: int, side: str) -> World:
        world = cls(side, [Player() for _ in range(players)])
        world.supply = 36 - 4 * STACK[players]
        world.display = [Piled() for _ in range(STACK[players])]
        return world

    @classmethod
    def read(cls, fields: dict[str, Any], side: str) -> World:
        """Read the engine's record between two turns."""
        def pile(counts: list[int]) -> Counter[str]:
            return Counter({h: n for h, n in zip(HEXAGONS, counts, strict=True) if n})

        def faces(numbers: list[int]) -> list[str]:
            return [HEXAGONS[number - 1] for number in numbers if number]

        players = []
        for seat in range(fields["players"]):
            garden = Garden()
            for cell, number in zip(NUMBERED, fields["garden"][seat], strict=True):
                if number:
                    garden.hexagons[cell] = HEXAGONS[number - 1]
            for root, lying in zip(ROOTS, fields["places"][seat], strict=True):
                if lying == 1:
                    garden.backs.add(root)
                elif lying:
                    garden.pavilions[root] = around(root)[lying - 2]
            players.append(Player(
                fields["score"][seat], fields["jokers"][seat], pile(fields["stored"][seat]),
                frozenset(faces(fields["slots"][seat])), garden, bool(fields["passed"][seat]),
            ))
        kinds = ["down", *HEXAGONS, "gone"]
        display = [
            Piled(Counter(faces(tiles)), kinds[face])
            for tiles, face in zip(fields["tiles"], fields["face"], strict=True)
        ]
        return cls(
            side, players, STAGES[fields["stage"]], fields["round"], fields["seat"],
            None if fields["marker"] < 0 else fields["marker"], pile(fields["bag"]), pile(fields["tower"]),
            frozenset(h for h, n in zip(HEXAGONS, fields["unseen"], strict=True) if n),
            fields["supply"], display[: STACK[fields["players"]]], fields["top"],
        )

    def key(self) -> Any:
        """All relevant state, hashable, for comparing and counting."""
        seat = None if self.stage in ("lot", "over") else self.seat
        return (
            self.side, self.stage, self.round, seat, self.marker, frozenset((+self.bag).items()),
            frozenset((+self.tower).items()), self.unseen, self.supply, self.top,
            tuple((frozenset((+piled.tiles).items()), piled.face) for piled in self.display),
            tuple(player.key() for player in self.players),
        )

    def copy(self) -> World:
        return replace(
            self, players=[player.copy() for player in self.players], bag=Counter(self.bag),
            tower=Counter(self.tower), display=[piled.copy() for piled in self.display],
        )

    # --- chance

    def odds(self) -> dict[str, int]:
        if self.stage == "lot":
            return {f"@{seat + 1}": 1 for seat in range(len(self.players))}
        if self.stage == "fill":
            return {f"+{hexagon}": n for hexagon, n in self.bag.items() if n}
        assert self.stage == "turn up"
        return {f"!{hexagon}": 1 for hexagon in self.unseen}

    def draw(self, text: str) -> None:
        if self.stage == "lot":
            self.seat = int(text[1]) - 1
            self._begin_round()
        elif self.stage == "fill":
            self.bag[text[1:]] -= 1
            self.display[self.top].tiles[text[1:]] += 1
            self._complete_display(filling=True)
        else:
            self._empty_ones()[0].face = text[1:]
            self.unseen -= {text[1:]}
            self._complete_display(filling=False)

    def _begin_round(self) -> None:
        """Sections 1 and 9."""
        self.round += 1
        self.marker = None
        self.display = [Piled() for _ in range(STACK[len(self.players)])]
        self.top = 0
        for player in self.players:
            player.passed = False
        self._complete_display(filling=True)

    def _empty_ones(self) -> list[Piled]:
        beside = self.display[: self.top]
        return [piled for piled in beside if piled.face == "down" and not +piled.tiles]

    def _complete_display(self, *, filling: bool) -> None:
        """Four tiles on top of the stack, if there are enough (7); then turn up empty expansions (2)."""
        if filling and self.top < len(self.display):
            tiles = self.display[self.top].tiles.total()
            if tiles < 4 and not +self.bag:
                self.bag, self.tower = self.tower, Counter()
            if tiles < 4 and +self.bag:
                self.stage = "fill"
                return
            if tiles == 0:
                self.top = len(self.display)
        self.stage = "turn up" if self._empty_ones() else "act"

    # --- turns

    def turns(self) -> Iterator[World]:
        """The world after each legal turn, every turn once."""
        yield from self._acquisitions()
        yield from self._placements()
        yield from self._purchases()
        yield from self._passes()

    def _mine(self) -> tuple[World, Player]:
        world = self.copy()
        return world, world.players[world.seat]

    def _end_turn(self, *, lifted: bool = False) -> World:
        seats = [(self.seat + step) % len(self.players) for step in range(1, len(self.players) + 1)]
        waiting = [seat for seat in seats if not self.players[seat].passed]
        if waiting:
            self.seat = waiting[0]
            self.top += lifted
            self._complete_display(filling=lifted)
        else:
            self._end_round()
        return self

    def _acquisitions(self) -> Iterator[World]:
        """A: one of each hexagon of a colour or pattern (2)."""
        for name in COLOURS + VALUES:
            on_offer = sorted({h for piled in self.display for h in piled.offer() if name in h})
            copies = [
                [at for at, piled in enumerate(self.display) if h in piled.offer()] for h in on_offer
            ]
            for selection in product(*copies) if on_offer else ():
                world, player = self._mine()
                lifted = False
                for hexagon, at in zip(on_offer, selection, strict=True):
                    piled = world.display[at]
                    if piled.face == hexagon:
                        piled.face = "gone"
                        player.expansions |= {hexagon}
                    else:
                        piled.tiles[hexagon] -= 1
                        player.tiles[hexagon] += 1
                        lifted = lifted or at == self.top
                if player.fits():
                    yield world._end_turn(lifted=lifted)

    def _payments(self, placed: str, tiles: Counter[str], expansions: frozenset[str]) -> set[Any]:
        """All ways to pay: (tiles, expansions, jokers); the placed hexagon counts as one (3)."""
        found = set()
        others = value(placed) - 1
        for letter in (0, 1):
            pool = [("tile", h) for h in +tiles] + [("expansion", h) for h in expansions]
            pool = [(kind, h) for kind, h in pool if h[letter] == placed[letter] and h != placed]
            for paid in subsets(pool):
                jokers = others - len(paid)
                if len({h for _, h in paid}) == len(paid) and 0 <= jokers <= self.players[self.seat].jokers:
                    found.add((
                        frozenset(h for kind, h in paid if kind == "tile"),
                        frozenset(h for kind, h in paid if kind == "expansion"), jokers,
                    ))
        return found

    def _throw(self, player: Player, tiles: Iterable[str], expansions: frozenset[str]) -> None:
        thrown = Counter(tiles)
        player.tiles = player.tiles - thrown
        self.tower = self.tower + thrown
        player.expansions -= expansions
        self.supply += len(expansions)

    def _placements(self) -> Iterator[World]:
        """B and C: a tile or a stored expansion with each payment at each place (3-4)."""
        me = self.players[self.seat]
        for hexagon in sorted(+me.tiles):
            payments = self._payments(hexagon, me.tiles - Counter([hexagon]), me.expansions)
            free = [c for c in me.garden.cells() if c not in me.garden.hexagons]
            cells = [c for c in free if payments and me.garden.allows(c, hexagon)]
            for cell, payment in product(cells, payments):
                world, player = self._mine()
                player.tiles = player.tiles - Counter([hexagon])
                yield world._lay(player, hexagon, cell, payment)
        for hexagon in sorted(me.expansions):
            payments = self._payments(hexagon, me.tiles, me.expansions - {hexagon})
            rims = [(root, rim) for root in me.garden.free_roots() for rim in around(root)]
            rims = [(root, rim) for root, rim in rims if me.garden.allows(rim, hexagon)]
            for (root, rim), payment in product(rims, payments):
                world, player = self._mine()
                player.expansions -= {hexagon}
                player.garden.pavilions[root] = rim
                yield world._lay(player, hexagon, rim, payment)

    def _lay(self, player: Player, hexagon: str, cell: Cell, payment: Any) -> World:
        tiles, expansions, jokers = payment
        before = player.garden.surrounded()
        player.garden.hexagons[cell] = hexagon
        self._throw(player, tiles, expansions)
        player.jokers -= jokers
        new = {at: n for at, n in player.garden.surrounded().items() if at not in before}
        player.jokers += min(sum(new.values()), 12 - player.jokers - player.tiles.total())
        return self._end_turn()

    def _purchases(self) -> Iterator[World]:
        """C': a face-down expansion for six points (5)."""
        if self.supply and self.players[self.seat].score >= 6:
            for root in self.players[self.seat].garden.free_roots():
                world, player = self._mine()
                player.score -= 6
                world.supply -= 1
                player.garden.backs.add(root)
                yield world._end_turn()

    def _passes(self) -> Iterator[World]:
        """D: passing, with any discards that the score covers (6)."""
        me = self.players[self.seat]
        amounts = [[Counter({h: n}) for n in range(have + 1)] for h, have in (+me.tiles).items()]
        for piles, expansions in product(product(*amounts), subsets(me.expansions)):
            tiles = sum(piles, Counter())
            price = sum(map(value, [*tiles.elements(), *expansions]))
            if price <= me.score:
                world, player = self._mine()
                player.score -= price
                world._throw(player, tiles.elements(), frozenset(expansions))
                player.passed = True
                if world.marker is None:
                    world.marker = world.seat
                    player.score = max(0, player.score - 1)
                yield world._end_turn()

    # --- scoring

    def _end_round(self) -> None:
        """Sections 8 and 9."""
        for player in self.players:
            player.score += self.wheel_points(player.garden) + len(player.garden.pavilions)
        if self.round == 4:
            for player in self.players:
                player.score += self.final_points(player)
            self.stage = "over"
            return
        for piled in self.display:
            self.tower = self.tower + piled.tiles
            self.supply += piled.face != "gone"
        assert self.marker is not None
        self.seat = self.marker
        self._begin_round()

    def wheel_points(self, garden: Garden) -> int:
        fields = WHEEL[self.side][self.round - 1]
        return sum(fields.get(letter, 0) for hexagon in garden.hexagons.values() for letter in hexagon)

    def final_points(self, player: Player) -> int:
        """Sections 10 and 11."""
        points = player.jokers - sum(map(value, [*player.tiles.elements(), *player.expansions]))
        for letter in (0, 1):
            for group in player.garden.groups(letter):
                if len(group) >= 3:
                    points += sum(value(player.garden.hexagons[cell]) for cell in group)
                    points += BONUS[self.side].get(len(group), 0)
        return points

    def winners(self) -> list[int]:
        best = max(player.score for player in self.players)
        return [seat for seat, player in enumerate(self.players) if player.score == best]


def random_game(players: int, side: str, rng: random.Random) -> World:
    """A game of random turns, for manual inspection."""
    world = World.new(players, side)
    while world.stage != "over":
        if world.stage == "act":
            world = rng.choice(list(world.turns()))
        else:
            odds = world.odds()
            world.draw(rng.choices(list(odds), list(odds.values()))[0])
    return world


if __name__ == "__main__":
    print([player.score for player in random_game(2, "standard", random.Random(1)).players])
