"""The lines of a study: the tree of a record, and the places in it that a page shows.

A *place* is a node of the tree: the root, a decision, or the last piece of a draw; the pieces before it
belong to it. The first place after another continues its line, the others are branches. An *address* names
a place by the way to it: "12.1.3" is twelve times the first place, then place number 1, then three times
the first. It stays right while lines are only added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from azulejos.core import time_limit
from azulejos.core.message import Problem, msg
from azulejos.core.notation import IllegalMove, InvalidMove
from azulejos.core.position import Position, play_forced
from azulejos.core.record import GameNode, Player, Record
from azulejos.core.scene import marks_pieces

MOST_NODES = 5000
LONGEST_COMMENT = 2000
MOST_BRANCHINGS = 40
"""Branches within branches; a record holds 50 levels."""
KEPT_POSITIONS = 16


class LineTree:
    """The tree; every move that enters it was checked by the rules."""

    def __init__(self, start: Position, seats: Sequence[Player]) -> None:
        self.start, self.seats = start, tuple(seats)
        self.root = GameNode()
        self.nodes: dict[int, GameNode] = {0: self.root}
        """The places by their numbers."""
        self.numbers: dict[GameNode, int] = {self.root: 0}
        self.turns: dict[GameNode, int] = {self.root: 0}
        """The number of a place's turn in its line; the steps of a turn and the draw after it share it."""
        self._next = 1
        self._positions: dict[GameNode, Position] = {}

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.seats]

    # --- places --------------------------------------------------------------------------------------

    def node(self, number: int) -> GameNode:
        if number not in self.nodes:
            raise Problem(msg("This line is not there any more."))
        return self.nodes[number]

    def parent(self, node: GameNode) -> GameNode | None:
        """The place before a place."""
        before = node.parent
        while before is not None and before not in self.numbers:
            before = before.parent
        return before

    def children(self, node: GameNode) -> list[GameNode]:
        """The places after a place."""
        found = []
        for child in node.children:
            while child not in self.numbers:
                child = child.children[0]
            found.append(child)
        return found

    def actions(self, node: GameNode) -> tuple[int, ...]:
        """The decision, or everything that was drawn at once, that leads to a place."""
        first = self._first(node)
        return tuple(each.action for each in node.path()[len(first.path()) - 1 :]) if node.parent else ()

    def _first(self, node: GameNode) -> GameNode:
        """The node where the draw of a place begins."""
        while node.parent is not None and node.parent not in self.numbers:
            node = node.parent
        return node

    def path(self, node: GameNode) -> list[GameNode]:
        """The places from the root (without it) to a place."""
        return [each for each in node.path() if each in self.numbers]

    def branchings(self, node: GameNode) -> int:
        """How often the way to a place leaves a line."""
        return sum(each.parent is not None and each.parent.children[0] is not each for each in node.path())

    def walk(self) -> Iterator[GameNode]:
        """All places, each after the one before it."""
        return (node for node in self.root.walk() if node in self.numbers)

    def at(self, address: str) -> GameNode:
        """The place of an address, or the last one on the way to it that exists."""
        node, numbers = self.root, [int(part) for part in address.split(".") if part.isdecimal()][:200]
        for index, number in enumerate(numbers):
            for _ in range(number if index % 2 == 0 else 1):
                child, children = 0 if index % 2 == 0 else number, self.children(node)
                if child >= len(children):
                    return node
                node = children[child]
        return node

    def position(self, node: GameNode) -> Position:
        """The position at a place, with the moves of its line as history."""
        time_limit.check()
        line, known = list[GameNode](), node
        while known not in self._positions and known.parent is not None:
            line.append(known)
            known = known.parent
        found = self._positions.pop(known, None) or self.start.copy()
        self._remember(known, found)
        if line:
            found = found.after(each.action for each in reversed(line))
            self._remember(node, found)
        return found

    def _remember(self, node: GameNode, position: Position) -> None:
        self._positions[node] = position
        while len(self._positions) > KEPT_POSITIONS:
            del self._positions[next(iter(self._positions))]

    # --- changing ------------------------------------------------------------------------------------

    def play(self, node: GameNode, text: str) -> list[GameNode]:
        """Follow moves from a place, and add those that are not there yet. Returns the places passed, the
        last one being where the moves lead. Steps without a choice are added with them."""
        position = self.position(node).copy()
        if position.is_chance:
            raise Problem(msg("A draw is in progress; it is nobody's turn."))
        begun, seat = position.ply, position.to_move
        try:
            position.play(text)
        except InvalidMove as error:
            raise Problem(msg("This message cannot be read.")) from error
        except IllegalMove as error:
            raise Problem(error.reason) from error
        play_forced(position, seat, until=marks_pieces)
        passed = []
        for action in position.history.actions[begun:]:
            node = self.follow(node, (action,))
            passed.append(node)
        return passed

    def deal(self, node: GameNode, position: Position) -> GameNode:
        """Add what was drawn on a position that was at this place."""
        return self.follow(node, position.history.actions[self.position(node).ply :])

    def follow(self, node: GameNode, actions: Sequence[int]) -> GameNode:
        """The place that these actions, which are legal, lead to; a new one if there is none."""
        for child in self.children(node):
            if self.actions(child) == tuple(actions):
                return child
        if len(self.nodes) >= MOST_NODES:
            raise Problem(msg("A study holds at most {n} moves. Begin another one.", n=MOST_NODES))
        if node.children and self.branchings(node) >= MOST_BRANCHINGS:
            raise Problem(msg("Lines branch off at most {n} times. Make this line the main one first.",
                              n=MOST_BRANCHINGS))
        place, turn = node, self.turns[node] + self._begins_turn(node)
        for action in actions:
            place = place.add(action)
        self._number(place, self._next, turn)
        return place

    def _number(self, place: GameNode, number: int, turn: int) -> None:
        self.nodes[number], self.numbers[place], self.turns[place] = place, number, turn
        self._next = max(self._next, number + 1)

    def _begins_turn(self, node: GameNode) -> bool:
        """Whether a decision at a place begins a turn."""
        here, before = self.position(node), self.parent(node)
        goes_on = before is not None and here.in_turn_of(self.position(before).to_move)
        return here.to_move >= 0 and not goes_on

    def comment(self, node: GameNode, text: str) -> None:
        printable = "".join(c for c in text if c.isprintable() or c == "\n")
        node.comment = printable.strip()[:LONGEST_COMMENT]

    def remove(self, node: GameNode) -> list[int]:
        """Remove a place and everything after it; returns their numbers."""
        first = self._first(node)
        if first.parent is None:
            raise Problem(msg("The first position cannot be removed."))
        first.parent.children.remove(first)
        gone = []
        for each in first.walk():
            if each in self.numbers:
                gone.append(self.numbers.pop(each))
                del self.nodes[gone[-1]], self.turns[each]
                self._positions.pop(each, None)
        return gone

    def promote(self, node: GameNode) -> list[GameNode]:
        """Make the line of a place the main one; returns the places whose children changed their order."""
        changed = []
        for each in reversed(node.path()):
            assert each.parent is not None
            siblings = each.parent.children
            if siblings[0] is not each:
                siblings.remove(each)
                siblings.insert(0, each)
                changed.append(each.parent)
        return changed

    # --- records -------------------------------------------------------------------------------------

    def copy(self) -> LineTree:
        """A tree of its own, with the same numbers."""
        new = LineTree(self.start, self.seats)
        new.root = self.root.copy()
        new.nodes, new.numbers, new.turns = {}, {}, {}
        for old, twin in zip(self.root.walk(), new.root.walk(), strict=True):
            if old in self.numbers:
                new._number(twin, self.numbers[old], self.turns[old])
        new._next = self._next
        return new

    def record(self, upto: GameNode | None = None) -> Record:
        """The whole tree as a record, or one line of it."""
        record = Record(self.start.copy(), self.seats, self.root if upto is None else GameNode())
        if upto is not None:
            record.root.comment, last = self.root.comment, record.root
            for node in upto.path():
                last = last.add(node.action)
                last.comment = node.comment
        return record


def tree_of(record: Record) -> LineTree:
    """The tree of a record. Lines that were taken back become branches like any other, and of several lines
    that begin with the same move the later ones become branches of the first."""
    tree, decisions = LineTree(record.start.copy(), record.seats), record.start.game.decisions
    tree.root.comment = record.root.comment[:LONGEST_COMMENT]
    waiting = [(record.root, tree.root)]
    while waiting:
        node, place = waiting.pop()
        found = []
        for child in node.children:
            actions = [child.action]
            while _goes_on(child, decisions):
                child = child.children[0]
                actions.append(child.action)
            twin = tree.follow(place, actions)
            twin.comment = twin.comment or child.comment[:LONGEST_COMMENT]
            found.append((child, twin))
        waiting += found  # branches before the rest of the line: their positions are still known
    return tree


def _goes_on(node: GameNode, decisions: int) -> bool:
    """Whether a piece that was drawn belongs to the same draw as the next one."""
    only = len(node.children) == 1 and not node.comment
    return only and node.action >= decisions and node.children[0].action >= decisions
