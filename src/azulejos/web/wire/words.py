"""What a viewer reads at a table: the band, the seats, the result, and answers to typed questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.position import Position
from azulejos.core.scene import Panel, Piece, Scene
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.insight.words import AdviceWords
from azulejos.web.names import is_default
from azulejos.web.store.saved import BOT, HUMAN, OPEN, SavedSeat
from azulejos.web.store.store import Store
from azulejos.web.tables.live_table import LiveTable, Thinking
from azulejos.web.tables.people import AGAIN
from azulejos.web.wire.account import FREE, Counted, TableAccount, account_of, container, counted, result
from azulejos.web.wire.messages import Band, Breakdown, GameEnd, Seat, WaitingRequest
from azulejos.web.work.bots import offered

# --- who is looking ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """The seats that a person plays, and their language."""

    seats: frozenset[int]
    language: str
    own: frozenset[int] = frozenset()
    """The seats that are theirs, even if a bot or a guest plays them now."""
    chairs: tuple[SavedSeat, ...] = field(default=(), compare=False)
    """The seats of the table as they were before these were looked up: once they change, look again."""

    @property
    def say(self) -> Say:
        return translator(self.language)


async def viewer_of(store: Store, table: LiveTable, visitor: str, language: str) -> Viewer:
    chairs = table.seats
    held = await store.held(table.id, visitor)
    return Viewer(seats=held.playing, own=held.own, language=language, chairs=chairs)


# --- the band ----------------------------------------------------------------------------------------


def band(table: LiveTable, viewer: Viewer, scene: Scene, position: Position, *, live: bool) -> Band:
    """What is going on, in words addressed to the viewer."""
    say = viewer.say
    headline, detail = _headline(table, viewer.seats, scene, live=live)
    notices = [*([scene.notice] if live and not table.over and scene.notice is not None else []),
               *_people(table, viewer)]
    number = 0 if position.is_over else int(position.state.round)
    rounds = _rounds(position, number)
    return Band(
        headline=say(headline), detail="" if detail is None else say(detail),
        notice=" ".join(map(say, notices)), round=say(msg("Round {round}", round=number)) if number else "",
        rounds="" if rounds is None else say(rounds),
    )


def _rounds(position: Position, number: int) -> Message | None:
    cover = position.preset.cover
    if cover is None or not 0 < number <= cover.rounds:
        return None
    if cover.rounds_vary:
        return msg("Round {round} of about {rounds}", round=number, rounds=cover.rounds)
    return msg("Round {round} of {rounds}", round=number, rounds=cover.rounds)


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
        return msg("Your turn."), msg("You are looking at an earlier position.")
    if not live:
        return scene.status, msg("You are looking at an earlier position.")
    outcome = position.outcome()
    if outcome is not None:
        return result(outcome, table.names, seats), outcome.reason
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


# --- who sits there, and how it ended ----------------------------------------------------------------


def seats(table: LiveTable, viewer: Viewer) -> list[Seat]:
    strengths = {bot.word: bot.strength for bot in offered(table.position.game)}
    say = viewer.say
    return [
        Seat(
            name=say(_called(seat, viewer)), kind=seat.kind,
            role=say(_role(seat, own=seat.seat in viewer.seats)), bot=seat.bot,
            strength=say(strengths[seat.bot]) if seat.bot in strengths else "",
            own=seat.seat in viewer.seats, back=bool(seat.bot or seat.guest) and seat.seat in viewer.own,
            face="" if seat.bot or seat.guest else seat.face,
        )
        for seat in table.seats
    ]


def _called(seat: SavedSeat, viewer: Viewer) -> Message:
    """The name of who plays there; "You" for somebody alone at a screen who gave none."""
    if seat.kind == OPEN:
        return FREE
    if viewer.seats == {seat.seat} and not seat.guest and is_default(seat.name, seat.seat):
        return msg("You")
    return raw(seat.guest or seat.name)


def _role(seat: SavedSeat, *, own: bool) -> Message:
    if seat.kind == OPEN:
        return msg("waiting")
    if seat.kind == BOT:
        return msg("bot")
    if seat.bot:
        return msg("a bot plays for them")
    if seat.guest:
        return msg("plays for {name}", name=seat.name)
    if seat.program:
        return msg("a program")
    return msg("you") if own else msg("player")


def ending(table: LiveTable, breakdown: Breakdown) -> GameEnd:
    rematch = f"t/{table.saved.rematch}" if table.saved.rematch else ""
    outcome = table.position.outcome()
    winners = [] if outcome is None else [int(seat) for seat in outcome.winners]
    seed = table.saved.seed if table.saved.shows_seed else ""
    return GameEnd(
        seed=seed, numbers=list(table.log.numbers), rematch=rematch, breakdown=breakdown, winners=winners
    )


# --- typed questions: l last move, f offer, b my board, o2 opponent 2, s scores ----------------------


def answer_in_words(table: LiveTable, seats: frozenset[int], question: str) -> list[Message] | None:
    """The answer to a typed question; None if the text is not a question."""
    word = question.strip().lower()
    account = account_of(table)
    scene = account.scene(table.seen_by(seats))
    own = min(seats, default=0)
    if word == "l":
        return _last_move(table, account)
    if word == "f":
        return [line for panel in scene.panels if panel.seat is None for line in _panel(scene, panel)]
    if word == "b":
        return _board(scene, own)
    if word == "s":
        return _scores(table)
    if word in _opponents(table, own):
        return _board(scene, _opponents(table, own)[word])
    return None


def _opponents(table: LiveTable, own: int) -> dict[str, int]:
    players = table.saved.players
    found = {f"o{i}": (own + i) % players for i in range(1, players)}
    return {**found, "o": (own + 1) % players}


def _last_move(table: LiveTable, account: TableAccount) -> list[Message]:
    decisions = table.log.decisions
    if not decisions:
        return [msg("Nothing has been played yet.")]
    turn = account.turn(decisions[-1])
    parts = [part for step in turn.steps for part in (*map(_counted, step.pieces), step.name)]
    name = table.names[turn.seat]
    return [msg("{name} played {move}: {places}.", name=name, move=turn.text, places=_listed(parts))]


def _scores(table: LiveTable) -> list[Message]:
    return [
        msg("{name}: {points}", name=name, points=points)
        for name, points in zip(table.names, table.position.scores, strict=True)
    ]


def _board(scene: Scene, seat: int) -> list[Message]:
    panel = next((panel for panel in scene.panels if panel.seat == seat), None)
    return [] if panel is None else _panel(scene, panel)


def _panel(scene: Scene, panel: Panel) -> list[Message]:
    """Each place that is not empty: its name and its contents."""
    found: dict[str, tuple[Message, list[Piece]]] = {}
    slots = scene.slots()
    for piece in panel.pieces:
        around = container(scene, slots[piece.slot])
        found.setdefault(around.id, (around.name, []))[1].append(piece)
    lines = [msg("{place}: {what}", place=name, what=_pieces(pieces)) for name, pieces in found.values()]
    return [msg("{title}.", title=panel.title), *(lines or [msg("There is nothing there.")])]


def _pieces(pieces: list[Piece]) -> Message:
    return _listed([_counted(one) for one in counted(pieces)])


def _counted(pieces: Counted) -> Message:
    return msg("{count} {piece}", count=pieces.number, piece=pieces.name)


def _listed(parts: list[Message]) -> Message:
    said = raw("")
    for part in parts:
        said = msg("{first}, {second}", first=said, second=part) if str(said) else part
    return said
