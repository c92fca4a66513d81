"""Every sentence that a person reads: a text with placeholders, and the values for them.

The English template is also the key of the translations (as in gettext). The engine never builds
sentences; it names a template and its arguments, which may be messages themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Union

Argument = Union[str, int, float, "Message"]


@dataclass(frozen=True, slots=True)
class Message:
    """A translatable sentence. `many` is its plural form, chosen by the argument `n`.

    `context` separates meanings of the same English word (gettext's msgctxt); it is never shown.
    """

    text: str
    args: tuple[tuple[str, Argument], ...] = ()
    many: str | None = None
    context: str | None = None

    def __str__(self) -> str:
        return self.render(english, str)

    def render(self, template: Callable[[Message], str], number: Callable[[float], str]) -> str:
        """Fill the template of a language for this message; `number` formats decimal fractions."""

        def written(value: Argument) -> str:
            if isinstance(value, Message):
                return value.render(template, number)
            if isinstance(value, int):
                return whole(value)
            return number(value) if isinstance(value, float) else value

        return template(self).format(**{name: written(value) for name, value in self.args})

    def renamed(self, names: Mapping[str, Message]) -> Message:
        """The same sentence with other names for things, wherever these occur in it."""
        if self.text in names:
            return replace(names[self.text], args=self.args)
        args = tuple(
            (name, value.renamed(names) if isinstance(value, Message) else value)
            for name, value in self.args
        )
        return replace(self, args=args)

    @property
    def n(self) -> int:
        return int(str(dict(self.args).get("n", 1)))


class Problem(ValueError):
    """A request that cannot be fulfilled; `reason` says why, in the reader's language."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def english(message: Message) -> str:
    if message.many is not None and message.n != 1:
        return message.many
    return message.text


def msg(text: str, /, **args: Argument) -> Message:
    return Message(text, tuple(args.items()))


def nmsg(one: str, many: str, /, *, n: int, **args: Argument) -> Message:
    """A sentence with a plural: ``nmsg("{n} tile", "{n} tiles", n=3)``."""
    return Message(one, (("n", n), *args.items()), many)


def pmsg(context: str, text: str, /, **args: Argument) -> Message:
    """A word whose translation depends on its context: ``pmsg("side of a strip", "back")``."""
    return Message(text, tuple(args.items()), context=context)


def whole(number: int) -> str:
    """A whole number as people read it, with a true minus sign."""
    return f"−{-number}" if number < 0 else str(number)


def signed(number: float) -> Message:
    """A number with its sign: +7, 0, −3; a fraction with one decimal, +1.5 (+1,5 in some languages)."""
    if isinstance(number, int):
        return raw(f"+{number}" if number > 0 else whole(number))
    sign = "−" if round(number, 1) < 0 else "+"
    return Message("{sign}{points}", (("sign", sign), ("points", round(abs(number), 1))))


def raw(text: str) -> Message:
    """Text that is the same in every language (a name, a number, a move)."""
    return Message("{raw}", (("raw", text),))
