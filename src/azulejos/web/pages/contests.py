"""The daily deal, which everybody plays, and duplicate contests: their pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from markupsafe import Markup, escape
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from azulejos.bots import Level
from azulejos.bots.levels import NAMES
from azulejos.core.message import Message, msg, signed
from azulejos.core.position import Position
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say, long_date
from azulejos.render.svg import svg_to_png
from azulejos.web.base_path import root
from azulejos.web.circle.ladder import level_of
from azulejos.web.learn import duplicate
from azulejos.web.learn.daily import (
    BOT_VISITOR, NEWCOMER, OPPONENT, RANKED, REFUSALS, SEAT, DailyDeal, FirstGame, day_of,
)
from azulejos.web.learn.daily_check import Daily
from azulejos.web.learn.duplicate import AGAINST_BOT, FORMS, TEAMS, Duplicate, result_of, team_name
from azulejos.web.learn.replayed_deals import DealComparison, compared, first_of_each, replays
from azulejos.web.names import read_name
from azulejos.web.pages.pictures import ResultCard, result_card
from azulejos.web.pages.response import form, lobby, make_room, open_table, page, redirect, slowly, visitor
from azulejos.web.pages.setup import keep_name, last_choice, named, opponents, own_name
from azulejos.web.pages.table import free_seat
from azulejos.web.refused import Refused
from azulejos.web.store.saved import OPEN, TABLE_ID, Unreplayable
from azulejos.web.tables.boxes import box_of, playable, shelf, title_of
from azulejos.web.tables.fair_deal import commitment
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.visitor import Visitor
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of

# --- how the margins of many games are distributed ---------------------------------------------------


WIDTH, TOP, BASE, FOOT = 340, 34, 128, 150
MOST_BARS = 24
WIDTHS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A margin with a name, such as par."""

    margin: int
    name: str
    kind: str
    """The class of its elements."""


@dataclass(frozen=True, kw_only=True)
class MarginBar:
    """So many games have a margin from `low` to `high`."""

    low: int
    high: int
    games: int


def bars(margins: Mapping[int, int], *also: int) -> list[MarginBar]:
    """The distribution in bars of equal width, with room for further margins."""
    low, high = min(*margins, *also, 0), max(*margins, *also, 0)
    width = next((w for w in WIDTHS if high // w - low // w < MOST_BARS), WIDTHS[-1])
    starts = range(low // width * width, high + 1, width)
    return [
        MarginBar(low=start, high=start + width - 1,
            games=sum(games for margin, games in margins.items() if start <= margin < start + width))
        for start in starts
    ]


def drawing(found: list[MarginBar], marks: list[Mark]) -> Markup:
    """SVG elements; their classes give the colours."""
    step = WIDTH / len(found)
    most = max(1, *(bar.games for bar in found), 1)
    drawn = [_bar(bar, i * step, step, most, marks) for i, bar in enumerate(found)]
    drawn.append(f'<path class="axis" d="M0 {BASE}H{WIDTH}"/>')
    drawn += [_number(bar, i * step + step / 2) for i, bar in _labelled(found)]
    drawn += _names(found, marks, step)
    return Markup("".join(drawn))


def _bar(bar: MarginBar, x: float, step: float, most: int, marks: list[Mark]) -> str:
    height = (BASE - TOP) * bar.games / most
    kinds = " ".join(["bar", *(mark.kind for mark in marks if bar.low <= mark.margin <= bar.high)])
    return (f'<rect class="{kinds}" x="{x + step * 0.08:.1f}" y="{BASE - height:.1f}" '
            f'width="{step * 0.84:.1f}" height="{height:.1f}" rx="2"/>')


def _labelled(found: list[MarginBar]) -> list[tuple[int, MarginBar]]:
    """The first bar, the last one, and that of 0 if there is room for its number."""
    zero = next(i for i, bar in enumerate(found) if bar.low <= 0 <= bar.high)
    chosen = sorted({0, zero, len(found) - 1})
    apart = all(b - a >= len(found) / 8 for a, b in pairwise(chosen))
    return [(i, found[i]) for i in (chosen if apart else sorted({0, len(found) - 1}))]


def _number(bar: MarginBar, x: float) -> str:
    margin = 0 if bar.low <= 0 <= bar.high else bar.low if bar.low > 0 else bar.high
    return (f'<text class="scale" x="{min(max(x, 14), WIDTH - 14):.1f}" y="{FOOT - 4}">'
            f'{signed(margin)}</text>')


def _names(found: list[MarginBar], marks: list[Mark], step: float) -> list[str]:
    """A line from each mark to its name, one below the other."""
    drawn = []
    for row, mark in enumerate(marks):
        i = next(i for i, bar in enumerate(found) if bar.low <= mark.margin <= bar.high)
        x, y = i * step + step / 2, 12 + 15 * row
        anchor, beside = ("start", x + 5) if x < WIDTH / 2 else ("end", x - 5)
        drawn.append(f'<path class="line {mark.kind}" d="M{x:.1f} {y - 8}V{BASE}"/>')
        drawn.append(f'<text class="name {mark.kind}" x="{beside:.1f}" y="{y}" text-anchor="{anchor}">'
                     f'{escape(mark.name)}</text>')
    return drawn


SHOWN = 50
"""Lines of a ranking."""
EARLIER = 7
"""Earlier days that a page links to."""
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

UNPLAYED, PLAYING, CHECKING, MISSED = "unplayed", "playing", "checking", "missed"


@dataclass(frozen=True, kw_only=True)
class RankingLine:
    """A line of the ranking."""

    place: int
    attempt: FirstGame
    own: bool
    linked: bool
    """Whether the game may be looked at: after the deal is closed, or if it is one's own."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a visitor stands in a deal."""

    state: str
    """A verdict, or one of UNPLAYED, PLAYING, CHECKING, MISSED."""
    attempt: FirstGame | None
    place: int
    games: int

    @property
    def line(self) -> Message | None:
        """In a few words; None: nothing to say yet."""
        if self.state == RANKED:
            return msg("Your place: {place} of {n}", place=self.place, n=self.games)
        return {
            PLAYING: msg("Your game is waiting for you."), CHECKING: msg("Your game is being checked."),
        }.get(self.state)


def daily_of(request: Request) -> Daily:
    found: Daily = request.app.state.daily
    return found


# --- the page ------------------------------------------------------------------------------------------


async def show_today(request: Request) -> Response:
    return await _show(request, await daily_of(request).today())


async def show_day(request: Request) -> Response:
    return await _show(request, await _deal(request))


async def _deal(request: Request) -> DailyDeal:
    """The deal in the address; days without one, and days to come, do not exist."""
    day, daily = str(request.path_params["day"]), daily_of(request)
    today = await daily.today()
    deal = await daily.store.deal(day) if DAY.fullmatch(day) and day <= today.day else None
    kind = request.path_params.get("kind")
    if kind is not None and deal is not None:
        deal = deal.for_newcomers() if kind == "easy" else None
    if deal is None or deal.box not in playable():
        raise HTTPException(404)
    return deal


async def _show(request: Request, deal: DailyDeal) -> Response:
    daily, who = daily_of(request), visitor(request)
    today = await daily.today()
    known = await daily.store.deal(deal.day)  # par may be known by now
    deal = (known and (known.for_newcomers() if deal.easy else known)) or deal
    margins = await daily.store.margins(deal.day, easy=deal.easy)
    standing = await standing_of(request, deal, margins)
    best = await daily.store.best(deal.day, limit=SHOWN, easy=deal.easy)
    is_new = await is_newcomer(request)
    closed = daily.is_closed(deal)
    say, bounds = translator(who.language), [deal.par] if deal.par is not None else []
    found = bars(margins, *bounds) if margins else []
    return page(
        request, "daily.html", deal=deal, title=title_of(deal.box), box=box_of(deal.box),
        opponent=opponent_of(deal), par_player=NAMES[-1],
        date=long_date(date.fromisoformat(deal.day), who.language),
        is_today=deal.day == today.day, easier=deal.for_newcomers() if is_new and not closed else None,
        is_new=is_new, closed=closed, standing=standing, refusals=REFUSALS,
        lines=_lines(best, standing, margins, who, closed=closed), games=standing.games, bars=found,
        drawing=drawing(found, _marks(deal, standing, say)) if found else "",
        name=await own_name(request), promise=commitment(deal.seed),
        earlier=[(day, long_date(date.fromisoformat(day), who.language))
                 for day in await daily.store.days(before=deal.day, limit=EARLIER)],
        share_text=_share_text(request, deal, standing),
        share_link=str(request.url.replace(path=f"{root(request)}{deal.contest}", query="")),
        again=await _unranked(request, deal, standing, margins),
        can_practise=closed or standing.state in (RANKED, *REFUSALS),
    )


async def _unranked(
    request: Request, deal: DailyDeal, standing: Standing, margins: Mapping[int, int]
) -> DealComparison | None:
    """The visitor's first game without ranking, compared with all others of this deal."""
    await request.app.state.ledger.enter_some()  # a game that has just ended
    firsts = first_of_each(await replays(lobby(request).store, deal.contest))
    own = firsts.pop(visitor(request).key, None)
    if own is None:
        return None
    ranked = await daily_of(request).store.ranked(deal.day, easy=deal.easy)
    others = Counter(margins)
    others.update(game.margin for key, game in firsts.items() if key not in ranked)
    if standing.state == RANKED and standing.attempt is not None:
        others.subtract([standing.attempt.margin or 0])
    return compared(own, others)


async def show_card(request: Request) -> Response:
    """The picture that somebody shares: their own board and how they did."""
    deal = await _deal(request)
    margins = await daily_of(request).store.margins(deal.day, easy=deal.easy)
    standing = await standing_of(request, deal, margins)
    own = standing.attempt
    if own is None or own.margin is None or standing.state != RANKED:
        raise HTTPException(404)
    try:
        table = await lobby(request).table(own.game)
    except Unreplayable:
        table = None
    if table is None:
        raise HTTPException(404)
    language = visitor(request).language
    say, day = translator(language), long_date(date.fromisoformat(deal.day), language)
    card = ResultCard(
        title=f"{say(title_of(deal.box))} · {day}", margin=say(signed(own.margin)), bot=deal.bot,
        against=say(msg("points against {name}", name=opponent_of(deal).name)),
        place=say(msg("Place {place} of {n}", place=standing.place, n=standing.games)),
    )
    png = await slowly(request, _drawn, table.position.copy(), card)
    return Response(png, media_type="image/png", headers={"cache-control": "private, max-age=60"})


def _drawn(position: Position, card: ResultCard) -> bytes:
    return svg_to_png(result_card(position, SEAT, card), others=True)


def _share_text(request: Request, deal: DailyDeal, standing: Standing) -> str:
    """The margin and the place, without a word about the tiles."""
    if standing.attempt is None or standing.attempt.margin is None:
        return ""
    say = translator(visitor(request).language)
    return say(msg(
        "azulejos, {day}: {margin} against {name}, place {place} of {n}", day=deal.day,
        margin=signed(standing.attempt.margin), name=opponent_of(deal).name, place=standing.place,
        n=standing.games,
    ))


def opponent_of(deal: DailyDeal) -> Level:
    return named(deal.bot, *playable()[deal.box])


def _lines(
    best: Sequence[FirstGame], standing: Standing, margins: Mapping[int, int], who: Visitor, *, closed: bool
) -> list[RankingLine]:
    """The best games; one's own comes last if it is not among them."""
    own = standing.attempt
    shown = [*best, *([own] if own and own.verdict == RANKED and own not in best else [])]
    say = translator(who.language)
    return [
        RankingLine(
            place=place_of(attempt.margin or 0, margins), attempt=named_bot(attempt, say),
            own=attempt.visitor == who.key,
            linked=(closed or attempt.visitor == who.key) and not attempt.visitor.startswith(BOT_VISITOR),
        )
        for attempt in shown
    ]


def named_bot(attempt: FirstGame, say: Say) -> FirstGame:
    """The game of a bot with its name in a language."""
    level = level_of(attempt.visitor.removeprefix(BOT_VISITOR))
    return replace(attempt, name=say(NAMES[level - 1])) if level else attempt


def place_of(margin: int, margins: Mapping[int, int]) -> int:
    """Equal margins share a place."""
    return 1 + sum(games for other, games in margins.items() if other > margin)


def _marks(deal: DailyDeal, standing: Standing, say: Say) -> list[Mark]:
    own = standing.attempt.margin if standing.attempt and standing.state == RANKED else None
    return [
        Mark(margin=margin, name=say(name), kind=kind)
        for margin, name, kind in ((own, msg("you"), "own"), (deal.par, msg("par"), "par"))
        if margin is not None
    ]


async def standing_of(request: Request, deal: DailyDeal, margins: Mapping[int, int]) -> Standing:
    attempt = await daily_of(request).store.attempt(deal.day, visitor(request).key, easy=deal.easy)
    place = place_of(attempt.margin, margins) if attempt and attempt.margin is not None else 0
    state = await _state(request, attempt, deal)
    return Standing(state=state, attempt=attempt, place=place, games=sum(margins.values()))


async def _state(request: Request, attempt: FirstGame | None, deal: DailyDeal) -> str:
    if attempt is None:
        return UNPLAYED
    if attempt.verdict:
        return attempt.verdict
    try:
        table = await lobby(request).table(attempt.game)
    except Unreplayable:
        return CHECKING
    if table is not None and table.over:
        return CHECKING
    return MISSED if table is None or daily_of(request).is_closed(deal) else PLAYING


# --- playing -------------------------------------------------------------------------------------------


async def play(request: Request) -> Response:
    """Begin the first game, go on with it, or play the deal again without ranking."""
    deal, given = await _deal(request), await form(request)
    standing = await standing_of(request, deal, {})
    if standing.state == PLAYING:
        assert standing.attempt is not None
        return redirect(request, f"t/{standing.attempt.game}")
    if given.get("again") == "yes":
        return await _practise(request, deal, standing, given)
    await _check_first(request, deal, standing)
    saved = deal.table(name=await _name(request, given), opponent=_opponent(request, deal), ranked=True)
    daily = daily_of(request)
    make_room(request, saved)
    game = await daily.store.begin(saved, deal.day, visitor(request).key, easy=deal.easy)
    daily.wake()
    return await _to_table(request, game, given)


async def _check_first(request: Request, deal: DailyDeal, standing: Standing) -> None:
    if deal.day != (await daily_of(request).today()).day:
        raise Refused(msg("This day is over, so nobody can begin a ranked game of its deal any more. There "
                          "is a new deal today."))
    if deal.easy and not await is_newcomer(request):
        raise Refused(msg("This deal is for newcomers. You know the daily deal by now."))
    if standing.state != UNPLAYED:
        raise Refused(msg("You have already played this deal, and only the first game counts. You can play "
                          "it again without ranking."))


async def _practise(
    request: Request, deal: DailyDeal, standing: Standing, given: Mapping[str, str]
) -> Response:
    if standing.state not in (RANKED, *REFUSALS) and not daily_of(request).is_closed(deal):
        raise Refused(msg("Play your ranked game first: after a game without ranking you would know the "
                          "tiles."))
    saved = deal.table(name=await _name(request, given), opponent=_opponent(request, deal), ranked=False)
    table = await open_table(request, saved, [(SEAT, visitor(request).key)])
    return await _to_table(request, table.id, given)


async def _to_table(request: Request, game: str, given: Mapping[str, str]) -> Response:
    response = redirect(request, f"t/{game}")
    await keep_name(request, response, read_name(given.get("name", "")))
    return response


async def _name(request: Request, given: Mapping[str, str]) -> str:
    guest = translator(visitor(request).language)(msg("Guest"))
    return read_name(given.get("name", "")) or await own_name(request) or guest


def _opponent(request: Request, deal: DailyDeal) -> str:
    return translator(visitor(request).language)(opponent_of(deal).name)


# --- the card of the home page ---------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DailyCard:
    bot: str
    path: str
    line: Message
    played: bool


async def is_newcomer(request: Request) -> bool:
    """Whether somebody has played few daily deals, so that an easy one is proposed."""
    daily = daily_of(request)
    played = await daily.store.days_played(visitor(request).key, before=day_of(daily.clock()))
    return played < NEWCOMER


async def daily_card(request: Request) -> DailyCard | None:
    """Today's deal in one line; None if its game is no longer installed."""
    daily = daily_of(request)
    deal = await daily.today()
    if deal.box not in playable():
        return None
    deal = (await is_newcomer(request) and deal.for_newcomers()) or deal
    standing = await standing_of(request, deal, await daily.store.margins(deal.day, easy=deal.easy))
    cover = box_of(deal.box).cover
    same = msg("The same tiles for everybody: {game}, {n} min", game=cover.short, n=cover.minutes)
    return DailyCard(bot=deal.bot, path=deal.contest if deal.easy else "daily",
                     line=standing.line or same, played=bool(standing.line))


routes = [
    Route("/daily", show_today),
    Route("/daily/{day}", show_day),
    Route("/daily/{day}/card.png", show_card),
    Route("/daily/{day}/play", play, methods=["POST"]),
    Route("/daily/{day}/{kind}", show_day),
    Route("/daily/{day}/{kind}/card.png", show_card),
    Route("/daily/{day}/{kind}/play", play, methods=["POST"]),
]


# --- duplicate contests -------------------------------------------------------------------------------


async def show_form(request: Request) -> Response:
    last = last_choice(request)
    game, preset = playable()[last.box]
    return page(
        request, "duplicate_form.html", shelf=shelf(), chosen=last.box, name=last.names[0], FORMS=FORMS,
        bots=opponents(game, preset).usual, OPPONENT=OPPONENT,
    )


async def create(request: Request) -> Response:
    given = await form(request)
    kind, box, word = given.get("form", AGAINST_BOT), given.get("box", ""), given.get("bot", OPPONENT)
    if kind not in FORMS or box not in playable():
        raise HTTPException(404)
    game, preset = playable()[box]
    if word.partition("@")[0] not in {bot.word.partition("@")[0] for bot in opponents(game, preset).usual}:
        raise Refused(msg("There is no bot of that strength."))
    word, name = word.partition("@")[0], await _name(request, given)
    bot_name = translator(visitor(request).language)(named(word, game, preset).name)
    tables = duplicate.new_duplicate(kind, box, host=name, bot=word, bot_name=bot_name)
    make_room(request, *tables)
    made = await duplicate.create(lobby(request).store, kind, tables, visitor(request).key)
    return await _to(request, made.page, given)


async def _to(request: Request, path: str, given: Mapping[str, str]) -> Response:
    response = redirect(request, path)
    await keep_name(request, response, read_name(given.get("name", "")))
    return response


# --- one duplicate -------------------------------------------------------------------------------------


async def _found(request: Request) -> tuple[Duplicate, list[LiveTable]]:
    name = str(request.path_params["id"])
    made = await duplicate.find(lobby(request).store, name) if TABLE_ID.fullmatch(name) else None
    tables = [await lobby(request).table(table) for table in made.tables] if made else []
    present = [table for table in tables if table is not None]
    if made is None or len(present) != len(made.tables):
        raise HTTPException(404)
    return made, present


async def _own_table(request: Request, tables: list[LiveTable]) -> LiveTable | None:
    """The table at which the visitor sits."""
    store, key = lobby(request).store, visitor(request).key
    for table in tables:
        if (await store.held(table.id, key)).own:
            return table
    return None


async def show_duplicate(request: Request) -> Response:
    """Who sits where; a table of others can be looked at only when both games are over."""
    made, tables = await _found(request)
    own, found = await _own_table(request, tables), result_of(made, tables)
    saved = tables[0].saved
    return page(
        request, "duplicate.html", made=made, tables=tables, own=own, result=found, OPEN=OPEN,
        TEAMS=TEAMS, box=box_of(saved.box), title=title_of(saved.box), host=saved.seats[0].name,
        name=await own_name(request), link=str(request.url.replace(query="")),
        teams=[team_name(made, tables, team) for team in range(2)],
        free=any(free_seat(table) for table in tables), protocol=PROTOCOL,
        waiting=plan_of(own.position, visitor(request).language) if own and free_seat(own) else None,
    )


async def sit(request: Request) -> Response:
    """Take a free seat. Nobody sits twice: they would know the tiles."""
    made, tables = await _found(request)
    given = await form(request)
    if await _own_table(request, tables) is not None:
        raise Refused(msg("You already sit at one of these two tables. At the other one you would know the "
                          "tiles."))
    number, seat = given.get("table", ""), given.get("seat", "")
    if number not in ("0", "1") or seat not in ("0", "1"):
        raise HTTPException(404)
    await tables[int(number)].people.sit(
        int(seat), await _name(request, given), visitor(request).key, not_both=made.tables
    )
    return await _to(request, f"t/{made.tables[int(number)]}", given)


routes += [
    Route("/duplicate", show_form),
    Route("/duplicate", create, methods=["POST"]),
    Route("/duplicate/{id}", show_duplicate),
    Route("/duplicate/{id}/sit", sit, methods=["POST"]),
]
