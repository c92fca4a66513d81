"""Play in this terminal: people at one keyboard, and bots."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from azulejos import __version__
from azulejos.bots import Bot, Limit, open as open_bot
from azulejos.bots.levels import NAMES, LevelBot
from azulejos.cli.common import (
    GameCommand, OutFile, chosen_seed, complaints, console, fresh_seed_option, say, seconds_option,
    takes_game,
)
from azulejos.cli.games import show_guide
from azulejos.cli.positions import show_board, tell, tell_outcome, tell_points
from azulejos.core.guide import guide_of
from azulejos.core.message import Message, Problem, msg, nmsg, raw
from azulejos.core.notation import IllegalMove, InvalidMove, Move
from azulejos.core.position import Position
from azulejos.core.record import Player, Record
from azulejos.protocol.external import ExternalBot, greeted

if TYPE_CHECKING:
    from rich.console import Console

    from azulejos.insight.results import Hint


USUAL = "level:2"
"""The bot for seats that are not named: a beginner can beat it, but not by luck alone."""


@click.command(cls=GameCommand, short_help="Play in this terminal: people at one keyboard, and bots.")
@takes_game
@click.argument("seats", nargs=-1, metavar="[SEAT]...")
@seconds_option("Time limit of a bot for one action, in seconds.", 1.0)
@click.option("--record", type=OutFile(), help="Save the game to this file when it ends or is left.")
@fresh_seed_option
def play(
    start: Position, seats: tuple[str, ...], seconds: float, record: Path | None, seed: int | None
) -> None:
    """Play GAME. Each SEAT is `me`, a person's name with a capital letter, or the word of a bot (random,
    greedy, search, level:3; level:7@10 takes ten seconds per action).

    Seats that are not named are bots of level 2: `azulejos play azul` is you against one of them. During
    the game, type moves, or `help` for other commands.
    """
    from azulejos.bots import Limit
    from azulejos.cli.play import ME, TerminalGame, read_seats

    with contextlib.suppress(ImportError):  # missing on some systems; enables line editing
        import readline  # noqa: F401
    with complaints():
        seated = read_seats(seats or [ME], start.players, rest=USUAL)
        limit = Limit(seconds=seconds)
    seed = chosen_seed(seed)
    table = TerminalGame(start, seated, rng=random.Random(seed), limit=limit, out=console())
    try:
        with complaints():  # a bot reads its weights before its first move
            table.run()
    finally:
        if record:
            record.write_text(table.record().write(), encoding="utf-8")


# --- seats --------------------------------------------------------------------------------------------


ME = "me"
YOU = "You"


@dataclass(frozen=True, slots=True)
class Participant:
    name: str
    bot: Bot | None = None

    def player(self) -> Player:
        """The player for the record: a bot with its version."""
        return Player(self.name, f"{self.bot.word} {__version__}" if self.bot else "")


def read_seats(words: Sequence[str], players: int, *, rest: str) -> tuple[Participant, ...]:
    """One participant per word; the bot `rest` takes the other seats. Raises ValueError for a bad word."""
    if len(words) > players:
        raise Problem(msg("{seats} seats were named, but there are {n} players",
                          seats=len(words), n=players))
    filled = [*words, *[rest] * (players - len(words))]
    seats = [_participant(word) for word in filled]
    often = Counter(who.name for who in seats)
    return tuple(
        Participant(f"{who.name} {seat}", who.bot) if often[who.name] > 1 else who
        for seat, who in enumerate(seats, start=1)
    )


def _participant(word: str) -> Participant:
    """`me` is you, a capitalised word without a colon is a person's name, any other word is a bot."""
    if word == ME:
        return Participant(YOU)
    if word != word.lower() and ":" not in word:
        return Participant(word)
    bot = greeted(open_bot(word, commands=True))
    return Participant(say(NAMES[bot.number - 1]) if isinstance(bot, LevelBot) else word, bot)


# --- the table in a terminal --------------------------------------------------------------------------


HELP = (
    msg("Type a move as `moves` lists it; if a turn has several moves, separate them with spaces."),
    msg("moves         all legal moves; moves 2 only those that begin with 2"),
    msg("preview MOVE  what a move would do"),
    msg("why MOVE      why a move is not legal"),
    msg("hint          where to look; again: what for; again: the best turn"),
    msg("points        every point so far, with its reason"),
    msg("rules         the rules of this game"),
    msg("undo          go back to your last choice"),
    msg("board         show the table again"),
    msg("save FILE     save the game (azulejos replay FILE reads it)"),
    msg("quit          leave the table"),
)
SAY_HELP = msg("Type help for a list of commands.")


class Leave(Exception):
    """Someone left the game."""


class TerminalGame:
    """One game at one keyboard."""

    def __init__(
        self, position: Position, seats: tuple[Participant, ...], *, rng: random.Random, limit: Limit,
        out: Console,
    ) -> None:
        self.position = position
        self.seats = seats
        self.names = tuple(who.name for who in seats)
        self.rng = rng
        self.limit = limit
        self.out = out
        self.commands: dict[str, Callable[[str], None]] = {
            "help": self.help, "?": self.help, "moves": self.moves, "why": self.why, "undo": self.undo,
            "board": self.board, "save": self.save, "quit": self.quit, "preview": self.preview,
            "hint": self.hint, "points": self.points, "rules": self.rules,
        }
        self.advice: tuple[Position, Hint, int] | None = None
        """The last hint, for which position, and how many of its steps were told."""

    def run(self) -> bool:
        """Play to the end; False if someone left before."""
        if any(who.bot is None for who in self.seats):
            self.tell(HELP[0], "bright_black")
            self.tell(SAY_HELP, "bright_black")
        try:
            while not self.position.is_over:
                self.act()
        except (Leave, EOFError):
            self.tell(msg("The game is not finished."))
            return False
        outcome = self.position.outcome()
        self.board("")
        if outcome:
            tell_outcome(self.out, outcome, self.names)
        return True

    def record(self) -> Record:
        return Record.from_position(self.position, seats=[who.player() for who in self.seats])

    # --- one action ---------------------------------------------------------------------------------

    def act(self) -> None:
        if self.position.is_chance:
            self.deal()
            return
        who = self.seats[self.position.to_move]
        legal = self.position.legal_actions()
        if who.bot is not None:
            move = who.bot.play(self.position, self.limit, rng=self.rng).move
            self.tell_faults(who)
            self.play(who, msg("{name}: {move}", name=who.name, move=move.text), move)
        elif len(legal) == 1:
            only = msg("{name}: {move}, the only choice", name=who.name, move=self.text(legal[0]))
            self.play(who, only, legal[0])
        else:
            self.ask(who)

    def deal(self) -> None:
        drawn = self.position.deal(self.rng)
        self.tell(msg("Drawn: {moves}", moves=raw(" ".join(move.text for move in drawn))), "bright_black")

    def play(self, who: Participant, said: Message, move: Move | int) -> None:
        self.position.play(move)
        self.tell(said)
        tell_points(self.out, self.position, self.names)

    def tell_faults(self, who: Participant) -> None:
        """Report that a program failed and that a random move was played for it."""
        if isinstance(who.bot, ExternalBot):
            for fault in who.bot.faults:
                self.tell(msg("{name} failed, so a random move is played: {fault}", name=who.name,
                              fault=raw(f"{fault.kind}: {fault.text}")), "red")
            who.bot.faults.clear()

    def ask(self, who: Participant) -> None:
        """Show the board and read lines until a move has been played or taken back."""
        self.board("")
        before = self.position.ply
        while self.position.ply == before:
            line = self.out.input(f"{who.name}> ", markup=False).strip()
            word, _, rest = line.partition(" ")
            if word in self.commands:
                self.commands[word](rest.strip())
            elif line:
                self.try_turn(line)

    def try_turn(self, line: str) -> None:
        """Play all moves of a line or none; all must belong to this seat's turn."""
        seat = self.position.to_move
        trial = self.position.copy()
        try:
            for word in line.split():
                if trial.to_move != seat:
                    raise IllegalMove(msg("Your turn has already ended before {move}.", move=word))
                trial.play(word)
        except InvalidMove as error:
            self.tell(raw(error.pointer()))
            self.tell(error.reason, "red")
            self.tell(SAY_HELP, "bright_black")
        except IllegalMove as error:
            self.tell(error.reason, "red")
        else:
            for word in line.split():
                self.position.play(word)
                tell_points(self.out, self.position, self.names)

    # --- commands -----------------------------------------------------------------------------------

    def help(self, rest: str) -> None:
        for line in HELP:
            self.tell(line)

    def moves(self, rest: str) -> None:
        texts = [move.text for move in self.position.legal_moves if move.text.startswith(rest)]
        self.tell(nmsg("{n} move", "{n} moves", n=len(texts)))
        self.out.print(" ".join(texts), markup=False)

    def why(self, rest: str) -> None:
        try:
            reason = self.position.why_not(rest)
        except InvalidMove as error:
            self.tell(raw(error.pointer()))
            reason = error.reason
        self.tell(reason or msg("{move} is legal.", move=rest))

    def preview(self, rest: str) -> None:
        try:
            reason = self.position.why_not(rest)
            self.tell(self.position.preview(rest) if reason is None else reason)
        except InvalidMove as error:
            self.tell(raw(error.pointer()))
            self.tell(error.reason, "red")

    def hint(self, rest: str) -> None:
        """One step more than the last time in this position."""
        from azulejos.insight.hint import hints
        from azulejos.insight.judge import judge_for
        from azulejos.insight.words import STEPS, AdviceWords

        if self.position.in_turn:
            self.tell(msg("A hint is for the beginning of your turn."))
            return
        if self.advice is None or self.advice[0] != self.position:
            *_, found = hints(judge_for(self.position), self.position)
            self.advice = self.position.copy(), found, 0
        before, found, told = self.advice
        step = STEPS[min(told, len(STEPS) - 1)]
        self.advice = before, found, told + 1
        for sentence in AdviceWords(before, self.names, before.to_move).step(found, step):
            self.tell(sentence)

    def points(self, rest: str) -> None:
        scored = self.position.explain()
        for number in sorted({points.ply for points in scored}):
            tell_points(self.out, self.position, self.names, number)
        if not scored:
            self.tell(msg("There are no points yet."))

    def rules(self, rest: str) -> None:
        with complaints():
            show_guide(guide_of(self.position.game), drawn=False)

    def undo(self, rest: str) -> None:
        """Go back to the last position in which a person had a choice."""
        trial = self.position.copy()
        while trial.ply:
            trial.undo()
            if self.is_choice(trial):
                self.position = trial
                return
        self.tell(msg("There is nothing to take back."))

    def is_choice(self, position: Position) -> bool:
        if position.is_chance or self.seats[position.to_move].bot is not None:
            return False
        return len(position.legal_actions()) > 1

    def board(self, rest: str) -> None:
        show_board(self.out, self.position, self.names)

    def save(self, rest: str) -> None:
        if not rest:
            self.tell(msg("Name a file: save game.azul"))
            return
        try:
            Path(rest).write_text(self.record().write(), encoding="utf-8")
        except OSError as error:
            reason = error.strerror or ""
            self.tell(msg("{file} cannot be written: {reason}", file=rest, reason=reason), "red")
        else:
            self.tell(msg("Saved as {file}.", file=rest))

    def quit(self, rest: str) -> None:
        raise Leave

    def text(self, action: int) -> str:
        return self.position.game.moves.text(action)

    def tell(self, message: Message, style: str = "") -> None:
        tell(self.out, message, style)
