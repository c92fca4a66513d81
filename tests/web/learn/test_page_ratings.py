"""What a page of a study says about turns is checked before it is shown, and nothing it calls proved is
believed."""

from __future__ import annotations

from typing import Any

import pytest

from azulejos.bots import Limit
from azulejos.insight.judge import Findings
from azulejos.insight.study import outlooks
from azulejos.web.learn.study_conversation import findings_of, outlook_in_page
from azulejos.web.refused import Refused
from azulejos.web.wire.messages import FoundTurns, SearchedTurn
from bots.positions import played

TWO, FOUR = played("azul", 2, seed=1, decisions=3), played("azul", 4, seed=1, decisions=3)


def said(*lines: list[int], nodes: int = 100, means: tuple[float, ...] = (), **turn: Any) -> Findings:
    usual = {"value": 0.5, "visits": 3, "proved": False, **turn}
    turns = [SearchedTurn(line=line, **usual) for line in lines]
    return findings_of(FoundTurns(task=1, nodes=nodes, turns=turns, means=list(means), last=False))


def test_what_a_page_finds_is_an_outlook() -> None:
    first, second = TWO.legal_actions()[:2]
    found = outlook_in_page(TWO, said([first], [second], value=-3.0))
    assert [turn.actions for turn in found.turns] == [(first,), (second,)]
    grown = outlook_in_page(FOUR, said(FOUR.legal_actions()[:1], means=(0.2, 0.3, 0.4, 0.1)))
    assert len(grown.points) == 4


@pytest.mark.parametrize("found", [
    said(), said([]), said([100_000]), said([-1]), said(TWO.legal_actions()[:1] * 2),
    said(TWO.legal_actions()[:1], value=1e300), said(TWO.legal_actions()[:1], means=(0.5, 0.5)),
], ids=range(7))
def test_what_cannot_be_is_refused(found: Findings) -> None:
    with pytest.raises(Refused):
        outlook_in_page(TWO, found)


@pytest.mark.parametrize("found", [
    said(FOUR.legal_actions()[:1]), said(FOUR.legal_actions()[:1], means=(0.5,) * 3),
    said(FOUR.legal_actions()[:1], means=(0.5, 0.5, 0.5, 1.5)),
    said(FOUR.legal_actions()[:1], means=(0.5,) * 4, visits=0),
], ids=range(4))
def test_what_no_tree_can_say_is_refused(found: Findings) -> None:
    with pytest.raises(Refused):
        outlook_in_page(FOUR, found)


def test_a_false_proof_is_looked_at_no_longer_than_a_true_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.insight.study.PROVABLE", 200)
    found = said(TWO.legal_actions()[:1], proved=True)
    *_, last = outlooks(TWO, Limit(seconds=5), found=found)
    assert last.finished
    assert last.deals == 0
