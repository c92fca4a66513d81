"""Azul, Azul Mini and Master Chocolatier."""

from __future__ import annotations

from azulejos.core.game import START, Cover, Game, Option, Preset
from azulejos.core.message import msg, nmsg, pmsg
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
           words={"even": msg("evenly"), "free": msg("any way, as in the English edition")},
           only_with=("factories", "special")),
    START,
)

CHOCOLATES = {
    "blue": msg("light blue"), "yellow": msg("brown"), "red": msg("cream"), "black": msg("dark brown"),
    "white": msg("cherry red"),
    "{n} blue tile": nmsg("{n} light blue chocolate", "{n} light blue chocolates", n=1),
    "{n} yellow tile": nmsg("{n} brown chocolate", "{n} brown chocolates", n=1),
    "{n} red tile": nmsg("{n} cream chocolate", "{n} cream chocolates", n=1),
    "{n} black tile": nmsg("{n} dark brown chocolate", "{n} dark brown chocolates", n=1),
    "{n} white tile": nmsg("{n} cherry red chocolate", "{n} cherry red chocolates", n=1),
}
"""What is called otherwise than in Azul: colours, and so many tiles of a colour."""

AZUL = Cover(
    title=msg("Azul"), short=msg("Azul"), minutes=30, rounds=5, rounds_vary=True,
    sentence=msg("Tile a palace wall. Quick to learn, hard to put down."),
)
CHOCOLATIER = Cover(
    title=msg("Master Chocolatier"), short=msg("Chocolatier"), minutes=35, rounds=5, rounds_vary=True,
    sentence=msg("Azul with a twist: special factories that change the rules."),
)
COLOURED_WALL = (msg("Coloured wall"), msg("Each tile has its place."))
GREY_WALL = (msg("Grey wall"), msg("You choose the column."))
COLOURED_BOX = (msg("Coloured box"), msg("Each chocolate has its place."))
BROWN_BOX = (msg("Brown box"), msg("You choose the column."))

PRESETS = (
    Preset(name="azul", title=msg("Azul"), theme="tiles", options={}, cover=AZUL, variant=COLOURED_WALL,
           about=msg("Azul and Azul Mini, coloured wall.")),
    Preset(name="azul-grey", title=msg("Azul, grey wall"), theme="tiles", options={"wall": "grey"},
           cover=AZUL, variant=GREY_WALL,
           about=msg("Azul and Azul Mini, grey wall: choose the column of each tile.")),
    Preset(name="chocolatier", title=msg("Master Chocolatier"), theme="chocolates",
           names=CHOCOLATES, options={"factories": "special"}, cover=CHOCOLATIER, variant=COLOURED_BOX,
           about=msg("Master Chocolatier, coloured box, special factories.")),
    Preset(name="chocolatier-grey", title=msg("Master Chocolatier, brown box"), theme="chocolates",
           names=CHOCOLATES, options={"wall": "grey", "factories": "special"},
           cover=CHOCOLATIER, variant=BROWN_BOX,
           about=msg("Master Chocolatier, brown box: choose the column; special factories.")),
)

GAME = Game(
    package=__name__, name="azul", title=msg("Azul"), version=1,
    state=State, rules=RULES, moves=MOVES, reasons=REASONS, decisions=DRAW, max_legal=301,
    options=OPTIONS, presets=PRESETS,
)
