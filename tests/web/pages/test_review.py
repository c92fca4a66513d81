"""The review of a finished table: made once in a process of its own, kept, and shown with its lines."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from azulejos.insight.judge import Effort
from azulejos.insight.results import JudgedTurn, Review
from azulejos.web.pages.response import fragment
from azulejos.web.tables.table_record import record_of
from azulejos.web.work.reviews import Reviews, decoded, encoded
from insight.games import record
from web.people import open_table, saved_record
from web.watched import threads_of

TINY = Effort(nodes=300, deals=2, deal_nodes=50)


def reviews_of(client: TestClient) -> Reviews:
    found: Reviews = client.app.state.reviews  # type: ignore[attr-defined]
    return found


def finished_table(client: TestClient) -> str:
    opened = client.post("/open", data={"text": record("azul", 2, 1).write()}, follow_redirects=False)
    return opened.headers["location"].partition("#")[0]


def make(client: TestClient, path: str) -> None:
    assert client.post(f"{path}/review").status_code == 200
    assert client.portal is not None
    client.portal.call(reviews_of(client).settled)


def test_a_finished_table_is_reviewed_once_and_shown(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    path, reviews = finished_table(client), reviews_of(client)
    assert 'data-state="none"' in client.get(f"{path}/review").text
    reviews.efforts = (TINY,)
    make(client, path)
    page = client.get(f"{path}/review?seat=1").text
    for part in ('data-state="finished"', "Luck of the deals", 'class="course ', "Try it yourself"):
        assert part in page
    table = path.rpartition("/")[2]
    assert client.portal is not None
    kept = client.portal.call(reviews.kept, table, saved_record(client, path))
    assert kept is not None
    assert kept.finished
    assert decoded(encoded(kept), kept.record) == kept
    client.post(f"{path}/review")
    assert reviews.job(table) is None
    turn = next(turn for turn in kept.turns if turn.better)
    assert turn.better is not None
    for line, actions in (("played", turn.played.actions), ("better", turn.better.actions)):
        picture = client.get(f"{path}/review/{turn.ply}/{line}/{len(actions)}.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert client.get(f"{path}/review/{turn.ply}/{line}/{len(actions) + 1}.svg").status_code == 404
    assert client.get(f"{path}/review/{turn.ply}/other/0.svg").status_code == 404
    assert client.get(f"{path}/review/99999/played/0.svg").status_code == 404
    asks_on_the_table(client, path, kept)
    hides_the_better_turn(client, path, turn.ply)
    keeps_the_place_of_a_picture(client, path, turn)


def hides_the_better_turn(client: TestClient, path: str, ply: int) -> None:
    """The picture of a turn shows what was played; the better turn only if it is asked for."""
    played = client.get(f"{path}/review/{ply}/turn.svg").text
    both = client.get(f"{path}/review/{ply}/turn.svg?better").text
    arrows = [drawn.count('class="turn-arrow"') for drawn in (played, both)]
    assert arrows == [1, 2]
    assert client.get(f"{path}/review/99999/turn.svg").status_code == 404


def keeps_the_place_of_a_picture(client: TestClient, path: str, turn: JudgedTurn) -> None:
    """A picture that arrives late moves nothing: the page knows its size."""
    drawn = client.get(f"{path}/review/{turn.ply}/turn.svg").text
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    assert size is not None
    width, height = (round(float(length)) for length in size.groups())
    assert f'width="{width}" height="{height}"' in client.get(f"{path}/review?seat={turn.seat}").text


def asks_on_the_table(client: TestClient, path: str, kept: Review) -> None:
    """The turns of a review can be tried on the real table: every turn has an answer, one is right."""
    mattered = kept.mattered(1)[0]
    page = client.get(f"{path}/review?seat=1").text
    assert f'href="{path}/review/{mattered.ply}"' in page
    question = client.get(f"{path}/review/{mattered.ply}").text
    assert "What would you play here?" in question
    assert f'data-script="{path}/review/{mattered.ply}/script.json"' in question
    script = client.get(f"{path}/review/{mattered.ply}/script.json").json()
    before = kept.record.replay().at(mattered.ply)
    steps = script["nodes"][0]["steps"]
    replies = {move: script["replies"][step["answer"]] for move, step in steps.items()}
    assert set(replies) == {before.game.moves.text(action) for action in before.legal_actions()}
    assert mattered.better is not None
    better, played = (before.game.moves.text(line.turn[0]) for line in (mattered.better, mattered.played))
    assert [move for move, reply in replies.items() if reply["right"]] == [better]
    assert "That is what was played." in replies[played]["said"]
    best = next(turn for turn in kept.turns if turn.better is None)
    for name in (str(best.ply), "99999", "x"):
        assert client.get(f"{path}/review/{name}").status_code == 404
        assert client.get(f"{path}/review/{name}/script.json").status_code == 404
    shown = client.get(f"{path}/review?seat=1&tried={mattered.ply}").text
    turn, reasons = 1, 1
    assert shown.count('class="answer" hidden') == page.count('class="answer" hidden') - turn - reasons


def test_a_game_in_progress_is_not_reviewed(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    for answer in (client.get(f"{path}/review"), client.post(f"{path}/review")):
        assert answer.status_code == 409
        assert "not finished" in answer.text
    assert reviews_of(client).job(path.rpartition("/")[2]) is None


def test_a_review_that_fails_keeps_nothing_and_can_be_made_again(client: TestClient) -> None:
    path, reviews = finished_table(client), reviews_of(client)
    reviews.efforts = ("nonsense",)  # type: ignore[assignment]
    make(client, path)
    page = client.get(f"{path}/review").text
    assert 'data-state="failed"' in page
    assert "start-review" in page
    assert client.portal is not None
    assert client.portal.call(reviews.kept, path.rpartition("/")[2], saved_record(client, path)) is None


def test_a_review_is_shown_apart_from_the_tables(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = finished_table(client)
    records = threads_of(monkeypatch, "azulejos.web.pages.review.record_of", record_of)
    shown = threads_of(monkeypatch, "azulejos.web.pages.review.fragment", fragment)
    assert client.get(f"{path}/review").status_code == 200
    assert records
    assert shown
    assert all(name.startswith("slow work") for name in (*records, *shown))
