"""The table by keyboard alone, in a real Chromium: turns, payments, and where the focus is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from web.guests import Guest


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


def test_places_can_be_reached_and_chosen_with_the_tab_key(guest: Guest) -> None:
    guest.open_table("you", "you")
    guest.ready()
    page = guest.page
    page.wait_for_load_state("networkidle")
    page.locator(".offer .slot.can").first.press("Enter")
    expect(page.locator(".own .slot.legal").first).to_be_focused()
    expect(page.locator(".own .ghost").first).to_be_attached()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_enabled()


MOMENT = "document.documentElement.dataset.ply + document.getElementById('where').textContent"
"""Changes with every step of a turn, and when it is confirmed."""


def test_turns_by_keyboard_alone(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    assert guest.play("key", 8) == 8
    guest.check()


@pytest.mark.slow
def test_a_whole_game_by_keyboard_alone(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    assert 10 < guest.play("key") < 400
    guest.check()


@pytest.mark.slow
def test_a_payment_by_keyboard_alone(guest: Guest) -> None:
    """Players who can place something worth three or more; pieces are unmarked and marked by their keys."""
    guest.open_table("you", "you", box="garden")
    page = guest.page
    for _ in range(60):
        guest.ready()
        if page.locator("#sheet .mark[aria-pressed=true]").count():
            break
        before = page.evaluate(MOMENT)
        letters = page.locator("#sheet button .letter").all_inner_texts()
        dear = [letter for letter in letters if re.fullmatch("[blygdp][3-6]", letter)]
        others = [letter for letter in letters if letter not in "-fj"]
        if letters:
            page.keyboard.type((dear or others or letters)[0])
        else:
            page.keyboard.press("Enter")
        page.wait_for_function(f"(was) => {MOMENT} !== was", arg=before)
    marked = page.locator("#sheet .mark[aria-pressed=true]")
    expect(page.locator("#confirm")).to_be_enabled()
    key, count = marked.first.locator(".letter").inner_text(), marked.count()
    for _ in range(page.locator("#sheet .mark .letter", has_text=re.compile(f"^{key}$")).count() + 1):
        page.keyboard.type(key)
        if marked.count() < count:
            break
    expect(page.locator("#confirm")).to_be_disabled()
    guest.check(name="payment")
    page.keyboard.type(key)
    while page.locator("#confirm").is_disabled() and marked.count() < count:
        page.keyboard.type(key)
    expect(page.locator("#confirm")).to_be_enabled()
    before = guest.where()
    page.keyboard.press("Enter")
    expect(page.locator("#where")).not_to_have_text(before)
    guest.check()


def test_typed_questions_answer_in_words(guest: Guest) -> None:
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.page.fill("#question", "f")
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#answer")).to_contain_text(re.compile(r"factory \d: \d"))
