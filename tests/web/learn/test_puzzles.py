"""Puzzles in the browser: found and failed on the real table, with and without a connection."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from azulejos.insight.puzzles import Goal, Puzzle, daily, pack, packs
from azulejos.web.learn.questions import puzzle_script
from azulejos.web.pages.puzzles import (
    AHEAD,
    LADDER,
    SPRINT,
    address_of,
    after,
    and_those_after,
    in_order,
    name_of,
)
from azulejos.web.pages.you import today
from web.browser.test_visibility import VISIBLE
from web.guests import Guest
from web.node import AXE
from web.server import Server, running

BOX = "azul"
SCRIPT = "async () => (await fetch(document.getElementById('table').dataset.script)).json()"


def smallest(goal: Goal) -> Puzzle:
    """The puzzle with the fewest turns: its answers are worked out by interpreted code."""
    return min((each for each in pack(BOX) if each.goal is goal),
               key=lambda each: (len(each.start().legal_actions()), each.id))


def ask(page: Page, url: str) -> dict[str, Any]:
    """Open a puzzle; returns its script."""
    page.goto(url)
    page.locator("#table[data-loaded]").wait_for()
    found: dict[str, Any] = page.evaluate(SCRIPT)
    return found


def kept(page: Page) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = page.evaluate(
        "JSON.parse(localStorage.getItem('azulejos.progress') ?? '{}').attempts ?? []")
    return entries


def wrong_move(script: dict[str, Any]) -> str:
    steps, replies = script["nodes"][0]["steps"], script["replies"]
    return next(str(move) for move, step in steps.items()
                if "answer" in step and not replies[step["answer"]]["right"])


def solve(page: Page, script: dict[str, Any]) -> None:
    """Type the right turns until nothing more is asked."""
    table = page.locator("#table")
    while True:
        page.locator("#table[data-at], #table[data-state=right]").wait_for()
        at = table.get_attribute("data-at")
        if at is None:
            return
        for move in script["nodes"][int(at)]["best"]:
            page.keyboard.type(move)
        page.wait_for_function("at => document.getElementById('table').dataset.at !== at", arg=at)


def fail_and_solve(page: Page, server: Server, goal: Goal) -> None:
    script = ask(page, f"{server.url}/puzzles/{name_of(smallest(goal))}")
    page.keyboard.type(wrong_move(script))
    expect(page.locator("#table")).to_have_attribute("data-state", "wrong")
    expect(page.locator("#said")).not_to_be_empty()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#table")).to_have_attribute("data-state", "ask")
    solve(page, script)
    expect(page.locator("#table")).to_have_attribute("data-state", "right")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    entry = kept(page)[0]
    assert (entry["first"], entry["solved"]) == ("wrong", True)


# --- without a browser -----------------------------------------------------------------------------------


def test_the_page_of_today_names_its_goal_and_offers_the_turns(client: TestClient) -> None:
    text = client.get("/puzzles/today").text
    assert f'data-day="{today().date().isoformat()}"' in text
    assert address_of(daily(BOX, today().date()), "en") in text


def test_unknown_puzzles_are_not_found(client: TestClient) -> None:
    for path in ("/puzzles/azul/nothing0", "/puzzles/chess/12345678", "/puzzle/x/en/azul/nothing0",
                 f"/puzzle/x/tlh/{name_of(pack(BOX)[0])}"):
        assert client.get(path).status_code == 404, path


def test_the_next_puzzle_is_not_solved_yet_and_the_last_leads_to_the_first() -> None:
    order = in_order(BOX, Goal.POINTS)
    assert after(order[0]) == order[1]
    assert after(order[0], frozenset({name_of(order[1])})) == order[2]
    assert after(order[-1]) == order[0]


def test_what_a_browser_keeps_leads_from_one_to_the_next() -> None:
    found = and_those_after(daily(BOX, today().date()))
    assert found[0] == daily(BOX, today().date())
    assert len(found) == min(AHEAD + 1, len(in_order(BOX, found[0].goal)))
    assert all(after(one) == other for one, other in itertools.pairwise(found))


def test_a_puzzle_is_played_on_from_its_position(client: TestClient) -> None:
    puzzle = pack(BOX)[0]
    answer = client.post(f"/puzzles/{name_of(puzzle)}/play", follow_redirects=False)
    assert answer.status_code == 303
    text = client.get(answer.headers["location"] + "/position.txt").text
    assert text.strip() == puzzle.start().text()


def test_streak_and_strength_follow_from_what_was_sent(client: TestClient) -> None:
    attempt = {"puzzle": name_of(daily(BOX, today().date())), "at": 1, "first": "right", "solved": True,
               "day": today().date().isoformat()}
    client.post("/you/progress", content=json.dumps({"attempts": [attempt]}))
    text = client.get("/puzzles").text
    assert "1 day in a row" in text
    assert "You solve like" in text
    assert "1 day in a row" in client.get("/").text


@pytest.mark.slow
@pytest.mark.parametrize("goal", list(Goal))
def test_the_answers_of_a_page_are_those_of_the_proof(goal: Goal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    puzzle = smallest(goal)
    script = puzzle_script(puzzle, ["You", "Ben"], "en")
    first = script.nodes[0]
    right = {move for move, step in first.steps.items() if script.replies[step.answer].right}
    assert set(first.steps) == {puzzle.start().game.moves.text(a) for a in puzzle.start().legal_actions()}
    if goal is Goal.SAFE:
        assert (puzzle.turn[0] in right) == puzzle.is_safe
    else:
        assert puzzle.turn[0] in right
        assert all(script.replies[step.answer].said for step in first.steps.values())
    assert len(msgspec.json.encode(script)) < 200_000


# --- in a browser ----------------------------------------------------------------------------------------


def test_a_proposed_turn_is_judged_and_kept(guest: Guest) -> None:
    puzzle = smallest(Goal.SAFE)
    ask(guest.page, f"{guest.server.url}/puzzles/{name_of(puzzle)}")
    wrong, right = ("Not safe", "Safe") if puzzle.is_safe else ("Safe", "Not safe")
    guest.page.get_by_role("button", name=wrong, exact=True).click()
    expect(guest.page.locator("#table")).to_have_attribute("data-state", "shown")
    ask(guest.page, f"{guest.server.url}/puzzles/{name_of(puzzle)}")
    guest.page.get_by_role("button", name=right, exact=True).click()
    expect(guest.page.locator("#table")).to_have_attribute("data-state", "right")
    assert [entry["first"] for entry in kept(guest.page)] == ["wrong", "right"]
    assert not guest.errors


@pytest.fixture(scope="module")
def fast_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With compiled code: interpreted, the answers of a puzzle take a minute."""
    with running(tmp_path_factory.mktemp("fast"), compiled=True) as server:
        yield server


@pytest.fixture
def solver(browser: Browser, fast_server: Server) -> Iterator[Guest]:
    someone = Guest(browser, fast_server)
    yield someone
    someone.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("goal", [Goal.WIN, Goal.POINTS])
def test_a_puzzle_is_failed_and_solved(solver: Guest, goal: Goal) -> None:
    fail_and_solve(solver.page, solver.server, goal)


@pytest.mark.slow
def test_hints_go_from_where_to_which_and_the_answer_can_be_shown(solver: Guest) -> None:
    page = solver.page
    script = ask(page, f"{solver.server.url}/puzzles/{name_of(smallest(Goal.POINTS))}")
    target = script["nodes"][0]["path"][-1]
    for step in range(1, 4):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator("#said p")).to_have_count(1)
        lit, arrows = page.locator(".own .slot.target").count(), page.locator(".turn-arrow").count()
        assert lit > 0
        assert step == 3 or lit > 1, "only the last hint tells the place"
        assert arrows == (step == 3)
    assert target >= 0
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#table")).to_have_attribute("data-state", "shown")
    entry = kept(page)[0]
    assert (entry["first"], entry["hints"], entry["shown"]) == ("helped", 3, True)


UNTIL_KEPT = """async (path) => {
  while (!(await caches.match(path))) await new Promise((on) => { setTimeout(on, 100); });
}"""


@pytest.mark.slow
def test_puzzles_work_without_a_connection_and_what_was_solved_is_sent_later(solver: Guest) -> None:
    page, url = solver.page, solver.server.url
    page.goto(f"{url}/puzzles/today")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wanted = f"/puzzles/{name_of(daily(BOX, today().date()))}"
    page.evaluate(UNTIL_KEPT, wanted)
    solver.context.set_offline(True)
    found = ask(page, f"{url}/puzzles/today")
    goal = daily(BOX, today().date()).goal
    if goal is Goal.SAFE:
        page.get_by_role("button", name="Safe", exact=True).click()
    else:
        page.keyboard.type(wrong_move(found))
    expect(page.locator("#feedback")).to_be_visible()
    assert len(kept(page)) == 1
    solver.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function("() => !JSON.parse(localStorage.getItem('azulejos.unsent')).attempts.length")
    assert daily(BOX, today().date()).id in page.request.get(f"{url}/you/progress.json").text()


SIZES = [(360, 640), (390, 844), (1280, 800)]


def with_several_places() -> tuple[Puzzle, str]:
    """The puzzle with the fewest turns in which some pieces may go to several places, and their keys."""
    for puzzle in sorted(pack(BOX), key=lambda each: (len(each.start().legal_actions()), each.id)):
        pieces = Counter(move.text[:2] for move in puzzle.start().legal_moves)
        (keys, places), = pieces.most_common(1)
        if places > 1 and puzzle.goal is Goal.POINTS:
            return puzzle, keys
    raise AssertionError("every piece has one place in every puzzle")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_everything_that_a_turn_needs_is_in_sight(solver: Guest, size: tuple[int, int]) -> None:
    page, (width, height) = solver.page, size
    page.set_viewport_size({"width": width, "height": height})
    puzzle, piece = with_several_places()
    ask(page, f"{solver.server.url}/puzzles/{name_of(puzzle)}")
    for keys, places in (("", ".slot.can"), (piece, ".slot.legal")):
        page.keyboard.type(keys)
        expect(page.locator(places).nth(1)).to_be_attached()
        found = page.evaluate(VISIBLE, False)
        assert (found["outside"], found["covered"]) == ([], [])
    for name in ("Hint", "Show the answer"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_a_wrong_turn_leaves_the_table_in_its_place(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    page = guest.page
    page.set_viewport_size({"width": 360, "height": 640})
    script = ask(page, f"{server.url}/puzzles/{name_of(smallest(Goal.POINTS))}")
    before = page.locator(".own svg").bounding_box()
    page.keyboard.type(wrong_move(script))
    expect(page.locator("#table")).to_have_attribute("data-state", "wrong")
    assert page.locator(".own svg").bounding_box() == before
    score = page.locator(".other .score-now").bounding_box()
    assert score is not None
    assert score["height"] < 30, "both scores stand in one line"
    guest.context.close()


@pytest.fixture(params=[False, True], ids=["light", "evening"])
def reader(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Guest]:
    someone = Guest(browser, server, dark=request.param)
    yield someone
    someone.context.close()


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe is not installed")
def test_axe_finds_no_barrier_on_pages_about_practice(reader: Guest) -> None:
    for path in ("puzzles", "you", f"puzzles/{name_of(smallest(Goal.SAFE))}"):
        reader.page.goto(f"{reader.server.url}/{path}")
        if path.count("/"):
            reader.page.locator("#table[data-loaded]").wait_for()
        reader.find_barriers()


@pytest.mark.slow
@pytest.mark.parametrize("box", sorted(packs()))
def test_the_puzzle_of_today_of_every_box_can_be_shown(client: TestClient, box: str) -> None:
    assert client.get(f"/puzzles/today?box={box}").status_code == 200
    assert client.get(f"/puzzles?box={box}").status_code == 200
    puzzle = daily(box, today().date())
    picture = client.get(f"/puzzles/{name_of(puzzle)}/picture.svg")
    assert picture.text.startswith("<svg")


# --- ways through the puzzles ----------------------------------------------------------------------------


@pytest.mark.parametrize("way", [LADDER, "gift", f"{SPRINT}-7"])
def test_a_way_leads_from_easy_to_hard_and_stays_on_it(client: TestClient, way: str) -> None:
    order = in_order(BOX, way)
    assert [puzzle.difficulty for puzzle in order] == sorted(puzzle.difficulty for puzzle in order)
    assert all("gift" in puzzle.themes for puzzle in order) or way != "gift"
    text = client.get(f"/puzzles/{name_of(order[0])}?way={way}").text
    assert f'href="/puzzles/{name_of(order[1])}?way={way}"' in text
    assert f'href="/puzzles/{name_of(after(order[1], way=way))}?way={way}"' in client.get(
        f"/puzzles/{name_of(order[1])}?way={way}").text


def test_an_unknown_way_is_that_of_the_goal(client: TestClient) -> None:
    puzzle = smallest(Goal.POINTS)
    for way in ("nowhere", "sprint-x", "sprint-99999", "../x"):
        text = client.get(f"/puzzles/{name_of(puzzle)}", params={"way": way}).text
        assert f'href="/puzzles/{name_of(after(puzzle))}"' in text


def test_the_page_counts_by_level_task_and_theme(client: TestClient) -> None:
    text = client.get(f"/puzzles?box={BOX}").text
    for way in (LADDER, "win", "gift", "deep"):
        assert f"?way={way}" in text
    assert f"of {len(in_order(BOX, 'gift'))} solved" in text


@pytest.mark.slow
def test_a_sprint_counts_and_goes_on_until_its_time_is_over(solver: Guest) -> None:
    page, url = solver.page, solver.server.url
    page.goto(f"{url}/puzzles/sprint?box={BOX}")
    page.get_by_role("link", name="Begin").click()
    page.wait_for_selector("#sprint-clock:not([hidden])")
    first = page.url
    expect(page.locator("#ask-hint")).to_be_hidden()
    page.evaluate("""() => sessionStorage.setItem("sprint", JSON.stringify(
        {...JSON.parse(sessionStorage.getItem("sprint")), solved: 3, missed: 1, end: Date.now() - 1}))""")
    page.goto(first)
    page.wait_for_url(f"{url}/puzzles/sprint")
    expect(page.locator("#last-sprint")).to_contain_text("Solved: 3. Missed: 1. Your best: 3.")
