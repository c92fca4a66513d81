"""The dealer against its description, written down a second time: every draw of whole games."""

from __future__ import annotations

import hashlib
import hmac
import random

import pytest

from azulejos import Position, new
from azulejos.web.tables import fair_deal
from azulejos.web.tables.fair_deal import Dealer, commitment, deal, dealer_of, key_of, verify

SEED, OTHER = "ab" * 32, "cd" * 32
NUMBERS = ("1" * 32, "-")


class Described:
    """Draws as the docstring of the dealer and docs/web.md say."""

    def __init__(self, key: str) -> None:
        self.key = key.encode()
        self.decks: list[list[str]] = []
        self.shuffles: dict[str, int] = {}

    def draw(self, position: Position) -> str:
        odds = {move.text: count for move, count in position.odds().items()}
        pieces = sorted(text for text, count in odds.items() for _ in range(count))
        deck = next((deck for deck in self.decks if sorted(deck) == pieces), None)
        if deck is None:
            deck = self.shuffled(odds)
            self.decks.append(deck)
        return deck.pop(0)

    def shuffled(self, odds: dict[str, int]) -> list[str]:
        priorities = []
        for text, count in odds.items():
            self.shuffles[text] = self.shuffles.get(text, 0) + 1
            for i in range(1, count + 1):
                message = f"azulejos piece {text} {self.shuffles[text]} {i}".encode()
                priorities.append((hmac.new(self.key, message, hashlib.sha256).digest(), text))
        return [text for _, text in sorted(priorities)]


def game(box: str, key: str, play: int) -> Position:
    """A game at random with draws of the dealer; each is what the description draws."""
    position, rng = new(box), random.Random(play)
    dealer, described = Dealer(key), Described(key)
    while not position.is_over:
        if position.is_chance:
            action = dealer.draw(position)
            assert position.game.moves.text(action) == described.draw(position)
            position.play(action)
        else:
            position.play(rng.choice(position.legal_actions()))
    return position


@pytest.mark.parametrize("box", ["azul", "chocolatier", "sintra-a", "garden"])
def test_draws_are_those_of_the_description(box: str) -> None:
    game(box, key_of(SEED, NUMBERS), 1)


def test_what_is_shown_and_what_follows_from_a_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED.encode()).hexdigest()
    assert fair_deal.bot_seed(SEED, 7) == hmac.new(
        SEED.encode(), b"azulejos bot 7", hashlib.sha256).hexdigest()
    assert key_of(SEED, NUMBERS) == hmac.new(
        SEED.encode(), f"azulejos numbers {NUMBERS[0]} -".encode(), hashlib.sha256).hexdigest()
    assert key_of(SEED) == key_of(SEED, ("-", "-")) == SEED
    assert key_of(SEED, ("-", NUMBERS[0])) != key_of(SEED, NUMBERS)
    seeds = {fair_deal.new_seed() for _ in range(9)}
    assert len(seeds) == 9
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {32}


def test_a_copy_of_a_dealer_draws_without_the_other() -> None:
    """What the copy draws and shuffles, the original draws as well."""
    position = game("chocolatier", SEED, 2)
    dealer = Dealer(SEED)
    for ply, action in enumerate(position.history.actions):
        before = position.at(ply)
        if before.is_chance:
            one, two = dealer.copy(), dealer.copy()
            assert one.draw(before) == two.draw(before) == action
            assert dealer.draw(before) == action


def test_a_deal_ends_when_somebody_is_to_move_and_a_dealer_can_catch_up() -> None:
    position, dealer, described = new("azul", start="1"), Dealer(OTHER), Described(OTHER)
    deal(position, dealer)
    assert not position.is_chance
    assert position.ply == 20
    rng = random.Random(1)
    while not position.is_chance:
        position.play(rng.choice(position.legal_actions()))
    for ply in (*range(20), position.ply):  # and what players do between
        before = position.at(ply)
        assert before.is_chance
        assert before.game.moves.text(dealer_of(before, OTHER).draw(before)) == described.draw(before)


def test_draws_of_another_table_are_no_draws_of_this_one() -> None:
    """A branch begins with a dealer of its own, which has seen only its own draws."""
    position = game("azul", SEED, 3)
    branch = 12
    described, dealer = Described("branch"), dealer_of(position.at(branch), "branch", dealt_from=branch)
    here = position.at(branch)
    assert here.is_chance
    first = described.draw(here)
    assert here.game.moves.text(dealer.draw(here)) == first
    here.play(first)
    caught_up = dealer_of(here, "branch", dealt_from=branch)
    assert here.game.moves.text(caught_up.draw(here)) == described.draw(here)


def test_the_check_says_how_many_draws_there_were_and_what_is_wrong() -> None:
    position = game("azul", key_of(SEED, NUMBERS), 4)
    actions = position.history.actions
    draws = sum(position.at(ply).is_chance for ply in range(len(actions)))
    start = position.at(0)
    found = verify(start.copy(), actions, seed=SEED, promised=commitment(SEED), numbers=NUMBERS)
    assert (found.honest, found.draws) == (True, draws)
    assert str(found.reason) == "Every draw follows from the promised seed."
    found = verify(start.copy(), actions, seed=SEED, promised=commitment("x"), numbers=NUMBERS)
    assert (found.honest, found.draws) == (False, 0)
    assert "not the one that was promised" in str(found.reason)

    changed: list[int] = [*actions]
    ply = [ply for ply in range(len(actions)) if position.at(ply).is_chance][2]
    others = [action for action in position.at(ply).legal_actions() if action != actions[ply]]
    changed[ply] = others[0]
    found = verify(start.copy(), changed, seed=SEED, promised=commitment(SEED), numbers=NUMBERS)
    assert (found.honest, found.draws) == (False, 3)
    move = position.game.moves.text(others[0])
    assert str(found.reason) == f"Action {ply + 1} drew {move}, which does not follow from the seed."
    begun = verify(start.copy(), changed[: ply + 1], seed=SEED, promised=commitment(SEED), numbers=NUMBERS,
                   dealt_from=ply + 1)
    assert (begun.honest, begun.draws) == (True, 0), "what was dealt before is not this table's"
    found = verify(start.copy(), changed[: ply + 1], seed=SEED, promised=commitment(SEED), numbers=NUMBERS,
                   dealt_from=ply)
    assert (found.honest, found.draws) == (False, 1)
