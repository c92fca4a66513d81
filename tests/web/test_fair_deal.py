"""Draws by the priority of pieces: exact odds, and the same pieces whatever is played."""

from __future__ import annotations

import hmac
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import azulejos
from azulejos import Position, new
from azulejos.core.chance import draw
from azulejos.web.tables import fair_deal

BINS = 20
HIGHEST = 43.8
"""The value of chi-squared with 19 degrees of freedom that chance exceeds once in a thousand times."""

BOXES = list(azulejos.presets())


def games(box: str, count: int) -> Iterator[tuple[Position, fair_deal.Dealer, random.Random]]:
    for number in range(count):
        yield new(box), fair_deal.dealer(f"{fair_deal.BY_PIECE}{number}"), random.Random(number)


def play(position: Position, dealer: fair_deal.Dealer, rng: random.Random) -> list[str]:
    """Play a whole game at random; return the draws."""
    drawn = []
    while not position.is_over:
        if position.is_chance:
            action = dealer.draw(position)
            drawn.append(position.game.moves.text(action))
            position.play(action)
        else:
            position.play(rng.choice(position.legal_actions()))
    return drawn


@pytest.mark.parametrize("box", BOXES)
def test_the_odds_are_exact(box: str) -> None:
    """If the odds are exact, the place of a draw within the odds, laid end to end, is uniform."""
    bins, rng = Counter[int](), random.Random(box)
    for position, dealer, play_rng in games(box, 12):
        while not position.is_over:
            if not position.is_chance:
                position.play(play_rng.choice(position.legal_actions()))
                continue
            odds = {position.game.moves.number(move): weight for move, weight in position.odds().items()}
            action = dealer.draw(position)
            below = sum(weight for other, weight in odds.items() if other < action)
            bins[int(BINS * (below + rng.random() * odds[action]) / sum(odds.values()))] += 1
            position.play(action)
    expected = bins.total() / BINS
    assert sum((bins[i] - expected) ** 2 / expected for i in range(BINS)) < HIGHEST


@pytest.mark.parametrize("box", BOXES)
def test_only_draws_take_pieces_out(box: str) -> None:
    """Priorities keep the odds exact as long as only draws remove pieces of an outcome."""
    for position, dealer, rng in games(box, 4):
        left: dict[str, int] = {}
        while not position.is_over:
            if position.is_chance:
                odds = {move.text: weight for move, weight in position.odds().items()}
                assert all(weight >= left.get(text, 0) for text, weight in odds.items())
                action = dealer.draw(position)
                left |= odds
                left[position.game.moves.text(action)] -= 1
                position.play(action)
            else:
                position.play(rng.choice(position.legal_actions()))


@pytest.mark.parametrize("pairs", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_same_seed_brings_the_same_tiles_whatever_is_played(pairs: int) -> None:
    """With two players the bag of Azul lasts five rounds; then it is refilled from the lid."""
    for number in range(pairs):
        seed = f"{fair_deal.BY_PIECE}{number}"
        one, other = (
            play(new("azul"), fair_deal.dealer(seed), random.Random(play_seed)) for play_seed in (1, 2)
        )
        tiles = [[text for text in drawn if text.startswith("+")][:100] for drawn in (one, other)]
        shared = min(map(len, tiles))
        assert shared >= 60
        assert tiles[0][:shared] == tiles[1][:shared]


def ticket_of(seed: str, ply: int) -> Callable[[int], int]:
    digest = hmac.digest(seed.encode(), f"azulejos deal {ply}".encode(), "sha256")
    return lambda total: int.from_bytes(digest, "big") % total


def test_seeds_of_older_tables_still_draw_by_ply() -> None:
    """A game that was dealt before pieces had priorities verifies as it always did."""
    position, rng, seed = new("azul"), random.Random(1), "0123456789abcdef"
    start, actions = position.copy(), []
    while not position.is_over:
        if position.is_chance:
            position.play(draw(position.odds(), ticket_of(seed, position.ply)))
        else:
            position.play(rng.choice(position.legal_actions()))
        actions.append(int(position.history.actions[-1]))
    promised = fair_deal.commitment(seed)
    assert fair_deal.verify(start.copy(), actions, seed=seed, promised=promised).honest
    other = f"{fair_deal.BY_PIECE}{seed}"
    honest = fair_deal.verify(start, actions, seed=other, promised=fair_deal.commitment(other)).honest
    assert not honest


def test_a_dealer_that_catches_up_draws_what_it_would_have_drawn() -> None:
    seed = fair_deal.new_seed()
    position, dealer, rng = new("azul"), fair_deal.dealer(seed), random.Random(1)
    while not position.is_over:
        if position.is_chance:
            action = dealer.draw(position)
            assert fair_deal.dealt(position, seed).draw(position) == action
            position.play(action)
        else:
            position.play(rng.choice(position.legal_actions()))


def test_a_branch_draws_with_exact_odds_from_where_it_begins() -> None:
    """The draws of another seed reveal nothing about the order of the remaining pieces."""
    first = Counter[str]()
    position = new("azul", start="1")
    for text in ["+b"] * 15 + ["+y"] * 4:
        position.play(text)
    for number in range(2000):
        dealer = fair_deal.dealt(position, f"{fair_deal.BY_PIECE}{number}", dealt_from=position.ply)
        first[position.game.moves.text(dealer.draw(position))] += 1
    weights = {move.text: weight for move, weight in position.odds().items()}
    total = sum(weights.values())
    chi = sum((first[t] - 2000 * w / total) ** 2 / (2000 * w / total) for t, w in weights.items())
    assert chi < 18.5  # 4 degrees of freedom, exceeded once in a thousand times
