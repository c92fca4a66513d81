"""A bot in any language reads lines and answers with lines; this one needs only Python.

    azulejos play azul me "cmd:python3 examples/protocol_bot.py"
    azulejos bot check "python3 examples/protocol_bot.py"

It receives the legal moves with each question and plays the one it prefers. docs/protocol.md describes
every line.
"""

import sys

BOXES = ("azul", "azul-grey", "chocolatier", "chocolatier-grey")


def liking(move: str) -> tuple[bool, str]:
    """Sort key: avoid the floor line if possible, prefer long lines."""
    return not move.endswith("f"), move[-1]


def best(words: list[str]) -> str:
    """The best of the moves after `searchmoves`."""
    moves = words[words.index("searchmoves") + 1 :]
    return max(moves, key=liking)


def after(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]


def answers(words: list[str]) -> list[str]:
    """The answers to a line; most lines need none."""
    if words[0] == "uai":
        boxes = [f"game {box} players 2 3 4" for box in BOXES]
        return ["id name Reference bot", "id author azulejos", *boxes, "uaiok"]
    if words[0] == "isready":
        return ["readyok"]
    if words[0] == "go":
        return [f"bestmove id {after(words, 'id')} {best(words)}"]
    return []


def main() -> None:
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            return
        for answer in answers(words) if words else []:
            print(answer, flush=True)


if __name__ == "__main__":
    main()
