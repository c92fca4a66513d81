"""Bots as opponents to choose: a card for each of the seven strengths, and the others below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from azulejos.bots import Level, levels
from azulejos.bots.compiled import BOTS, is_warm
from azulejos.bots.words import in_times, is_compiled
from azulejos.core import jit, warmth
from azulejos.core.game import Game, Preset
from azulejos.core.message import Message, nmsg
from azulejos.web.tables.bots import DUST, TIMES, offered


@dataclass(frozen=True, kw_only=True)
class Opponents:
    usual: tuple[Level, ...]
    """The seven strengths, weakest first."""
    others: tuple[Level, ...]
    """Dust, more time for the strongest, programs of the operator."""


def opponents(game: Game, preset: Preset) -> Opponents:
    """The bots for a box. The strongest takes the shortest of its times, under its plain name."""
    *weaker, strongest = levels(game, 2, preset.options)
    quick = replace(in_times(strongest, TIMES[0])[0], name=strongest.name)
    seven = (*weaker, quick)
    words = {level.word for level in seven}
    others = (level for level in offered(game, options=preset.options) if level.word not in words)
    return Opponents(usual=seven, others=tuple(others))


def named(word: str, game: Game, preset: Preset) -> Level:
    """The bot of a word, as it is called on cards."""
    found = opponents(game, preset)
    return next((level for level in (*found.usual, *found.others) if level.word == word), DUST)


def preparing(game: Game, word: str, name: Message) -> Message | None:
    """When a bot reaches its full strength, if its code is still being compiled."""
    if not jit.enabled() or not is_compiled(word) or is_warm(game):
        return None
    seconds = warmth.seconds_left(game, BOTS)
    return nmsg("{name} plays at full strength in about {n} second.",
                "{name} plays at full strength in about {n} seconds.", n=max(1, seconds), name=name)

