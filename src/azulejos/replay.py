"""A game as a page to step through: for notebooks, for mail, for a website of one's own.

    azulejos.replay.Replay(record)                       # in a notebook
    azulejos.replay.Replay(position).write("game.html")  # one file that needs no server and no network
"""

from __future__ import annotations

import functools
import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from azulejos.core.game import CHANCE
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.render.svg import Say
from azulejos.svg import position as picture

PAGE: Final = Template("""<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>$title</title>
<style>
body { margin: 0; font: 16px/1.4 system-ui, sans-serif; background: $ground; color: $ink }
svg { display: block; width: 100%; height: auto; max-height: calc(100vh - 6.5rem) }
nav { display: flex; gap: .5rem; align-items: center; padding: .5rem }
nav input { flex: 1; min-width: 4rem }
button { min-width: 2.75rem; min-height: 2.75rem; font: inherit }
p { margin: 0; padding: 0 .75rem .75rem; min-height: 2.8em; white-space: pre-line }
</style>
<div id="table">$last</div>
<nav><button id="back" aria-label="$back">&#9664;</button>
<input id="at" type="range" min="0" max="$most" value="$most" aria-label="$step">
<button id="next" aria-label="$next">&#9654;</button></nav>
<p id="told" aria-live="polite"></p>
<script>
const [parts, pictures, told] = $data;
const [table, at, line] = ["table", "at", "told"].map(id => document.getElementById(id));
function show() {
  const n = Number(at.value);
  table.innerHTML = pictures[n].map(part => parts[part]).join("");
  line.textContent = told[n];
}
const step = by => { at.value = Number(at.value) + by; show(); };
document.getElementById("back").onclick = () => step(-1);
document.getElementById("next").onclick = () => step(1);
at.oninput = show;
onkeydown = event => {
  if (event.target !== at && ["ArrowLeft", "ArrowRight"].includes(event.key))
    step(event.key === "ArrowLeft" ? -1 : 1);
};
show();
</script>
""")
HEIGHT: Final = 560
"""Of a replay in a notebook, in CSS pixels."""


@dataclass(frozen=True)
class Replay:
    """A game, from its first position to its last; a notebook shows it."""

    game: Record | Position
    names: Sequence[str] = ()
    """Of the players; otherwise those of the record, or "Player 1"."""
    say: Say = str
    """Translates messages."""
    dark: bool = False

    @functools.cached_property
    def end(self) -> Position:
        return self.game.replay() if isinstance(self.game, Record) else self.game

    @functools.cached_property
    def called(self) -> tuple[str, ...]:
        known = [player.name for player in self.game.seats] if isinstance(self.game, Record) else []
        given = [*self.names, *known[len(self.names) :]]
        numbered = (self.say(msg("Player {n}", n=seat + 1)) for seat in range(len(given), self.end.players))
        return (*given, *numbered)

    def html(self) -> str:
        """The whole page: every decision a picture, every move with the points that it brought."""
        parts: dict[str, int] = {}
        pictures, told = [], []
        for since, ply in zip([0, *self.stops], self.stops, strict=False):
            drawn = picture(self.end.at(ply), names=self.called, say=self.say, dark=self.dark)
            pictures.append([parts.setdefault(part, len(parts)) for part in re.findall(r"<[^<]*", drawn)])
            lines = (line for number in range(since, ply) for line in self._action(number))
            told.append("\n".join(map(self.say, lines)))
        data = json.dumps([list(parts), pictures, told], separators=(",", ":")).replace("</", "<\\/")
        words = {"back": msg("Back"), "next": msg("Next"), "step": msg("Step through the game")}
        return PAGE.substitute(
            {name: html.escape(self.say(word)) for name, word in words.items()},
            title=html.escape(self.say(self.end.preset.title)), last=drawn, data=data,
            most=len(pictures) - 1, ground="#1c1a17" if self.dark else "#faf7f0",
            ink="#eee" if self.dark else "#222",
        )

    @functools.cached_property
    def stops(self) -> list[int]:
        """The plies before every decision, and the end."""
        plies = range(self.end.ply)
        return [*(ply for ply in plies if not self.end.at(ply).is_chance), self.end.ply]

    def write(self, path: Path | str) -> None:
        Path(path).write_text(self.html(), encoding="utf-8")

    def _action(self, ply: int) -> list[Message]:
        before, end = self.end.at(ply), self.end
        lines = []
        if before.to_move != CHANCE:
            name = self.called[before.to_move]
            lines.append(msg("{name}: {move}", name=name, move=raw(end.history[ply].text)))
        for scored in end.explain(ply):
            lines.append(msg("{name}: {points} {reason}", name=self.called[scored.seat],
                             points=f"{scored.points:+d}", reason=scored.reason))
        return lines

    def _repr_html_(self) -> str:
        page = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="{HEIGHT}" style="border: 0"></iframe>'
