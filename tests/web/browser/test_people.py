"""Two people and a spectator in a real Chromium: joining, chat, take-back, absence, replacement, return,
the next game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from web.guests import Guest
from web.server import Server, running


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where whoever has no connection is away at once."""
    with running(tmp_path_factory.mktemp("impatient"), options=["--away-after", "0"]) as server:
        yield server


def opens(guest: Guest, section: str) -> None:
    guest.page.locator(f"[data-opens={section}]").first.click()


def test_two_people_and_a_spectator(browser: Browser, impatient: Server) -> None:
    ana, bo, eye = (Guest(browser, impatient) for _ in range(3))
    url = ana.open_table("you", "friend", start="1", agreed={"replace": "0", "chat": "free"})
    join(bo, url)
    eye.page.goto(url)
    expect(eye.page.locator("#undo"), "a spectator sees Undo").to_be_hidden()
    expect(eye.page.locator("#confirm"), "a spectator sees Confirm").to_be_hidden()

    # chat: a phrase, a text, read by the spectator, who cannot answer
    opens(ana, "chat")
    ana.page.get_by_role("button", name="Good luck!").click()
    expect(bo.page.locator(".bubble")).to_have_text("Good luck!")
    opens(bo, "chat")
    bo.page.locator("#chat-text").fill("<i>thanks</i>")
    bo.page.get_by_role("button", name="Send").click()
    opens(eye, "chat")
    for someone in (ana, bo, eye):
        expect(someone.page.locator("#chat-lines li")).to_have_count(2)
        expect(someone.page.locator("#chat-lines i"), "a text of the chat is read as HTML").to_have_count(0)
    expect(eye.page.locator("#phrases")).to_have_count(0)
    opens(eye, "settings")
    eye.page.get_by_role("radiogroup", name="Chat").get_by_role("radio", name="off").check()
    expect(eye.page.locator("[data-opens=chat]"), "the chat cannot be switched off").to_be_hidden()

    # take-back: asked and declined, then asked and granted
    ana.ready()
    ana.take("click")
    expect(bo.page.locator("html[data-turn=mine]")).to_have_count(1)
    opens(ana, "moves")
    ana.page.locator("#take-back").click()
    expect(ana.page.locator("#asks")).to_contain_text("You have asked")
    bo.page.locator("#asks").get_by_role("button", name="No").click()
    expect(ana.page.locator("#asks"), "it still waits").not_to_contain_text("You have asked")
    bo.take("click")
    expect(ana.page.locator("html[data-turn=mine]")).to_have_count(1)
    ana.take("click")
    expect(bo.page.locator("html[data-turn=mine]")).to_have_count(1)
    ana.page.locator("#take-back").click()
    bo.page.locator("#asks").get_by_role("button", name="Yes").click()
    expect(ana.page.locator("html[data-turn=mine]"), "the turn is not taken back").to_have_count(1)
    expect(ana.page.locator(".taken-back"), "what was taken back is not in the log").to_have_count(1)
    ana.take("click")
    expect(bo.page.locator("html[data-turn=mine]")).to_have_count(1)

    # a draft of Bo, absence, replacement, return
    draft(bo)
    expect(ana.page.locator("#asks button"), "somebody present can be replaced").to_have_count(0)
    bo.page.goto("about:blank")
    expect(ana.page.locator("#band")).to_contain_text("Bo is away.")
    ana.page.locator("#asks").get_by_role("button", name="Let a bot play for Bo").click()
    expect(eye.page.locator("#band")).to_contain_text("A bot plays for Bo.")
    bo.page.goto(url)
    bo.page.locator("#asks").get_by_role("button", name="I am back").click()
    expect(ana.page.locator("#band")).not_to_contain_text("A bot plays")
    expect(bo.page.locator("#asks button")).to_have_count(0)
    for someone in (ana, bo, eye):
        someone.check()
        someone.context.close()


def join(guest: Guest, url: str) -> None:
    guest.page.goto(url)
    guest.page.get_by_label("Your name").first.fill("Bo")
    guest.page.get_by_role("button", name="Sit down").first.click()
    expect(guest.page.locator("#where")).to_have_text("move 0 of 0")


def draft(guest: Guest) -> None:
    guest.ready()
    guest.page.locator(".offer .piece.can").first.click()


def test_other_devices_are_forgotten_by_one_button(browser: Browser, server: Server) -> None:
    ana, phone = Guest(browser, server), Guest(browser, server, phone=True)
    ana.open_table("you", "bot:random", start="1")
    ana.ready()
    opens(ana, "people")
    ana.page.locator("#side-people summary", has_text="Continue on another device").click()
    phone.page.goto(ana.page.get_by_label("Link that lets another device play your seat").input_value())
    expect(phone.page.locator("html[data-turn=mine]")).to_have_count(1)
    ana.page.get_by_role("button", name="Forget other devices").click()
    expect(ana.page.get_by_text("Only this device plays this seat now.")).to_be_visible()
    expect(phone.page.locator("html[data-turn=mine]"), "the other device still plays").to_have_count(0)
    ana.check()
    ana.take("click")
    for someone in (ana, phone):
        someone.context.close()


def test_the_time_is_up_and_both_play_again(browser: Browser, server: Server) -> None:
    ana, bo = Guest(browser, server), Guest(browser, server)
    url = ana.open_table("you", "you", agreed={"minutes": "3"})
    expect(ana.page.locator(".own .clock").first, "there is no clock on the own board").to_be_visible()
    expect(ana.page.locator(".own .clock").first).to_have_text(re.compile(r"[23]:\d\d"))
    expect(ana.page.locator(".other .clock").first).to_be_visible()
    assert url
    for someone in (ana, bo):
        someone.context.close()


@pytest.mark.slow
def test_two_people_play_to_the_end_and_then_again(browser: Browser, server: Server) -> None:
    ana, bo, eye = (Guest(browser, server) for _ in range(3))
    url = ana.open_table("you", "friend", start="1")
    join(bo, url)
    eye.page.goto(url)
    for someone in alternating(ana, bo):
        if not someone.ready():
            break
        before = someone.where()
        someone.take("click")
        expect(someone.page.locator("#where")).not_to_have_text(before)
    for someone in (ana, bo, eye):
        expect(someone.page.locator("html[data-show]")).to_have_count(0)
        over = someone.page.locator("#again:not([hidden]), #replay:not([hidden])")
        expect(over.first).to_be_attached()
    if ana.page.locator("#result").is_hidden():
        ana.page.locator("#again button").click()
    else:
        ana.page.locator("#result-rematch").click()
    expect(bo.page.locator("#asks")).to_contain_text("Ana would like to play again.")
    if bo.page.locator("#result").is_visible():
        expect(bo.page.locator("#result-asked")).to_contain_text("Ana would like to play again.")
        bo.page.locator("#result-rematch").click()
    else:
        bo.page.locator("#asks").get_by_role("button", name="Yes").click()
    for someone in (ana, bo):
        expect(someone.page).not_to_have_url(re.compile(re.escape(url)))
        expect(someone.page.locator("#where")).to_have_text("move 0 of 0")
    assert ana.page.url.partition("#")[0] == bo.page.url.partition("#")[0], "they sit at two tables"
    eye.close_result()
    opens(eye, "people")
    follow = eye.page.get_by_role("link", name="To the next game")
    expect(follow, "a spectator cannot follow").to_be_visible()
    for someone in (ana, bo, eye):
        someone.check()
        someone.context.close()


def alternating(*guests: Guest) -> Iterator[Guest]:
    """Whoever is to move, until nobody is."""
    while True:
        mine = [someone for someone in guests if someone.page.locator("html[data-turn=mine]").count()]
        yield from mine
        if not mine and guests[0].page.locator("#again:not([hidden])").count():
            return
