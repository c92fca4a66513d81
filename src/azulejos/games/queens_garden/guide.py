"""How to play Queen's Garden, both sides of its scoring board, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, GuideTable, Picture, Pieces, Pin, Section, steps
from azulejos.core.message import Message, msg, raw
from azulejos.games.queens_garden import pictures
from azulejos.games.queens_garden.components import ROUNDS, STANDARD_WHEEL
from azulejos.games.queens_garden.layout import ACTING, DISCARDING, PAYING, PLACING, State
from azulejos.games.queens_garden.moves import BUY, CELL, FIELD_NAMES, MOVES, PIECE, hexagon_name, kind
from azulejos.games.queens_garden.wheel import COMPONENT, read_wheel

GOAL: Final = Section(
    id="goal", title=msg("Goal of the game"),
    paragraphs=(
        msg("Build a garden in which hexagons of one colour, or of one pattern, lie next to each other. "
            "After four rounds the player with the highest score wins."),
        msg("Every hexagon has one of six colours and one of six patterns. The pattern gives its value: "
            "tree 1, bird 2, butterflies 3, flower 4, plant 5, bells 6."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Set-up"),
    paragraphs=(
        msg("You start with 15 points, 3 jokers and a fountain board: a fountain with six free cells "
            "around it. Your storage has room for 12 tiles or jokers in all, and for 2 garden expansions."),
        msg("For each round there is a stack of garden expansions, face down: 5 for two players, 7 for "
            "three, 8 for four. Put 4 tiles from the bag on the top one."),
        msg("Around the fountain board there are six places for garden expansions. Statues and benches "
            "stand between them."),
    ),
    picture=Picture(
        position=pictures.SETUP, panels=("display", "seat1"),
        caption=msg("Two players: the display and your garden before the first turn."),
        parts=(
            Pin(slot="s1", name=msg("top of the stack with four tiles"), dx=-1.2, dy=-1.2),
            Pin(slot="name.light-blue", name=msg("the names by which you take hexagons: six colours, six "
                                                 "patterns"), dx=-0.35, dy=-0.55),
            Pin(slot="supply", name=msg("supply of face-down expansions"), dx=-0.5, dy=-0.45),
            Pin(slot="stack", name=msg("the rest of the stack of this round"), dx=0.5, dy=-0.45),
            Pin(slot="seat1.fountain", name=msg("fountain board with six free cells"), dx=-0.5,
                dy=-0.87),
            Pin(slot="seat1.place1", name=msg("place for a garden expansion")),
            Pin(slot="seat1.statue1", name=msg("statue"), dx=0.3, dy=-0.35),
            Pin(slot="seat1.bench1", name=msg("bench"), dx=0.3, dy=0.35),
            Pin(slot="seat1.storage", name=msg("storage for 12 tiles or jokers; you start with 3 jokers"),
                dx=-4.2, dy=-0.4),
            Pin(slot="seat1.x1", name=msg("storage for 2 expansions"), dx=-0.4, dy=0.3),
        ),
    ),
)

ACQUIRE: Final = Section(
    id="acquire", title=msg("Your turn: take"),
    paragraphs=(
        msg("On your turn, do one of three things: take, place or pass. Play goes clockwise until "
            "everyone has passed."),
        msg("To take hexagons, name a colour or a pattern. You get every hexagon of that kind in the "
            "display, tiles and face-up expansions; if some are identical, you take only one of them, "
            "whichever you like. They must all fit in your storage."),
        msg("If you took a tile from the top of the stack, that expansion moves aside with the tiles left "
            "on it, and the next one gets 4 tiles."),
        msg("An expansion beside the stack without tiles is turned face up. From the next turn on it can "
            "be taken by the colour or the pattern printed on it."),
    ),
    picture=Picture(
        position=pictures.DISPLAY, panels=("display",),
        caption=msg("“Yellow” gets the yellow plant and one of the two yellow butterflies. “Flower” gets "
                    "the expansion that is face up."),
    ),
)

PLACE: Final = Section(
    id="place", title=msg("Your turn: place"),
    paragraphs=(
        msg("Place a tile from your storage on a free cell, or an expansion at one of the six free "
            "places around the fountain board, turned as you like."),
        msg("The cost is the value of the hexagon, paid in pieces, and the placed one counts as one of "
            "them. So a tree is free, and a flower costs three more pieces."),
        msg("The hexagon you place and the ones you pay must all share one colour, each with a different "
            "pattern, or all share one pattern, each in a different colour. Jokers stand for anything; "
            "you may also pay with expansions from your storage."),
        msg("A hexagon may lie alone. If it has neighbours, at least one must share its colour or its "
            "pattern. This also applies to the hexagon printed on an expansion."),
        msg("A group is a set of connected hexagons of one colour, or of one pattern. No group may hold "
            "two identical hexagons."),
    ),
    picture=Picture(
        position=pictures.PLACE, panels=("seat1",),
        caption=msg("The light green flower may fill the last cell at the fountain: it touches the light "
                    "green plant. It costs three more pieces, here the blue and the yellow flower and "
                    "one joker."),
    ),
    steps=steps(
        pictures.PLACE, ("display", "seat1"),
        msg("It is your turn; you are player 1. One cell at the fountain is still free."),
        ("g4 05 b4 y4 j", msg("You place the light green flower there and pay three more pieces. The "
                              "fountain is surrounded, so you get a joker.")),
        ("ay s1 +l1 +d6 +b4 +y1", msg("Player 2 takes yellow: the plant from the top of the stack, and "
                                      "the butterflies from expansion 1. Expansion 3 moves aside, and the "
                                      "next one gets four tiles.")),
        ("a4 +d3 +g3 +l5 +b1", msg("You take flowers: the blue one from the top of the stack, and "
                                   "expansion 2, which is face up. Again the next expansion gets four "
                                   "tiles.")),
        ("- -", msg("Player 2 passes first, loses 1 point and takes the start marker. You may go on "
                    "alone.")),
        ("x1 66 b4 j", msg("You place the expansion. It shows a flower, so it costs three more pieces: "
                           "the blue flower and two jokers.")),
    ),
)


def _together(hexagons: str, jokers: int = 0, *, caption: Message, allowed: bool = True) -> Pieces:
    """A placed hexagon and its payment, in notation: "g3 b3 y3"."""
    numbers = [MOVES.number(text) - PIECE for text in hexagons.split()]
    return Pieces(
        kinds=(*map(kind, numbers), *("joker",) * jokers),
        names=(*map(hexagon_name, numbers), *(msg("joker"),) * jokers),
        allowed=allowed, caption=caption,
    )


PAYMENT: Final = Section(
    id="payment", title=msg("Payments that work, and some that do not"),
    paragraphs=(
        msg("In each row you place the first hexagon, light green butterflies. It costs 3 pieces, itself "
            "included."),
    ),
    pieces=(
        _together("g3 b3 y3", caption=msg("Butterflies in three different colours.")),
        _together("g3 g1 g5", caption=msg("Light green with three different patterns.")),
        _together("g3 b3", 1, caption=msg("A joker stands for any missing hexagon. Two jokers would do as "
                                          "well.")),
        _together("g3 b3 g5", allowed=False,
                  caption=msg("One shares only the pattern, the other only the colour.")),
        _together("g3 b3 b3", allowed=False, caption=msg("Two of them are identical.")),
        _together("g3 g3", 1, allowed=False,
                  caption=msg("A second copy of the placed hexagon cannot pay for it.")),
    ),
)

EXPANSIONS: Final = Section(
    id="expansions", title=msg("Garden expansions"),
    paragraphs=(
        msg("A garden expansion has seven cells. Face up, it shows a pavilion in the middle and a hexagon "
            "on one of the six cells around it; the other five are free. You place and pay for it as for "
            "the printed hexagon."),
        msg("Instead you may spend 6 points to take an expansion from the supply and place it face down "
            "at once. It then has no hexagon and no pavilion, just seven free cells."),
    ),
    picture=Picture(
        position=pictures.EXPANSIONS, panels=("seat1",),
        caption=msg("An expansion face up on the right, another one face down below it."),
        parts=(
            Pin(slot="seat1.10", name=msg("pavilion"), dx=0.3, dy=-0.35),
            Pin(slot="seat1.14", name=msg("printed hexagon"), dx=-0.3, dy=-0.35),
            Pin(slot="seat1.11", name=msg("free cell of an expansion that is face up")),
            Pin(slot="seat1.20", name=msg("face-down expansion: seven free cells")),
            Pin(slot="seat1.place4", name=msg("place for a garden expansion")),
        ),
    ),
)

JOKERS: Final = Section(
    id="jokers", title=msg("Winning jokers"),
    paragraphs=(
        msg("When all six cells around a fountain, statue, bench or pavilion hold hexagons, you get "
            "jokers at once: 1 for the fountain, 2 for a statue or bench, 3 for a pavilion."),
        msg("Jokers that do not fit in your storage are lost."),
    ),
)

PASS: Final = Section(
    id="pass", title=msg("Your turn: pass"),
    paragraphs=(
        msg("If you pass, you take no more turns until the next round. The first player to pass loses 1 "
            "point, takes the start marker and begins the next round."),
        msg("When you pass, you may discard hexagons from your storage. Each costs you its value in "
            "points."),
    ),
)


def _fields(number: int) -> Message:
    """The fields of the wheel in a round, on the standard side."""
    first, second, third = (
        msg("{name} {points}", name=FIELD_NAMES[field], points=f"+{points}")
        for field, points in read_wheel(STANDARD_WHEEL)[number]
    )
    return msg("{first}, {second}, {third}", first=first, second=second, third=third)


WHEEL_TABLE: Final = GuideTable(
    head=(msg("Round"), msg("Points for each hexagon")),
    rows=tuple((raw(str(number + 1)), _fields(number)) for number in range(ROUNDS)),
)

ROUND: Final = Section(
    id="round", title=msg("The end of a round"),
    paragraphs=(
        msg("The wheel shows three colours or patterns for each round. Every hexagon in your garden that "
            "matches one of them scores the points shown; if it matches two, it scores both."),
        msg("Every visible pavilion in your garden scores 1 point."),
        msg("Then clear the display and set out the next stack for a new round. Gardens and storages "
            "stay as they are."),
        msg("The table shows the wheel on the standard side of the scoring board."),
    ),
    table=WHEEL_TABLE,
    picture=Picture(
        position=pictures.END, panels=("wheel",),
        caption=msg("Round 4 of the standard side: 3 points for each plant, 1 for each light green "
                    "hexagon, 3 for each hexagon with bells. A light green plant scores 4 points."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("After round 4, each joker in your storage scores 1 point, and each hexagon left there costs "
            "you its value."),
        msg("Each group of one colour and each group of one pattern with at least three hexagons scores "
            "the sum of its hexagons' values. A hexagon may count both for its colour and for its "
            "pattern."),
        msg("A group of six scores 6 extra points. Players with equal scores share their place."),
    ),
    picture=Picture(
        position=pictures.END, panels=("seat1",),
        caption=msg("Groups: yellow 2 + 6 + 4 = 12, light green 2 + 5 + 4 = 11, birds 2 + 2 + 2 = 6. In "
                    "the storage two jokers (+2) and butterflies (−3): 28 points."),
    ),
)

GROUPS: Final = Section(
    id="groups", title=msg("Groups"),
    paragraphs=(
        msg("A group needs at least three hexagons to score. It can have at most six, because no two in it "
            "may be identical."),
    ),
    picture=Picture(
        position=pictures.GROUPS, panels=("seat1",),
        caption=msg("Three groups that score, one that does not, and a forbidden cell."),
        parts=(
            Pin(slot="seat1.14", name=msg("yellow: 2 + 6 + 4 = 12 points"), dy=0.5),
            Pin(slot="seat1.41", name=msg("light green, all six patterns: 21 points and 6 extra points"),
                dy=0.5),
            Pin(slot="seat1.02", name=msg("three birds: 6 points. Two of them count for a colour as well"),
                dx=0.3, dy=0.35),
            Pin(slot="seat1.11", name=msg("two dark purple hexagons: a group of two scores nothing"),
                dx=0.3, dy=-0.35),
            Pin(slot="seat1.15", name=msg("no yellow bird may lie here: the yellow group would hold two")),
        ),
    ),
)

VARIANT: Final = Section(
    id="variant", title=msg("Variant side of the scoring board"),
    paragraphs=(
        msg("Patterns on the wheel score their value. At the end of the game, groups of 4, 5 and 6 "
            "hexagons score 4, 5 and 6 extra points."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("What the rulebooks leave open"),
    paragraphs=(
        msg("The first player is chosen at random. Passing first costs a point in round 4 as well, but "
            "cannot take you below 0; your final score may be negative."),
        msg("When a tile must be drawn and the bag is empty, refill it with the discarded tiles. If there "
            "are none, lay out the rest of the stack face up."),
        msg("When you pass, you may only discard hexagons whose values together are no more than your "
            "points."),
        msg("You cannot pay for a hexagon with a second copy of it. Whether the jokers you win fit is "
            "checked after you have paid."),
        COMPONENT.about,
        msg("If you own the game, give your own under “Components of your own box” when you open a table."),
    ),
)


def section_about(s: State, action: int) -> Section:
    """The section that explains why an action was refused."""
    if s.stage == DISCARDING:
        return PASS
    if s.stage in (PLACING, PAYING) or (s.stage == ACTING and (PIECE <= action < CELL or action == BUY)):
        return PLACE
    return ACQUIRE


GLANCE: Final = (
    Picture(position=pictures.DISPLAY, move="a2", panels=("display",),
            caption=msg("Take all hexagons of one colour or of one pattern.")),
    Picture(position=pictures.PLACE, move="g4 05 b4 y4 j", panels=("seat1",),
            caption=msg("Place a hexagon next to one that shares its colour or its pattern, and pay.")),
    Picture(position=pictures.END, panels=("seat1",),
            caption=msg("Score what the wheel shows each round, and groups at the end.")),
)

CARD: Final = (
    (msg("Set-up"), (
        msg("15 points and 3 jokers. Storage: 12 tiles or jokers, 2 expansions."),
        msg("Stacks for 2, 3 or 4 players: 5, 7 or 8 expansions, with 4 tiles on the top one."),
    )),
    (msg("Your turn"), (
        msg("Take: all hexagons of one colour or pattern, of identical ones only one."),
        msg("Place: cost 1 tree, 2 bird, 3 butterflies, 4 flower, 5 plant, 6 bells; the placed hexagon "
            "counts as one."),
        msg("An expansion from the supply, face down: 6 points."),
        msg("Pass: the first player to pass loses 1 point and takes the start marker."),
    )),
    (msg("Winning jokers"), (
        msg("Fountain 1, statue 2, bench 2, pavilion 3."),
    )),
    (msg("The end of a round"), (
        *(msg("Round {n}: {fields}", n=number + 1, fields=_fields(number)) for number in range(ROUNDS)),
        msg("Variant: patterns score their value. Each visible pavilion: 1 point."),
    )),
    (msg("The end of the game"), (
        msg("Each joker in the storage: 1 point; each hexagon there costs its value."),
        msg("Groups of at least three: the sum of their values. A group of six: 6 extra points."),
        msg("Variant: groups of 4, 5 and 6 score 4, 5 and 6 extra points."),
    )),
)

GUIDE: Final = Guide(
    title=msg("How to play Queen's Garden"),
    facts=msg("2 to 4 players, 4 rounds, about 60 minutes"),
    glance=GLANCE, card=CARD,
    terms=("hexagon", "pattern", "garden-tile", "expansion", "fountain-board", "storage", "display",
           "supply", "joker", "pavilion", "group", "wheel", "scoring-board", "start-marker"),
    summary=msg("Take hexagons by colour or pattern, pay to place them next to matching hexagons, and "
                "build large groups."),
    sections=(
        GOAL, SET_UP, ACQUIRE, PLACE, PAYMENT, EXPANSIONS, JOKERS, PASS, ROUND, END, GROUPS, VARIANT,
        RULINGS,
    ),
    section_about=section_about,
)
