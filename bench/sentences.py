"""Are the words of reviews true, and do they vary? ``python -m bench.sentences SENTENCES [SEED]``.

Judges games of players at random in every box with two to four seats, tells each turn that lost two points,
and goes over every English sentence with `tests/insight/read_words.py`, which shares no code with what made
it. The same card in the other languages must hold the same numbers and the same names. Prints what is
false, and how headlines begin.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from azulejos.core.position import Position
from azulejos.core.registry import presets
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import review
from azulejos.insight.headlines import TurnTold, told_turns
from azulejos.insight.judge import judge_for
from azulejos.insight.results import Review
from azulejos.insight.why import Explainer

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from insight.games import LITTLE, LITTLE_TREE, finished, record
from insight.read_words import Reader, misread
from insight.test_why import explained, stretch_end

LOST = 2.0
BEGINNING = 3
"""Words by which two headlines begin alike."""
CHARACTERS = 6
"""The same in Chinese."""
MOST_TURNS = 30
"""Of a game at random, which loses something in nearly every turn."""


def judged(box: str, seats: int, seed: int) -> tuple[Review, Position]:
    game = finished(box, seats, seed)
    solved = seats == 2 and not box.startswith("garden")
    found = review(record(box, seats, seed), efforts=[LITTLE if solved else LITTLE_TREE])
    lost = [turn for turn in found.turns if turn.better and turn.verdict.points.value >= LOST]
    explainer = Explainer(judge_for(game), game)
    some = lost[:: -(-len(lost) // MOST_TURNS) or 1]
    return replace(found, turns=tuple(explained(explainer, game, turn) for turn in some)), game


def opening(sentence: str, language: str = "en") -> str:
    """How a sentence begins: in Chinese, which has no spaces, by characters."""
    return sentence[:CHARACTERS] if language == "zh_Hant" else " ".join(sentence.split()[:BEGINNING])


def differing(card: TurnTold, names: Sequence[str]) -> Iterator[str]:
    """Languages in which a card has other numbers or names than in English."""
    def held(language: str) -> tuple[list[str], list[int]]:
        text = " ".join(translator(language)(sentence) for sentence in (*card.headline, *card.why))
        numbers = re.findall(r"\d+(?:[.,]\d+)?", text)
        return sorted(each.replace(",", ".") for each in numbers), [text.count(name) for name in names]

    english = held("en")
    yield from (language for language in LANGUAGES if held(language) != english)


def main() -> None:
    wanted, seed = (int(each) for each in (sys.argv[1:] + ["10000", "100"][len(sys.argv) - 1 :]))
    counts, begins = Counter[str](), Counter[str]()
    shares, again = list[float](), {language: Counter[str]() for language in LANGUAGES}
    while counts["sentences"] < wanted:
        for box in presets():
            for seats in (2, 3, 4):
                found, game = judged(box, seats, seed)
                names = [player.name for player in found.record.seats]
                for seat in range(seats):
                    cards = told_turns(found, seat)
                    for language in LANGUAGES:
                        heads = [opening(translator(language)(card.headline[0]), language)
                                 for card in cards.values()]
                        again[language]["turns"] += len(heads)
                        again[language]["again"] += len(heads) - len(set(heads))
                        again[language]["neighbours"] += sum(a == b for a, b in pairwise(heads))
                    heads = [opening(str(card.headline[0])) for card in cards.values()]
                    begins.update(heads)
                    if len(heads) > BEGINNING:
                        shares.append(max(Counter(heads).values()) / len(heads))
                    for turn in found.turns:
                        if turn.ply not in cards or turn.seat != seat:
                            continue
                        card = cards[turn.ply]
                        said = [str(sentence) for sentence in (*card.headline, *card.why)]
                        counts["sentences"] += len(said) * len(LANGUAGES)
                        counts["English"] += len(said)
                        counts["twice in a card"] += len(said) - len(set(said))
                        for fault in misread(Reader(game, turn, names, stretch_end(game, turn)), said):
                            counts["false"] += 1
                            print(f"FALSE ({box}, {seats} seats, seed {seed}, ply {turn.ply}): {fault}")
                        for language in differing(card, names):
                            counts["differs"] += 1
                            print(f"DIFFERS ({language}, {box}, {seats}, {seed}, ply {turn.ply}): {said}")
                print(box, seats, seed, dict(counts), flush=True)
        seed += 1
    print("the same beginning, in the turns of one seat of one game: mean of the largest share "
          f"{sum(shares) / len(shares):.0%}; in all {begins.most_common(5)} of {begins.total()}")
    for language, count in again.items():
        print(f"{language}: {count['again'] / count['turns']:.1%} of {count['turns']} turns begin like an "
              f"earlier one of the same seat and game, {count['neighbours'] / count['turns']:.1%} like the "
              "one before")


if __name__ == "__main__":
    main()
