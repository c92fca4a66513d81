"""What several verbs share: the game argument with its options, seeds, consoles, complaints."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO, TypeVar

import click

from azulejos.core import jit, registry
from azulejos.core.components import read_components
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game
from azulejos.core.message import Message, Problem, msg
from azulejos.core.position import Position
from azulejos.i18n import translator

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from azulejos.arena.workers import Workers

F = TypeVar("F", bound=Callable[..., Any])

LANGUAGE = "azulejos.language"
"""Where the context keeps the language that was asked for."""

CHOSEN = "azulejos.options"
"""Where the context keeps the game options given as ``--wall grey``."""

COMPONENTS = "azulejos.components"
"""Where it keeps the file given as ``--components my.toml``."""

SEED_LIMIT = 2**32


def say(message: Message) -> str:
    """In the language that ``azulejos --language`` asked for."""
    context = click.get_current_context(silent=True)
    language = context.meta.get(LANGUAGE) if context else None
    return translator(language)(message) if language else str(message)


@contextlib.contextmanager
def complaints() -> Iterator[None]:
    """What the library refuses is the user's mistake: one line and exit code 2."""
    try:
        yield
    except ValueError as error:
        text = say(error.reason) if isinstance(error, Problem) else str(error)
        raise click.UsageError(text, click.get_current_context(silent=True)) from error


def check_two_seats(start: Position) -> None:
    """A Problem for what learns from games of two only."""
    if start.players != MIN_SEATS:
        raise Problem(msg("this can only learn from two-player games, not from games with {n} players",
                          n=start.players))


def is_cold(game: Game, words: Iterable[str]) -> bool:
    """Whether something has to be compiled before bots of these words think at full speed."""
    from azulejos.bots.compiled import is_warm
    from azulejos.bots.words import is_compiled

    return jit.enabled() and any(is_compiled(word) for word in words) and not is_warm(game)


def make_ready(game: Game, words: Iterable[str]) -> None:
    """Compile what bots of these words need before any of them thinks, and say so: it takes its time."""
    from azulejos.bots.compiled import BOTS, warm
    from azulejos.core import warmth

    if is_cold(game, words):
        text = msg("Compiling the bots for {game}, once per machine: about {n} s.",
                   game=game.title, n=warmth.seconds_left(game, BOTS))
        click.echo(say(text), err=True)
        warm(game)


def beginning(*games: Game) -> Message:
    """What is said where nobody has to wait for the compiler."""
    from azulejos.bots.compiled import BOTS
    from azulejos.core import warmth

    left = max(warmth.seconds_left(game, BOTS) for game in games)
    return msg("The bots are being compiled (once per machine); they reach full strength in about {n} s.",
               n=left)


# --- consoles ----------------------------------------------------------------------------------------


def console() -> Console:
    """Where results go. Into a pipe: plain text, no colours, no bars, lines of any length."""
    from rich.console import Console

    piped = not is_watched(sys.stdout)
    return Console(highlight=False, soft_wrap=piped, width=100 if piped else None)


def results_table(*headings: str, words: Container[str] = (), long: Container[str] = ()) -> Table:
    """A table to be filled: columns named in `words` begin at the left, those in `long` may be broken."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        side: Literal["left", "right"] = "left" if heading in words else "right"
        made.add_column(heading, justify=side, no_wrap=heading not in long)
    return made


def progress() -> Progress:
    """A bar that says what is done, on the error channel; silent unless a person is watching."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not is_watched(sys.stderr),
    )


def is_watched(stream: TextIO | None) -> bool:
    """Whether a person reads a channel; it is None if whoever started us has closed it."""
    return stream is not None and stream.isatty()


# --- arguments ---------------------------------------------------------------------------------------


class OutFile(click.Path):
    """A file that will be written after the work: what would go wrong then is said before it."""

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
    """A verb about one game: every option of every game is an option of the command line too."""

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
        callback=_keep_components, help="Parts of the box as they are in yours (azulejos games GAME).",
    )
    return (*own, components)


def _keep(context: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta.setdefault(CHOSEN, {})[param.name] = value


def _keep_components(context: click.Context, param: click.Parameter, value: Path | None) -> None:
    if value is not None:
        context.meta[COMPONENTS] = value


def takes_game(function: F) -> F:
    """Give the verb ``GAME``, ``--players`` and the game's options; it gets the new position as `start`."""

    @functools.wraps(function)
    def with_start(game: str, players: int, option: tuple[str, ...], **rest: Any) -> Any:
        return function(start=start_position(game, players, option), **rest)

    decorated = click.option("--option", multiple=True, metavar="NAME=VALUE",
                             help="Set an option of the game (azulejos games lists them).")(with_start)
    decorated = click.option("--players", "-n", default=MIN_SEATS, show_default=True,
                             type=click.IntRange(MIN_SEATS, MAX_SEATS), help="Number of seats.")(decorated)
    return click.argument("game")(decorated)  # type: ignore[return-value]  # click keeps the function


def start_position(name: str, players: int, pairs: tuple[str, ...] = ()) -> Position:
    """A new game with the options that the command line gave."""
    with complaints():
        given = dict(_pair(pair) for pair in pairs)
        game, preset = registry.find(name)
        return Position(game, preset, players, {**chosen_options(game), **given})


def chosen_options(game: Game) -> dict[str, str]:
    """What the command line says about the game: components from a file, and its options."""
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
    """Give the verb ``--processes`` and ``--ray``; it gets who does the work as `workers`."""

    @functools.wraps(function)
    def with_workers(processes: int, ray: str | None, **rest: Any) -> Any:
        with complaints():
            chosen = _workers(processes, ray)
        return function(workers=chosen, **rest)

    decorated = click.option("--ray", is_flag=False, flag_value="", metavar="[ADDRESS]",
                             help="Play on a Ray cluster: host:port, auto, or without an address one "
                                  "that is started here.")(with_workers)
    processes = click.option("--processes", "-p", default=1, show_default=True, help="On this machine.",
                             type=click.IntRange(min=1))
    return processes(decorated)  # type: ignore[return-value]  # click keeps the function


def _workers(processes: int, ray: str | None) -> Workers:
    from azulejos.arena.cluster import LOCAL, Cluster
    from azulejos.arena.workers import workers

    if ray is None:
        return workers(processes)
    if ray not in ("", LOCAL, "auto") and ":" not in ray:
        raise ValueError(f"{ray!r} is no address like host:6379; a bare --ray stands last on the line")
    return Cluster(ray or LOCAL)


seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=None,
    help="Deals and random choices come from this number; the same seed gives the same games.",
)


def chosen_seed(seed: int | None) -> int:
    """The seed that was given, or a fresh one."""
    return secrets.randbelow(SEED_LIMIT) if seed is None else seed
