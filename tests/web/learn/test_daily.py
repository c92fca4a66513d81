"""The daily deal: one deal for everybody, the first game counts, and only if it replays."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from azulejos.bots import open as open_bot
from azulejos.core.position import Position
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.learn import daily, daily_check
from azulejos.web.learn.daily import (
    FOREIGN,
    FORGED,
    LATE,
    OTHER,
    OTHER_BOT,
    RANKED,
    REFUSALS,
    SEAT,
    DailyDeal,
    DailyStore,
    FirstGame,
    box_of,
    day_of,
    new_deal,
)
from azulejos.web.learn.daily_check import Daily, ParPlayer, margin, repeated_answer
from azulejos.web.pages.contests import Mark, bars, drawing, place_of
from azulejos.web.store.saved import BACK, FINISHED, SavedAction, SavedTable, now
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.boxes import shelf
from azulejos.web.tables.table_record import record_of
from azulejos.web.work.pool import Pool
from azulejos.web.work.thinker import Answer, Task
from web.people import person, saved_record, seated


def today() -> str:
    """Asked for in each test: a run of all tests may go on after midnight."""
    return day_of(datetime.now(UTC).timestamp())


@pytest.fixture(autouse=True)
def simple(monkeypatch: pytest.MonkeyPatch) -> None:
    """An opponent that needs no search, and always the same box."""
    monkeypatch.setattr(daily, "OPPONENT", "random")
    monkeypatch.setattr(daily, "box_of", lambda day: "azul")


def played(deal: DailyDeal, *, seed: int = 1, ranked: bool = True) -> SavedTable:
    """A whole game of a deal by a person who plays at random."""
    table = deal.table(name="Ana", opponent="Dust", ranked=ranked)
    position, rng, log = table.start(), random.Random(seed), []
    dealer, bot = fair_deal.Dealer(deal.seed), ParPlayer(open_bot(deal.bot), deal.nodes)
    at = round(table.created * 1000)
    while not position.is_over:
        seat = position.to_move
        if seat < 0:
            action = int(dealer.draw(position))
        elif seat == SEAT:
            action = rng.choice(position.legal_actions())
        else:
            action = repeated_answer(bot, position, deal.seed)
        log.append(SavedAction(action=action, seat=seat, at=at, move=position.game.moves.text(action)))
        position.play(action)
    return replace(table, actions=tuple(log), state=FINISHED)


def examined(table: SavedTable, deal: DailyDeal) -> daily_check.CheckedGame:
    return daily_check.examine(record_of(table, with_secrets=True).write_json(), deal)


# --- the deal ------------------------------------------------------------------------------------------


def test_all_boxes_for_two_take_turns_and_so_do_their_variants() -> None:
    days = [date(2026, 11, 17) + timedelta(days=n) for n in range(2 * len(shelf()))]
    assert {box_of(day) for day in days} == {preset.name for box in shelf() for preset in box.presets}


def test_nobody_can_know_a_deal_before_its_day() -> None:
    assert new_deal(today()).seed != new_deal(today()).seed


def test_two_servers_keep_one_deal_and_one_first_game(database: str) -> None:
    async def check() -> None:
        stores = [await Store.open(database) for _ in range(2)]
        days = [DailyStore(store) for store in stores]
        deals = await asyncio.gather(*(days[n % 2].keep(new_deal(today())) for n in range(6)))
        assert len(set(deals)) == 1
        tables = [deals[0].table(name="Ana", opponent="Dust", ranked=True) for _ in range(6)]
        begun = await asyncio.gather(
            *(days[n % 2].begin(table, today(), "ana") for n, table in enumerate(tables))
        )
        assert len(set(begun)) == 1
        saved = [await stores[0].load(table.id) for table in tables]
        assert sum(table is not None for table in saved) == 1
        other = await days[1].begin(deals[0].table(name="Bo", opponent="Dust", ranked=True), today(), "bo")
        assert other not in begun
        for store in stores:
            await store.close()

    asyncio.run(check())


# --- what counts ---------------------------------------------------------------------------------------


def test_an_honest_game_counts_with_its_margin() -> None:
    deal = new_deal(today())
    table = played(deal)
    position = table.replay()
    found = examined(table, deal)
    assert found == daily_check.CheckedGame(RANKED, margin(position, SEAT), position.scores[SEAT])


def with_another_answer(table: SavedTable, deal: DailyDeal) -> SavedTable:
    """The opponent is another bot under the same name; the draws are those of the deal."""
    return replace(played(replace(deal, bot="greedy")), seats=table.seats)


def with_a_take_back(table: SavedTable, deal: DailyDeal) -> SavedTable:
    ply = next(ply for ply, entry in enumerate(table.actions) if entry.seat == SEAT)
    back = SavedAction(action=ply, seat=SEAT, at=table.actions[0].at, event=BACK)
    before, after = table.actions[: ply + 1], table.actions[ply:]
    return replace(table, actions=(*before, back, *after))


def of_another_seed(table: SavedTable, deal: DailyDeal) -> SavedTable:
    return played(replace(deal, seed=fair_deal.new_seed()))


def of_another_box(table: SavedTable, deal: DailyDeal) -> SavedTable:
    return played(replace(deal, box="azul-grey"))


def played_by_a_bot(table: SavedTable, deal: DailyDeal) -> SavedTable:
    return replace(table, seats=(replace(table.seats[SEAT], bot="level:7"), table.seats[OTHER]))


def played_by_a_guest(table: SavedTable, deal: DailyDeal) -> SavedTable:
    return replace(table, seats=(replace(table.seats[SEAT], guest="Bo"), table.seats[OTHER]))


def finished_too_late(table: SavedTable, deal: DailyDeal) -> SavedTable:
    closing = round(deal.closes.timestamp() * 1000)
    return replace(table, actions=(*table.actions[:-1], replace(table.actions[-1], at=closing)))


def begun_the_day_after(table: SavedTable, deal: DailyDeal) -> SavedTable:
    return replace(table, created=deal.ends.timestamp())


@pytest.mark.parametrize(("change", "verdict"), [
    (with_another_answer, OTHER_BOT),
    (with_a_take_back, FORGED),
    (of_another_seed, FORGED),
    (played_by_a_bot, FORGED),
    (played_by_a_guest, FORGED),
    (lambda table, deal: replace(table, ranked=False), FORGED),
    (lambda table, deal: replace(table, nodes=1), FORGED),
    (of_another_box, FORGED),
    (finished_too_late, LATE),
    (begun_the_day_after, LATE),
])
def test_other_games_do_not_count(
    change: Callable[[SavedTable, DailyDeal], SavedTable], verdict: str
) -> None:
    deal = new_deal(today())
    table = played(deal)
    assert examined(table, deal).verdict == RANKED
    assert examined(change(table, deal), deal).verdict == verdict


def test_a_game_begun_before_midnight_counts_until_noon() -> None:
    deal = new_deal(today())
    table = played(deal)
    last = replace(table.actions[-1], at=round(deal.closes.timestamp() * 1000) - 1)
    assert examined(replace(table, actions=(*table.actions[:-1], last)), deal).verdict == RANKED


# --- on the page ---------------------------------------------------------------------------------------


@pytest.fixture
def app_client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(
        database=f"sqlite:///{tmp_path}/games.sqlite", secret="s", seconds=0.01, limits=UNLIMITED
    ))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


def service(client: TestClient) -> Daily:
    found: Daily = client.app.state.daily  # type: ignore[attr-defined]
    return found


def run(client: TestClient, act: Callable[[], object]) -> object:
    assert client.portal is not None
    return client.portal.call(act)


def begin(client: TestClient, **form: str) -> str:
    answer = client.post(f"/daily/{today()}/play", data={"name": "Ana", **form}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def finish(client: TestClient, path: str, seed: int = 1) -> None:
    rng = random.Random(seed)
    with seated(client, path) as someone:
        while not someone.frame["over"]:
            if someone.frame["mine"]:
                someone.turn(rng)
            else:
                someone.until("frame")


def test_a_visitor_plays_once_for_the_ranking_and_then_without_it(app_client: TestClient) -> None:
    client = app_client
    assert "Your first game counts." in client.get("/daily").text
    path = begin(client)
    assert begin(client) == path
    early = client.post(f"/daily/{today()}/play", data={"again": "yes"}, follow_redirects=False)
    assert early.headers["location"] == path
    with seated(client, path) as ana:
        rng = random.Random(1)
        while not ana.frame["mine"]:
            ana.until("frame")
        ana.turn(rng)
        assert not ana.frame["can_take_back"]
        ana.tell(do="propose", what="back")
        assert "ranked" in ana.until("refused")["text"]
        ply = ana.frame["ply"]
    refused = client.post(f"{path}/branch", data={"ply": str(ply)})
    assert refused.status_code == 409
    assert "ranked" in refused.text
    finish(client, path)
    record = saved_record(client, path)
    assert "Seed" not in record.tags
    assert client.get(f"{path}/raw.json").json()["seed"] is None
    run(client, service(client).check_games)
    page = client.get("/daily").text
    assert "Your place: 1 of 1" in page
    assert f"{path}/review" in page
    assert "Your place: 1 of 1" in client.get("/").text
    second = client.post(f"/daily/{today()}/play", data={})
    assert second.status_code == 409
    assert "only the first game counts" in second.text
    practice = begin(client, again="yes")
    assert practice != path
    finish(client, practice, seed=2)
    run(client, service(client).check_games)
    assert "Your place: 1 of 1" in client.get("/daily").text
    with person(client) as bo:
        page = bo.get("/daily").text
        assert "Ana" in page
        assert path not in page
        other = begin(bo, name="Bo")
        draws = re.findall(r"\+\w", bo.get(f"{other}/record.txt").text)
        assert draws
        assert draws == re.findall(r"\+\w", client.get(f"{path}/record.txt").text)[: len(draws)]


def test_days_end_and_results_stay(app_client: TestClient) -> None:
    client, daily_deals = app_client, service(app_client)
    deal = run(client, daily_deals.today)
    assert isinstance(deal, DailyDeal)
    path = begin(client)
    finish(client, path)
    run(client, daily_deals.check_games)
    assert client.get("/daily/2199-01-01").status_code == 404
    assert client.get("/daily/yesterday").status_code == 404
    assert deal.seed not in client.get("/daily").text
    daily_deals.clock = lambda: deal.ends.timestamp() + 1
    with person(client) as late:
        refused = late.post(f"/daily/{today()}/play", data={"name": "Bo"})
        assert refused.status_code == 409
        assert "This day is over" in refused.text
        spying = late.post(f"/daily/{today()}/play", data={"again": "yes"})
        assert spying.status_code == 409
        assert "Play your ranked game first" in spying.text
    assert deal.seed not in client.get(f"/daily/{today()}").text
    assert f"/daily/{today()}" in client.get("/daily").text
    daily_deals.clock = lambda: deal.closes.timestamp()
    page = client.get(f"/daily/{today()}").text
    assert deal.seed in page
    assert "Your place: 1 of 1" in page


@pytest.mark.parametrize("verdict", [
    FOREIGN, FORGED, pytest.param(LATE, marks=pytest.mark.slow),
    pytest.param(OTHER_BOT, marks=pytest.mark.slow),
])
def test_a_game_that_does_not_count_is_explained_on_the_page(app_client: TestClient, verdict: str) -> None:
    client, daily_deals = app_client, service(app_client)
    deal = run(client, daily_deals.today)
    assert isinstance(deal, DailyDeal)
    begin(client)
    forged = {FORGED: of_another_seed, LATE: finished_too_late, OTHER_BOT: with_another_answer}
    table = played(deal)
    table = forged[verdict](table, deal) if verdict in forged else table
    store: Store = client.app.state.lobby.store  # type: ignore[attr-defined]

    async def swap() -> None:
        """Put a game of somebody's making in the place of the visitor's."""
        key = (await store.rows(text("SELECT visitor FROM daily_attempts")))[0].visitor  # type: ignore[arg-type]
        await store.create(table, [] if verdict == FOREIGN else [(SEAT, key)])
        changed = text("UPDATE daily_attempts SET game = :game")
        await store.database.write(lambda connection: connection.execute(changed, {"game": table.id}))

    run(client, swap)
    run(client, daily_deals.check_games)
    page = client.get("/daily").text.replace("&#39;", "'")
    assert str(REFUSALS[verdict]) in page
    assert "Nobody has finished a game" in page


def test_a_game_of_another_day_is_foreign(app_client: TestClient) -> None:
    client, daily_deals = app_client, service(app_client)

    async def verdict() -> str:
        yesterday = await daily_deals.store.keep(new_deal("2026-01-01"))
        deal = await daily_deals.today()
        table = played(yesterday)
        store: Store = client.app.state.lobby.store  # type: ignore[attr-defined]
        await store.create(table, [(SEAT, "ana")])
        insert = text("INSERT INTO daily_attempts (day, visitor, game, name, verdict, easy) "
                      "VALUES (:day, 'ana', :game, 'Ana', '', 0)")
        await store.database.write(
            lambda connection: connection.execute(insert, {"day": deal.day, "game": table.id})
        )
        await daily_deals.check_games()
        found = await daily_deals.store.attempt(deal.day, "ana")
        assert found is not None
        return found.verdict

    assert run(client, verdict) == FOREIGN


# --- ranking -------------------------------------------------------------------------------------------


def test_equal_margins_share_a_place() -> None:
    margins = {12: 1, 5: 2, -3: 1}
    assert [place_of(margin, margins) for margin in (12, 5, -3)] == [1, 2, 4]


def test_the_ranking_shows_everybody_and_marks_the_visitor(app_client: TestClient) -> None:
    client, daily_deals = app_client, service(app_client)
    path = begin(client, name="Ána <b>")

    async def settle() -> None:
        deal = await daily_deals.today()
        for number, ahead in enumerate((9, 4, 4, -7)):
            table = deal.table(name=f"P{number}", opponent="Dust", ranked=True)
            await daily_deals.store.begin(table, deal.day, f"key {number}")
            await daily_deals.store.settle(FirstGame(
                day=deal.day, visitor=f"key {number}", game=table.id, name="", verdict=RANKED,
                margin=ahead, points=40,
            ))
        store: Store = client.app.state.lobby.store  # type: ignore[attr-defined]
        await store.database.write(lambda connection: connection.execute(text(
            "UPDATE daily_attempts SET verdict = 'ranked', margin = 4, points = 60 WHERE verdict = ''"
        )))
        await daily_deals.store.set_par(deal.day, 11)
        await daily_deals.store.set_par(deal.day, 3)

    run(client, settle)
    page = client.get("/daily").text
    assert "Your place: 2 of 5" in page
    assert re.findall(r"<tr[^>]*><td>(\d)</td><th", page) == ["1", "2", "2", "2", "5"]
    own = re.search(r'<tr class="own" aria-current="true">.*?</tr>', page)
    assert own is not None
    assert "Ána &lt;b&gt;" in own[0]
    assert "60 : 56" in own[0]
    assert "Par is +11" in page
    assert path in page


def test_the_drawing_has_every_game_in_one_bar_and_escapes_names() -> None:
    margins = {-33: 2, 7: 3, 50: 1}
    found = bars(margins, 80)
    assert sum(bar.games for bar in found) == 6
    assert len(found) <= 24
    assert all(later.low == bar.high + 1 for bar, later in pairwise(found))
    marks = [Mark(margin=7, name="<you>", kind="own"), Mark(margin=80, name="par", kind="par")]
    drawn = drawing(found, marks)
    assert "&lt;you&gt;" in drawn
    assert 'class="bar own"' in drawn


# --- slow: real opponents, compiled --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("box", ["azul", "chocolatier", "sintra-b", "garden"])
def test_a_level_answers_alike_and_par_is_found_once(
    box: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    monkeypatch.setattr(daily_check, "PAR_NODES", 300)
    deal = replace(new_deal(today()), box=box, bot="level:4", rules_version=_version(box))
    table = played(deal)
    assert examined(table, deal).verdict == RANKED
    word = daily.PAR_PLAYER
    assert daily_check.played_by_bot(deal, word) == daily_check.played_by_bot(deal, word)


def _version(box: str) -> int:
    from azulejos.core import registry

    return registry.find(box)[0].version


@pytest.mark.slow
def test_a_server_checks_a_game_and_finds_par_in_the_background(
    app_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    monkeypatch.setattr(daily, "OPPONENT", "level:2")
    client, daily_deals = app_client, service(app_client)
    path = begin(client)
    finish(client, path)
    run(client, daily_deals.check_games)
    run(client, daily_deals.find_par)
    deal = run(client, lambda: daily_deals.store.deal(today()))
    assert isinstance(deal, DailyDeal)
    assert deal.par is not None
    run(client, daily_deals.let_bots_play)
    run(client, daily_deals.let_bots_play)
    html = client.get("/daily").text
    assert re.search(r"Your place: \d of 8", html)
    assert all(name in html for name in ("Sand", "Kiln", "Porcelain"))
    assert "Sand" in client.get("/league").text


def test_a_position_as_text_is_the_same_for_a_bot() -> None:
    """The bots of a table get positions as texts."""
    position = Position.from_text(played(new_deal(today())).replay().at(40).text())
    assert Position.from_text(position.text()).row.tobytes() == position.row.tobytes()


def test_a_game_that_cannot_be_checked_does_not_hold_the_others_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "OPPONENT", "random")
    monkeypatch.setattr(daily, "box_of", lambda day: "azul")
    asked: list[str] = []

    class Checker:
        """A worker that dies of Ana's game."""

        async def ask(self, task: Task) -> AsyncIterator[Answer]:
            asked.append("ana" if b"Ana" in bytes(task.question) else "bo")
            if asked[-1] == "ana":
                yield Answer(last=True, failed="it cannot be checked")
                return
            yield Answer(found=msgspec.Raw(b'{"verdict": "ranked", "margin": 3, "points": 40}'))
            yield Answer(last=True)

        def stop(self) -> None:
            pass

        def reply(self, said: bytes) -> None:
            pass

        async def close(self) -> None:
            pass

    async def start(niceness: int) -> Checker:
        return Checker()

    async def act() -> list[str]:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        pool = Pool(start=start)
        service = Daily(store, pool)
        deal = await service.store.keep(new_deal(daily.day_of(now() / 1000)))
        for name in ("Ana", "Bo"):
            table = replace(deal.table(name=name, opponent="x", ranked=True), state="over")
            await service.store.begin(table, deal.day, name)
        for _ in range(5):
            await service.check_games()
        found = [await service.store.attempt(deal.day, name) for name in ("Ana", "Bo")]
        await pool.close()
        await store.close()
        return [one.verdict for one in found if one]

    assert asyncio.run(act()) == ["", RANKED]
    assert asked.count("ana") == daily_check.MOST_FAILURES
    assert asked.count("bo") == 1


def test_newcomers_begin_with_an_easy_box_that_counts(
    app_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "box_of", lambda day: "garden")
    monkeypatch.setattr(daily, "EASY_OPPONENT", "random")
    client, day = app_client, today()
    easy = f"/daily/{day}/easy"
    assert easy in client.get("/").text
    assert "New here?" in client.get("/daily").text
    assert "Azul" in client.get(easy).text
    begun = client.post(f"{easy}/play", data={"name": "Ana"}, follow_redirects=False).headers["location"]
    rng = random.Random(1)
    with seated(client, begun) as one:
        while not one.frame["over"]:
            if one.frame["mine"] and one.frame["live"]:
                one.turn(rng)
            else:
                one.hear()
    assert client.portal is not None
    app: Any = client.app
    client.portal.call(app.state.daily.check_games)
    html = client.get(easy).text
    assert "Your place: 1 of 1" in html
    picture = client.get(f"{easy}/card.png")
    assert picture.content.startswith(b"\x89PNG")
    assert client.get(f"/daily/{day}/card.png").status_code == 404  # that one was not played
    assert "Ana" in client.get("/league").text
    with person(client) as other:
        assert other.get(f"{easy}/card.png").status_code == 404  # nobody gets the pictures of others
    client.post(f"{easy}/play", data={"name": "Ana", "again": "yes"})
    assert client.get(f"/daily/{day}/nothing").status_code == 404


def test_the_seed_of_the_easy_deal_tells_nothing_about_the_other() -> None:
    deal = DailyDeal(day="2026-11-17", box="garden", rules_version=1, seed="5" * 64, bot="random", nodes=1)
    easy = deal.for_newcomers()
    assert easy is not None
    assert (easy.box, easy.easy, easy.contest) == ("azul", True, "daily/2026-11-17/easy")
    assert easy.seed != deal.seed
    assert easy.for_newcomers() is None
    assert replace(deal, box="azul").for_newcomers() is None
