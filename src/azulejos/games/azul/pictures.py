"""Positions of Azul that the guide shows, as `Position.text` writes them."""

from __future__ import annotations

from typing import Final

SETUP: Final = (
    "azul,players=2,start=1/to_move=0,stage=4,bag=ggggg,"
    "factories=201100200202110101021012000000000000000000000"
)

TURN: Final = (
    "azul,players=2,start=1/to_move=1,stage=4,marker=0,bag=hgifg,"
    "factories=201100000000000101020000000000000000000000000,centre=00010,"
    "line_colour=01030004000000000000,line_tiles=02030002000000000000,"
    "floor=6220000000000000000000000000"
)

TILING: Final = (
    "azul,players=2,start=1/to_move=0,stage=4,marker=0,bag=gkiih,centre=10000,"
    "line_colour=00402000000000000000,line_tiles=00302000000000000000,"
    "wall=100000100040100000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000,"
    "floor=6400000000000000000000000000"
)

END: Final = (
    "azul,players=2,start=1/to_move=0,score=J000,stage=4,bag=eiiih,centre=10000,"
    "wall=123455100045100300102000100000000000000000000000000000000000000000000000000000000000000000000"
    "0000000"
)

GREY: Final = (
    "azul-grey,players=2,start=1/to_move=0,stage=6,marker=0,bag=ikgkk,line_colour=02000000000000000000,"
    "line_tiles=02001000000000000000,"
    "wall=003001000000000000300000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000,"
    "floor=6000000000000000000000000000"
)

SPECIAL: Final = (
    "chocolatier,players=4,start=1/to_move=0,stage=4,bag=dddcd,"
    "factories=200100301200111101021012012100002112100101120,effects=020708009"
)
