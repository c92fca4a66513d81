"""Frames: what one page shows, moment by moment. A frame contains only what the page does not show yet."""

from __future__ import annotations

import asyncio
import bisect
from dataclasses import dataclass

from azulejos.core.message import msg, nmsg
from azulejos.core.position import Position
from azulejos.core.scene import Scene
from azulejos.web.store.saved import SavedSeat, now
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire import messages, words
from azulejos.web.wire.account import Turn, account_of, breakdown, keep, score_sentences, scoring
from azulejos.web.wire.choices import foreseen, offer
from azulejos.web.wire.messages import Effect, Frame, News
from azulejos.web.wire.plan import PagePlan, changes, plan_of
from azulejos.web.wire.words import Viewer, ending, seats

LOG_TURNS = 40
"""Number of decisions of the log in a whole frame."""
AT_ONCE = 8
"""Turns of the log that are described before others have their turn: 4 ms."""
KEPT_FRAMES = 16
"""Cached frames per table, for spectators in several languages."""
SCORED = msg("The points are counted.")
MAX_FRAMES = 8
"""Moments shown one after the other; a page that was away longer skips to the last ones."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A position as a viewer sees it."""

    position: Position
    scene: Scene
    live: bool
    """The present, or a moment on the way to it."""
    passing: bool
    """A moment on the way to the present."""
    mine: bool
    complete: bool
    """The viewer's turn is complete but not confirmed."""
    over: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class PageState:
    """What the page already shows."""

    scene: Scene
    ply: int
    decisions: int
    """How many decisions of the log."""
    scorings: int
    seats: tuple[SavedSeat, ...]
    rematch: str | None
    over: bool
    branches: int
    """How often something was taken back."""


class Showing:
    """What one page shows of a table; makes the frames that update it."""

    def __init__(self, table: LiveTable, viewer: Viewer) -> None:
        self.viewer = viewer
        self.plan: PagePlan = plan_of(table.position, viewer.language)
        self._shown: PageState | None = None

    def next(self, table: LiveTable, looking: int | None = None) -> tuple[bytes, bool]:
        """The frame of the next moment (or of that after `looking` actions), and whether it is the last.

        All spectators see the same, so a frame made for one of them is cached for the others. After a
        take-back the page begins anew.
        """
        if self._shown is not None and self._shown.branches != len(table.log.branches):
            self._shown = None
        if self.viewer.seats or looking is not None:
            return self._next(table, looking)
        kept, key = account_of(table).frames, (self.viewer.language, table.version, self._shown)
        if key not in kept:
            made = self._next(table, None)
            keep(kept, key, (*made, self._shown), KEPT_FRAMES)
        frame, last, self._shown = kept[key]
        return frame, last

    def _next(self, table: LiveTable, looking: int | None) -> tuple[bytes, bool]:
        held = self._unscored(table) if looking is None else None
        if held is not None:
            return messages.write(self._frame(table, held)), False
        missed = self._missed(table) if looking is None else []
        moment = self._moment(table, missed[0] if missed else looking, passing=bool(missed))
        return messages.write(self._frame(table, moment)), not missed

    def _unscored(self, table: LiveTable) -> Moment | None:
        """The moment before a round is scored, unless the page shows it: the last pieces of the round lie
        where they were placed."""
        ahead = table.log.stops_after(self._shown.ply) if self._shown else []
        if not ahead or len(ahead) > MAX_FRAMES:
            return None
        position = account_of(table).unscored(ahead[0])
        scene = account_of(table).scene(position) if position else None
        if position is None or scene is None or self._shown is None or scene.lies == self._shown.scene.lies:
            return None
        return Moment(
            position=position, scene=scene, live=True, passing=True, mine=False, complete=False, over=False
        )

    def _missed(self, table: LiveTable) -> list[int]:
        if self._shown is None:
            return []
        return table.log.stops_after(self._shown.ply)[:-1][-MAX_FRAMES:]

    def _moment(self, table: LiveTable, ply: int | None, *, passing: bool) -> Moment:
        own = self.viewer.seats
        live = ply is None or ply >= table.ply
        position = table.seen_by(own) if live else table.log.at(ply or 0)
        mine = live and table.turn_of(own)
        return Moment(
            position=position, scene=account_of(table).scene(position), live=live or passing,
            passing=passing, mine=mine, complete=mine and table.turn_complete(),
            over=table.over and not passing,
        )

    def _frame(self, table: LiveTable, moment: Moment) -> Frame:
        position, scene, say = moment.position, moment.scene, self.viewer.say
        news, told = self._news(table, moment)
        return Frame(
            news=news,
            ply=table.ply + len(table.draft) if moment.mine else position.ply,
            seen=position.ply, course=table.log.course,
            to_move=table.position.to_move if moment.mine else scene.to_move,
            title=words.title(table, self.viewer),
            band=messages.Band(headline=say(SCORED if told else scene.status)) if moment.passing
            else words.band(table, self.viewer, scene, position, live=moment.live),
            walk=_walk(table, position.ply), moved=[] if moment.live else self._moved(table, moment),
            live=moment.live, more=moment.passing, mine=moment.mine, over=moment.over,
            confirm=moment.complete, undo=moment.mine and bool(table.draft),
            foreseen=self._foreseen(table) if moment.complete else None,
            told=told,
            offer=offer(self.plan, scene, position) if moment.mine and not moment.complete else None,
            thinking=_thinking(table) if moment.live and not moment.passing else None,
            clocks=_clocks(table),
            away=_away(table),
            called=not moment.live and table.turn_of(self.viewer.seats),
            can_take_back=moment.live and table.can_take_back(self.viewer.seats),
            asked=words.asked(table, self.viewer),
            hints=moment.mine and not table.draft and table.helped_seat in self.viewer.seats,
            warned=words.warned(table, self.viewer) if moment.live else "",
        )

    def _moved(self, table: LiveTable, moment: Moment) -> list[int]:
        """The places that the turn before an earlier moment changed; nothing after a deal."""
        before = _walk(table, moment.position.ply).back
        scene = None if before is None else account_of(table).scene(table.log.at(before))
        if scene is None or scene.to_move < 0:
            return []
        return list(changes(self.plan, scene, moment.scene).lies)

    def _foreseen(self, table: LiveTable) -> Effect | None:
        """What the last step of the turn does that the viewer chose: others follow from the rules."""
        for count in reversed(range(len(table.draft))):
            before = table.position.after(table.draft[:count])
            scene = account_of(table).scene(before)
            if scene.path(table.draft[count]):
                return foreseen(self.plan, scene, before, table.draft[count])
        return None

    # --- what the page does not show yet -----------------------------------------------------------

    def _news(self, table: LiveTable, moment: Moment) -> tuple[News, list[str]]:
        """What differs from what the page shows, and sentences about the points scored since."""
        shown, account = self._shown, account_of(table)
        new = self._shown = self._after(table, moment)
        changed = changes(self.plan, shown.scene if shown else None, moment.scene)
        scorings = account.scorings(moment.position, shown.scorings if shown else 0)
        decisions = table.log.decisions
        known = shown.decisions if shown else max(0, len(decisions) - LOG_TURNS)
        news = News(
            whole=shown is None, lies=changed.lies, places=changed.places, labels=changed.labels,
            seats=seats(table, self.viewer) if shown is None or shown.seats != new.seats else [],
            log=[self._turn(table, turn) for turn in account.turns(decisions[known : new.decisions])],
            earlier=self._earlier(known) if shown is None else "",
            scored=[scoring(self.plan, table.position.game, one) for one in scorings],
            branches=_branches(table) if shown is None else [],
        )
        if moment.over and (shown is None or (shown.over, shown.rematch) != (True, new.rematch)):
            everything = account.scorings(table.position)
            news.ending = ending(table, breakdown(self.plan, everything, table.log.at(0).scores))
        return news, self._told(table, shown, moment.position)

    def _told(self, table: LiveTable, shown: PageState | None, position: Position) -> list[str]:
        """The points scored since the previous moment, in words."""
        if shown is None:
            return []
        account = account_of(table)
        scorings = account.scorings(position, account.saved_scorings(min(shown.ply, table.ply)))
        rising = [one for one in scorings if one.ply >= shown.ply]
        return [self.viewer.say(one) for one in score_sentences(rising, table.names)]

    def _after(self, table: LiveTable, moment: Moment) -> PageState:
        """What the page shows once it has received the frame of a moment."""
        was, ply = self._shown, moment.position.ply
        decisions = table.log.decisions_before(ply) if moment.passing else len(table.log.decisions)
        saved = account_of(table).saved_scorings(min(ply, table.ply))
        return PageState(
            scene=moment.scene, ply=ply, decisions=max(decisions, was.decisions if was else 0),
            scorings=max(saved, was.scorings if was else 0), seats=table.seats,
            rematch=table.saved.rematch, over=moment.over, branches=len(table.log.branches),
        )

    async def whole_log(self, table: LiveTable) -> messages.Moves:
        """A few turns at a time, because all of a long game take 60 ms. Begins again after a take-back."""
        log, branches = table.log, len(table.log.branches)
        found: dict[int, messages.LogTurn] = {}
        for number, ply in enumerate(tuple(log.decisions)):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
                if table.log is not log or len(log.branches) != branches:
                    return await self.whole_log(table)
            turn = account_of(table).turn(ply)
            found[turn.first] = self._turn(table, turn)
        return messages.Moves(log=list(found.values()))

    def _turn(self, table: LiveTable, turn: Turn) -> messages.LogTurn:
        say, kinds = self.viewer.say, self.plan.kinds
        return messages.LogTurn(
            first=turn.first, ply=turn.ply, seat=turn.seat, move=turn.text,
            stop=bisect.bisect_left(table.log.stops, turn.ply + 1),
            steps=[
                messages.LogStep(pieces=[(kinds[one.kind], one.number) for one in step.pieces],
                              name=say(step.name))
                for step in turn.steps
            ],
            points=[term.points for term in turn.scored if term.seat == turn.seat],
            searched=self._searched(table, turn.ply),
        )

    def _searched(self, table: LiveTable, ply: int) -> str:
        thought = table.last_search
        if thought is None or thought[0] != ply or thought[1] < 2:
            return ""
        return self.viewer.say(
            nmsg("({n} position searched)", "({n} positions searched)", n=thought[1])
        )

    def _earlier(self, moves: int) -> str:
        if not moves:
            return ""
        return self.viewer.say(nmsg("and {n} earlier move", "and {n} earlier moves", n=moves))

def _thinking(table: LiveTable) -> messages.BotThinking | None:
    if table.thinking is None or table.thinking.waiting:
        return None
    thinking = table.thinking
    budget = round(thinking.seconds * 1000)
    return messages.BotThinking(seat=thinking.seat, elapsed=now() - thinking.since, budget=budget)


def _clocks(table: LiveTable) -> list[int]:
    """Milliseconds left to each seat; empty without clocks."""
    if table.saved.days:
        left = table.seconds_left()
        whole = table.saved.days * 24 * 3_600_000
        return [
            max(0, round(1000 * left)) if left is not None and seat == table.position.to_move else whole
            for seat in range(table.saved.players)
        ]
    if not table.saved.minutes:
        return []
    return [max(0, table.saved.minutes * 60_000 - used) for used in table.used(table.log.now())]


def _away(table: LiveTable) -> list[int | None]:
    """Since when each seat is away; empty if nobody is."""
    away = table.people.away()
    return away if any(since is not None for since in away) else []


def _walk(table: LiveTable, ply: int) -> messages.Walk:
    """The position of a ply among the moments of the game."""
    stops = table.log.stops
    index = bisect.bisect_right(stops, ply) - 1
    return messages.Walk(
        index=index, last=len(stops) - 1,
        back=stops[index - 1] if index else None,
        on=stops[index + 1] if index + 1 < len(stops) else None, deals=table.log.deals,
    )


def _branches(table: LiveTable) -> list[messages.TakenBack]:
    return [
        messages.TakenBack(number=number, ply=line.ply, moves=" ".join(
            entry.move for entry in line.entries[line.ply :] if entry.seat >= 0
        ))
        for number, line in enumerate(table.log.branches)
    ]
