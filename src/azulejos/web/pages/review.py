"""The review of a finished game: where the result came from, which turns mattered, and why."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from azulejos.core.game import Seat
from azulejos.core.message import Message, msg, raw, signed
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.core.scene import scene_of
from azulejos.i18n import translator
from azulejos.insight import headlines, report
from azulejos.insight.headlines import TurnTold, told_turns
from azulejos.insight.results import Estimate, JudgedTurn, Line, Review
from azulejos.insight.review import finished_game
from azulejos.insight.words import sentences
from azulejos.render.symbols import symbols
from azulejos.web.base_path import root
from azulejos.web.learn.questions import can_be_asked, turn_decision
from azulejos.web.learn.script import Decision, script_of
from azulejos.web.pages.mistakes import keep_mistakes
from azulejos.web.pages.pictures import Arrow, better, played, turn_picture, turn_picture_size
from azulejos.web.pages.response import fragment, page, payer, redirect, slowly, visitor
from azulejos.web.pages.review_drawings import NARROW, WIDE, Words, graph, moment_of, rows
from azulejos.web.pages.table import asked_position, table_of, viewer_of
from azulejos.web.refused import Refused
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.table_record import record_of
from azulejos.web.wire.account import TurnPart, joined, result, steps_of
from azulejos.web.work.reviews import Reviews

OTHERS = 2
"""Turns to choose from, besides the one that was played and the better one."""
LINES = ("played", "better")


@dataclass(frozen=True, kw_only=True)
class TurnToTry:
    """A turn to choose from before the answer is shown."""

    text: str
    """Its moves as typed."""
    told: Sequence[TurnPart]
    effect: Message
    is_better: bool
    is_played: bool


@dataclass(frozen=True, kw_only=True)
class TurnCard:
    """A judged turn, as the page shows it."""

    turn: JudgedTurn
    number: int
    """Its place among the turns that mattered, or 0."""
    grade: Message
    kind: Message
    cost: Message
    interval: Message
    size: tuple[int, int]
    """Width and height of its picture."""
    told: dict[str, Sequence[TurnPart]]
    """By line: the turn as pieces and places."""
    steps: dict[str, list[str]]
    """By line: the moves to walk through."""
    headline: Sequence[Message]
    """What happened and what it cost, in one or two sentences."""
    why: Sequence[Message]
    """At most two clauses."""
    reasons: Sequence[Message]
    """All facts, with how sure each is."""
    candidates: Sequence[TurnToTry]
    """Turns to choose from, where the question cannot be asked on the table."""
    on_table: bool
    """Whether the turn can be asked on the table."""
    win: tuple[int, int] | None
    """The chance to win in percent before the turn and after it; None: not known yet."""


@dataclass(frozen=True, kw_only=True)
class Sums:
    """What a seat gave away, by turn and by round."""

    a_turn: float
    error: float
    rounds: Sequence[tuple[int, Message, int]]
    """The round, points, and the length of the bar in percent."""


def reviews_of(request: Request) -> Reviews:
    found: Reviews = request.app.state.reviews
    return found


async def finished_record(request: Request) -> tuple[LiveTable, Record]:
    table = await table_of(request)
    if not table.over or not table.position.is_over:
        raise Refused(msg("This game is not finished. Only a finished game can be reviewed."))
    return table, await slowly(request, record_of, table.whole())


async def show_review(request: Request) -> Response:
    """The page; what is known so far is in it."""
    table, body = await _body(request)
    outcome, viewer = table.position.outcome(), await viewer_of(request, table)
    assert outcome is not None
    return page(request, "review.html", table=table, body=body, names=table.names,
                result=result(outcome, table.names, frozenset(viewer.own)))


async def show_part(request: Request) -> Response:
    """What is known so far, for a page that is open."""
    _, body = await _body(request)
    return HTMLResponse(body, headers={"cache-control": "no-store"})


async def start_review(request: Request) -> Response:
    table, record = await finished_record(request)
    if await _kept(request, table, record) is None:
        await reviews_of(request).start(
            table.id, record, owner=visitor(request).key, address=payer(request).address
        )
    return redirect(request, f"t/{table.id}/review")


async def _found(request: Request, table: LiveTable, record: Record) -> Review | None:
    job = reviews_of(request).job(table.id)
    if job is not None:
        return job.review
    return await _kept(request, table, record)


async def _kept(request: Request, table: LiveTable, record: Record) -> Review | None:
    return await reviews_of(request).kept(table.id, record, apart=partial(slowly, request))


async def _body(request: Request) -> tuple[LiveTable, str]:
    table, record = await finished_record(request)
    job, found = reviews_of(request).job(table.id), await _found(request, table, record)
    viewer = await viewer_of(request, table)
    own = str(min(viewer.own, default=0))
    seat = _number(request.query_params.get("seat", own), table.position.players)
    practised = await keep_mistakes(request, table.id, found, viewer.own)
    shown = partial(_shown, table, found, seat, translator(visitor(request).language))
    return table, await slowly(
        request, shown, job=job, root=root(request), practised=practised, own=viewer.own,
        tried=request.query_params.get("tried", ""), scheme=visitor(request).wishes.scheme,
    )


def _shown(
    table: LiveTable, found: Review | None, seat: int, say: Callable[[Message], str], **values: object
) -> str:
    """Of a long game it takes some tenths of a second."""
    cards = _cards(found, seat, table.names) if found else []
    mattered = [card.turn for card in cards if card.number]
    return fragment(
        "review_body.html", say, table=table, names=table.names, seat=seat, found=found, cards=cards,
        ledger=rows(found, seat) if found and found.ledgers else [],
        deals=[report.deal_line(found, deal, seat) for deal in found.deals] if found else [],
        sums=_sums(found, seat) if found and found.ledgers else None,
        nothing=report.nothing_found(found, seat) if found and found.finished else None,
        progress=report.progress_line(found) if found else None,
        story=headlines.told(found, headlines.recap(found, Seat(seat))) if found and found.finished else [],
        graph=_graphs(found, seat, mattered, _words(say, table.names, seat)) if found else {}, LINES=LINES,
        icons=_icons(cards, table.position.preset.theme), theme=table.position.preset.theme, **values,
    )


def _graphs(review: Review, seat: int, mattered: Sequence[JudgedTurn], words: Words) -> dict[int, str]:
    """By width: the graph for a wide window and for a phone; none before there is something to draw."""
    drawn = {width: graph(review, seat, mattered, words, width=width) for width in (WIDE, NARROW)}
    return drawn if all(drawn.values()) else {}


def _icons(cards: Sequence[TurnCard], theme: str) -> str:
    """Every piece that turns name, as symbols."""
    told = [steps for card in cards for steps in card.told.values()]
    told += [one.told for card in cards for one in card.candidates]
    kinds = {piece.kind for steps in told for step in steps for piece in step.pieces}
    return symbols(theme, tuple(sorted(kinds)), (), ())


def _words(say: Callable[[Message], str], names: Sequence[str], seat: int) -> Words:
    others = [name for number, name in enumerate(names) if number != seat]
    behind = msg("{name} ahead", name=others[0]) if len(others) == 1 else msg("others ahead")
    return Words(ahead=say(msg("{name} ahead", name=names[seat])), behind=say(behind),
                 round=say(msg("Round {round}", round="{round}")))


def _sums(review: Review, seat: int) -> Sums:
    turns = [turn for turn in review.turns if turn.seat == seat]
    by_round: dict[int, float] = {}
    for turn in turns:
        by_round[turn.round] = by_round.get(turn.round, 0.0) - turn.effect[seat].value
    count, given = max(1, len(turns)), review.ledgers[seat].given
    most = max(1.0, *by_round.values())
    return Sums(
        a_turn=round(given.value / count, 1), error=round(given.error / count, 1),
        rounds=[(number, signed(-lost), round(100 * max(0.0, lost) / most))
                for number, lost in by_round.items()],
    )


def _number(text: str, count: int) -> int:
    if not text.isdecimal() or len(text) > 6 or int(text) >= count:
        raise HTTPException(404)
    return int(text)


# --- turns -----------------------------------------------------------------------------------------------


def _cards(review: Review, seat: int, names: Sequence[str]) -> list[TurnCard]:
    """The turns of a seat that were not the best: those that mattered most first, then in order."""
    game, first = finished_game(review.record), review.mattered(seat)
    others = [turn for turn in review.turns if turn.seat == seat and turn.better and turn not in first]
    told = told_turns(review, seat)
    return [_card(review, game, names, turn, number if number <= len(first) else 0, told[turn.ply])
            for number, turn in enumerate((*first, *others), start=1)]


def _card(
    review: Review, game: Position, names: Sequence[str], turn: JudgedTurn, number: int, told: TurnTold
) -> TurnCard:
    assert turn.better is not None
    before, verdict, lost = game.at(turn.ply), turn.verdict, turn.verdict.points
    moment = moment_of(review, turn.ply)
    win = moment.win[turn.seat].value if moment else None
    return TurnCard(
        turn=turn, number=number, grade=report.GRADES[turn.grade], kind=report.KINDS[verdict.kind],
        cost=signed(-lost.value),
        interval=report.interval(Estimate(-lost.value, -lost.high, -lost.low)),
        size=turn_picture_size(before, names, turn.seat),
        told={name: _told(before, line.turn, names)
              for name, line in zip(LINES, (turn.played, turn.better), strict=True)},
        steps={name: _texts(before, line.actions)
               for name, line in zip(LINES, (turn.played, turn.better), strict=True)},
        headline=told.headline, why=told.why, reasons=sentences(review, turn),
        on_table=bool(number) and can_be_asked(before),
        candidates=_candidates(before, turn, names) if number and not can_be_asked(before) else (),
        win=None if win is None else (round(100 * win), round(100 * max(0.0, win - verdict.win.value))),
    )


def _texts(position: Position, actions: Sequence[int]) -> list[str]:
    return [position.game.moves.text(action) for action in actions]


def _told(before: Position, actions: Sequence[int], names: Sequence[str]) -> tuple[TurnPart, ...]:
    """A turn as pieces and places, like the log of a table."""
    position, told = before.copy(), tuple[TurnPart, ...]()
    for action in actions:
        told += steps_of(scene_of(position, names), position, action)
        position.play(action)
    return joined(told)


def _candidates(before: Position, turn: JudgedTurn, names: Sequence[str]) -> list[TurnToTry]:
    """The turn that was played, the better one and some others, always in the same order."""
    assert turn.better is not None
    known = [turn.better.turn, turn.played.turn]
    rng = random.Random(turn.ply)
    legal = [(action,) for action in before.legal_actions() if (action,) not in known]
    chosen = known + (rng.sample(legal, min(OTHERS, len(legal))) if turn.common == 0 else [])
    rng.shuffle(chosen)
    return [
        TurnToTry(text=" ".join(_texts(before, actions)), told=_told(before, actions, names),
                  effect=before.preview(actions[0]) if len(actions) == 1 else raw(""),
                  is_better=actions == turn.better.turn, is_played=actions == turn.played.turn)
        for actions in chosen
    ]


async def judged_turn(request: Request) -> tuple[LiveTable, Review, JudgedTurn]:
    """The turn of an address, as far as it has been judged."""
    table, record = await finished_record(request)
    found = await _found(request, table, record)
    ply = _number(request.path_params["ply"], table.ply)
    turn = next((turn for turn in found.turns if turn.ply == ply), None) if found else None
    if found is None or turn is None:
        raise HTTPException(404)
    return table, found, turn


async def show_turn(request: Request) -> Response:
    """What a turn had to choose from, with an arrow for it, and one for the better turn if asked for."""
    table, _, turn = await judged_turn(request)
    arrows = [played(turn.played.turn)]
    if turn.better is not None and "better" in request.query_params:
        arrows.append(better(turn.better.turn))
    return await _drawn(request, table, table.log.at(turn.ply), arrows, seat=turn.seat)


async def show_step(request: Request) -> Response:
    """The table after some actions of a line, with an arrow for the next one."""
    table, _, turn = await judged_turn(request)
    name = request.path_params["line"]
    line = _line(turn, name)
    count = _number(request.path_params["count"], len(line.actions) + 1)
    position = table.log.at(turn.ply).after(line.actions[:count])
    arrow = played if name == LINES[0] else better
    return await _drawn(request, table, position, [arrow(line.actions[count:][:1])])


async def _drawn(
    request: Request, table: LiveTable, before: Position, arrows: Sequence[Arrow], *,
    seat: int | None = None,
) -> Response:
    say, dark = translator(visitor(request).language), "dark" in request.query_params
    shown = [arrow for arrow in arrows if arrow.actions]
    drawn = await slowly(request, turn_picture, before, table.names, shown, seat=seat, say=say, dark=dark)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


def _line(turn: JudgedTurn, name: str) -> Line:
    line = turn.played if name == LINES[0] else turn.better
    if line is None or name not in LINES:
        raise HTTPException(404)
    return line


# --- a turn as a question ----------------------------------------------------------------------------


async def show_question(request: Request) -> Response:
    table, turn, decision = await _asked(request)
    language = visitor(request).language
    say = translator(language)
    asked = await slowly(request, asked_position, decision.position, table.names, turn.seat, language)
    review = f"t/{table.id}/review?seat={turn.seat}"
    return page(
        request, "review_question.html", **asked, goal="review", safe=False, name=f"{table.id}/{turn.ply}",
        title_line=say(msg("Review")), task=say(msg("What would you play here?")),
        about=say(msg("Round {round}", round=turn.round)), right=say(msg("Yes, that is the better turn.")),
        proved="", theme="", up=f"{review}#turn-{turn.ply}",
        next=f"{review}&tried={turn.ply}#turn-{turn.ply}", table=table, ply=turn.ply,
        script=f"t/{table.id}/review/{turn.ply}/script.json",
    )


async def show_script(request: Request) -> Response:
    table, _, decision = await _asked(request)
    body = await slowly(request, _script, decision, table.names, visitor(request).language)
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _script(decision: Decision, names: list[str], language: str) -> bytes:
    return msgspec.json.encode(script_of(decision, names, language))


async def _asked(request: Request) -> tuple[LiveTable, JudgedTurn, Decision]:
    """The turn of the address; 404 if the review does not say of it that another is better."""
    table, review, turn = await judged_turn(request)
    if turn.better is None or not can_be_asked(table.position):
        raise HTTPException(404)
    decision = await slowly(request, turn_decision, table.log.at(turn.ply), turn, sentences(review, turn))
    return table, turn, decision


routes = [
    Route("/t/{id}/review", show_review),
    Route("/t/{id}/review", start_review, methods=["POST"]),
    Route("/t/{id}/review/part", show_part),
    Route("/t/{id}/review/{ply}/turn.svg", show_turn),
    Route("/t/{id}/review/{ply}/{line}/{count}.svg", show_step),
    Route("/t/{id}/review/{ply}", show_question),
    Route("/t/{id}/review/{ply}/script.json", show_script),
]
