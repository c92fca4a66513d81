"""Stained Glass of Sintra, sides A and B."""

from __future__ import annotations

from azulejos.core.game import START, Cover, Game, Option, Preset
from azulejos.core.message import msg, raw
from azulejos.games.stained_glass.components import (
    BROKEN_GLASS, COMPONENTS, STRIPS, check_strips, check_track,
)
from azulejos.games.stained_glass.layout import State
from azulejos.games.stained_glass.moves import DRAW, MOVES
from azulejos.games.stained_glass.reasons import REASONS
from azulejos.games.stained_glass.rules import RULES

OPTIONS = (
    Option(name="side", label=msg("Side of the boards"), values=("a", "b"), default="a",
           words={"a": raw("A"), "b": raw("B")}),
    START,
    Option(name="strips", label=msg("Strips"), default=STRIPS, check=check_strips,
           component=COMPONENTS["strips"]),
    Option(name="broken", label=msg("Broken-glass track"), default=BROKEN_GLASS, check=check_track,
           component=COMPONENTS["broken"]),
)

COVER = Cover(
    title=msg("Stained Glass of Sintra"), short=msg("Stained Glass"), minutes=40, rounds=6,
    sentence=msg("Fill windows pane by pane, and mind the broken glass."),
)

PRESETS = (
    Preset(name="sintra-a", title=msg("Stained Glass of Sintra, side A"), theme="glass", cover=COVER,
           variant=(msg("Side A"), msg("Ornaments score the panes around them.")),
           options={"side": "a"}, about=msg("Points for the panes around the four ornaments.")),
    Preset(name="sintra-b", title=msg("Stained Glass of Sintra, side B"), theme="glass", cover=COVER,
           variant=(msg("Side B"), msg("Complete windows count by colour.")),
           options={"side": "b"},
           about=msg("Complete windows times the panes of your most frequent colour.")),
)

GAME = Game(
    package=__name__, name="stained_glass", title=msg("Stained Glass of Sintra"), version=1,
    state=State, rules=RULES, moves=MOVES, reasons=REASONS, decisions=DRAW, max_legal=401,
    options=OPTIONS, presets=PRESETS,
)
