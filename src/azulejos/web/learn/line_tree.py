"""The lines of a study as a tree: a record with variations, and nothing besides.

A node is one decision, or one whole draw of pieces. The first child of a node continues its line, the
others are branches. An *address* names a node by the way to it: "12.1.3" is twelve times the first child,
then child number 1, then three times the first child. It stays right while lines are only added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from azulejos.core.message import Problem, msg
from azulejos.core.notation import IllegalMove, InvalidMove
from azulejos.core.position import Position, play_forced
from azulejos.core.record import Player, Record, Step, Variation

MOST_NODES = 5000
LONGEST_COMMENT = 2000
MOST_BRANCHINGS = 40
"""Branches within branches; a record holds 50 levels."""
KEPT_POSITIONS = 16


@dataclass(eq=False, slots=True)
class Node:
    number: int
    parent: Node | None
    actions: tuple[int, ...] = ()
    """One decision, or everything that was drawn at once; empty at the root."""
    turn: int = 0
    """The number of the turn in its line; steps of one turn, and the draw after it, share it."""
    comment: str = ""
    children: list[Node] = field(default_factory=list)

    def path(self) -> list[Node]:
        """From the root (without it) to this node."""
        found: list[Node] = []
        node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def branchings(self) -> int:
        """How often the way here leaves a line."""
        return sum(node.parent.children[0] is not node for node in self.path() if node.parent)


class LineTree:
    """The tree; every move that enters it was checked by the rules."""

    def __init__(self, start: Position, seats: Sequence[Player]) -> None:
        self.start, self.seats = start, tuple(seats)
        self.root = Node(0, None)
        self.nodes: dict[int, Node] = {0: self.root}
        self._next = 1
        self._positions: dict[int, Position] = {}

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.seats]

    def node(self, number: int) -> Node:
        if number not in self.nodes:
            raise Problem(msg("This line is not there any more."))
        return self.nodes[number]

    def position(self, node: Node) -> Position:
        """The position at a node, with the moves of its line as history."""
        line = [node]
        while line[-1].number not in self._positions and line[-1].parent is not None:
            line.append(line[-1].parent)
        known = line.pop()
        found = self._positions.pop(known.number, None) or self.start.copy()
        self._remember(known, found)
        for child in reversed(line):
            found = found.after(child.actions)
            self._remember(child, found)
        return found

    def _remember(self, node: Node, position: Position) -> None:
        self._positions[node.number] = position
        while len(self._positions) > KEPT_POSITIONS:
            del self._positions[next(iter(self._positions))]

    def copy(self) -> LineTree:
        """A tree of its own, with the same numbers."""
        new = LineTree(self.start, self.seats)
        new._next = self._next
        for old in walk(self.root):
            parent = new.nodes[old.parent.number] if old.parent else None
            node = Node(old.number, parent, old.actions, old.turn, old.comment)
            new.nodes[node.number] = node
            if parent is not None:
                parent.children.append(node)
        new.root = new.nodes[0]
        return new

    # --- changing ------------------------------------------------------------------------------------

    def play(self, node: Node, text: str) -> list[Node]:
        """Follow moves from a node, and add those that are not there yet. Returns the nodes passed, the
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
        play_forced(position, seat)
        passed = []
        for action in position.history.actions[begun:]:
            node = self.follow(node, (int(action),))
            passed.append(node)
        return passed

    def deal(self, node: Node, position: Position) -> Node:
        """Add what was drawn on a position that was at this node."""
        drawn = position.history.actions[self.position(node).ply :]
        return self.follow(node, drawn)

    def follow(self, node: Node, actions: tuple[int, ...]) -> Node:
        """The child with these actions, which are legal; a new one if there is none."""
        for child in node.children:
            if child.actions == actions:
                return child
        if len(self.nodes) >= MOST_NODES:
            raise Problem(msg("A study holds at most {n} moves. Begin another one.", n=MOST_NODES))
        if node.children and node.branchings() >= MOST_BRANCHINGS:
            raise Problem(msg("Lines branch off at most {n} times. Make this line the main one first.",
                              n=MOST_BRANCHINGS))
        child = Node(self._next, node, actions, turn=node.turn + self._begins_turn(node))
        self._next += 1
        node.children.append(child)
        self.nodes[child.number] = child
        return child

    def _begins_turn(self, node: Node) -> bool:
        """Whether a decision at a node begins a turn."""
        here = self.position(node)
        goes_on = node.parent is not None and here.in_turn_of(self.position(node.parent).to_move)
        return here.to_move >= 0 and not goes_on

    def comment(self, node: Node, text: str) -> None:
        printable = "".join(c for c in text if c.isprintable() or c == "\n")
        node.comment = printable.strip()[:LONGEST_COMMENT]

    def remove(self, node: Node) -> list[int]:
        """Remove a node and everything after it; returns their numbers."""
        if node.parent is None:
            raise Problem(msg("The first position cannot be removed."))
        node.parent.children.remove(node)
        gone = [each.number for each in walk(node)]
        for number in gone:
            del self.nodes[number]
            self._positions.pop(number, None)
        return gone

    def promote(self, node: Node) -> list[Node]:
        """Make the line of a node the main one; returns the nodes whose children changed their order."""
        changed = []
        while node.parent is not None:
            siblings = node.parent.children
            if siblings[0] is not node:
                siblings.remove(node)
                siblings.insert(0, node)
                changed.append(node.parent)
            node = node.parent
        return changed

    # --- addresses -------------------------------------------------------------------------------------

    def at(self, address: str) -> Node:
        """The node of an address, or the last one on the way to it that exists."""
        node, numbers = self.root, [int(part) for part in address.split(".") if part.isdecimal()][:200]
        for index, number in enumerate(numbers):
            for _ in range(number if index % 2 == 0 else 1):
                child = 0 if index % 2 == 0 else number
                if child >= len(node.children):
                    return node
                node = node.children[child]
        return node

    # --- records -----------------------------------------------------------------------------------------

    def record(self, upto: Node | None = None) -> Record:
        """The whole tree as a record, or one line of it."""
        record = Record(self.start.copy(), self.seats, comment=self.root.comment)
        if upto is not None:
            record.steps = [step for node in upto.path() for step in _steps(node)]
        else:
            record.steps, record.unplayed = _line(self.root)
        return record


def walk(node: Node) -> Iterator[Node]:
    """A node and everything after it, without recursion: lines may be long."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _steps(node: Node) -> list[Step]:
    """The actions of a node; its comment is on the last of them."""
    steps = [Step(action) for action in node.actions]
    steps[-1].comment = node.comment
    return steps


def _line(node: Node) -> tuple[list[Step], list[Variation]]:
    """The line that continues a node, with its branches as variations."""
    steps: list[Step] = []
    while node.children:
        main, *others = node.children
        own = _steps(main)
        own[0].variations = [_branch(other) for other in others]
        steps += own
        node = main
    return steps, []


def _branch(node: Node) -> Variation:
    rest, _ = _line(node)
    return Variation(steps=_steps(node) + rest)


def tree_of(record: Record) -> LineTree:
    """The tree of a record. Lines that were taken back become branches like any other."""
    tree = LineTree(record.start.copy(), record.seats)
    tree.root.comment = record.comment[:LONGEST_COMMENT]
    _grow(tree, tree.root, record.steps, record.unplayed)
    return tree


def _grow(tree: LineTree, node: Node, steps: Sequence[Step], unplayed: Sequence[Variation]) -> None:
    position, index = tree.position(node).copy(), 0
    while index < len(steps):
        end = index + 1
        if position.is_chance:
            end = _end_of_draw(position, steps, index)
        branches = [(node, branch) for step in steps[index : index + 1] for branch in step.variations]
        for step in steps[index:end]:
            position.play(step.action)
        child = tree.follow(node, tuple(step.action for step in steps[index:end]))
        child.comment = steps[end - 1].comment[:LONGEST_COMMENT]
        for parent, branch in branches:
            _grow_branch(tree, parent, branch)
        node, index = child, end
    for branch in unplayed:
        _grow_branch(tree, node, branch)


def _grow_branch(tree: LineTree, node: Node, branch: Variation) -> None:
    if branch.steps:
        _grow(tree, node, branch.steps, branch.unplayed)


def _end_of_draw(position: Position, steps: Sequence[Step], index: int) -> int:
    """Where the draw that begins at a step ends: at a decision, a comment or a branch."""
    trial = position.copy()
    while index < len(steps):
        trial.play(steps[index].action)
        index += 1
        if not trial.is_chance or steps[index - 1].comment or (
            index < len(steps) and steps[index].variations
        ):
            break
    return index
