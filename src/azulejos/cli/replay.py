"""Step through a record in the terminal."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from azulejos.cli.common import console, is_watched, out_option, say, takes_record
from azulejos.cli.positions import mover, show_board, tell, tell_outcome, tell_points
from azulejos.core.message import msg, raw
from azulejos.core.position import Position
from azulejos.core.record import GameNode, Record

if TYPE_CHECKING:
    from rich.console import Console

HELP = msg("Enter: next   b: back   a number: go to that action   e: end   q: quit")


@click.command(short_help="Step through a record in the terminal.")
@click.option("--at", type=click.IntRange(min=0), metavar="PLY",
              help="Show the position after this many actions and exit.")
@out_option(".html", what="Write a page to step through instead: one file, for mail or a website.")
@takes_record
def replay(record: Record, at: int | None, out: Path | None) -> None:
    """Step through the game in RECORD ("-": standard input); in a pipe, print all of it."""
    if out is not None:
        from azulejos.replay import Replay

        Replay(record, say=say).write(out)
        return
    if at is not None and at > len(record.actions):
        raise click.UsageError(f"the record has {len(record.actions)} actions, not {at}",
                               click.get_current_context())
    viewer = RecordViewer(record, console())
    if at is not None:
        show_board(viewer.out, viewer.end.at(at), viewer.names)
    elif is_watched(sys.stdin) and is_watched(sys.stdout):
        viewer.walk()
    else:
        viewer.print_all()


@dataclass
class RecordViewer:
    """A record and the console that shows it."""

    record: Record
    out: Console

    @functools.cached_property
    def end(self) -> Position:
        return self.record.replay()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.record.seats)

    def stops(self) -> list[int]:
        """Plies at which to stop: before every decision, and at the end."""
        plies = range(self.end.ply)
        return [*(ply for ply in plies if not self.end.at(ply).is_chance), self.end.ply]

    def print_all(self) -> None:
        position = self.record.start.copy()
        tell(self.out, raw(self.record.root.comment))
        for node in self.record.line:
            self.tell_action(position, node)
        self.finish(position)

    def walk(self) -> None:
        stops = self.stops()
        here = 0
        tell(self.out, HELP, "bright_black")
        self.show(stops[0], 0)
        while True:
            try:
                answer = self.out.input(f"{stops[here]}/{stops[-1]}> ").strip().lower()
            except EOFError:
                return
            if answer == "q":
                return
            target = _target(answer, here, stops)
            if target is None:
                tell(self.out, HELP, "bright_black")
            else:
                self.show(stops[target], stops[here] if target > here else stops[target])
                here = target

    def show(self, ply: int, since: int) -> None:
        """Show the board, and what has happened since an earlier ply."""
        position = self.end.at(since)
        for node in self.record.line[since:ply]:
            self.tell_action(position, node)
        self.finish(position)

    def finish(self, position: Position) -> None:
        show_board(self.out, position, self.names)
        outcome = position.outcome()
        if outcome:
            tell_outcome(self.out, outcome, self.names)

    def tell_action(self, position: Position, node: GameNode) -> None:
        """Play one action and print it with its notes."""
        text = position.game.moves.text
        tell(self.out, msg("{ply}. {name}: {move}", ply=position.ply + 1, name=mover(position, self.names),
                           move=text(node.action)))
        position.play(node.action)
        if node.comment:
            tell(self.out, raw(f"    {node.comment}"), "cyan")
        for first in node.parent.variations if node.parent else ():
            texts = " ".join(text(other.action) for other in (first, *first.line()))
            tell(self.out, msg("    instead: {moves}", moves=texts), "cyan")
        tell_points(self.out, position, self.names)


def _target(answer: str, here: int, stops: list[int]) -> int | None:
    """The stop that an answer refers to; None if the answer is not understood."""
    last = len(stops) - 1
    if answer in ("", "n"):
        return min(here + 1, last)
    if answer == "b":
        return max(here - 1, 0)
    if answer == "e":
        return last
    if answer.isdecimal():
        return next((i for i, ply in enumerate(stops) if ply >= int(answer)), last)
    return None
