"""Queen's Garden, both sides of its scoring board."""

from __future__ import annotations

from azulejos.core.game import START, Cover, Game, Option, Preset
from azulejos.core.message import msg
from azulejos.games.queens_garden.components import CELLS, VARIANT_WHEEL
from azulejos.games.queens_garden.layout import State
from azulejos.games.queens_garden.moves import MOVES, SEAT
from azulejos.games.queens_garden.reasons import REASONS
from azulejos.games.queens_garden.rules import RULES
from azulejos.games.queens_garden.wheel import COMPONENT, check_wheel

OPTIONS = (
    Option(name="side", label=msg("Scoring board"), values=("standard", "variant"), default="standard",
           words={"standard": msg("standard"), "variant": msg("variant")}),
    START,
    Option(name="wheel", label=msg("Wheel of the variant"), default=VARIANT_WHEEL, check=check_wheel,
           component=COMPONENT, only_with=("side", "variant")),
)

COVER = Cover(
    title=msg("Queen's Garden"), short=msg("Garden"), minutes=60, rounds=4,
    sentence=msg("Plan a garden and pay for each plant with others. The deepest."),
)

PRESETS = (
    Preset(name="garden", title=msg("Queen's Garden"), theme="garden", options={}, cover=COVER,
           variant=(msg("Standard wheel"), msg("The usual points.")),
           about=msg("Queen's Garden, standard side of the scoring board.")),
    Preset(name="garden-variant", title=msg("Queen's Garden, variant"), theme="garden",
           options={"side": "variant"}, cover=COVER,
           variant=(msg("Variant wheel"), msg("Other points, more bonuses.")),
           about=msg("Queen's Garden, variant side: different points on the wheel, more bonuses.")),
)

GAME = Game(
    package=__name__, name="queens_garden", title=msg("Queen's Garden"), version=1,
    state=State, rules=RULES, moves=MOVES, reasons=REASONS, decisions=SEAT, max_legal=CELLS,
    options=OPTIONS, presets=PRESETS,
)
