"""Every sentence that a person reads: a text with holes, and what fills them.

The English template is also the key of the translations (as in gettext). The engine never builds
sentences; it names one and gives its arguments, which may be messages themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Union

Argument = Union[str, int, "Message"]


@dataclass(frozen=True, slots=True)
class Message:
    """A translatable sentence. `many` is its plural form, chosen by the argument `n`."""

    text: str
    args: tuple[tuple[str, Argument], ...] = ()
    many: str | None = field(default=None)

    def __str__(self) -> str:
        return self.render(english)

    def render(self, template: Callable[[Message], str]) -> str:
        """Fill the template that the language gives for this message."""
        filled = {
            name: value.render(template) if isinstance(value, Message) else value
            for name, value in self.args
        }
        return template(self).format(**filled)

    def renamed(self, names: Mapping[str, Message]) -> Message:
        """The same sentence with other names for things, wherever they stand in it."""
        if self.text in names:
            return names[self.text]
        args = tuple(
            (name, value.renamed(names) if isinstance(value, Message) else value)
            for name, value in self.args
        )
        return Message(self.text, args, self.many)

    @property
    def n(self) -> int:
        return int(str(dict(self.args).get("n", 1)))


class Problem(ValueError):
    """A wish that cannot be granted; `reason` tells it to people in their language."""

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
    """A sentence that counts: ``nmsg("{n} tile", "{n} tiles", n=3)``."""
    return Message(one, (("n", n), *args.items()), many)


def raw(text: str) -> Message:
    """Text that is the same in every language (a name, a number, a move)."""
    return Message("{raw}", (("raw", text),))
