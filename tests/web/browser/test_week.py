"""A week of a game over days in real browsers, with a real mail server and a receiver of webhooks; the
clock is moved. No move and no notice is lost, each comes once, and none after somebody has opted out."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from azulejos.web.app import Settings, create_app
from azulejos.web.circle.notices import Outside
from azulejos.web.circle.senders import Mail
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.connections import server_config
from azulejos.web.store.saved import pass_time
from patience import PATIENCE
from web.circle.receivers import Mailbox, Receiver, mail_server, receiver
from web.guests import Guest
from web.server import Server

DAY = 24 * 3600.0
MINE = "html[data-turn=mine]"


class Site:
    """A server in this process, so that the clock of both can be moved."""

    def __init__(self, folder: Path, mail_port: int) -> None:
        mail = Mail(host="127.0.0.1", port=mail_port, sender="table@example.org")
        self.app = create_app(Settings(
            database=f"sqlite:///{folder}/games.sqlite", secret="s", seconds=0.01, limits=UNLIMITED,
            outside=Outside(mail=mail, private=True, grace=0),
        ))
        self._server = uvicorn.Server(server_config(self.app, self.app.state.doorkeeper))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self._listener.getsockname()[1]}"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        with self._listener, asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._server.serve(sockets=[self._listener]))

    @contextmanager
    def running(self) -> Iterator[Site]:
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive()
            threading.Event().wait(0.02)
        try:
            yield self
        finally:
            while self._server.server_state.connections:  # browsers that are closing
                threading.Event().wait(0.02)
            self._server.should_exit = True
            self._thread.join(PATIENCE)

    def call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def mover(self, table: str) -> int:
        found = self.call(self.app.state.lobby.table(table))
        return int(found.position.to_move)

    def has_bot(self, table: str, seat: int) -> bool:
        return bool(self.call(self.app.state.lobby.table(table)).seats[seat].bot)

    def turns(self, table: str) -> int:
        """How many turns were played."""
        found = self.call(self.app.state.lobby.table(table))
        return len(found.log.decisions)

    def look(self) -> None:
        """The server looks at its clocks now."""
        self.call(self.app.state.deadlines.look())
        self._loop.call_soon_threadsafe(self.app.state.notices.wake)


class Player:
    """Somebody with a browser, and how they are told."""

    def __init__(self, browser: Browser, site: Site, name: str, *, phone: bool = False) -> None:
        self.browser, self.site, self.name = browser, site, name
        self.guest = Guest(browser, as_server(site), phone=phone)
        self.address = f"{name.lower()}@example.org"
        self.told = 0
        """Notices of turns that have to arrive."""
        self.wants = True

    @property
    def page(self) -> Page:
        return self.guest.page

    def be(self) -> None:
        self.page.goto(f"{self.site.url}/me")
        self.page.locator(".be input[name=name]").fill(self.name)
        self.page.locator(".be button").click()
        expect(self.page.locator("#me")).to_have_text(self.name)

    def want_mail(self, mailbox: Mailbox) -> None:
        before = len(mailbox.letters)
        self.page.goto(f"{self.site.url}/notices")
        self.page.locator("input[type=email]").fill(self.address)
        self.page.get_by_role("button", name="Send me mail").click()
        self.page.goto(link_of(mailbox.wait(before + 1)[-1]))
        self.page.get_by_role("button", name="Yes, tell me").click()
        expect(self.page.locator("#notices")).to_have_text("You will be told.")

    def want_hook(self, hook: Receiver) -> None:
        self.page.goto(f"{self.site.url}/notices")
        self.page.locator("summary").click()
        self.page.locator("input[type=url]").fill(hook.url)
        self.page.get_by_role("button", name="Add").click()
        expect(self.page.locator("#ways")).to_be_visible()

    def move_to_another_device(self) -> None:
        self.page.goto(f"{self.site.url}/me")
        self.page.get_by_role("button", name="Take me along").click()
        code = self.page.locator(".code-words code").inner_text()
        self.guest.context.close()
        self.guest = Guest(self.browser, as_server(self.site), phone=True)
        self.page.goto(f"{self.site.url}/me")
        self.page.locator("input[name=code]").fill(code)
        self.page.get_by_role("button", name="Become the same here").click()
        expect(self.page.locator("#me")).to_have_text(self.name)

    def play(self, link: str) -> None:
        """Come back by the link of a notice, and play a turn."""
        self.page.goto(link)
        expect(self.page.locator(MINE)).to_have_count(1)
        self.guest.ready()
        before = self.guest.where()
        self.guest.take("tap" if self.guest.phone else "click")
        expect(self.page.locator("#where")).not_to_have_text(before)
        self.page.goto("about:blank")


def as_server(site: Site) -> Server:
    """What a guest needs to know of a server: where it is."""
    found = Server.__new__(Server)
    found.port = int(site.url.rpartition(":")[2])
    return found


def text_of(letter: Message) -> str:
    text = letter.get_payload(decode=True)
    assert isinstance(text, bytes)
    return text.decode()


def link_of(letter: Message) -> str:
    found = re.search(r"http://localhost:\d+/\S+", text_of(letter))
    assert found is not None
    return found[0]


class Week:
    """The table, its players, and what has to arrive."""

    def __init__(self, site: Site, players: list[Player], mailbox: Mailbox, hook: Receiver) -> None:
        self.site, self.players, self.mailbox, self.hook = site, players, mailbox, hook
        self.hooked = players[1]
        self.played = 0

    def begin(self) -> None:
        """The first one opens a table from the set-up page and sends the link; the others sit down."""
        first, *others = self.players
        page = first.page
        page.goto(f"{self.site.url}/new")
        page.locator("input[name=minutes][value=d3]").check(force=True)
        for number in range(1, len(self.players)):
            if number > 1:
                page.locator(".chip.add").first.click()
            else:
                page.locator(".chip .pick").nth(number).click()
            page.locator("input[name=pick][value=friend]").check(force=True)
        page.locator(".sheet-foot .primary").click()
        expect(page.locator("#invitation")).to_have_text("Send this link")
        self.link = page.url
        self.table = self.link.rpartition("/")[2]
        for other in others:
            other.page.goto(self.link)
            expect(other.page.locator(".facts").nth(1)).to_have_text("3 days a turn")
            other.page.locator("#sit .primary").first.click()
            expect(other.page.locator("#sit")).to_have_count(0)
        for player in self.players:  # the game begins when everybody's browser has added to the draws
            expect(player.page.locator("#where")).to_have_text("move 0 of 0")
            player.page.goto("about:blank")
        self.expect_notice()

    @property
    def mover(self) -> Player:
        return self.players[self.site.mover(self.table)]

    def expect_notice(self) -> None:
        """Whoever is to move is told, once."""
        if self.mover.wants:
            self.mover.told += 1
        self.check_notices()

    def check_notices(self) -> None:
        for player in self.players:
            if player is self.hooked:
                self.hook.wait(player.told)
            elif player.told:
                self.wait_for_letters(player, player.told)

    def wait_for_letters(self, player: Player, count: int, subject: str = "Your turn") -> None:
        with self.mailbox._news:
            assert self.mailbox._news.wait_for(
                lambda: len(self.letters(player, subject)) >= count, PATIENCE
            ), f"{player.name} was not told"

    def letters(self, player: Player, subject: str = "Your turn") -> list[Message]:
        return [letter for letter in self.mailbox.letters
                if letter["To"] == player.address and letter["Subject"].startswith(subject)]

    def turn(self) -> None:
        """Whoever is to move comes back by the last notice, or by the list of waiting games, and plays."""
        player = self.mover
        if player is self.hooked and player.wants:
            link = json.loads(self.hook.posts[-1][1])["link"]
        elif player.wants:
            link = link_of(self.letters(player)[-1])
        else:
            player.page.goto(self.site.url)
            link = player.page.locator(".game.yours").first.get_attribute("href") or ""
            link = self.site.url + link
        assert link == self.link
        player.play(link)
        self.played += 1
        self.expect_notice()

    def day(self) -> None:
        """A turn of everybody."""
        for _ in self.players:
            pass_time(seconds=DAY / len(self.players))
            self.turn()

    def lapse(self) -> None:
        """Nobody comes for three days: a bot plays on, and its person is told once; then they return."""
        late, before = self.mover, self.site.turns(self.table)
        pass_time(seconds=3.1 * DAY)
        self.site.look()
        late.page.goto(self.link)
        back = late.page.locator("#asks").get_by_role("button", name="I am back")
        back.click()
        expect(back).to_have_count(0)
        while self.site.has_bot(self.table, self.players.index(late)):  # the answer is on its way
            threading.Event().wait(0.05)
        late.page.goto("about:blank")
        if self.mover is late:  # the bot had not moved yet
            assert self.site.turns(self.table) == before
        else:
            self.expect_notice()
        if late is self.hooked:
            self.hook.wait(late.told + 1)
            assert [json.loads(body)["about"] for _, body in self.hook.posts].count("lapse") == 1
            late.told += 1  # it came on the same way
        elif late.wants:
            self.wait_for_letters(late, 1, "Your time was up")

    def stop(self, player: Player) -> None:
        """One click in a mail: nothing more comes."""
        stop = self.letters(player)[-1]["List-Unsubscribe"].strip("<> \n")
        player.page.goto(stop)
        player.page.get_by_role("button", name="No more").click()
        expect(player.page.locator("#notices")).to_have_text("Nothing more will come.")
        player.wants = False

    def end(self) -> None:
        """Everything has arrived, nothing twice, nothing else."""
        self.check_notices()
        self.site.look()
        for player in self.players:
            if player is not self.hooked:
                assert len(self.letters(player)) == player.told, player.name
        assert len(self.hook.posts) == self.hooked.told
        ids = Counter(str(letter["Message-ID"]) for letter in self.mailbox.letters)
        ids.update(headers["azulejos-id"] for headers, _ in self.hook.posts)
        assert set(ids.values()) == {1}
        for player in self.players:
            for letter in self.letters(player):
                assert not [other for other in self.players if other.address in text_of(letter)]
            assert player.guest.errors == []


@contextmanager
def week(browser: Browser, folder: Path, names: list[str]) -> Iterator[Week]:
    with mail_server() as (mailbox, port), receiver() as hook, Site(folder, port).running() as site:
        players = [Player(browser, site, name, phone=name == "Bo") for name in names]
        try:
            for player in players:
                player.be()
                if player.name == "Bo":
                    player.want_hook(hook)
                else:
                    player.want_mail(mailbox)
            found = Week(site, players, mailbox, hook)
            found.begin()
            yield found
            found.end()
        finally:
            for player in players:
                player.guest.context.close()


def test_two_people_play_over_days(browser: Browser, tmp_path: Path) -> None:
    with week(browser, tmp_path, ["Ana", "Bo"]) as found:
        found.day()
        found.players[0].move_to_another_device()
        found.day()
        ana = found.players[0]
        found.stop(ana)
        found.day()
        assert found.site.turns(found.table) == found.played == 6


@pytest.mark.slow
def test_a_week_of_four_people(browser: Browser, tmp_path: Path) -> None:
    with week(browser, tmp_path, ["Ana", "Bo", "Cai", "Dua"]) as found:
        ana, _, cai, dua = found.players
        found.day()
        cai.move_to_another_device()
        found.day()
        while found.mover is not found.hooked:
            found.turn()
        found.lapse()
        found.day()
        found.stop(dua)
        found.day()
        ana.move_to_another_device()
        found.day()
        assert found.site.turns(found.table) >= found.played
        assert len(dua.page.context.pages) == 1
