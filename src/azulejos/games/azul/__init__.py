"""Azul, Azul Mini and Master Chocolatier."""

from __future__ import annotations

from azulejos.core.game import START, Game, Option, Preset
from azulejos.core.message import msg, pmsg
from azulejos.games.azul.layout import State
from azulejos.games.azul.moves import DRAW, MOVES
from azulejos.games.azul.reasons import REASONS
from azulejos.games.azul.rules import RULES

OPTIONS = (
    Option(name="wall", label=msg("Wall"), values=("coloured", "grey"), default="coloured",
           words={"coloured": pmsg("wall", "coloured"), "grey": pmsg("wall", "grey")}),
    Option(name="factories", label=msg("Factories"), values=("plain", "special"), default="plain",
           words={"plain": pmsg("factories", "plain"), "special": pmsg("factories", "special")}),
    Option(name="split", label=msg("How SPLIT divides"), values=("even", "free"), default="even",
           words={"even": msg("evenly"), "free": msg("freely")}),
    START,
)

CHOCOLATES = {
    "blue": msg("light blue"), "yellow": msg("brown"), "red": msg("cream"), "black": msg("dark brown"),
    "white": msg("cherry red"),
}

PRESETS = (
    Preset(name="azul", title=msg("Azul"), theme="tiles", options={},
           about=msg("Azul and Azul Mini, coloured wall.")),
    Preset(name="azul-grey", title=msg("Azul, grey wall"), theme="tiles", options={"wall": "grey"},
           about=msg("Azul and Azul Mini, grey wall: choose the column of each tile.")),
    Preset(name="chocolatier", title=msg("Master Chocolatier"), theme="chocolates",
           names=CHOCOLATES, options={"factories": "special"},
           about=msg("Master Chocolatier, coloured box, special factories.")),
    Preset(name="chocolatier-grey", title=msg("Master Chocolatier, brown box"), theme="chocolates",
           names=CHOCOLATES, options={"wall": "grey", "factories": "special"},
           about=msg("Master Chocolatier, brown box: choose the column; special factories.")),
)

GAME = Game(
    package=__name__, name="azul", title=msg("Azul"), version=1,
    state=State, rules=RULES, moves=MOVES, reasons=REASONS, decisions=DRAW, max_legal=301,
    options=OPTIONS, presets=PRESETS,
)
