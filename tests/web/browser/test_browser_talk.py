"""What the table says, in a real Chromium: reasons under the pointer, points for screen readers, one line
per turn, the invitation in the place of the moves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from web.guests import Guest
from web.server import Server

TURNS = "[...document.querySelectorAll('#log li')].map((line) => line.dataset.turn)"


def choose_where_something_is_blocked(guest: Guest) -> None:
    """Two people play until a chosen source has a blocked line."""
    page = guest.page
    for _ in range(10):
        guest.ready()
        for source in range(page.locator("#sheet button").count()):
            page.locator("#sheet button").nth(source).click()
            expect(page.locator("#sheet .effect").first, "the moves are not foretold").not_to_be_empty()
            if page.locator("#sheet .blocked").count():
                return
            page.locator("#sheet [data-back]").click()
        before = guest.where()
        page.keyboard.type(page.locator("#sheet button .letter").first.inner_text())
        page.locator("#sheet .target").nth(-2).click()
        page.locator("#confirm:not([disabled])").click()
        expect(page.locator("#where"), "the turn was not played").not_to_have_text(before)
    raise AssertionError("in ten turns no line was ever blocked")


SLOT_OF = """async (number) => {
  const plan = await fetch(document.getElementById("table").dataset.plan);
  return (await plan.json()).slots[number].id;
}"""


@pytest.mark.slow
def test_a_blocked_place_says_why_where_one_looks(guest: Guest) -> None:
    """Under the pointer, in the sheet for keyboards and screen readers, and announced on request."""
    guest.open_table("you", "you")
    choose_where_something_is_blocked(guest)
    page = guest.page
    blocked = page.locator("#sheet .blocked").first
    expect(blocked).to_have_attribute("aria-disabled", "true")
    reason = blocked.locator(".reason").inner_text()
    assert re.search(r"holds|is full|already", reason), f"no reason for a blocked line: {reason!r}"
    slot = page.evaluate(SLOT_OF, blocked.get_attribute("data-blocked"))
    place = page.locator(f".mat .slot[data-slot='{slot}']")
    place.hover(force=True)
    expect(page.locator("#hint"), "pointing at a blocked line says no reason").to_contain_text(reason)
    expect(page.locator("#spoken"), "what is only pointed at is not spoken").not_to_have_text(reason)
    page.locator("#sheet .target:not(.blocked)").first.hover()
    expect(page.locator("#hint"), "the reason stays when the pointer has left").not_to_contain_text(reason)
    blocked.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#spoken"), "who asks is not told aloud").to_have_text(reason)
    expect(page.locator("#hint a"), "there is no way from the reason to the rules").to_be_visible()
    guest.check(name="blocked")


@pytest.mark.slow
def test_points_are_told_when_the_last_turn_of_a_round_is_confirmed(guest: Guest) -> None:
    """Before that nothing is scored; then each player's points are announced once, as on the board."""
    guest.open_table("you", "you")
    page = guest.page
    for _ in range(40):
        guest.ready()
        last = page.locator("#sheet button:not([data-back])").count() == 1
        page.locator("#sheet button:not([data-back])").first.click()
        target = page.locator("#sheet .target:not(.blocked)")
        if target.count():  # a single legal target is chosen for the player
            target.first.click()
        expect(page.locator("#confirm"), "the turn is not complete").to_be_enabled()
        assert page.locator(".rise").count() == 0, "points rise before the turn is confirmed"
        before = guest.where()
        page.locator("#confirm").click()
        expect(page.locator("#where"), "the turn was not played").not_to_have_text(before)
        if last:
            break
    expect(page.locator("#tally .sum").first, "nothing is scored after the round").to_be_attached()
    guest.ready()
    scores = [score for score in page.locator(".mat .score").all_text_contents() if score != "0"]
    for score in scores:
        expect(page.locator("#spoken"), "the new score is not told").to_contain_text(f": {score}.")
    guest.check()


@pytest.mark.slow
def test_the_log_names_pieces_for_whoever_listens_and_has_one_line_a_turn(guest: Guest) -> None:
    guest.open_table("you", "you", box="garden")
    for _ in range(8):
        guest.ready()
        guest.take("roam")
    expect(guest.page.locator("#log li"), "eight turns are not eight lines").to_have_count(8)
    turns = guest.page.evaluate(TURNS)
    assert len(turns) == len(set(turns)), f"a turn has several lines: {turns}"
    pictures = guest.page.locator("#log .pieces")
    assert pictures.count() > 0, "the log shows no piece"
    for picture in pictures.all():
        name = picture.get_attribute("aria-label") or ""
        assert re.match(r"\d+ \w", name), f"a picture in the log is called {name!r}"
    guest.page.reload()
    guest.ready()
    assert guest.page.evaluate(TURNS) == turns, "after a reload the log has other lines"


def test_a_friend_finds_the_chair_and_the_host_the_link(browser: Browser, server: Server) -> None:
    """Both are in the place of the moves, visible on a phone; they disappear when the game begins."""
    host, friend = Guest(browser, server, phone=True), Guest(browser, server, phone=True)
    url = host.open_table("you", "friend")
    expect(host.page.locator("#invite .link"), "the host is not given the link").to_have_value(url)
    expect(host.page.locator("#invite .qr")).to_be_visible()
    host.check(name="phone-invite")
    friend.page.goto(url)
    friend.page.get_by_label("Your name").fill("Bo")
    friend.check(name="phone-sit")
    friend.page.get_by_role("button", name="Sit down").tap()
    for someone in (host, friend):
        expect(someone.page.locator("#invite"), "the invitation stays in a running game").to_have_count(0)
        expect(someone.page.locator("#where")).to_have_text("move 1 of 1")
        someone.context.close()


def test_a_phone_shows_the_whole_table_without_scrolling(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    guest.open_table("you", "bot:random")
    guest.ready()
    for part in ("#band strong", ".other svg", ".offer svg", ".own svg", ".bar"):
        expect(guest.page.locator(part).first, f"{part} is outside the window").to_be_in_viewport(ratio=1)
    assert guest.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    guest.context.close()


def test_whoever_works_with_the_keyboard_is_led_to_the_confirmation_and_back(guest: Guest) -> None:
    guest.open_table("you", "you")
    guest.ready()
    page = guest.page
    page.locator("#sheet button").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm"), "the confirmation has no focus after a move by keys").to_be_focused()
    before = guest.where()
    page.keyboard.press("Enter")
    expect(page.locator("#where"), "Enter did not confirm").not_to_have_text(before)
    expect(page.locator("#sheet"), "the moves have no focus after the confirmation").to_be_focused()


def test_a_reconnection_leaves_the_focus_where_it_was(guest: Guest) -> None:
    """Each frame lists the moves anew; whoever chooses by keyboard must not start again from the top."""
    page = guest.page
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/*", pass_on)
    guest.open_table("you", "you")
    guest.ready()
    second = page.locator("#sheet button").nth(1)
    second.focus()
    before = second.element_handle()
    sockets[0].close()
    page.wait_for_function("(button) => !button.isConnected", arg=before)  # the moves were listed anew
    expect(second, "the moves have lost the focus").to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet [data-back]"), "Enter chose nothing").to_be_visible()


def test_a_reconnection_does_not_keep_the_keyboard_from_the_confirmation(guest: Guest) -> None:
    """The move is lost with the connection and sent again; the frame in between knows nothing of it."""
    page = guest.page
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)

        def hear(message: str | bytes) -> None:
            if len(sockets) == 1 and '"play"' in str(message):
                socket.close()
            else:
                server.send(message)

        socket.on_message(hear)

    page.route_web_socket("**/*", pass_on)
    guest.open_table("you", "you")
    guest.ready()
    page.locator("#sheet button").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm"), "the confirmation has no focus").to_be_focused()
    assert len(sockets) == 2


def test_less_motion_is_said_with_a_switch(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="system", still=True)
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.page.get_by_role("button", name="Settings").click()
    line = guest.page.locator(".less-motion")
    expect(line, "it is not said that pieces do not fly").to_be_visible()
    with guest.page.expect_response("**/wishes"):
        guest.page.get_by_role("button", name="Animate anyway").click()
    expect(line).to_be_hidden()
    expect(guest.page.locator("html[data-motion=normal]"), "the switch does nothing").to_have_count(1)
    guest.context.close()


def test_looking_back_offers_to_play_on_from_there(guest: Guest) -> None:
    """In the place of undo and confirm; not while other people play."""
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.take("click")
    guest.ready()
    guest.page.keyboard.press("ArrowLeft")
    expect(guest.page.locator("#confirm")).to_be_hidden()
    table = guest.page.url
    guest.page.get_by_role("button", name="Play on from here").click()
    guest.page.wait_for_url(re.compile(f"^(?!{re.escape(table)}$).*/t/"))
    guest.ready()
    guest.check()
