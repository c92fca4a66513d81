"""Bots as opponents to choose: a card for each of the seven strengths, and the others below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from azulejos.bots import Level, levels
from azulejos.bots.words import in_times
from azulejos.core.game import Game, Preset
from azulejos.web.work.bots import DUST, TIMES, offered


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
