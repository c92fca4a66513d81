"""The texts of the band and of the page title."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from azulejos.bots.preparing import preparing
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.scene import Scene
from azulejos.insight.words import AdviceWords
from azulejos.web.store.saved import HUMAN, OPEN
from azulejos.web.tables.live_table import LiveTable, Thinking
from azulejos.web.tables.people import AGAIN
from azulejos.web.wire import points
from azulejos.web.wire.messages import Band, WaitingRequest
from azulejos.web.wire.viewer import Viewer


def band(table: LiveTable, viewer: Viewer, scene: Scene, *, live: bool) -> Band:
    """What is going on, in words addressed to the viewer."""
    say = viewer.say
    headline, detail = _headline(table, viewer.seats, scene, live=live)
    notices = [*([scene.notice] if live and not table.over and scene.notice is not None else []),
               *_people(table, viewer), *_bots(table)]
    return Band(
        headline=say(headline), detail="" if detail is None else say(detail),
        notice=" ".join(map(say, notices)),
    )


def _people(table: LiveTable, viewer: Viewer) -> Iterator[Message]:
    """Who learns the game first, who plays for whom, who is away, whose time is up."""
    for name in table.people.learners.names() if not table.playing and viewer.seats else ():
        yield msg("{name} is learning the game.", name=name) if name else \
            msg("Your friend is learning the game.")
    for seat, away in zip(table.seats, table.people.away(), strict=True):
        if seat.kind != HUMAN or not table.playing:
            continue
        if seat.bot and seat.seat in viewer.own:
            yield msg("A bot plays for you.")
        elif seat.bot:
            yield msg("A bot plays for {name}.", name=seat.name)
        elif seat.guest:
            yield msg("{guest} plays for {name}.", guest=seat.guest, name=seat.name)
        elif away is not None:
            yield msg("{name} is away.", name=seat.name)
        if table.time_is_up(seat.seat) and not seat.bot:
            yield msg("The time of {name} is up.", name=seat.guest or seat.name)


def _bots(table: LiveTable) -> Iterator[Message]:
    """When bots play at full strength, while their code is being compiled."""
    playing = (seat for seat in table.seats if seat.bot and not table.over)
    ready = (preparing(table.position.game, seat.bot, raw(table.names[seat.seat])) for seat in playing)
    yield from islice((message for message in ready if message is not None), 1)


def asked(table: LiveTable, viewer: Viewer) -> WaitingRequest | None:
    """The request that waits for answers, in words addressed to the viewer."""
    pending = table.people.pending()
    if pending is None:
        return None
    own = bool(pending.by & viewer.seats)
    name = table.names[min(pending.by)]
    again = pending.what == AGAIN
    if own:
        text = msg("You have asked to play again.") if again else \
            msg("You have asked to take back your turn.")
    else:
        text = msg("{name} would like to play again.", name=name) if again else \
            msg("{name} would like to take back the last turn.", name=name)
    missing = table.people.playing() - pending.agreed
    return WaitingRequest(
        what=pending.what, text=viewer.say(text), own=own, answer=bool(missing & viewer.seats)
    )


def warned(table: LiveTable, viewer: Viewer) -> str:
    """What the coach says to the viewer; empty if there is nothing to say."""
    found = table.warned(viewer.seats)
    if found is None:
        return ""
    told = AdviceWords(found.before, table.names, found.coaching.turn.seat).coach(found.coaching)
    return " ".join(map(viewer.say, told))


def _headline(
    table: LiveTable, seats: frozenset[int], scene: Scene, *, live: bool
) -> tuple[Message, Message | None]:
    position = table.position
    free = sum(seat.kind == OPEN for seat in table.seats)
    if free:
        return nmsg("Waiting for {n} more player.", "Waiting for {n} more players.", n=free), \
            msg("Send them the link to this page.")
    if not live and table.turn_of(seats):
        return msg("It is your turn; you are looking at an earlier position."), scene.status
    if not live:
        return msg("You are looking at an earlier position."), scene.status
    outcome = position.outcome()
    if outcome is not None:
        return points.result(outcome, table.names, seats), outcome.reason
    late = table.log.lost_on_time()
    if late is not None:
        return (msg("Your time is up: you have lost.") if late in seats else
                msg("{name} has lost: the time is up.", name=table.names[late])), None
    if table.over:
        return msg("The record ends here."), scene.status
    if table.turn_of(seats):
        if table.turn_complete():
            return msg("Your turn."), msg("Confirm or undo.")
        if len(seats) > 1:
            return msg("{name}, it is your turn.", name=table.names[position.to_move]), scene.prompt
        return msg("Your turn."), scene.prompt
    if table.thinking is not None:
        return _thinking(table.thinking, table.names[table.thinking.seat])
    return scene.status, None


def _thinking(thinking: Thinking, name: str) -> tuple[Message, Message | None]:
    if thinking.waiting:
        return msg("{name} is waiting to think.", name=name), msg("Many bots are thinking at the moment.")
    short = msg("Many bots are thinking at the moment, so each of them thinks less.")
    return msg("{name} is thinking.", name=name), short if thinking.shortened else None


def title(table: LiveTable, viewer: Viewer) -> str:
    game = table.position.preset.title
    return viewer.say(msg("● Your turn – {game}", game=game) if table.turn_of(viewer.seats) else game)
