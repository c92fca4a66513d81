"""Random games of Stained Glass without listing what is possible. The law is in `rules` alone."""

from __future__ import annotations

from typing import Final

from azulejos.core.chance import below
from azulejos.core.contract import Dice
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, LEGAL, MARKED, listed_action, mark_listed
from azulejos.games.stained_glass.components import WINDOWS
from azulejos.games.stained_glass.layout import BACK, FILLING, FRONT, JOKER, OFFER, STRIPS, State
from azulejos.games.stained_glass.moves import RESET, TARGETS
from azulejos.games.stained_glass.rules import apply, fill_on, lay_strip, open_targets, refused_reset
from azulejos.parts.offer import (
    FACTORIES, count_takes, fill_factories, mark_takes, nth_table, nth_take, whole_table,
)

NTH = nth_table(TARGETS)
WHOLE = whole_table(TARGETS)


@rule
def random_action(s: State, actions: Cells, weights: Cells, rng: Cells) -> int:
    if s.stage != OFFER:
        return listed_action(s, actions, weights, rng)
    targets = open_targets(s, s.to_move)
    takes = count_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, NTH)
    wanted = below(rng, takes + int(refused_reset(s, s.to_move) == LEGAL))
    if wanted == takes:
        return RESET
    return nth_take(s.factories, s.centre, targets, TARGETS, NTH, wanted)


@rule
def deal(s: State, actions: Cells, weights: Cells, rng: Cells) -> None:
    while s.to_move == CHANCE:
        if s.stage == FILLING:
            s.laid = fill_factories(s.factories, s.bag, s.tower, s.laid, FACTORIES[s.players], rng)
            fill_on(s)
        elif s.stage == STRIPS:
            lay_random_strip(s, rng)
        else:
            apply(s, listed_action(s, actions, weights, rng))


@rule
def lay_random_strip(s: State, rng: Cells) -> None:
    """One of the strips that the seat has not laid yet, each as likely, with a face that may be up."""
    seat, laid = s.laid // WINDOWS, 0
    for window in range(s.laid % WINDOWS):
        laid |= 1 << (int(s.strip[seat, window]) - 1)
    ticket = below(rng, 2 * (WINDOWS - s.laid % WINDOWS))
    strip = 0
    while laid >> strip & 1:
        strip += 1
    while ticket >= 2:
        ticket -= 2
        strip += 1
        while laid >> strip & 1:
            strip += 1
    one_face = s.strips[strip, BACK, JOKER] > 0
    lay_strip(s, strip, BACK if ticket == 1 and not one_face else FRONT)


@rule
def mark_legal(s: State, actions: Cells, marks: Cells) -> None:
    if s.stage != OFFER:
        mark_listed(s, actions, marks)
        return
    targets = open_targets(s, s.to_move)
    mark_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, WHOLE, marks)
    if refused_reset(s, s.to_move) == LEGAL:
        marks[RESET // MARKED] |= 1 << RESET % MARKED


DICE: Final = Dice(random_action=random_action, deal=deal, mark_legal=mark_legal)
