"""Draws have exactly the odds of their position, whatever was seen; the same seed draws the same pieces."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import azulejos
from azulejos import Position, new
from azulejos.core.position import chance_weights
from azulejos.web.tables.fair_deal import Dealer, commitment, deal, dealer_of, new_seed, verify
from web.tables import draw_frequencies
from web.tables.draw_frequencies import Frequencies, watched

LEAST = 1e-5
"""A difference with a smaller p-value is no chance: there are some 150 tallies, and the seeds are fixed."""

TABLE = Path(__file__).resolve().parents[3] / "artefacts" / "draws"


class Kind(NamedTuple):
    """All draws of a box whose text begins with the same character."""

    box: str
    text: str
    words: str
    players: int = 2
    in_one_run: bool = False

    def watched(
        self, draws: int, dealer: Callable[[str], draw_frequencies.Dealer] = Dealer
    ) -> Frequencies:
        return watched(self.box, self.text, draws, dealer, players=self.players, in_one_run=self.in_one_run)


KINDS = [
    Kind("azul", "@", "who begins", 4, True), Kind("azul", "+", "tiles"),
    Kind("chocolatier", "@", "who begins", 3, True), Kind("chocolatier", "+", "chocolates", 3),
    Kind("chocolatier", "!", "discs"), Kind("chocolatier", "!", "discs", 4),
    Kind("sintra-a", "@", "who begins", 2, True), Kind("sintra-a", "s", "strips", 2, True),
    Kind("sintra-a", "s", "strips", 4, True), Kind("sintra-a", "t", "round track", 2, True),
    Kind("sintra-a", "+", "panes"),
    Kind("garden", "@", "who begins", 3, True), Kind("garden", "+", "tiles", 3),
    Kind("garden", "!", "expansions", 4),
]


def name(kind: Kind) -> str:
    return f"{kind.box}-{kind.words}-{kind.players}"


# --- the odds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=name)
def test_draws_have_the_odds_of_their_position_whatever_was_drawn_before(kind: Kind) -> None:
    assert_fair(kind.watched(1500))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=name)
def test_a_million_draws_of_each_kind(kind: Kind) -> None:
    """Writes the rows of a table: event, draws, exact odds, how often it happened, p-value.
    AZULEJOS_DRAWS makes it fewer draws."""
    found = kind.watched(int(os.environ.get("AZULEJOS_DRAWS", "1000000")))
    rows = [f"| place within the odds, in 20 parts | {found.draws:,} | | | {found.uniform():.2f} |"]
    rows += [
        f"| {event} | {tally.draws:,} | {tally.expected / tally.draws:.2%} "
        f"| {tally.happened / tally.draws:.2%} | {tally.p_value:.2f} |" for event, tally in found.rows()
    ]
    TABLE.mkdir(parents=True, exist_ok=True)
    (TABLE / f"{name(kind)}.md").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert_fair(found)


def assert_fair(found: Frequencies) -> None:
    assert found.uniform() > LEAST
    assert {event: tally for event, tally in found.rows() if tally.p_value < LEAST} == {}


def test_every_kind_of_draw_is_watched() -> None:
    games = {azulejos.new(kind.box).game.name: set[str]() for kind in KINDS}
    for kind in KINDS:
        games[azulejos.new(kind.box).game.name].add(kind.text)
    for box in azulejos.presets():
        position, rng = new(box), random.Random(1)
        while not position.is_over:
            if position.is_chance:
                assert {move.text[0] for move in position.odds()} <= games[position.game.name]
            position.play(rng.choice(position.legal_actions()))


class Mending:
    """Gives new priorities only to outcomes of which there are more than were left, as it once was."""

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)
        self._left: dict[int, list[float]] = {}

    def draw(self, position: Position) -> int:
        actions, weights = chance_weights(position)
        for action, count in zip(actions, weights, strict=True):
            if count > len(self._left.get(action, [])):
                self._left[action] = sorted(self._rng.random() for _ in range(count))
        drawn = min(actions, key=lambda action: self._left[action][0])
        del self._left[drawn][0]
        return drawn


COMING_BACK = [kind for kind in KINDS if kind.words in ("discs", "strips")]


@pytest.mark.parametrize("kind", COMING_BACK, ids=name)
def test_decks_that_are_mended_would_be_found_out(kind: Kind) -> None:
    assert min(tally.p_value for _, tally in kind.watched(1500, Mending).rows()) < LEAST


def test_a_branch_draws_with_exact_odds_from_where_it_begins() -> None:
    """The draws of another seed reveal nothing about the order of the remaining pieces."""
    first = Counter[str]()
    position = new("azul", start="1")
    for text in ["+b"] * 15 + ["+y"] * 4:
        position.play(text)
    for number in range(2000):
        dealer = dealer_of(position, str(number), dealt_from=position.ply)
        first[position.game.moves.text(dealer.draw(position))] += 1
    weights = {move.text: weight for move, weight in position.odds().items()}
    total = sum(weights.values())
    chi = sum((first[t] - 2000 * w / total) ** 2 / (2000 * w / total) for t, w in weights.items())
    assert chi < 18.5  # 4 degrees of freedom, exceeded once in a thousand times


# --- the seed ------------------------------------------------------------------------------------------


def played(box: str, seed: str, rng: random.Random) -> list[str]:
    """The draws of a whole game that is played at random."""
    position, dealer, drawn = new(box), Dealer(seed), []
    while not position.is_over:
        if position.is_chance:
            action = dealer.draw(position)
            drawn.append(position.game.moves.text(action))
            position.play(action)
        else:
            position.play(rng.choice(position.legal_actions()))
    return drawn


@pytest.mark.parametrize("pairs", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_same_seed_brings_the_same_tiles_whatever_is_played(pairs: int) -> None:
    """With two players the bag of Azul lasts five rounds; then it is refilled from the lid."""
    for number in range(pairs):
        drawn = [played("azul", str(number), random.Random(play_seed)) for play_seed in (1, 2)]
        tiles = [[text for text in one if text.startswith("+")][:100] for one in drawn]
        shared = min(map(len, tiles))
        assert shared >= 60
        assert tiles[0][:shared] == tiles[1][:shared]


@pytest.mark.parametrize("box", azulejos.presets())
def test_outcomes_that_come_back_are_the_same_for_the_same_seed(box: str) -> None:
    """Discs, strips and who begins: how often, depends on how long the game is."""
    for number in range(5):
        drawn = [played(box, str(number), random.Random(play_seed)) for play_seed in (1, 2)]
        without_bag = [[text for text in one if text[0] in "@!st"] for one in drawn]
        shared = min(map(len, without_bag))
        assert without_bag[0][:shared] == without_bag[1][:shared]


@pytest.mark.parametrize("box", azulejos.presets())
def test_a_dealer_that_catches_up_draws_what_it_would_have_drawn(box: str) -> None:
    seed = new_seed()
    position, dealer, rng = new(box), Dealer(seed), random.Random(1)
    while not position.is_over:
        if position.is_chance:
            action = dealer.copy().draw(position)
            assert dealer_of(position, seed).draw(position) == action
            deal(position, dealer)
        else:
            position.play(rng.choice(position.legal_actions()))
    actions = position.history.actions
    assert verify(position.at(0), actions, seed=seed, promised=commitment(seed)).honest
    other = new_seed()
    assert not verify(position.at(0), actions, seed=other, promised=commitment(other)).honest
