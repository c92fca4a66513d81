"""Random games of Azul without listing what is possible. The law is in `rules` and `rounds` alone."""

from __future__ import annotations

from typing import Final

from azulejos.core.chance import below
from azulejos.core.contract import Dice
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, listed_action, mark_listed
from azulejos.games.azul.layout import DISCS, EFFECTS, FILLING, OFFER, PLAIN, State
from azulejos.games.azul.moves import TARGETS
from azulejos.games.azul.rounds import fill_on, place_of, turn_disc
from azulejos.games.azul.rules import apply, open_targets
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
    n = count_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, NTH)
    return nth_take(s.factories, s.centre, targets, TARGETS, NTH, below(rng, n))


@rule
def deal(s: State, actions: Cells, weights: Cells, rng: Cells) -> None:
    while s.to_move == CHANCE:
        if s.stage == FILLING:
            s.laid = fill_factories(s.factories, s.bag, s.lid, s.laid, FACTORIES[s.players], rng)
            fill_on(s)
        elif s.stage == DISCS:
            turn_random_disc(s, rng)
        else:
            apply(s, listed_action(s, actions, weights, rng))


@rule
def turn_random_disc(s: State, rng: Cells) -> None:
    """One of the free places, and one of the discs that are not turned up."""
    factories = FACTORIES[s.players]
    free_places = 0
    for place in range(factories):
        free_places += int(s.effects[place] == PLAIN)
    free_effects = EFFECTS - factories + free_places
    wanted = below(rng, free_places * free_effects)
    turn_disc(s, nth_free_place(s, wanted // free_effects), nth_free_effect(s, wanted % free_effects))


@rule
def nth_free_place(s: State, wanted: int) -> int:
    place = 0
    while wanted > 0 or s.effects[place] != PLAIN:
        wanted -= int(s.effects[place] == PLAIN)
        place += 1
    return place


@rule
def nth_free_effect(s: State, wanted: int) -> int:
    effect = 1
    while True:
        if place_of(s, effect) < 0:
            if wanted == 0:
                return effect
            wanted -= 1
        effect += 1


@rule
def mark_legal(s: State, actions: Cells, marks: Cells) -> None:
    if s.stage != OFFER:
        mark_listed(s, actions, marks)
        return
    targets = open_targets(s, s.to_move)
    mark_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, WHOLE, marks)


DICE: Final = Dice(random_action=random_action, deal=deal, mark_legal=mark_legal)
