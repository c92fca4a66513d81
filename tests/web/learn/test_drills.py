"""Drills in the browser: one tap answers, one goes on, and the answer is kept."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from azulejos.insight.drills import PREFIX, DrillKind, fresh
from web.guests import Guest


def address(kind: DrillKind) -> str:
    (found,) = itertools.islice(fresh("azul", 0, [kind]), 1)
    return f"/drills/{found.name.removeprefix(PREFIX)}"


def test_a_drill_is_chosen_and_shown_with_a_picture(client: TestClient) -> None:
    for kind in DrillKind:
        answer = client.get(f"/drills?box=azul&kind={kind}")
        assert answer.status_code == 200
        assert f"/drills/azul/{kind}-" in str(answer.url)
        picture = client.get(f"{answer.url.path}/picture.svg")
        assert picture.text.startswith("<svg")
        assert ("turn-arrow" in picture.text) == (kind is not DrillKind.REPLY)


def test_unknown_drills_are_not_found(client: TestClient) -> None:
    for path in ("/drills/azul/gain-nothing0", "/drills/chess/gain-1", "/drills/azul/x"):
        assert client.get(path).status_code == 404


@pytest.mark.slow
def test_two_taps_answer_a_drill_and_lead_to_another_one(guest: Guest) -> None:
    page = guest.page
    page.goto(guest.server.url + address(DrillKind.GAIN))
    right = int(page.locator("#drill").get_attribute("data-right") or "0")
    page.locator(f'[data-option="{right}"]').click()
    expect(page.locator("#drill-answer")).to_contain_text("Right")
    before = page.url
    page.locator("#drill-next").click()
    page.wait_for_url(lambda url: "/drills/azul/" in url and url != before)
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('azulejos.progress')).attempts")
    assert [(entry["puzzle"].startswith(PREFIX), entry["first"]) for entry in kept] == [(True, "right")]
