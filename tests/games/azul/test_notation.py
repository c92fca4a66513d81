"""docs/notation.md describes the notation of Azul exactly."""

from __future__ import annotations

import re
from pathlib import Path

from azulejos.games.azul.moves import MOVES

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "notation.md"


def grammar() -> dict[str, str]:
    """The rules of the first EBNF block, as regular expressions with the names of other rules in them."""
    block = re.findall(r"^```ebnf\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.M | re.S)[0]
    block = re.sub(r"\(\*.*?\*\)", "", block)
    rules = {}
    for rule in re.findall(r"(\w+)\s*=\s*(.*?);", block, re.S):
        rules[rule[0]] = rule[1].strip()
    return rules


def as_regex(expression: str, rules: dict[str, str]) -> str:
    """EBNF to a regular expression; only words, quotes, | ( ) [ ] and commas occur."""
    found = []
    for token in re.findall(r'"[^"]*"|\w+|[|()\[\],]', expression):
        if token.startswith('"'):
            found.append(re.escape(token[1:-1]))
        elif token in rules:
            found.append(f"(?:{as_regex(rules[token], rules)})")
        else:
            found.append({"|": "|", "(": "(?:", ")": ")", "[": "(?:", "]": ")?", ",": ""}[token])
    return "".join(found)


def test_every_move_follows_the_grammar() -> None:
    rules = grammar()
    pattern = re.compile(as_regex(rules["action"], rules))
    assert all(pattern.fullmatch(move.text) for move in MOVES)
    wrong = ("", "2x4", "2r6", "c6", "<rb", "+", "!0e", "@5", "2r44")
    assert not any(pattern.fullmatch(text) for text in wrong)


def test_the_table_of_the_documentation_can_be_typed() -> None:
    texts = re.findall(r"^\| `([^`]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.M)
    assert len(texts) == 9
    assert all(MOVES.text(MOVES.parse(text)) == text for text in texts)
