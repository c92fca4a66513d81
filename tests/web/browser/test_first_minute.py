"""The first minute of a visitor, in a real browser: home, set-up, invitation, lessons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from azulejos.web.pages.lesson import courses
from samples import sampled
from web.guests import Guest
from web.server import Server

BOXES = sorted({box.name for box, _ in courses().values()})
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_three_clicks_from_a_cold_page_to_the_first_move(guest: Guest) -> None:
    page = guest.page
    page.goto(guest.server.url)
    page.get_by_role("button", name=re.compile("^Play Azul")).click()
    page.wait_for_url("**/t/*")
    page.locator(".offer .piece.can").first.click()
    page.locator(".own .slot.can").first.click(force=True)
    expect(page.locator("#confirm"), "after three clicks no move is on the table").to_be_enabled()


def test_play_repeats_what_was_played_last_and_remembers_the_name(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.locator("label.box", has_text="Master Chocolatier").click()
    page.locator(".chip .pick").first.click()
    page.get_by_label("Your name").fill("Ana")
    page.locator(".chip .pick").nth(1).click()
    page.locator("label.bot", has_text="Clay").click()
    page.locator(".sheet-foot .primary").click()
    page.wait_for_url("**/t/*")
    page.goto(guest.server.url)
    expect(page.locator(".play")).to_contain_text("Master Chocolatier, against Clay, easy")
    page.goto(f"{guest.server.url}/new")
    expect(page.locator(".chip b").first).to_have_text("Ana")


def test_another_box_keeps_names_and_seats(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.locator(".chip .pick").first.click()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Add a bot").click()
    page.locator("label.bot", has_text="Porcelain").first.click()
    page.locator("label.variant", has_text="Grey wall").click()
    page.locator("label.box", has_text="Queen's Garden").click()
    names = page.locator(".chip b")
    expect(names).to_have_text(["Ana", "Clay", "Porcelain"])
    expect(page.locator("#summary"), "the choice that was lost is not named").to_contain_text("Grey wall")


def test_an_option_without_effect_is_not_offered(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new?box=azul")
    page.get_by_text("More settings").click()
    split = page.get_by_label("How SPLIT divides")
    expect(split.locator("visible=true")).to_have_count(0)
    page.get_by_label("Factories").locator("visible=true").select_option("special")
    expect(split.locator("visible=true")).to_have_count(1)


def test_bots_and_boxes_are_chosen_by_arrow_keys(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.locator("input[name=cover]:checked").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#summary")).to_contain_text("Master Chocolatier")
    page.locator("input[name=pick]:checked").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".chip.chosen b")).to_have_text("Brick")


def test_the_set_up_works_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/new?box=azul")
    page.get_by_label("Name on seat 1").fill("Ana")
    page.locator("#seat1").select_option("bot:level:1")
    page.locator(".sheet-foot .primary").click()
    assert "/t/" in page.url
    context.close()


def test_a_removed_player_can_be_brought_back(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.get_by_role("button", name="Add a bot").click()
    page.get_by_role("button", name=re.compile("^Remove")).last.click()
    expect(page.locator(".chip:not(.add)")).to_have_count(2)
    page.locator("#summary").get_by_role("button", name="Undo").click()
    expect(page.locator(".chip:not(.add)")).to_have_count(3)


# --- with a friend -----------------------------------------------------------------------------------


def small_phone(guest: Guest) -> Page:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    return guest.page


def test_an_invited_friend_sees_how_to_join_on_a_small_phone(browser: Browser, server: Server) -> None:
    host, friend = Guest(browser, server), Guest(browser, server, phone=True)
    host.page.goto(server.url)
    host.page.get_by_role("button", name="Play with a friend").click()
    host.page.wait_for_url("**/t/*")
    expect(host.page.locator("#invite .link")).to_have_value(host.page.url)
    expect(host.page.locator("#invite .qr")).to_be_visible()
    page = small_phone(friend)
    page.goto(host.page.url)
    for part in ("#invitation", "input[name=name]", ".invitation .primary", ".invitation .other"):
        expect(page.locator(part), f"{part} is outside the window").to_be_in_viewport(ratio=1)
    friend.check(name="invitation-360")
    friend.find_barriers()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").tap()
    for someone in (host, friend):
        expect(someone.page.locator("#where")).to_have_text("move 1 of 1")
        someone.context.close()


def test_a_seat_that_is_taken_says_so(browser: Browser, server: Server) -> None:
    """The page of the late one does not notice it before the button is pressed."""
    host = Guest(browser, server)
    url = host.open_table("you", "friend")
    late = browser.new_context(java_script_enabled=False)
    page = late.new_page()
    page.goto(url)
    host.page.request.post(f"{url}/sit", form={"seat": "1", "name": "Bo"}, headers={"origin": server.url})
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Somebody else sat down first.")
    expect(page.get_by_role("link", name="Watch")).to_have_attribute("href", url.removeprefix(server.url))
    late.close()
    host.context.close()


def test_a_table_that_is_gone_offers_another(guest: Guest) -> None:
    guest.page.goto(f"{guest.server.url}/t/nothing-here")
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("This table is gone.")
    guest.page.get_by_role("link", name="Start one of your own").click()
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Set up a game")


def test_your_games_can_be_told_apart_and_your_turn_comes_first(guest: Guest) -> None:
    guest.open_table("you", "friend")
    guest.open_table("you", "you", box="garden")
    guest.page.goto(guest.server.url)
    cards = guest.page.locator(".game")
    expect(cards.first).to_contain_text("Your turn")
    expect(cards.first.locator("svg.small")).to_be_visible()
    texts = cards.all_inner_texts()
    assert len(set(texts)) == len(texts), texts


# --- lessons -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("box", "phone"), sampled(
    [(box, phone) for box in BOXES for phone in (False, True)], quick=[("azul", True)]
))
def test_a_lesson_shows_itself_from_beginning_to_end(
    browser: Browser, server: Server, box: str, phone: bool
) -> None:
    guest = Guest(browser, server, phone=phone)
    page = guest.page
    page.goto(f"{server.url}/learn/{box}")
    finished = page.locator("#finished")
    for _ in range(20):
        expect(page.locator("#lesson[data-ready]")).to_have_count(1)
        offered = "#show:not([hidden]), #next:not([hidden]), #finished:not([hidden]), #places button"
        expect(page.locator(offered).first).to_be_attached()
        if finished.is_visible():
            break
        take_a_step(page)
    expect(finished).to_be_visible()
    expect(finished.get_by_role("button", name="Play against Sand")).to_be_visible()
    guest.check()
    guest.context.close()


def take_a_step(page: Page) -> None:
    """Press what is offered: Next, Show me, or any accepted place."""
    task = page.locator("#task").inner_text()
    if page.locator("#next").is_visible():
        page.locator("#next").click()
        page.wait_for_function("(was) => document.getElementById('task').textContent !== was || "
                               "!document.getElementById('finished').hidden", arg=task)
    elif page.locator("#show").is_visible():
        page.locator("#show").click()
        page.wait_for_function("(was) => document.getElementById('task').textContent !== was || "
                               "!document.getElementById('next').hidden", arg=task)
    else:
        page.locator("#places button").first.evaluate("(button) => button.click()")


def test_a_lesson_refuses_with_a_reason_and_goes_on_by_taps(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, phone=True)
    page = guest.page
    page.goto(f"{server.url}/learn/azul")
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)
    says = page.locator("#says")
    page.locator(".piece[data-slot='F1.red']").first.tap(force=True)
    expect(says).to_have_text("The right plate, but we need blue: tap one of the two blue tiles.")
    expect(page.locator("#guide[data-mood=error]")).to_have_count(1)
    page.locator(".piece[data-slot='F2.yellow']").first.tap(force=True)
    expect(says).to_contain_text("the bright circle")
    expect(page.locator("#show.primary"), "after two errors it does not offer to show").to_be_visible()
    page.locator(".piece[data-slot='F1.blue']").first.tap(force=True)
    expect(page.locator("#task")).to_have_text("Put them in row 2.")
    page.locator(".slot[data-slot='seat1.line2']").tap(force=True)
    expect(page.locator("#next")).to_be_visible()
    assert page.locator(".piece[data-slot='seat1.line2']").count() == 2
    page.locator("#next").tap()
    expect(page.locator("#count")).to_have_text("3 of 8")
    page.reload()
    expect(page.locator("#count"), "the place in the lesson was not kept").to_have_text("3 of 8")
    guest.check(name="lesson-phone")
    guest.find_barriers()
    guest.context.close()


POINTED_AT = """() => {
  const hand = document.querySelector(".hand").getBoundingClientRect();
  const [x, y] = [hand.left + hand.width / 3, hand.top + 2];  // the tip of its finger
  document.getElementById("veil").style.display = "none";
  return document.elementFromPoint(x, y).closest("[data-slot]").dataset.slot;
}"""


@pytest.mark.parametrize(("box", "slot"), sampled(
    [("azul", "F1.blue"), ("sintra-a", "F1.pink")], quick=[("azul", "F1.blue")]
))
def test_the_hand_of_a_lesson_points_at_what_to_take(
    browser: Browser, server: Server, box: str, slot: str
) -> None:
    for phone in (False, True):
        guest = Guest(browser, server, phone=phone)
        guest.page.goto(f"{server.url}/learn/{box}")
        expect(guest.page.locator("#lesson[data-ready] .hand")).to_have_count(1)
        assert guest.page.evaluate(POINTED_AT) == slot
        guest.context.close()


def test_a_lesson_by_keyboard(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/learn/azul")
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)
    page.locator("#places button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#task")).to_have_text("Put them in row 2.")
    page.locator("#places button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#next")).to_be_focused()


def test_rules_end_in_trying_and_playing(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/rules/azul")
    page.get_by_role("link", name="Try it").click()
    expect(page.locator("#lesson[data-ready]")).to_have_count(1)


# --- any window --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", sampled(
    [320, 360, 560, 640, 700, 768, 1024, 1280, 1920], quick=[320, 1280]
))
def test_no_page_scrolls_sideways(browser: Browser, server: Server, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    for path in ("/", "/new", "/learn", "/learn/azul", "/games", "/rules/azul", "/rules/queens_garden"):
        page.goto(server.url + path)
        assert page.evaluate(SIDEWAYS) <= 0, f"{path} scrolls sideways at {width}"
    context.close()


def test_the_living_board_is_still_for_whoever_wants_less_motion(browser: Browser, server: Server) -> None:
    guest = Guest(browser, server, motion="system", still=True)
    guest.page.goto(server.url)
    expect(guest.page.locator("#living[data-ready]")).to_have_count(1)
    expect(guest.page.locator("#living .piece").first).to_be_attached()
    assert guest.page.evaluate("document.getAnimations().filter((one) => "
                               "one.effect.target.closest('#living')).length") == 0
    guest.page.get_by_role("link", name="Watch").click()
    expect(guest.page.locator("#table[data-watching]")).to_be_visible()
    guest.context.close()


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_daily_deal_and_a_duplicate_are_one_press_away(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.url)
    page.get_by_role("link", name=re.compile("^The daily deal")).click()
    page.get_by_label("Your name").fill("Ana")
    assert page.evaluate(SIDEWAYS) == 0
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#band"), "the table of the day does not open").not_to_be_empty()
    page.goto(f"{server.url}/duplicate")
    assert page.evaluate(SIDEWAYS) == 0
    page.get_by_role("button", name="Deal").click()
    expect(page.get_by_role("link", name="To your table")).to_be_visible()
    expect(page.get_by_label("Link to this duplicate")).to_have_value(re.compile("/duplicate/"))
    assert page.evaluate(SIDEWAYS) == 0
    context.close()
