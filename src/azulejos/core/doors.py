"""Doors between Python and compiled rules: states as rows of bytes, because passing a record is slow."""

from __future__ import annotations

from azulejos.core.jit import loop
from azulejos.core.layout import Cells
from azulejos.core.verbs import STATE, apply, census, in_turn, is_legal, legal, odds, standing


@loop
def legal_at(rows: Cells, i: int, actions: Cells) -> int:
    return legal(rows[i].view(STATE)[0], actions)


@loop
def is_legal_at(rows: Cells, i: int, action: int) -> bool:
    return is_legal(rows[i].view(STATE)[0], action)


@loop
def odds_at(rows: Cells, i: int, weights: Cells) -> int:
    return odds(rows[i].view(STATE)[0], weights)


@loop
def apply_at(rows: Cells, i: int, action: int) -> None:
    apply(rows[i].view(STATE)[0], action)


@loop
def standing_at(rows: Cells, i: int, seat: int) -> int:
    return standing(rows[i].view(STATE)[0], seat)


@loop
def in_turn_at(rows: Cells, i: int) -> bool:
    return in_turn(rows[i].view(STATE)[0])


@loop
def census_at(rows: Cells, i: int) -> bool:
    return census(rows[i].view(STATE)[0])
