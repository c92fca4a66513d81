"""Who may do what at a table: everything that concerns a seat, asked by everybody who might try it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection

from azulejos.bots import levels
from azulejos.web import visitor
from azulejos.web.refused import Refused, Taken
from azulejos.web.store.saved import (
    BOT,
    FINISHED,
    FREE_CHAT,
    HUMAN,
    NO_CHAT,
    OPEN,
    PHRASES,
    CarryLink,
    SavedSeat,
    now,
)
from azulejos.web.store.store import Held, Store
from azulejos.web.tables import live_table
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.people import (
    AGAIN,
    ASKED,
    CHAT_BURST,
    LONGEST_LINE,
    NO,
    TAKE_BACK,
    YES,
    PendingRequest,
)
from azulejos.web.visitor import Signer

ANA, BO, EYE = "ana's key", "bo's key", "a spectator's key"
NOBODY, FIRST, SECOND, BOTH = (frozenset(seats) for seats in ((), (0,), (1,), (0, 1)))
MINUTE = 60_000
"""Milliseconds."""

Act = Callable[[Store, LiveTable], Awaitable[None]]


def people(*, away: float = 0) -> tuple[SavedSeat, ...]:
    """`away`: minutes since they were seen."""
    names = ("Ana", "Bo")
    return tuple(SavedSeat(seat=i, kind=HUMAN, name=name, seen=now() - round(away * MINUTE))
                 for i, name in enumerate(names))


def at_table(folder: Path, act: Act, *, away: float = 0, begin: bool = True, **options: Any) -> None:
    """Ana (seat 0, to move first) and Bo at a table, who hold its keys."""

    async def run() -> None:
        store = await Store.open(f"sqlite:///{folder}/games.sqlite")
        seats = options.pop("seats", None) or people()
        ranked = options.pop("ranked", False)
        saved = replace(new_table("azul", seats, {"start": "1"}, **options), ranked=ranked)
        if away:
            saved = replace(saved, seats=people(away=away))
        await store.create(saved, [(0, ANA), *([(1, BO)] if seats[1].kind == HUMAN else [])])
        table = LiveTable(store, saved)
        if begin:
            await table.start()
        await act(store, table)
        await store.close()

    asyncio.run(run())


def any_move(table: LiveTable) -> str:
    position = table.draft_position
    return position.game.moves.text(random.Random(1).choice(position.legal_actions()))


async def turn(table: LiveTable, seats: frozenset[int]) -> None:
    ply = table.ply
    while table.ply == ply:
        await table.play(seats, any_move(table), ply + len(table.draft), at_once=True)


async def refused(work: Awaitable[object], *words: str) -> None:
    with pytest.raises(Refused) as found:
        await work
    assert all(word in str(found.value.reason) for word in words), found.value.reason


# --- moves -----------------------------------------------------------------------------------------------


def test_only_the_player_whose_turn_it_is_moves(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        assert {seats for seats in (NOBODY, FIRST, SECOND, BOTH) if table.turn_of(seats)} == {FIRST, BOTH}
        for seats, words in ((NOBODY, "watching"), (SECOND, "not your turn")):
            await refused(table.play(seats, any_move(table), table.ply, at_once=True), words)
            await refused(table.undo(seats, table.ply), words)
            await refused(table.confirm(seats, table.ply), words)
        await refused(table.play(FIRST, any_move(table), table.ply + 1, at_once=True), "meantime")
        await refused(table.undo(FIRST, table.ply), "nothing to undo")
        await refused(table.confirm(FIRST, table.ply), "not finished")
        ply = table.ply
        while not table.turn_complete():
            await table.play(FIRST, any_move(table), ply + len(table.draft), at_once=False)
        await refused(table.play(FIRST, any_move(table), ply + len(table.draft), at_once=False), "confirm")
        await table.confirm(FIRST, ply + len(table.draft))
        assert table.ply > ply
        assert [table.turn_of(seats) for seats in (FIRST, SECOND)] == [False, True]

    at_table(tmp_path, act)


def test_nobody_moves_before_the_game_or_after_it(tmp_path: Path) -> None:
    async def before(store: Store, table: LiveTable) -> None:
        await refused(table.play(FIRST, "1", 0, at_once=True), "every seat is taken")
        assert not table.turn_of(BOTH)

    at_table(tmp_path, before, begin=False)

    async def after(store: Store, table: LiveTable) -> None:
        table.saved = replace(table.saved, state=FINISHED)
        assert table.over
        await refused(table.play(FIRST, any_move(table), table.ply, at_once=True), "is over")
        await refused(table.people.ask(FIRST, TAKE_BACK), "is over")

    at_table(tmp_path, after)


def test_a_turn_of_a_seat_that_a_bot_plays_is_nobodys(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        table.people._change(replace(table.seats[0], bot="level:1"))
        assert not table.turn_of(FIRST)
        await refused(table.play(FIRST, any_move(table), table.ply, at_once=True), "not your turn")

    at_table(tmp_path, act)


# --- who plays for whom ----------------------------------------------------------------------------------


def test_nobody_who_is_here_can_be_replaced(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        await refused(table.people.let_bot_play(1, FIRST), "Bo is at the table")
        await table.people.arrive([1])
        table.people._change(replace(table.seats[1], seen=now() - 60 * MINUTE))
        await refused(table.people.let_bot_play(1, FIRST), "Bo is at the table")
        await table.people.leave([1])
        await refused(table.people.let_bot_play(1, FIRST), "Bo is at the table")

    at_table(tmp_path, act)


def test_whoever_is_away_long_enough_can_be_replaced_by_those_at_the_table(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        await refused(table.people.let_bot_play(1, FIRST), "Bo can be replaced after 3 minutes")
        for seat in (-1, 2):
            await refused(table.people.let_bot_play(seat, FIRST), "no such seat")
        assert not table.seats[1].bot

    at_table(tmp_path, act, away=1)

    async def later(store: Store, table: LiveTable) -> None:
        await refused(table.people.let_bot_play(0, NOBODY), "Only players at the table")
        version = table.version
        await table.people.let_bot_play(0, SECOND)
        assert table.version > version, "everybody is told"
        middle = levels(table.position.game)
        assert table.seats[0].bot == middle[len(middle) // 2].word
        assert not table.seats[1].bot
        assert not table.turn_of(FIRST)
        await refused(table.people.let_bot_play(0, SECOND), "A bot already")
        stored = await store.load(table.id)
        assert stored is not None
        assert stored.seats[0].bot == table.seats[0].bot

    at_table(tmp_path, later, away=4)
    at_table(tmp_path, later, away=0.6, replace_after=0)


def test_nobody_is_replaced_before_the_game_or_in_a_ranked_one_and_no_bot_is(tmp_path: Path) -> None:
    async def not_yet(store: Store, table: LiveTable) -> None:
        await refused(table.people.replace_absent(1), "running game")

    at_table(tmp_path, not_yet, away=9, begin=False)

    async def ranked(store: Store, table: LiveTable) -> None:
        await refused(table.people.replace_absent(1), "ranked")

    at_table(tmp_path, ranked, away=9, ranked=True)

    async def bot(store: Store, table: LiveTable) -> None:
        await refused(table.people.replace_absent(1), "A bot already")

    with_bot = (people()[0], SavedSeat(seat=1, kind=BOT, name="Sand", bot="level:1"))
    at_table(tmp_path, bot, seats=with_bot)


def test_a_guest_plays_until_the_owner_comes_back(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        ply = table.ply
        await table.play(FIRST, any_move(table), ply, at_once=False)
        assert table.draft
        await table.people.replace_absent(1, guest="Eye", key=EYE)
        assert table.draft, "a draft of another seat is not touched"
        assert (table.seats[1].guest, table.seats[1].bot) == ("Eye", "")
        assert await store.held(table.id, EYE) == Held(SECOND, NOBODY)
        assert await store.held(table.id, BO) == Held(NOBODY, SECOND)
        assert await store.held(table.id, ANA) == Held(FIRST, FIRST)
        assert table.names == ["Ana", "Eye"]
        for others in (NOBODY, FIRST):
            await refused(table.people.come_back(1, others), "not your seat")
        assert table.seats[1].guest == "Eye"
        await table.people.come_back(1, SECOND)
        assert (table.seats[1].guest, table.seats[1].bot) == ("", "")
        assert table.draft
        assert await store.held(table.id, EYE) == Held(NOBODY, NOBODY)
        assert await store.seats_of(table.id, BO) == SECOND
        version = table.version
        await table.people.come_back(1, SECOND)
        assert table.version == version, "who is back is back"

    at_table(tmp_path, act, away=9)


def test_a_guest_who_leaves_is_replaced_and_loses_the_key(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        await table.play(FIRST, any_move(table), table.ply, at_once=False)
        await table.people.replace_absent(0, guest="Eye", key=EYE)
        assert not table.draft, "what the absent player had begun is dropped"
        await refused(table.people.replace_absent(0), "Eye is at the table")
        table.people._change(replace(table.seats[0], seen=now() - MINUTE))
        await refused(table.people.replace_absent(0), "Eye can be replaced")
        table.people._change(replace(table.seats[0], seen=now() - 9 * MINUTE))
        await refused(table.people.replace_absent(0), "is at the table")  # the database knows better
        await store.company.give_back(table.id, 0)
        replacing, later = store.company.replace, now() + MINUTE
        assert not await replacing(table.id, 0, unseen_since=now() - MINUTE, bot="x")
        assert await replacing(table.id, 0, unseen_since=later, bot="x")
        assert not await replacing(table.id, 0, unseen_since=later, bot="y"), "a bot plays"
        assert await store.held(table.id, EYE) == Held(NOBODY, NOBODY)

    at_table(tmp_path, act, away=9)


def test_a_guest_of_before_is_no_guest_of_now(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        replacing, later = store.company.replace, now() + MINUTE
        other = new_table("azul", people(), {"start": "1"})
        await store.create(other, [(0, ANA), (1, BO)])
        for where, seat in ((table.id, 1), (table.id, 0), (other.id, 1)):
            assert await replacing(where, seat, guest="Eye", key=EYE, unseen_since=later)
        await table.people.come_back(1, SECOND)
        assert await replacing(table.id, 1, guest="Dua", key="dua's key", unseen_since=later)
        assert await store.seats_of(table.id, EYE) == FIRST, "the other seat is not concerned"
        assert await store.seats_of(other.id, EYE) == SECOND, "nor is the other table"
        assert await store.held(table.id, BO) == Held(NOBODY, SECOND), "nor is the owner"
        assert await replacing(table.id, 1, bot="level:1", unseen_since=later)
        await store.company.give_back(table.id, 1)
        assert await replacing(table.id, 1, guest="Eye", key=EYE, unseen_since=later)
        assert await store.seats_of(table.id, "dua's key") == NOBODY
        assert await store.seats_of(table.id, EYE) == BOTH

    at_table(tmp_path, act)


def test_whoever_is_out_of_time_does_not_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        table.people._change(replace(table.seats[0], bot="level:1"))
        monkeypatch.setattr(LiveTable, "time_is_up", lambda self, seat: seat == 0)
        await refused(table.people.come_back(0, FIRST), "time is up")

    at_table(tmp_path, act, minutes=5)


# --- keys ------------------------------------------------------------------------------------------------


def test_one_visitor_takes_a_free_seat_once(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        await table.people.sit(1, "Bo", BO, program=True)
        assert await store.held(table.id, BO) == Held(SECOND, SECOND)
        assert (table.seats[1].name, table.seats[1].kind, table.seats[1].program) == ("Bo", HUMAN, True)
        with pytest.raises(Taken):
            await table.people.sit(1, "Eye", EYE)
        assert await store.held(table.id, EYE) == Held(NOBODY, NOBODY)
        other = new_table("azul", (people()[0], SavedSeat(seat=1, kind=OPEN)), {})
        await store.create(other, [(0, ANA)])
        both = [table.id, other.id]
        assert not await store.sit(other.id, 1, "Bo", BO, not_both=both), "who sits at one of them"
        assert await store.sit(other.id, 1, "Eye", EYE, not_both=both)

    at_table(tmp_path, act, begin=False, seats=(people()[0], SavedSeat(seat=1, kind=OPEN)))


def test_only_a_link_of_an_owner_gives_a_seat_to_another_device(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        def link(maker: str, revocations: int = 0, seat: int = 1) -> CarryLink:
            return CarryLink(table=table.id, seat=seat, maker=maker, revocations=revocations)

        await table.people.replace_absent(1, guest="Eye", key=EYE)
        for wrong in (link(EYE[:9]), link(ANA[:9]), link(BO[:3], 1), link(BO[:3], seat=0), link("%")):
            assert not await store.carry(wrong, "phone"), wrong
        assert await store.held(table.id, "phone") == Held(NOBODY, NOBODY)
        assert await store.carry(link(BO[:3]), "phone")
        assert await store.carry(link(BO[:3]), "phone"), "twice is once"
        assert (await store.held(table.id, "phone")).own == SECOND
        assert await store.carry(link(BO[:3]), EYE), "the owner may make the guest an owner"
        assert (await store.held(table.id, EYE)).own == SECOND

        for stranger in (ANA, "nobody"):
            await refused(table.people.forget_devices(1, stranger), "not your seat")
        assert (await store.held(table.id, "phone")).own == SECOND
        version = table.version
        await table.people.forget_devices(1, BO)
        assert table.version > version, "everybody is told"
        assert table.seats[1].revocations == 1
        assert (await store.held(table.id, "phone")).own == NOBODY
        assert (await store.held(table.id, BO)).own == SECOND
        assert (await store.held(table.id, ANA)).own == FIRST, "other seats are not concerned"
        assert not await store.carry(link(BO[:3]), "phone"), "links of before are void"
        assert await store.carry(link(BO[:3], 1), "phone")

    at_table(tmp_path, act, away=9)


def test_a_guest_is_not_forgotten_with_the_owners_devices(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        await table.people.replace_absent(1, guest="Eye", key=EYE)
        await refused(table.people.forget_devices(1, EYE), "not your seat")
        await table.people.forget_devices(1, BO)
        assert await store.held(table.id, EYE) == Held(SECOND, NOBODY)

    at_table(tmp_path, act, away=9)


# --- what they say and ask -------------------------------------------------------------------------------


def test_only_players_talk_and_only_as_the_table_allows(tmp_path: Path) -> None:
    async def no_chat(store: Store, table: LiveTable) -> None:
        await refused(table.people.say(NOBODY, phrase="hello"), "watching")
        await refused(table.people.say(FIRST, phrase="hello"), "without a chat")

    at_table(tmp_path, no_chat, chat=NO_CHAT)

    async def phrases(store: Store, table: LiveTable) -> None:
        await refused(table.people.say(FIRST, phrase="curse"), "cannot be read")
        await refused(table.people.say(FIRST, text="hi"), "ready-made")
        await table.people.say(BOTH, phrase="hello")
        await table.people.say(SECOND, phrase="luck", text="hi")
        assert [(line.seat, line.name, line.phrase, line.text) for line in table.people.chat] == [
            (0, "Ana", "hello", ""), (1, "Bo", "luck", ""),
        ]

    at_table(tmp_path, phrases, chat=PHRASES)

    async def free(store: Store, table: LiveTable) -> None:
        await refused(table.people.say(FIRST, text=" \u202e "), "nothing to send")
        await table.people.say(FIRST, text="x" * 500)
        assert table.people.chat[0].text == "x" * LONGEST_LINE
        await turn(table, FIRST)
        await table.people.say(BOTH, text="whose turn it is")
        assert table.people.chat[-1].seat == 1
        for _ in range(CHAT_BURST - 1):
            await table.people.say(FIRST, text="again")
        await refused(table.people.say(FIRST, text="again"), "too fast")
        await table.people.say(SECOND, text="the other has a pace of their own")

    at_table(tmp_path, free, chat=FREE_CHAT)


def test_a_turn_is_taken_back_if_everybody_who_plays_agrees(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        talk = table.people
        begun = table.ply
        await refused(talk.answer(SECOND, yes=True), "nothing to answer")
        await refused(talk.ask(FIRST, TAKE_BACK), "not played")
        await refused(talk.ask(FIRST, AGAIN), "not over")
        await turn(table, FIRST)
        await refused(talk.ask(NOBODY, TAKE_BACK), "Only players")
        await refused(talk.ask(SECOND, TAKE_BACK), "not played")
        assert talk.pending() is None
        await talk.ask(FIRST, TAKE_BACK)
        assert talk.pending() == PendingRequest(what=TAKE_BACK, by=FIRST, agreed=FIRST)
        await refused(talk.answer(NOBODY, yes=True), "Only players")
        await talk.answer(FIRST, yes=True)
        assert table.ply > begun, "nobody agrees with themselves"
        await talk.answer(SECOND, yes=False)
        assert talk.pending() is None
        await refused(talk.ask(FIRST, TAKE_BACK), "declined")
        assert {(one.seat, one.answer) for one in talk.answers} == {(0, ASKED), (1, NO)}
        await turn(table, SECOND)
        await talk.ask(SECOND, TAKE_BACK)
        await talk.answer(FIRST, yes=True)
        assert table.turn_of(SECOND), "Bo's turn is taken back"
        assert (0, YES) in {(one.seat, one.answer) for one in talk.answers}
        await talk.ask(FIRST, TAKE_BACK)
        await talk.answer(FIRST, yes=False)
        assert talk.pending() is None, "a request can be withdrawn"

    at_table(tmp_path, act)


def test_a_bot_need_not_agree(tmp_path: Path) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        begun = table.ply
        await turn(table, FIRST)
        await table.people.ask(FIRST, TAKE_BACK)
        assert table.ply == begun
        assert table.turn_of(FIRST)

    with_bot = (people()[0], SavedSeat(seat=1, kind=BOT, name="Sand", bot="level:1"))
    at_table(tmp_path, act, seats=with_bot)


@pytest.mark.parametrize(("options", "words"), [
    ({"takes_back": False}, "nothing is taken back"), ({"ranked": True}, "ranked"),
])
def test_some_tables_take_nothing_back(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    async def act(store: Store, table: LiveTable) -> None:
        await turn(table, FIRST)
        await refused(table.people.ask(FIRST, TAKE_BACK), words)

    at_table(tmp_path, act, **options)


def test_turns_are_taken_back_only_so_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "MAX_TAKE_BACKS", 1)

    async def act(store: Store, table: LiveTable) -> None:
        await turn(table, FIRST)
        await table.take_back(FIRST)
        await turn(table, FIRST)
        await refused(table.take_back(FIRST), "that is enough")

    at_table(tmp_path, act)


def test_after_the_game_everybody_agrees_to_play_again(tmp_path: Path) -> None:
    opened: list[str] = []

    async def act(store: Store, table: LiveTable) -> None:
        table.saved = replace(table.saved, state=FINISHED)

        async def open_rematch() -> None:
            opened.append(table.id)

        table.opens_rematch = open_rematch
        await table.people.ask(FIRST, AGAIN)
        assert not opened
        assert table.people.pending() == PendingRequest(what=AGAIN, by=FIRST, agreed=FIRST)
        await table.people.answer(SECOND, yes=True)
        assert opened == [table.id]
        table.saved = replace(table.saved, rematch="another")
        assert table.people.pending() is None

    at_table(tmp_path, act)


# --- the visitor -----------------------------------------------------------------------------------------


def with_cookie(cookie: str) -> HTTPConnection:
    headers = [(b"cookie", f"{visitor.KEY_COOKIE}={cookie}".encode())]
    return HTTPConnection({"type": "http", "headers": headers})


def test_a_cookie_counts_only_with_a_signature_of_this_server() -> None:
    old, signer = Signer("old" * 6), Signer("old" * 6, "new" * 6)
    secret = "a secret of somebody"
    good = str(old._keys.dumps(secret))
    known = signer.visitor(with_cookie(good))
    assert (known.secret, known.fresh) == (secret, False)
    assert known.key == signer.visitor(with_cookie(good)).key
    assert known.key != known.secret
    forged = str(URLSafeSerializer(["x" * 16], "visitor").dumps(secret))
    other_use = str(URLSafeSerializer(["new" * 6], "carry a seat").dumps(secret))
    no_text = str(signer._keys.dumps(["a", "list"]))
    for wrong in ("", "x", good[:-1], forged, other_use, no_text, good + "." * 400):
        found = signer.visitor(with_cookie(wrong))
        assert found.fresh, wrong
        assert found.secret != secret
        assert len(found.secret) >= 32
    assert signer.visitor(with_cookie("")).key != signer.visitor(with_cookie("")).key
    signer.use(["new" * 6])
    assert signer.visitor(with_cookie(good)).fresh, "after a secret became known, what it signed is void"


def test_other_servers_and_later_versions_read_the_same_signatures() -> None:
    """The salts are a part of what visitors keep."""
    signer = Signer("new" * 6)
    cookie = str(URLSafeSerializer(["new" * 6], "visitor").dumps("a secret"))
    assert signer.visitor(with_cookie(cookie)).secret == "a secret"
    word = str(URLSafeTimedSerializer(["new" * 6], "carry a seat").dumps(["T", 1, "m", 2]))
    assert signer.carried(word) == CarryLink(table="T", seat=1, maker="m", revocations=2)


@pytest.mark.parametrize(("wishes", "accepts", "language", "simplified"), [
    ("", "", "en", False), ("", "pl;q=0.8, cs", "cs", False), ("language=et", "pl", "et", False),
    ("language=xx", "pl", "pl", False), ("", "zh-CN", "zh_Hant", True),
    ("language=zh_Hant", "zh-CN", "zh_Hant", False),
])
def test_the_language_is_what_was_chosen_or_else_what_the_browser_asks_for(
    wishes: str, accepts: str, language: str, simplified: bool
) -> None:
    cookie = f"{visitor.WISH_COOKIE}={wishes}"
    headers = [(b"cookie", cookie.encode()), (b"accept-language", accepts.encode())]
    found = Signer("new" * 6).visitor(HTTPConnection({"type": "http", "headers": headers}))
    assert (found.language, found.simplified) == (language, simplified)


def test_a_carry_link_holds_for_a_day_and_only_as_it_was_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = Signer("old" * 6, "new" * 6)
    link = CarryLink(table="T", seat=1, maker="m", revocations=2)
    word = signer.carry(link)
    assert signer.carried(word) == link
    assert Signer("new" * 6).carried(word) == link
    for wrong in ("", word[:-1], f"x{word}", str(signer._keys.dumps(["T", 1, "m", 2])),
                  str(signer._carries.dumps(["T", 1])), str(signer._carries.dumps(5))):
        assert signer.carried(wrong) is None, wrong
    assert Signer("x" * 16).carried(word) is None
    monkeypatch.setattr(visitor, "CARRY_SECONDS", -1)
    assert signer.carried(word) is None


def test_the_key_cookie_is_hidden_from_scripts_and_stays_here() -> None:
    from starlette.responses import Response

    signer, answer = Signer("new" * 6), Response()
    page = HTTPConnection({"type": "http", "scheme": "https", "path": "/", "server": ("a.example", 443),
                           "headers": [], "query_string": b""})
    who = signer.visitor(page)
    signer.remember(page, answer, who)
    cookie = answer.headers["set-cookie"]
    wanted = {"HttpOnly", "Secure", "SameSite=lax", "Path=/", f"Max-Age={visitor.YEAR}"}
    assert wanted <= set(cookie.split("; "))
    text = cookie.partition("=")[2].partition(";")[0]
    assert signer.visitor(with_cookie(text)).key == who.key


def test_secrets_in_a_file_are_long_and_the_first_signs(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    assert visitor.former_secrets(tmp_path) == []
    file.write_text(f"{'a' * 16}\n\n  {'b' * 20}\n")
    assert visitor.read_secrets(file) == visitor.former_secrets(tmp_path) == ["b" * 20, "a" * 16]
    for short in ("", "\n", f"{'a' * 16}\n{'b' * 15}\n"):
        file.write_text(short)
        with pytest.raises(ValueError, match="at least 16"):
            visitor.read_secrets(file)
