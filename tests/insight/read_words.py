"""Read the English sentences of reviews and check them, without any code that made them.

Every sentence about a turn must be one that this file can read; its numbers, seats and places are then
checked in the plain rules (`insight.claims`), after the line of play that it speaks about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.position import Position
from azulejos.insight.results import JudgedTurn
from insight.claims import CHECKERS, Table

REALLY, PLAYED, BETTER = "really", "played", "better"
COLOURS: Final = {
    "azul": {"blue": 0, "yellow": 1, "red": 2, "black": 3, "white": 4, "light blue": 0, "brown": 1,
             "cream": 2, "dark brown": 3, "cherry red": 4},
    "stained_glass": {"blue": 0, "pink": 1, "orange": 2, "yellow": 3, "white": 4},
}
PIECES: Final = r"(?P<tiles>\d+) (?P<colour>[a-z ]+?) (?:tile|chocolate|pane)s?"
WHERE: Final = r"(?P<where>in the centre|on factory \d|from the centre|from factory \d)"
WHERE_FIRST: Final = r"(?P<where>From the centre|From factory \d)"
NAME: Final = r"(?P<name>.+?)"
PLACE: Final = r"(?:line|strip) (?P<place>\d)"
N: Final = r"(?P<n>−?\d+)"
M: Final = r"(?P<m>−?\d+)"


@dataclass(frozen=True)
class Reader:
    """What a review says about one turn, beside the lines it speaks about."""

    game: Position
    turn: JudgedTurn
    names: Sequence[str]
    end: int
    """Where the stretch of the turn ends."""

    @property
    def table(self) -> Table:
        return CHECKERS[self.game.game.name](self.game, self.turn.ply)

    def line(self, which: str) -> tuple[list[str], int]:
        """A line of play, and with how many moves its turn begins."""
        text = self.game.game.moves.text
        assert self.turn.better is not None
        count = len((self.turn.better if which == BETTER else self.turn.played).turn)
        lines = self.turn.reasons[0].lines if which != REALLY else ((), ())
        actions = [*self.game.history.actions[self.turn.ply : self.end]] if which == REALLY else \
            [*lines[which == BETTER]]
        moves = [text(int(action)) for action in actions]
        return (moves, count) if self.table.to_round_end else (moves[:count], count)

    def holds(self, which: str, name: str, seat: int, place: int, *numbers: int) -> bool:
        moves, count = self.line(which)
        return self.table.holds(moves, count, name, seat, place, numbers)

    def built(self, which: str, seat: int, place: int, points: int) -> bool:
        """A line filled, or a strip completed once or twice, for so many points."""
        if self.game.game.name == "azul":
            return self.holds(which, "filled", seat, place, points)
        return any(self.holds(which, "completed", seat, place, times, points) for times in (1, 2))

    def is_built(self, which: str, seat: int, place: int) -> bool:
        return any(self.built(which, seat, place, points) for points in range(40))

    def seat(self, found: re.Match[str]) -> int:
        name = found.groupdict().get("name")
        return self.turn.seat if name is None else self.names.index(name)

    def pile(self, found: re.Match[str], after: int) -> bool:
        """Whether so many pieces of a colour lie at a place after some moves of the turn."""
        oracle = self.table.played(self.line(PLAYED)[0][:after] if self.turn.reasons else [])
        source = 0 if "centre" in found["where"] else int(found["where"][-1])
        pile = oracle.centre if source == 0 else oracle.factories[source - 1]
        return bool(pile.count(self.table.colours[self.colour(found)]) == int(found["tiles"]))

    def colour(self, found: re.Match[str]) -> int:
        return COLOURS[self.game.game.name][found["colour"]]

    def reply(self, found: re.Match[str]) -> str:
        source = 0 if "centre" in found["where"] else int(found["where"][-1])
        return f"{source}{self.table.colours[self.colour(found)]}{found['place']}"


def number(text: str) -> int:
    return int(text.replace("−", "-"))


Check = Callable[[Reader, re.Match[str]], bool]


def place(found: re.Match[str]) -> int:
    return int(found["place"]) - 1


# --- checks ----------------------------------------------------------------------------------------------


def left_and_taken(reader: Reader, found: re.Match[str]) -> bool:
    """So many pieces were left, and the next turn of the game took them and finished something."""
    really, count = reader.line(REALLY)
    return (reader.pile(found, count) and really[count : count + 1] == [reader.reply(found)]
            and reader.built(REALLY, reader.seat(found), place(found), number(found["n"])))


def left(reader: Reader, found: re.Match[str]) -> bool:
    """So many pieces were left, enough to finish something; and that reply is legal only then."""
    played, count = reader.line(PLAYED)
    better, other = reader.line(BETTER)
    gift = (int(found["tiles"]), reader.colour(found), int(reader.reply(found)[0]))
    return reader.pile(found, count) and not list(reader.table.gift_faults(
        played, better, count, other, reader.seat(found), place(found), gift))


def built(which: str, group: str = "n") -> Check:
    return lambda reader, found: reader.built(which, reader.seat(found), place(found), number(found[group]))


def open_there(which: str) -> Check:
    return lambda reader, found: not reader.is_built(which, reader.seat(found), place(found))


def says(which: str, fact: str, group: str = "n") -> Check:
    """A fact with one number about a seat."""
    return lambda reader, found: reader.holds(which, fact, reader.seat(found), -1, number(found[group]))


def penalty(which: str, group: str) -> Check:
    """Points lost on the floor line, or through broken glass."""
    def check(reader: Reader, found: re.Match[str]) -> bool:
        lost = number(found[group])
        if reader.game.game.name == "azul":
            return reader.holds(which, "floor", reader.seat(found), -1, -lost)
        return reader.holds(which, "broken", reader.seat(found), -1, lost)
    return check


def penalties_differ(sign: int) -> Check:
    """One side of a difference of penalty points, in the game or in the line that was played."""
    def check(reader: Reader, found: re.Match[str]) -> bool:
        more = number(found["n"])
        fact = "floor" if reader.game.game.name == "azul" else "broken"
        scale = -1 if fact == "floor" else 1
        return any(
            reader.holds(which, fact, reader.seat(found), -1, scale * lost)
            and reader.holds(BETTER, fact, reader.seat(found), -1, scale * (lost - sign * more))
            for which in (REALLY, PLAYED) for lost in range(60)
        )
    return check


def at_the_end(which: str, group: str) -> Check:
    kinds = {"complete rows": "rows", "complete columns": "columns", "complete colours": "colours",
             "panes left on strips": "panes left", "ornaments": "ornaments",
             "most frequent colour": "best colour"}
    return lambda reader, found: reader.holds(which, kinds[found["what"]], reader.seat(found), -1,
                                              number(found[group]))


def starts(which: str, who: str) -> Check:
    def check(reader: Reader, found: re.Match[str]) -> bool:
        seat = reader.turn.seat if who == "you" else reader.seat(found)
        return reader.holds(which, "starts", seat, -1)
    return check


def course(which: str, name: str) -> Check:
    return lambda reader, found: reader.holds(which, name, -1, -1)


def short(reader: Reader, found: re.Match[str]) -> bool:
    missing, available = int(found["missing"]), int(found["left"])
    return any(reader.holds(PLAYED, "short", reader.seat(found), place(found), missing, available, colour)
               for colour in range(5))


def taken(reader: Reader, found: re.Match[str]) -> bool:
    """What the first move of the turn took, and where it went."""
    text = reader.game.game.moves.text(int(reader.turn.played.turn[0]))
    target = found.groupdict().get("place") or ("f" if reader.game.game.name == "azul" else "x")
    source = 0 if "centre" in found["where"] else int(found["where"][-1])
    return reader.pile(found, 0) and text == f"{source}{reader.table.colours[reader.colour(found)]}{target}"


def glazier(which: str, group: str) -> Check:
    return lambda reader, found: reader.holds(which, "glazier", reader.seat(found), int(found[group]) - 1)


def stored(which: str, group: str) -> Check:
    """How many hexagons are in the storage."""
    def check(reader: Reader, found: re.Match[str]) -> bool:
        count = number(found[group])
        return any(reader.holds(which, "storage", reader.turn.seat, -1, count, values, most)
                   for values in range(6 * 15) for most in range(7))
    return check


def garden_differs(reader: Reader, found: re.Match[str]) -> bool:
    return any(says(PLAYED, "garden", "n")(reader, _with(found, worth))
               and says(BETTER, "garden", "n")(reader, _with(found, worth + number(found["n"])))
               for worth in range(-20, 400))


def jokers_differ(reader: Reader, found: re.Match[str]) -> bool:
    return any(reader.holds(PLAYED, "jokers", reader.turn.seat, -1, kept)
               and reader.holds(BETTER, "jokers", reader.turn.seat, -1, kept + number(found["n"]))
               for kept in range(13))


def passes(reader: Reader, found: re.Match[str]) -> bool:
    return reader.holds(PLAYED, "passes", reader.turn.seat, -1, number(found["n"]))


def _with(found: re.Match[str], n: int) -> re.Match[str]:
    """The match with another number."""
    again = re.fullmatch(r"(?P<n>.*)", str(n))
    assert again is not None
    return again


def anything(reader: Reader, found: re.Match[str]) -> bool:
    """A sentence without a fact, or one whose facts other checks have read."""
    return True


# --- sentences -------------------------------------------------------------------------------------------

POINTS: Final = "points?"
SENTENCES: Final[tuple[tuple[str, tuple[Check, ...]], ...]] = (
    (rf"You left {PIECES} {WHERE}\. With that, {NAME} (?:filled|completed) {PLACE} for {N} {POINTS}\.",
     (left_and_taken,)),
    (rf"With {PIECES} that you left {WHERE}, {NAME} (?:filled|completed) {PLACE} for {N} {POINTS}\.",
     (left_and_taken,)),
    (rf"{NAME} filled {PLACE} for {N} {POINTS}, with {PIECES} that you left {WHERE}\.", (left_and_taken,)),
    (rf"You left {PIECES} {WHERE}, enough to (?:fill|complete) {PLACE} of {NAME}\.", (left,)),
    (rf"(?:Line|Strip) (?P<place>\d) of {NAME} could be (?:filled|completed) with {PIECES} that you left "
     rf"{WHERE}\.", (left,)),
    (rf"{NAME} could (?:fill|complete) {PLACE} with {PIECES} that you left {WHERE}\.", (left,)),
    (rf"With {PIECES} that you left {WHERE}, {NAME} could (?:fill|complete) {PLACE}\.", (left,)),
    (rf"{NAME} filled {PLACE} for {N} {POINTS}; it could have been {M}\.",
     (built(REALLY), built(BETTER, "m"))),
    (rf"You let {NAME} (?:fill|complete) {PLACE} for {N} {POINTS}\.", (built(REALLY), open_there(BETTER))),
    (rf"{NAME} (?:filled|completed) {PLACE} for {N} {POINTS}; the better turn keeps it "
     r"(?:open|incomplete)\.", (built(REALLY), open_there(BETTER))),
    (rf"Line (?P<place>\d) brought {NAME} {N} {POINTS}; the better turn keeps it open\.",
     (built(REALLY), open_there(BETTER))),
    (rf"For {N} {POINTS}, {NAME} could (?:fill|complete) {PLACE} after that\.",
     (built(REALLY), open_there(BETTER))),
    (rf"{NAME} was left a chance to fill {PLACE} for {N} {POINTS}\.",
     (built(PLAYED), open_there(BETTER))),
    (rf"Line (?P<place>\d) brought you {N} {POINTS}, but another turn was worth more\.",
     (built(REALLY), open_there(BETTER))),
    (rf"There was something better than filling {PLACE} for {N} {POINTS}\.",
     (built(REALLY), open_there(BETTER))),
    (rf"By the end of the round, {PLACE} could have brought you {N} {POINTS}\.", (built(BETTER),)),
    (rf"(?:Full|Complete), {PLACE} was worth {N} {POINTS} to you\.", (built(BETTER),)),
    (rf"There was a way to (?:fill|complete) {PLACE} for {N} {POINTS}\.", (built(BETTER),)),
    (rf"Missed: a (?:full|complete) {PLACE}, for {N} {POINTS}\.", (built(BETTER),)),
    (rf"{N} {POINTS} instead of {M} (?:was|were) possible on your {PLACE}\.", (built(BETTER),)),
    (rf"Your {PLACE} could have brought {N} {POINTS}, not {M}\.", (built(BETTER),)),
    (rf"Line (?P<place>\d) brought {NAME} {N} {POINTS}; it could have been {M}\.",
     (built(REALLY), built(BETTER, "m"))),
    (rf"That gave {NAME} a chance to fill {PLACE} for {N} {POINTS}\.", (built(PLAYED), open_there(BETTER))),
    (rf"After that, {NAME} could hope to fill {PLACE} for {N} {POINTS}\.",
     (built(PLAYED), open_there(BETTER))),
    (rf"After that, your {PLACE} could not be filled any more: (?P<missing>\d+) more needed, (?P<left>\d+) "
     r"left to take\.", (short,)),
    (rf"That put your {PLACE} at risk, worth {N} {POINTS}\.", (built(BETTER), open_there(PLAYED))),
    (rf"Your {PLACE} stayed (?:open|incomplete)\. (?:Full|Complete), it would have brought {N} {POINTS}\.",
     (built(BETTER), open_there(REALLY))),
    (rf"You filled {PLACE} for {N} {POINTS}, but another turn was worth more\.",
     (built(REALLY), open_there(BETTER))),
    (rf"Filling {PLACE} for {N} {POINTS} came at a price\.", (built(REALLY), open_there(BETTER))),
    (rf"You could have (?:filled|completed) {PLACE} for {N} {POINTS}\.", (built(BETTER),)),
    (rf"{N} {POINTS} (?:was|were) within reach on your {PLACE}\.", (built(BETTER),)),
    (rf"Line (?P<place>\d) could have been full by the end of the round, for {N} {POINTS}\.",
     (built(BETTER),)),
    (rf"(?:Line|Strip) (?P<place>\d) could have been worth {N} {POINTS} instead of {M}\.",
     (built(BETTER),)),
    (rf"(?:Filled|Completed) another way, {PLACE} brings you {N} {POINTS}, not {M}\.", (built(BETTER),)),
    (rf"{N} {POINTS} too many for (?:your floor line|broken glass)\.", (penalties_differ(1),)),
    (rf"Too much (?:went to your floor line|glass broke): {N} {POINTS}\.", (penalties_differ(1),)),
    (rf"The better turn saves {N} {POINTS} (?:on your floor line|of broken glass)\.",
     (penalties_differ(1),)),
    (rf"After that, your floor line costs {N} {POINTS} instead of {M}\.",
     (penalty(PLAYED, "n"), penalty(BETTER, "m"))),
    (rf"{NAME} paid {N} {POINTS} for the floor line instead of {M}\.",
     (penalty(REALLY, "n"), penalty(BETTER, "m"))),
    (rf"That leads to {N} {POINTS} for (?:your floor line|broken glass) instead of {M}\.",
     (penalty(PLAYED, "n"), penalty(BETTER, "m"))),
    (rf"Your floor line cost {N} {POINTS}; {M} would have been enough\.",
     (penalty(REALLY, "n"), penalty(BETTER, "m"))),
    (rf"You paid {N} {POINTS} for your floor line instead of {M}\.",
     (penalty(REALLY, "n"), penalty(BETTER, "m"))),
    (rf"Your broken glass came to {N} {POINTS} instead of {M}\.",
     (penalty(REALLY, "n"), penalty(BETTER, "m"))),
    (rf"The floor line cost {NAME} {N} {POINTS}; it could have been {M}\.",
     (penalty(REALLY, "n"), penalty(BETTER, "m"))),
    (rf"You spared {NAME} {N} {POINTS} on the floor line\.", (penalties_differ(-1),)),
    (rf"You could have had {N} {POINTS} instead of {M} for (?P<what>.+)\.", (at_the_end(BETTER, "n"),)),
    (rf"{N} {POINTS} for (?P<what>.+) (?:was|were) possible for you, not {M}\.",
     (at_the_end(BETTER, "n"),)),
    (rf"For (?P<what>complete .+|panes .+|ornaments|most .+) you could have had {N} {POINTS}, not {M}\.",
     (at_the_end(BETTER, "n"),)),
    (rf"{NAME} got {N} {POINTS} for (?P<what>.+); it could have been {M}\.",
     (at_the_end(REALLY, "n"), at_the_end(BETTER, "m"))),
    (rf"It was {N} {POINTS} for {NAME}, for (?P<what>.+); it could have been {M}\.",
     (at_the_end(REALLY, "n"), at_the_end(BETTER, "m"))),
    (r"You started the next round, but that was not worth its price\.", (starts(REALLY, "you"),)),
    (r"The start of the next round cost you more than it was worth\.|Starting the next round did not pay "
     r"for you\.|It was not worth it to start the next round\.", (starts(REALLY, "you"),)),
    (rf"The next round began with {NAME} instead of you\.",
     (starts(REALLY, "name"), starts(BETTER, "you"))),
    (rf"Instead of you, {NAME} began the next round\.",
     (starts(REALLY, "name"), starts(BETTER, "you"))),
    (rf"{NAME} started the next round; it could have been you\.",
     (starts(REALLY, "name"), starts(BETTER, "you"))),
    (rf"You left the start of the next round to {NAME}\.", (starts(REALLY, "name"), starts(BETTER, "you"))),
    (r"The game ended with this round, too early for you\.|Another round would have helped you; the game "
     r"ended instead\.|Too early for you, the game ended with this round\.",
     (course(REALLY, "over"), course(BETTER, "goes on"))),
    (r"The game went on, although it could have ended with this round\.|It was time to end the game, and "
     r"another round followed\.|Another round followed, and that was not good for you\.",
     (course(REALLY, "goes on"), course(BETTER, "over"))),
    (rf"Your glazier (?:went as far as|ended above) window {M}(?:;| instead of) window {N}"
     r"(?: would have been far enough)?\.", (glazier(REALLY, "m"), glazier(BETTER, "n"))),
    (rf"Above window {M} your glazier stood too far on; window {N} was better\.",
     (glazier(REALLY, "m"), glazier(BETTER, "n"))),
    (rf"(?:You chose|Your take:|You went for) {PIECES} {WHERE} for (?:{PLACE}|the floor line)\.", (taken,)),
    (rf"{PIECES} {WHERE} for (?:{PLACE}|the floor line): that was your turn\.", (taken,)),
    (rf"{WHERE_FIRST} you took {PIECES} for (?:{PLACE}|the floor line)\.", (taken,)),
    (rf"You took {PIECES} {WHERE} for {PLACE}\.", (taken,)),
    (rf"You took {PIECES} {WHERE}(?: for the floor line\.|; none could be placed\.)", (taken,)),
    (rf"Hexagons in your storage after that: {M}, not {N}\.", (stored(PLAYED, "m"), stored(BETTER, "n"))),
    (rf"The better turn leaves {N} of your hexagons in the storage instead of {M}\.",
     (stored(PLAYED, "m"), stored(BETTER, "n"))),
    (rf"Your storage holds {M} of your hexagons after that, not {N}\.",
     (stored(PLAYED, "m"), stored(BETTER, "n"))),
    (rf"After that you had {M} of your hexagons in the storage, not {N}\.",
     (stored(PLAYED, "m"), stored(BETTER, "n"))),
    (rf"{N} of your hexagons in the storage would have been better than {M}\.",
     (stored(PLAYED, "m"), stored(BETTER, "n"))),
    (rf"What was left in your storage: {M} of your hexagons, not {N}\.",
     (stored(PLAYED, "m"), stored(BETTER, "n"))),
    (rf"The better turn leads your garden to {N} {POINTS}, this one to {M}\.",
     (says(BETTER, "garden"), says(PLAYED, "garden", "m"))),
    (rf"{N} {POINTS} for your garden (?:was|were) to be expected, not {M}\.",
     (says(BETTER, "garden"), says(PLAYED, "garden", "m"))),
    (rf"For your garden, another turn promised {N} {POINTS} more\.", (garden_differs,)),
    (rf"{N} jokers? left would have been possible, not {M}\.",
     (says(BETTER, "jokers"), says(PLAYED, "jokers", "m"))),
    (rf"Your jokers: {M} left, where {N} (?:was|were) possible\.",
     (says(BETTER, "jokers"), says(PLAYED, "jokers", "m"))),
    (rf"Too dear by {N} jokers?\.", (jokers_differ,)),
    (rf"Your garden could have become worth {N} {POINTS} instead of {M}\.",
     (says(BETTER, "garden"), says(PLAYED, "garden", "m"))),
    (rf"You left your garden at {N} {POINTS}, where {M} were possible\.",
     (says(PLAYED, "garden"), says(BETTER, "garden", "m"))),
    (rf"{N} {POINTS} more (?:was|were) possible for your garden\.", (garden_differs,)),
    (rf"You could have kept {N} jokers? instead of {M}\.",
     (says(BETTER, "jokers"), says(PLAYED, "jokers", "m"))),
    (rf"That was dear: {N} jokers? more than necessary\.", (jokers_differ,)),
    (rf"You passed too early, with {N} hexagons? in the storage\.", (passes,)),
    (rf"It was too early to pass: {N} hexagons? (?:was|were) still in your storage\.", (passes,)),
    (r"You (?:took|placed this tile|placed the expansion with this hexagon|kept a pane for the window|"
     r"divided the rest): .+\.|You bought a face-down expansion\.|You passed\.|"
     r"You moved the glazier back\.|You put the tile in column \d\.", (anything,)),
    (r"Another turn may have been a little better\.|Another turn promised about .+ points more\.|About .+ "
     r"points more were possible\.|That gave away about .+ points\.|There were about .+ points more in "
     r"another turn\.|Perhaps another turn was a little better\.|One other turn looked a little better\.",
     (anything,)),
)
OPENINGS: Final = {
    r"It came to this: |This was the outcome: |How it ended: |At the end of the round: |The result: ":
        (REALLY, PLAYED),
    r"That leads to this: |This was to be expected: |What to expect then: |What this turn leads to: |"
    r"After that, most likely: ": (PLAYED,),
    r"The better turn makes sure of this: |Instead, for certain: |Instead, with best play: |"
    r"The better turn, played on well, leads to this: |With the better turn and best play: |"
    r"Instead this could be expected: |The better turn promised this: |"
    r"What to expect of the better turn: |Certain after the better turn: |"
    r"What the better turn leads to, played on well: |With best play, the other turn ends like this: |"
    r"After the better turn, most likely: |Besides: |And also: |One more thing: |Then there is this: ":
        (BETTER,),
}
"""How a sentence begins that goes on with a fact as a clause, and after which lines the fact must hold."""


def advised(before: Position, sentence: str) -> str:
    """The move that a piece of advice means, as it is typed; an AssertionError if it cannot be read."""
    found = re.fullmatch(rf"Take {PIECES} {WHERE}(?: for {PLACE}\.| for the floor line\.|; none can be "
                         r"placed\.)", sentence)
    assert found is not None, sentence
    table = CHECKERS[before.game.name](before, before.ply)
    oracle, source = table.played([]), 0 if "centre" in found["where"] else int(found["where"][-1])
    letter = table.colours[COLOURS[before.game.name][found["colour"]]]
    pile = oracle.centre if source == 0 else oracle.factories[source - 1]
    assert pile.count(letter) == int(found["tiles"])
    return f"{source}{letter}{found['place'] or ('f' if before.game.name == 'azul' else 'x')}"


def misread(reader: Reader, sentences: Sequence[str]) -> Iterator[str]:
    """Sentences that are false, or that nobody here can read."""
    for sentence in sentences:
        for pattern, checks in SENTENCES:
            found = re.fullmatch(pattern, sentence)
            if found is not None:
                if not all(check(reader, found) for check in checks):
                    yield sentence
                break
        else:
            yield from _misread_clause(reader, sentence)


def _misread_clause(reader: Reader, sentence: str) -> Iterator[str]:
    """A clause is that of a reason: whether the reason is true, `claims.false_claims` says."""
    for opening, lines in OPENINGS.items():
        found = re.match(opening, sentence)
        if found is None:
            continue
        said = sentence[found.end() : -1]
        facts = [reason.better if BETTER in lines else reason.played for reason in reader.turn.reasons]
        tell = reader.game.game.tell
        assert tell is not None
        clauses = []
        for statement in facts:
            seat = statement.fact.seat
            name = "" if seat in (-1, reader.turn.seat) else reader.names[seat]
            clauses.append(str(tell.say(statement.fact, name).renamed(reader.game.preset.names)))
        if said not in clauses:
            yield sentence
        return
    yield f"cannot be read: {sentence}"
