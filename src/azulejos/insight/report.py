"""A review as JSON, for programs, and as text, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from azulejos.core.game import Game
from azulejos.core.message import Argument, Message, msg, nmsg, raw, signed
from azulejos.core.tell import Fact
from azulejos.insight.results import (
    Balance, Deal, Estimate, Grade, JudgedTurn, Kind, Line, Reason, Review, Statement, Story,
)

DOUBTFUL = 6.0
"""Points that the judge could not foresee from which on a ledger is to be read with care."""

GRADES = {
    Grade.EQUAL: msg("equal for our judge"), Grade.SLIP: msg("slip"), Grade.MISTAKE: msg("mistake"),
    Grade.BLUNDER: msg("blunder"),
}
KINDS = {
    Kind.EXACT: msg("exact"), Kind.PROVED: msg("proved round"), Kind.ESTIMATE: msg("estimate"),
}


def as_json(review: Review) -> dict[str, Any]:
    """Everything but the record, as plain data. Moves are texts, numbers are rounded."""
    game = review.record.start.game
    return {
        "judge": review.judge, "weights": review.weights, "calibrated": review.calibrated,
        "judged": review.judged, "stretches": review.stretches, "finished": review.finished,
        "ledgers": [_ledger(ledger) for ledger in review.ledgers],
        "deals": [
            {"ply": deal.ply, "end": deal.end, "round": deal.round,
             "luck": [_number(luck, 2) for luck in deal.luck],
             "correction": [round(points, 2) for points in deal.correction],
             "stories": [_story(story) for story in deal.stories]}
            for deal in review.deals
        ],
        "moments": [
            {"ply": moment.ply, "round": moment.round, "seat": moment.seat, "kind": moment.kind.value,
             "margin": [_number(margin, 2) for margin in moment.margin],
             "win": [_number(win, 4) for win in moment.win]}
            for moment in review.moments
        ],
        "turns": [_turn(game, turn) for turn in review.turns],
        "helped": [list(review.helped(seat)) for seat in range(len(review.record.seats))],
    }


def _story(story: Story | None) -> dict[str, Any] | None:
    if story is None:
        return None
    brought = story.brought
    return {"kind": brought.kind, "pieces": brought.pieces, "average": brought.average,
            "room": list(brought.room), "other": story.other}


def _ledger(ledger: Balance) -> dict[str, Any]:
    """The rounded terms still add up: what rounding leaves goes to `unforeseen`."""
    terms = {name: _number(getattr(ledger, name), 2) for name in ("start", "luck", "received", "given")}
    value = {name: number["value"] for name, number in terms.items()}
    foreseen = value["start"] + value["luck"] + value["received"] - value["given"]
    return {"seat": ledger.seat, **terms, "unforeseen": round(ledger.result - foreseen, 2),
            "result": ledger.result}


def _turn(game: Game, turn: JudgedTurn) -> dict[str, Any]:
    verdict = turn.verdict
    return {
        "ply": turn.ply, "round": turn.round, "seat": turn.seat, "choices": turn.choices,
        "grade": turn.grade.value, "kind": verdict.kind.value, "points": _number(verdict.points, 2),
        "win": _number(verdict.win, 4), "played": _line(game, turn.played),
        "better": None if turn.better is None else _line(game, turn.better), "common": turn.common,
        "effect": [_number(points, 2) for points in turn.effect],
        "reasons": [_reason(game, reason) for reason in turn.reasons],
    }


def _reason(game: Game, reason: Reason) -> dict[str, Any]:
    played, better = ([game.moves.text(action) for action in line] for line in reason.lines)
    return {
        "share": round(reason.share, 2), "played": _said(reason.played), "better": _said(reason.better),
        "gift": None if reason.gift is None else _fact(reason.gift),
        "lines": {"played": played, "better": better},
    }


def _said(said: Statement) -> dict[str, Any]:
    return {"mood": said.mood.value, **_fact(said.fact)}


def _fact(fact: Fact) -> dict[str, Any]:
    return {"name": fact.name, "seat": fact.seat, "place": fact.place, "numbers": list(fact.numbers)}


def _line(game: Game, line: Line) -> dict[str, list[str]]:
    return {"turn": [game.moves.text(action) for action in line.turn],
            "rest": [game.moves.text(action) for action in line.rest]}


def _number(estimate: Estimate, digits: int) -> dict[str, float]:
    return {name: round(getattr(estimate, name), digits) for name in ("value", "low", "high")}


# --- text ----------------------------------------------------------------------------------------------


def ledger_lines(review: Review, seat: int) -> Iterator[tuple[Message, Message, Message]]:
    """The rows of a seat's ledger: what, how many points, and how sure."""
    ledger = review.ledgers[seat]
    given = Estimate(-ledger.given.value, -ledger.given.high, -ledger.given.low)
    others = msg("What the other gave away") if len(review.ledgers) == 2 else msg("What others gave away")
    yield msg("Start"), signed(ledger.start.value), interval(ledger.start)
    yield msg("Luck of the deals"), signed(ledger.luck.value), interval(ledger.luck)
    yield others, signed(ledger.received.value), interval(ledger.received)
    yield msg("What you gave away"), signed(given.value), interval(given)
    yield msg("Unforeseen"), signed(ledger.unforeseen), _care(ledger)
    yield msg("Result"), signed(ledger.result), raw("")


def ledger_comments(review: Review, seat: int) -> list[Message]:
    """A fact for each row of the ledger, or nothing."""
    return [raw(""), _luck_comment(review, seat), _received_comment(review, seat),
            _given_comment(review, seat), _unforeseen_comment(review.ledgers[seat]),
            _result_comment(review.ledgers[seat])]


def _luck_comment(review: Review, seat: int) -> Message:
    deal = luckiest(review, seat)
    return (deal_story(review, deal, seat) if deal else None) or raw("")


def _received_comment(review: Review, seat: int) -> Message:
    """The round in which others gave away most, if that is more than half of it."""
    by_round: dict[int, float] = {}
    for turn in review.turns:
        if turn.seat != seat:
            by_round[turn.round] = by_round.get(turn.round, 0.0) + turn.effect[seat].value
    most = max(by_round, key=lambda number: by_round[number], default=0)
    if not by_round or by_round[most] < max(1.0, review.ledgers[seat].received.value / 2):
        return raw("")
    return msg("Most of it in round {round}.", round=most)


def _given_comment(review: Review, seat: int) -> Message:
    first = review.mattered(seat)
    if not first:
        return nothing_found(review, seat) or raw("")
    points = round(sum(turn.verdict.points.value for turn in first), 1)
    return nmsg("{n} turn makes up {points} of it.",
                "{n} turns make up {points} of it.", n=len(first), points=points)


def _unforeseen_comment(ledger: Balance) -> Message:
    care = _care(ledger)
    return care if care.text != raw("").text else msg("What the judge could not see in advance.")


def _result_comment(ledger: Balance) -> Message:
    adjusted = round(ledger.adjusted.value, 1)
    if adjusted < 0:
        return msg("With average deals: {points} points behind", points=-adjusted)
    return msg("With average deals: {points} points ahead", points=adjusted)


def deal_line(review: Review, deal: Deal, seat: int) -> Message:
    """The luck of a deal, with its story if there is one."""
    luck = deal.luck[seat]
    story = deal_story(review, deal, seat) or msg("Round {round}:", round=deal.round)
    return msg("{story} {points} points ({interval})", story=story, points=signed(luck.value),
               interval=interval(luck))


def deal_story(review: Review, deal: Deal, seat: int) -> Message | None:
    """The story of a deal for a seat, if there is one."""
    start = review.record.start
    story, tell = deal.stories[seat] if deal.stories else None, start.game.tell
    if story is None or tell is None or tell.tell_deal is None:
        return None
    name = review.record.seats[story.other].name
    sentence = tell.tell_deal(story.brought, deal.round, (seat, story.other), name)
    return sentence.renamed(start.preset.names)


def luckiest(review: Review, seat: int) -> Deal | None:
    """The deal with a story whose luck, good or bad, was the largest for a seat."""
    told = [deal for deal in review.deals if deal.stories and deal.stories[seat] is not None]
    return max(told, key=lambda deal: abs(deal.luck[seat].value), default=None)


def _care(ledger: Balance) -> Message:
    if abs(ledger.unforeseen) <= DOUBTFUL:
        return raw("")
    return msg("We could not foresee much of this game; read the rest with care.")


def turn_line(review: Review, turn: JudgedTurn) -> Message:
    """A turn in one line: who, what, what would have been better, and what it cost."""
    moves, verdict = review.record.start.game.moves, turn.verdict
    told: dict[str, Argument] = {
        "round": turn.round, "name": review.record.seats[turn.seat].name,
        "played": _moves(moves, turn.played), "grade": GRADES[turn.grade], "kind": KINDS[verdict.kind],
        "points": round(verdict.points.value, 1), "interval": interval(verdict.points),
        "win": round(100 * verdict.win.value),
    }
    if turn.better is None:
        return msg("Round {round}, {name}: {played}. Nothing better was found.",
                   round=turn.round, name=told["name"], played=told["played"])
    return msg("Round {round}, {name}: {played}. Better: {better}. {grade}: {points} points ({interval}), "
               "{win} % of the win; {kind}.", better=_moves(moves, turn.better), **told)


def nothing_found(review: Review, seat: int) -> Message | None:
    """What to say to a seat whose turns are all equal to the best for the judge."""
    if review.mattered(seat):
        return None
    return msg("No turn cost you more than our judge can be sure of. Well played.")


def helped_line(review: Review, seat: int) -> Message | None:
    """How many turns of a seat were played with help."""
    count = len(review.helped(seat))
    if not count:
        return None
    return nmsg("{n} turn was played with a hint or after a word of the coach.",
                "{n} turns were played with a hint or after a word of the coach.", n=count)


def progress_line(review: Review) -> Message:
    return nmsg("{judged} of {n} part of the game judged", "{judged} of {n} parts of the game judged",
                n=review.stretches, judged=review.judged)


def _moves(moves: Any, line: Line) -> str:
    return " ".join(moves.text(action) for action in line.turn)


def interval(estimate: Estimate) -> Message:
    if estimate.low == estimate.high:
        return raw("")
    return msg("{low} to {high}", low=signed(estimate.low), high=signed(estimate.high))
