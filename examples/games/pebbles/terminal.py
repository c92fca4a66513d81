"""Pebbles in the terminal."""

from __future__ import annotations

from azulejos.core.contract import Terminal
from azulejos.core.layout import Cells
from azulejos.core.message import msg
from azulejos.core.terminal import Say, Span, TextLine, folded

from .layout import State
from .moves import KINDS, LETTERS


def draw(s: State, names: tuple[str, ...], say: Say, columns: int) -> list[TextLine]:
    lines: list[TextLine] = [
        [Span(say(msg("Round {n}", n=s.round)), "strong")], [Span("bowl "), *_pebbles(s.bowl)],
    ]
    for seat, name in enumerate(names):
        pointer = ">" if seat == s.to_move else " "
        lines.append([Span(f"{pointer} {name} {s.score[seat]:3} "), *_pebbles(s.taken[seat])])
    return folded(lines, columns)


def _pebbles(counts: Cells) -> list[Span]:
    return [Span(LETTERS[c].upper() * int(n) + " ", KINDS[c]) for c, n in enumerate(counts) if n]


TERMINAL = Terminal(draw=draw)
