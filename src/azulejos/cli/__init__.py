"""The command line: one file for verbs that belong together, imported only when one of them is used.

A function of this folder is a verb if ``click.command`` or ``click.group`` gives it a ``short_help``:
``azulejos --help`` reads those without importing the files.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import io
import pkgutil
import re
import sys
from typing import Any

import click

from azulejos.core.extras import EXTRA_OF, explained

INTERRUPTED = 130
"""The exit code that shells expect after Ctrl-C."""

FAILED = 1

VERB = re.compile(
    r'^@click\.(?:command|group)\([^"]*short_help="(?P<summary>[^"]+)"\).*?^def (?P<name>\w+)\(',
    re.M | re.S,
)


class VerbGroup(click.Group):
    """The modules of this folder as commands. A user's mistake gives one line, never a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _verbs():
            return None
        module, _ = _verbs()[cmd_name]
        command = getattr(importlib.import_module(module), cmd_name.replace("-", "_"))
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        verbs = self.list_commands(ctx)
        if args and args[0] not in verbs and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], verbs, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(verbs)}"
            ctx.fail(f"there is no verb {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("VerbGroup"):
            formatter.write_dl([(name, _verbs()[name][1]) for name in self.list_commands(ctx)])

    def main(self, *args: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        if sys.stdin is None:  # closed by the parent process: there is no input
            sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        try:
            code = super().main(*args, **extra)
        except click.Abort:
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            click.echo(_one_line(error), err=True)
            sys.exit(error.exit_code)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in EXTRA_OF:
                raise
            click.echo(f"azulejos: {explained(error)}", err=True)
            sys.exit(FAILED)
        except OverflowError as error:
            click.echo(f"azulejos: a number is too large ({error})", err=True)
            sys.exit(click.UsageError.exit_code)
        except OSError as error:  # an unusable file or address; click handles closed pipes
            click.echo(f"azulejos: {_what_failed(error)}", err=True)
            sys.exit(FAILED)
        sys.exit(code if isinstance(code, int) else 0)


@functools.cache
def _verbs() -> dict[str, tuple[str, str]]:
    """The module and the summary of each verb. Imports nothing."""
    found = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        spec = importlib.util.find_spec(module.name)
        source = getattr(spec.loader, "get_source", lambda _: None)(module.name) if spec else None
        for match in VERB.finditer(source or ""):
            found[match["name"].replace("_", "-")] = module.name, match["summary"]
    return found


def _one_line(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if context is None:
        return f"azulejos: {text}"
    return f"{context.command_path}: {text} (see {context.command_path} --help)"


def _what_failed(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"cannot use {error.filename}: {reason}" if error.filename else reason


@click.group(cls=VerbGroup, invoke_without_command=True,
             context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--language", envvar="AZULEJOS_LANGUAGE", metavar="CODE",
              help="Language for playing and for the rules: pl, cs, et or zh_Hant. Help and reports are in "
                   "English.")
@click.pass_context
def main(context: click.Context, version: bool, language: str | None) -> None:
    """Play, study and simulate the Azul family of board games."""
    if language:
        from azulejos.cli.common import speak

        speak(context, language)
    if version:
        from azulejos import __version__

        click.echo(f"azulejos {__version__}")
    elif context.invoked_subcommand is None:
        click.echo(context.get_help())
