"""The bars and the graph of a review."""

from __future__ import annotations

import functools
import re

import pytest

from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import Review, review
from azulejos.insight.report import ledger_comments
from azulejos.web.pages import review_drawings
from azulejos.web.pages.review_drawings import WIDTH, Graph, Words, axis_of, graph, rows
from azulejos.web.pages.review_drawings import LedgerBar as Bar
from insight.games import LITTLE, record

WORDS = Words(ahead="<Ana>", behind="Ben", round="Round {round}")


@functools.cache
def found() -> Review:
    return review(record("azul", 2, 1), efforts=[LITTLE])


def test_each_bar_begins_where_the_one_above_ended() -> None:
    shown = rows(found(), 0)
    joints = [re.search(r'class="joint" d="M([\d.]+)', row.bar) for row in shown]
    assert [row.kind for row in shown] == ["start", "luck", "received", "given", "unforeseen", "result"]
    last = joints[4]
    assert last is not None
    result = re.search(r'class="tile" x="([\d.]+)" width="([\d.]+)"', shown[5].bar)
    assert result is not None
    ends = float(result[1]), float(result[1]) + float(result[2])
    assert any(float(last[1]) == pytest.approx(end, abs=0.2) for end in ends)


@pytest.mark.parametrize(("points", "tile"), [(3, 1), (30, 2), (100, 5), (2000, 50)])
def test_long_bars_have_larger_tiles(points: int, tile: int) -> None:
    axis = axis_of([Bar(first=0.0, last=float(points), error=0.0)])
    assert axis.tile == tile
    assert 0 < axis.x(0) < axis.x(points) < WIDTH


def test_a_deal_is_a_vertical_step_and_names_are_escaped() -> None:
    g, drawn = Graph(found(), 0), graph(found(), 0, found().mattered(0), WORDS)
    for i, moment in enumerate(found().moments[:-1]):
        if moment.seat is None:
            assert g.x(i) == g.x(i + 1)
    assert drawn.count('class="deal"') == len(found().deals)
    assert "&lt;Ana&gt;" in drawn
    assert "<Ana>" not in drawn


def test_only_the_most_telling_of_many_deals_have_a_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_drawings, "MOST_DEALS", 2)
    drawn, deals = graph(found(), 0, found().mattered(0), WORDS), found().deals
    steps = re.findall(r'class="deal( small)?" d="M[-.\d]+ ([-.\d]+)V([-.\d]+)"', drawn)
    lengths: dict[bool, list[float]] = {True: [], False: []}
    for small, before, end in steps:
        lengths[bool(small)].append(abs(float(before) - float(end)))
    assert len(lengths[False]) == 2 == drawn.count('class="deal-tile"') < len(deals)
    assert min(lengths[False]) >= max(lengths[True])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_has_a_remark_or_none(language: str) -> None:
    say = translator(language)
    for seat in range(2):
        remarks = [say(remark) for remark in ledger_comments(found(), seat)]
        assert len(remarks) == len(rows(found(), seat))
        assert remarks[-1]
