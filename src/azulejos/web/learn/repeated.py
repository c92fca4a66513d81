"""Games in which everything but the person's choices follows from the seed: draws and the bots' answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from azulejos.bots import Bot
from azulejos.bots.random import RandomBot
from azulejos.core.position import Position
from azulejos.web.tables import fair_deal
from azulejos.web.work.bots import Effort, same_choice


class Player(NamedTuple):
    """A bot, and how many positions it searches for an action."""

    bot: Bot
    nodes: int


def answer(player: Player, position: Position, seed: str) -> int:
    """What the bot of a table with this seed plays. If it fails, the table plays any legal move for it."""
    effort = Effort(player.nodes, fair_deal.bot_seed(seed, position.ply))
    asked = Position.from_text(position.text())
    try:
        return same_choice(player.bot, asked, effort).action
    except Exception:  # as at the table: whatever it is, the game goes on
        return same_choice(RandomBot(), asked, effort).action


def play_out(position: Position, seed: str, players: Sequence[Player]) -> None:
    """Play a game from its start to its end, one bot for each seat."""
    dealer = fair_deal.Dealer(seed)
    while not position.is_over:
        if position.is_chance:
            position.play(dealer.draw(position))
        else:
            position.play(answer(players[position.to_move], position, seed))


def margin(position: Position, seat: int) -> int:
    """How far a seat is ahead of the best other one; negative: behind."""
    scores = position.scores
    return int(scores[seat] - max(score for other, score in enumerate(scores) if other != seat))
