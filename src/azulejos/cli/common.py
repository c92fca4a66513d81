"""Shared by several verbs: games with options, positions and records as arguments, consoles, progress."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO, TypeVar

import click

from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game
from azulejos.core.message import Message, Problem, msg
from azulejos.core.position import Position
from azulejos.core.registry import read_components
from azulejos.i18n import LANGUAGES, translator

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from azulejos.arena.workers import Workers
    from azulejos.cli.pace import PacedBar
    from azulejos.core.record import Record

F = TypeVar("F", bound=Callable[..., Any])

LANGUAGE = "azulejos.language"
"""Key of the chosen language in the context."""

CHOSEN = "azulejos.options"
"""Key of the game options given as ``--wall grey`` in the context."""

COMPONENTS = "azulejos.components"
"""Key of the file given as ``--components my.toml`` in the context."""

SEED_LIMIT = 2**32


def speak(context: click.Context, language: str) -> None:
    """Choose the language of `say`."""
    if language not in LANGUAGES:
        context.fail(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    context.meta[LANGUAGE] = language


def say(message: Message) -> str:
    """The message in the language chosen with ``azulejos --language``."""
    context = click.get_current_context(silent=True)
    language = context.meta.get(LANGUAGE) if context else None
    return translator(language)(message) if language else str(message)


class Number(click.FloatRange):
    """A number within bounds; "nan" and "inf" are none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


@contextlib.contextmanager
def complaints() -> Iterator[None]:
    """Report errors that the library raises for bad input in one line, with exit code 2."""
    try:
        yield
    except ValueError as error:
        text = say(error.reason) if isinstance(error, Problem) else str(error)
        raise click.UsageError(text, click.get_current_context(silent=True)) from error


def check_two_seats(start: Position) -> None:
    """Raises a Problem unless the game has two seats: learning supports no other games."""
    if start.players != MIN_SEATS:
        raise Problem(msg("this can only learn from two-player games, not from games with {n} players",
                          n=start.players))


# --- consoles ----------------------------------------------------------------------------------------


def console() -> Console:
    """The console for results. In a pipe: plain text without colours or bars, with lines of any length."""
    from rich.console import Console

    piped = not is_watched(sys.stdout)
    return Console(highlight=False, soft_wrap=piped, width=100 if piped else None)


def results_table(*headings: str, words: Container[str] = (), long: Container[str] = ()) -> Table:
    """An empty table: columns in `words` are aligned left, those in `long` may wrap."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        side: Literal["left", "right"] = "left" if heading in words else "right"
        made.add_column(heading, justify=side, no_wrap=heading not in long)
    return made


def progress() -> PacedBar:
    """Progress on standard error, how long it may take first: a bar in a terminal, elsewhere lines."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from azulejos.cli.common import ProgressLines
    from azulejos.cli.pace import PacedBar

    if not is_watched(sys.stderr):
        return PacedBar(ProgressLines())
    return PacedBar(Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    ))


def foretell(what: str, seconds: float) -> None:
    """Say beforehand how long something may take, if that is long."""
    from azulejos.cli.common import SOON, duration

    if seconds > SOON:
        click.echo(f"{what}: about {duration(seconds)}", err=True)


def is_watched(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; it is None if the parent process closed it."""
    return stream is not None and stream.isatty()


# --- arguments ---------------------------------------------------------------------------------------


class OutFile(click.Path):
    """A file to write after the work: an unusable path is reported before the work begins."""

    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if self.endings and path.suffix not in self.endings:
            self.fail(f"{path.name} should end in {' or '.join(self.endings)}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {path.parent}", param, ctx)
        if not path.exists() and not os.access(path.parent, os.W_OK):
            self.fail(f"the folder {path.parent} cannot be written", param, ctx)
        return path


class GameCommand(click.Command):
    """A verb about one game: the options of all games are also command-line options."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        taken = {name for param in params for name in param.opts}
        own = [option for option in _game_options() if option.opts[0] not in taken]
        return [*params[:-1], *own, params[-1]]


@functools.cache
def _game_options() -> tuple[click.Option, ...]:
    values: dict[str, list[str]] = {}
    for game in registry.games():
        for option in game.options:
            if option.component is None:
                hint = "|".join(option.values) or option.default
                values.setdefault(option.name, []).append(f"{game.name}: {hint}")
    own = tuple(
        click.Option([f"--{name}"], metavar="VALUE", help="; ".join(hints),
                     expose_value=False, callback=_keep)
        for name, hints in values.items()
    )
    components = click.Option(
        ["--components"], metavar="FILE", type=click.Path(path_type=Path), expose_value=False,
        callback=_keep_components,
        help="File with the parts printed in your copy of the game (see azulejos games GAME).",
    )
    setting = click.Option(
        ["--option"], multiple=True, metavar="NAME=VALUE", callback=_keep_pairs, expose_value=False,
        help="Set an option of the game (azulejos games GAME lists them).",
    )
    return (*own, components, setting)


def _keep(context: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta.setdefault(CHOSEN, {})[param.name] = value


def _keep_components(context: click.Context, param: click.Parameter, value: Path | None) -> None:
    if value is not None:
        context.meta[COMPONENTS] = value


def _keep_pairs(context: click.Context, param: click.Parameter, pairs: tuple[str, ...]) -> None:
    with complaints():
        context.meta.setdefault(CHOSEN, {}).update(_pair(pair) for pair in pairs)


def takes_game(function: F) -> F:
    """Add ``GAME``, ``--players`` and the game's options to a verb; pass it the new position as `start`."""

    @functools.wraps(function)
    def with_start(game: str, players: int, **rest: Any) -> Any:
        return function(start=start_position(game, players), **rest)

    decorated = click.option("--players", "-n", default=MIN_SEATS, show_default=True,
                             type=click.IntRange(MIN_SEATS, MAX_SEATS), help="Number of seats.")(with_start)
    return click.argument("game")(decorated)  # type: ignore[return-value]  # click keeps the function


def start_position(name: str, players: int) -> Position:
    """A new game with the options from the command line."""
    with complaints():
        game, preset = registry.find(name)
        return Position(game, preset, players, chosen_options(game))


def chosen_options(game: Game) -> dict[str, str]:
    """Settings of the game from the command line: components from a file, and options."""
    meta = click.get_current_context().meta
    return {**_components(meta.get(COMPONENTS), game), **meta.get(CHOSEN, {})}


def _components(path: Path | None, game: Game) -> dict[str, str]:
    if path is None:
        return {}
    try:
        return read_components(path.read_text(encoding="utf-8"), game)
    except Problem as problem:
        raise Problem(msg("{file}: {reason}", file=str(path), reason=problem.reason)) from problem
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8: {error.reason}") from error


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--option {text!r} should read name=value")
    return name, value


def takes_workers(function: F) -> F:
    """Add ``--processes`` and ``--ray`` to a verb, and pass it the resulting `workers`."""

    @functools.wraps(function)
    def with_workers(processes: int, ray: str | None, **rest: Any) -> Any:
        with complaints():
            chosen = _workers(processes, ray)
        return function(workers=chosen, **rest)

    decorated = click.option("--ray", is_flag=False, flag_value="", metavar="[ADDRESS]",
                             help="Play on a Ray cluster at host:port or auto; without an address, start a "
                                  "temporary one on this machine.")(with_workers)
    processes = click.option("--processes", "-p", default=1, show_default=True,
                             help="Processes on this machine.", type=click.IntRange(min=1))
    return processes(decorated)  # type: ignore[return-value]  # click keeps the function


def _workers(processes: int, ray: str | None) -> Workers:
    from azulejos.arena.workers import LOCAL, Cluster, workers

    if ray is None:
        return workers(processes)
    if ray not in ("", LOCAL, "auto") and ":" not in ray:
        raise ValueError(f"{ray!r} is no address like host:6379; a bare --ray stands last on the line")
    return Cluster(ray or LOCAL)


# --- options with one name, letter and meaning everywhere (tests/cli/test_options.py) ------------------

seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="Seed for deals and random choices; the same seed gives the same games.",
)
"""For verbs that measure, calculate or draw: without a seed they do the same again."""

fresh_seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=None, show_default="a new one",
    help="Seed for deals and random choices; the same seed gives the same games.",
)
"""For verbs with which people play."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


def games_option(default: int, what: str = "Number of games.", *, least: int = 1) -> Callable[[F], F]:
    return click.option("--games", "-g", default=default, show_default=True, help=what,
                        type=click.IntRange(min=least))


def deals_option(what: str) -> Callable[[F], F]:
    return click.option("--deals", "-d", default=50, show_default=True, help=what,
                        type=click.IntRange(min=1))


def seconds_option(what: str, default: float | None = None) -> Callable[[F], F]:
    return click.option("--seconds", "-s", type=Number(0.001, 3600), default=default,
                        show_default=default is not None, help=what)


def nodes_option(what: str, default: int | None = None) -> Callable[[F], F]:
    return click.option("--nodes", type=click.IntRange(min=1), default=default,
                        show_default=default is not None, help=what)


def cores_option(default: int) -> Callable[[F], F]:
    return click.option("--cores", "-c", default=default, show_default=True, type=click.IntRange(min=1),
                        help="Threads that search.")


def out_option(
    *endings: str, what: str, required: bool = False, multiple: bool = False
) -> Callable[[F], F]:
    return click.option("--out", "-o", type=OutFile(*endings), required=required, multiple=multiple,
                        help=what)


def chosen_seed(seed: int | None) -> int:
    """The given seed, or a random one."""
    return secrets.randbelow(SEED_LIMIT) if seed is None else seed


# --- positions and records ----------------------------------------------------------------------------




POSITION = """

    POSITION is the text of a position, "-" to read it from standard input, or the name of a box: a new
    game with --players seats, dealt with --seed.
    """

record_argument = click.argument("record", type=click.File("r", encoding="utf-8"))
"""RECORD: a file with one or more records, or "-" for standard input; `records_of` reads it."""


def takes_position(function: F) -> F:
    """Add ``POSITION`` with ``--players`` and ``--seed``; pass the `position`. Needs a GameCommand."""

    @functools.wraps(function)
    def with_position(position: str, players: int, seed: int, **rest: Any) -> Any:
        return function(position=_read(position, players, seed), **rest)

    with_position.__doc__ = (function.__doc__ or "").rstrip() + POSITION
    decorated = click.option("--players", "-n", default=MIN_SEATS, show_default=True,
                             type=click.IntRange(MIN_SEATS, MAX_SEATS),
                             help="Number of seats in a new game.")(seed_option(with_position))
    return click.argument("position")(decorated)  # type: ignore[return-value]  # click keeps the function


def _read(text: str, players: int, seed: int) -> Position:
    text = sys.stdin.read().strip() if text == "-" else text
    if "/" in text:
        with complaints():
            return Position.from_text(text)
    position = start_position(text, players)
    position.deal(random.Random(seed))
    return position


def takes_record(function: F) -> F:
    """Add ``RECORD`` with ``--number``; pass the `record`."""

    @functools.wraps(function)
    def with_record(record: TextIO, number: int, **rest: Any) -> Any:
        records = list(records_of(record))
        with complaints():
            if number > len(records):
                raise ValueError(f"{record.name} holds {len(records)} records")
        return function(record=records[number - 1], **rest)

    numbered = click.option("--number", "-k", default=1, show_default=True, type=click.IntRange(min=1),
                            help="Which record, in a file with several.")(with_record)
    return record_argument(numbered)  # type: ignore[return-value]  # click keeps the function


def records_of(file: TextIO) -> Iterator[Record]:
    """The records of a file; an error names the line of the mistake."""
    from azulejos.core.record import Record, RecordError

    with complaints():
        try:
            yield from Record.read_each(file)
        except UnicodeDecodeError as error:
            raise ValueError(f"{file.name} is no text: {error}") from error
        except RecordError as error:
            raise ValueError(f"{file.name}, {error}") from error


# --- progress -----------------------------------------------------------------------------------------


SOON: Final = 10.0
"""Seconds: what takes no longer needs no line."""
RARELY: Final = 600.0
"""Seconds between two lines at most; until then each comes after twice the time of the one before."""


def duration(seconds: float) -> str:
    """About so long, as one says it."""
    if seconds < 101:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def say_aloud(line: str) -> None:
    click.echo(line, err=True)


@dataclass
class _Task:
    description: str
    total: float | None
    began: float
    completed: float = 0.0
    before: float = 0.0
    """What an earlier run had done."""
    said: float = 0.0


@dataclass
class ProgressLines:
    """What `rich.progress.Progress` does, as few lines: the first one says how long it will take in all."""

    clock: Callable[[], float] = time.monotonic
    tell: Callable[[str], None] = say_aloud
    _tasks: list[_Task] = field(default_factory=list)

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *ignored: object) -> None:
        pass

    def add_task(self, description: str, *, total: float | None = None, completed: float = 0) -> Any:
        self._tasks.append(_Task(description, total, self.clock(), completed, before=completed))
        return len(self._tasks) - 1

    def advance(self, task_id: Any, advance: float = 1) -> None:
        self.update(task_id, advance=advance)

    def update(
        self, task_id: Any, *, advance: float = 0, completed: float | None = None,
        total: float | None = None, description: str | None = None,
    ) -> None:
        task = self._tasks[task_id]
        task.completed = task.completed + advance if completed is None else completed
        task.total = total or task.total
        task.description = description or task.description
        spent = self.clock() - task.began
        wait = min(task.said, RARELY) or SOON
        if spent - task.said >= wait and task.completed > task.before and task.completed != task.total:
            self.tell(_line(task, spent))
            task.said = spent


def _line(task: _Task, spent: float) -> str:
    done = f"{task.description}: {task.completed:g}"
    if task.total is None:
        return f"{done} after {duration(spent)}"
    left = spent * (task.total - task.completed) / (task.completed - task.before)
    in_all = "" if task.said else f", {duration(spent + left)} in all"
    return f"{done} of {task.total:g}, about {duration(left)} left{in_all}"
