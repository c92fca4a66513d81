"""Ways in which a text can grow."""

from __future__ import annotations

from collections.abc import Callable

Growth = Callable[[str, int], str]
GROWTH: dict[str, Growth] = {
    "again and again": lambda text, n: text * (n // len(text) + 1),
    "lines again": lambda text, n: f"{text}\n" * (n // len(text) + 1),
    "digits": lambda text, n: text + "9" * n,
    "digits before": lambda text, n: "9" * n + text,
    "opened brackets": lambda _, n: "[" * n,
    "opened braces": lambda _, n: '{"a":' * (n // 5),
    "opened lines of play": lambda text, n: text + "(" * n,
    "keys with many parts": lambda _, n: "a." * (n // 2) + "a=1",
    "a table in tables": lambda _, n: "[" + "a." * (n // 2) + "a]\nk=1",
    "many keys": lambda _, n: "\n".join(f"k{number}=1" for number in range(n // 6)),
    "commas": lambda text, n: text + "," * n,
    "slashes": lambda text, n: text + "/" * n,
    "spaces": lambda text, n: " " * n + text,
    "spaces after": lambda text, n: text + " " * n,
    "quotation marks": lambda text, n: text + '"' * n,
    "marks on a letter": lambda _, n: "a" + "\u0301" * n,
    "backslashes": lambda _, n: '{"do":"' + "\\" * n,
    "its first half": lambda text, n: text[: len(text) // 2] * (2 * n // len(text) + 1) + text,
    "its last sign": lambda text, n: text + text[-1:] * n,
}
