"""Duplicates: the same deal at two tables, for two friends or four."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from azulejos.web.learn.duplicate import (
    TEAMS,
    Duplicate,
    DuplicateResult,
    find,
    new_duplicate,
    result_of,
    team_name,
)
from azulejos.web.learn.duplicate import create as create_duplicate
from azulejos.web.store.saved import HUMAN
from azulejos.web.store.store import Store
from web.people import person, seated
from web.played import unstored


def opened(client: TestClient, **form: str) -> str:
    fields = {"form": "bot", "box": "azul", "bot": "level:1", "name": "Ana", **form}
    answer = client.post("/duplicate", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def sat(client: TestClient, path: str, table: int, seat: int, name: str) -> str:
    fields = {"table": str(table), "seat": str(seat), "name": name}
    answer = client.post(f"{path}/sit", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def own_table(client: TestClient, path: str) -> str:
    found = re.search(r'href="(/t/[^"/]+)"', client.get(path).text)
    assert found is not None
    return found[1]


def first_draws(client: TestClient, table: str) -> list[str]:
    return re.findall(r"\+\w", client.get(f"{table}/record.txt").text)[:20]


def test_two_friends_play_the_same_deal_against_the_same_bot(client: TestClient) -> None:
    path = opened(client)
    mine = own_table(client, path)
    assert client.get(mine, follow_redirects=False).status_code == 200
    twice = client.post(f"{path}/sit", data={"table": "1", "seat": "0"})
    assert twice.status_code == 409
    assert "know the tiles" in twice.text
    with person(client) as bo:
        assert mine not in bo.get(path).text
        other = sat(bo, path, 1, 0, "Bo")
        assert other != mine
        assert other not in client.get(path).text
        assert first_draws(bo, other) == first_draws(client, mine) != []
        page = bo.get(path).text
        assert "when both games are over" in page
        assert "Seed" not in client.get(f"{mine}/record.txt").text


def test_a_free_seat_of_a_duplicate_is_taken_on_its_page_and_by_no_bot(client: TestClient) -> None:
    path = opened(client, form="teams")
    mine = client.portal.call(_tables, client, path)[0]  # type: ignore[union-attr]
    assert client.get(f"/t/{mine}", follow_redirects=False).headers["location"] == path
    sent = client.post(f"/t/{mine}/sit", data={"seat": "1"}, follow_redirects=False)
    assert sent.headers["location"] == path
    assert client.post(f"/t/{mine}/bot", data={"seat": "1", "bot": "level:1"}).status_code == 409


async def _tables(client: TestClient, path: str) -> tuple[str, str]:
    store = client.app.state.lobby.store  # type: ignore[attr-defined]
    found = await find(store, path.rpartition("/")[2])
    assert found is not None
    return found.tables


@pytest.mark.parametrize(("form", "status"), [
    ({"form": "solo"}, 404), ({"box": "chess"}, 404), ({"bot": "cmd:./mine"}, 409),
    ({"bot": "search"}, 409),
])
def test_other_forms_are_refused(client: TestClient, form: dict[str, str], status: int) -> None:
    fields = {"form": "bot", "box": "azul", "bot": "level:1", **form}
    assert client.post("/duplicate", data=fields).status_code == status


def test_unknown_duplicates_and_seats_do_not_exist(client: TestClient) -> None:
    assert client.get("/duplicate/none").status_code == 404
    assert client.get("/duplicate/%00").status_code == 404
    path = opened(client)
    with person(client) as bo:
        assert bo.post(f"{path}/sit", data={"table": "2", "seat": "0"}).status_code == 404
        assert bo.post(f"{path}/sit", data={"table": "1", "seat": "1"}).status_code == 409


# --- results -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("margins", "words"), [
    ((10, 3), "Ana won the duplicate by 7 points."),
    ((-4, -3), "Bo won the duplicate by 1 point."),
    ((10, 10), "Equal: the same margin at both tables."),
])
def test_the_margins_decide(margins: tuple[int, int], words: str) -> None:
    assert str(DuplicateResult(margins=margins, names=("Ana", "Bo")).words) == words


def test_a_team_has_one_seat_of_each_kind() -> None:
    tables = new_duplicate(TEAMS, "azul", host="Ana", bot="", bot_name="")
    assert tables[0].seed == tables[1].seed
    made = Duplicate(id="x", form=TEAMS, first="a", second="b")
    seated = [
        unstored(replace(table, seats=tuple(
            replace(seat, name=name, kind=HUMAN) for seat, name in zip(table.seats, names, strict=True)
        )))
        for table, names in zip(tables, (("Ana", "Cy"), ("Bo", "Di")), strict=True)
    ]
    assert [team_name(made, seated, team) for team in (0, 1)] == ["Ana + Di", "Cy + Bo"]
    assert result_of(made, seated) is None


@pytest.mark.slow
def test_four_friends_play_and_the_page_says_who_won(client: TestClient) -> None:
    path = opened(client, form="teams")
    with person(client) as bo, person(client) as cy, person(client) as di:
        first = sat(bo, path, 0, 1, "Bo")
        second = sat(cy, path, 1, 0, "Cy")
        assert sat(di, path, 1, 1, "Di") == second
        rng = random.Random(1)
        for table, players in ((first, (client, bo)), (second, (cy, di))):
            with seated(players[0], table) as one, seated(players[1], table) as other:
                while not one.frame["over"]:
                    mover, idle = (one, other) if one.frame["mine"] else (other, one)
                    mover.turn(rng)
                    while idle.frame["ply"] < mover.frame["ply"]:
                        idle.hear()
        page = di.get(path).text
        assert "won the duplicate by" in page or "Equal:" in page
        assert first in page
        assert second in page


def test_nobody_sits_at_both_tables_of_a_duplicate(database: str) -> None:
    """Two servers seat the same visitor at the same time, each at another table."""
    async def act() -> None:
        one = await Store.open(database)
        other = await Store.open(database) if database.startswith("postgres") else one
        for _ in range(10):
            tables = new_duplicate("teams", "azul", host="Ana", bot="", bot_name="")
            made = await create_duplicate(one, "teams", tables, "ana")
            sat = await asyncio.gather(
                one.sit(made.first, 1, "Bo", "bo", not_both=made.tables),
                other.sit(made.second, 0, "Bo", "bo", not_both=made.tables),
            )
            assert sorted(sat) == [False, True]
        await one.close()
        if other is not one:
            await other.close()

    asyncio.run(act())
