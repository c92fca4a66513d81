"""Tells people who are away that it is their turn, if they want that, as often as one may.

Whose turn it is stands in `turns`, written in the transaction of the move. From there a task makes one
delivery for each channel (in one transaction with the mark that it did), and sends deliveries until they
arrive or are given up. A server that is killed in between sends again, with the same id: at least once.
Before each attempt it is checked whether the notice still holds, and whether its person still wants it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, text, update

from azulejos.core.message import Message, msg, nmsg
from azulejos.i18n import translator
from azulejos.web.circle import senders
from azulejos.web.circle.senders import Gone, Letter, Mail, Push, Undelivered
from azulejos.web.guard.budgets import Buckets, Pace
from azulejos.web.store import schema
from azulejos.web.store.database import OVER_SEAT
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import HUMAN, now
from azulejos.web.store.store import Store
from azulejos.web.tables.boxes import title_of

MAIL, PUSH, HOOK = "mail", "push", "hook"
TURN, OVER, LAPSE, CONFIRM = "turn", "over", "lapse", "confirm"

GRACE = 60.0
"""Seconds that a turn waits before anybody is told: whoever is at the table plays meanwhile."""
MOST_CHANNELS = 5
"""Of a person."""
AT_ONCE = 25
"""Turns in one transaction: moves wait for it, so that it takes a few milliseconds."""
BREATH = 0.2
"""Seconds between two transactions, if there is much to tell."""
SENT_AT_ONCE = 4
PAUSE = 5.0
"""Seconds between two looks for what is due."""
LEASE = 120_000
"""Milliseconds after which another server takes over a delivery that one has begun."""
WAITS = (60, 300, 1800, 7200, 43_200)
"""Seconds until the next attempt; after the last one a delivery is given up."""
MOST_FAILURES = 10
"""Deliveries in a row that were given up, after which a channel is removed."""
HOURLY = Pace(30, 30 / 3600)
"""Notices of one channel: a person has no more turns than that."""
CONFIRMATIONS = Pace(3, 3 / 86_400)
"""Mails to an address that has not said yes, whoever asks for them."""
ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}")

log = logging.getLogger("azulejos.web")

_DELIVER = text(
    "INSERT INTO deliveries (id, channel, about, table_id, entries, tries, next) "
    "VALUES (:id, :channel, :about, :table, :entries, 0, :next) ON CONFLICT DO NOTHING"
)


_SAME = (schema.turns.c.table_id == bindparam("of")) & (schema.turns.c.entries == bindparam("when"))
_FORGET = delete(schema.turns).where(_SAME)
_TOLD = update(schema.turns).where(_SAME).values(told=1)


def _turn(row: Any) -> dict[str, Any]:
    return {"of": row.table_id, "when": row.entries}


@dataclass(frozen=True, kw_only=True)
class Outside:
    """What the operator allows."""

    mail: Mail | None = None
    private: bool = False
    """Whether webhooks and push services may be in private networks."""
    grace: float = GRACE


@dataclass(frozen=True, kw_only=True, slots=True)
class Channel:
    """A way to a person. `address` is shown to nobody else."""

    id: str
    key: str
    kind: str
    address: str
    secret: str
    language: str
    site: str
    confirmed: bool

    @property
    def stop_word(self) -> str:
        """The part of an address that ends this channel, and only that."""
        return hashlib.sha256(f"stop {self.secret}".encode()).hexdigest()[:32]


class Notices:
    def __init__(self, store: Store, outside: Outside) -> None:
        self._store = store
        self.outside = outside
        self.push: Push | None = None
        """None: not installed."""
        self._news = asyncio.Event()
        self._hourly = Buckets(HOURLY)
        self._confirmations = Buckets(CONFIRMATIONS)
        self.settled = asyncio.Condition()
        """Notified after each look."""

    def wake(self) -> None:
        self._news.set()

    @property
    def kinds(self) -> list[str]:
        """The ways that this server has."""
        return [*([MAIL] if self.outside.mail else []), *([PUSH] if self.push else []), HOOK]

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        self.push = await self._push()
        task = asyncio.create_task(self._work())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _push(self) -> Push | None:
        """The key of all servers on this database; whoever comes first makes it."""
        try:
            proposed = Push.new_key()
        except ImportError:
            return None
        keep = text("INSERT INTO server_values (name, value) VALUES ('vapid', :pem) ON CONFLICT DO NOTHING")

        def act(connection: Connection) -> str:
            connection.execute(keep, {"pem": proposed})
            values = schema.server_values
            found = connection.execute(select(values.c.value).where(values.c.name == "vapid"))
            return str(found.scalar_one())

        sender = self.outside.mail.sender if self.outside.mail else "nobody@localhost"
        return Push(await self._store.database.write(act), f"mailto:{sender}")

    async def _work(self) -> None:
        while True:
            try:
                async with asyncio.timeout(PAUSE):
                    await self._news.wait()
            except TimeoutError:
                pass
            self._news.clear()
            try:
                while await self.tell_some() + await self.send_some():
                    await asyncio.sleep(BREATH)  # moves are written meanwhile
            except DatabaseFault as error:
                log.warning("notices wait for the database: %s", error)
            async with self.settled:
                self.settled.notify_all()

    # --- channels -----------------------------------------------------------------------------------

    async def channels(self, key: str) -> list[Channel]:
        columns = schema.channels.c
        found = await self._store.rows(
            select(schema.channels).where(columns.key == key).order_by(columns.made)
        )
        return [_channel(row) for row in found]

    async def channel(self, name: str) -> Channel | None:
        found = await self._store.rows(select(schema.channels).where(schema.channels.c.id == name))
        return _channel(found[0]) if found else None

    async def add(self, key: str, kind: str, address: str, *, language: str, site: str) -> Channel | None:
        """A new way to a person; None: there are enough. Mail has to be confirmed first."""
        made = Channel(
            id=secrets.token_urlsafe(12), key=key, kind=kind, address=address,
            secret=secrets.token_urlsafe(24), language=language, site=site, confirmed=kind != MAIL,
        )
        columns = schema.channels.c

        def act(connection: Connection) -> bool:
            count = connection.execute(
                select(func.count()).select_from(schema.channels).where(columns.key == key)
            ).scalar_one()
            same = connection.execute(
                select(columns.id).where(columns.key == key, columns.address == address)
            ).first()
            if count >= MOST_CHANNELS or same is not None:
                return False
            connection.execute(insert(schema.channels).values(
                id=made.id, key=key, kind=kind, address=address, secret=made.secret, language=language,
                site=site, confirmed=int(made.confirmed), failures=0, made=now() / 1000,
            ))
            if kind == MAIL:
                connection.execute(_DELIVER, _delivery(made.id, CONFIRM, None, 0))
            return True

        if kind == MAIL and not self._confirmations.of(address.lower()).take():
            return None
        added = await self._store.database.write(act)
        self.wake()
        return made if added else None

    async def confirm(self, name: str) -> None:
        columns = schema.channels.c
        change = update(schema.channels).where(columns.id == name).values(confirmed=1)
        await self._store.database.write(lambda connection: connection.execute(change))

    async def stop(self, name: str) -> None:
        """End a channel; nothing that is still to be sent is sent."""
        def act(connection: Connection) -> None:
            connection.execute(delete(schema.deliveries).where(schema.deliveries.c.channel == name))
            connection.execute(delete(schema.channels).where(schema.channels.c.id == name))

        await self._store.database.write(act)

    # --- who is to be told --------------------------------------------------------------------------

    async def tell_some(self) -> int:
        """Make deliveries of some turns of which nobody was told yet; how many turns there were."""
        turns, late = schema.turns.c, now() - round(1000 * self.outside.grace)
        due = await self._store.rows(
            select(schema.turns).where(turns.told == 0, turns.since <= late).order_by(turns.since)
            .limit(AT_ONCE)
        )
        if due:
            await self._store.database.write(lambda connection: self._tell(connection, due))
        return len(due)

    def _tell(self, connection: Connection, due: Sequence[Any]) -> None:
        made = []
        ways = _ways(connection, [row.table_id for row in due])
        for row in due:
            about = OVER if row.seat == OVER_SEAT else TURN
            for way in ways.get(row.table_id, []):
                concerned = way.seat == row.seat or about == OVER
                if concerned and not (about == TURN and self._was_there(way.seen, row.since)):
                    made.append(_delivery(way.id, about, row.table_id, row.entries))
        if made:
            connection.execute(_DELIVER, made)
        over = [_turn(row) for row in due if row.seat == OVER_SEAT]
        told = [_turn(row) for row in due if row.seat != OVER_SEAT]
        for change, rows in ((_FORGET, over), (_TOLD, told)):
            if rows:
                connection.execute(change, rows)

    def _was_there(self, seen: int, since: int) -> bool:
        """Whether a player was at the table for a while after their turn had come."""
        return self.outside.grace > 0 and seen >= since + 500 * self.outside.grace

    async def lapsed(self, table: str, seat: int, entries: int) -> None:
        """The time for a turn is over: its player is told once."""
        def act(connection: Connection) -> None:
            made = [_delivery(way.id, LAPSE, table, entries)
                    for way in _ways(connection, [table]).get(table, []) if way.seat == seat]
            if made:
                connection.execute(_DELIVER, made)

        await self._store.database.write(act)
        self.wake()

    # --- sending ------------------------------------------------------------------------------------

    async def send_some(self) -> int:
        """Try some deliveries that are due; how many."""
        columns = schema.deliveries.c
        due = await self._store.rows(
            select(schema.deliveries).where(columns.next <= now()).order_by(columns.next)
            .limit(SENT_AT_ONCE)
        )
        await asyncio.gather(*(self._deliver(row) for row in due))
        return len(due)

    async def _deliver(self, row: Any) -> None:
        if not await self._lease(row):
            return
        channel = await self.channel(row.channel)
        letter = await self._letter(channel, row) if channel else None
        if channel is None or letter is None:
            await self._settle(row.id)
            return
        if not self._hourly.of(channel.id).take():
            await self._later(row, 600, tries=row.tries)
            return
        try:
            await asyncio.to_thread(self._send, channel, letter)
        except Gone as error:
            log.warning("a channel is removed: %s", error)
            await self.stop(channel.id)
        except Undelivered as error:
            log.warning("a notice was not delivered: %s", error)
            await self._failed(row, channel)
        else:
            await self._settle(row.id, worked=channel.id)

    async def _lease(self, row: Any) -> bool:
        """Whether this server tries now; after a while another one may."""
        columns = schema.deliveries.c
        change = (
            update(schema.deliveries).where(columns.id == row.id, columns.next == row.next)
            .values(next=now() + LEASE)
        )
        done = await self._store.database.write(lambda connection: connection.execute(change).rowcount)
        return bool(done == 1)

    def _send(self, channel: Channel, letter: Letter) -> None:
        private = self.outside.private
        if channel.kind == MAIL:
            if self.outside.mail is None:
                raise Undelivered("there is no mail server")
            senders.send_mail(self.outside.mail, channel.address, letter)
        elif channel.kind == PUSH:
            if self.push is None:
                raise Undelivered("Web Push is not installed")
            self.push.send(json.loads(channel.address), letter, private=private)
        else:
            senders.send_hook(channel.address, channel.secret, letter, private=private)

    async def _settle(self, name: str, *, worked: str = "") -> None:
        def act(connection: Connection) -> None:
            connection.execute(delete(schema.deliveries).where(schema.deliveries.c.id == name))
            if worked:
                connection.execute(
                    update(schema.channels)
                    .where(schema.channels.c.id == worked, schema.channels.c.failures > 0)
                    .values(failures=0)
                )

        await self._store.database.write(act)

    async def _failed(self, row: Any, channel: Channel) -> None:
        if row.tries < len(WAITS):
            await self._later(row, WAITS[row.tries], tries=row.tries + 1)
            return
        columns = schema.channels.c

        def act(connection: Connection) -> None:
            connection.execute(delete(schema.deliveries).where(schema.deliveries.c.id == row.id))
            connection.execute(update(schema.channels).where(columns.id == channel.id)
                               .values(failures=columns.failures + 1))
            connection.execute(delete(schema.channels).where(
                columns.id == channel.id,
                or_(columns.failures >= MOST_FAILURES, columns.confirmed == 0),
            ))

        await self._store.database.write(act)

    async def _later(self, row: Any, seconds: float, *, tries: int) -> None:
        change = (
            update(schema.deliveries).where(schema.deliveries.c.id == row.id)
            .values(next=now() + round(1000 * seconds), tries=tries)
        )
        await self._store.database.write(lambda connection: connection.execute(change))

    # --- what is said -------------------------------------------------------------------------------

    async def _letter(self, channel: Channel, row: Any) -> Letter | None:
        """What a delivery says; None: it does not hold any more."""
        say = translator(channel.language)
        stop = f"{channel.site}notices/{channel.id}/{channel.stop_word}"
        if row.about == CONFIRM:
            link = f"{channel.site}notices/{channel.id}/yes/{_yes_word(channel)}"
            return Letter(
                id=row.id, about=CONFIRM, subject=say(msg("Do you want notices of your games here?")),
                text="\n\n".join((say(msg("Somebody has given this address for notices of their games. If "
                                          "that was you, open this page and say yes. If not, do nothing: "
                                          "nothing more will come.")), link)), link=link, stop=stop,
            )
        found = await self._situation(row)
        if found is None or not channel.confirmed:
            return None
        box, names, days = found
        link = f"{channel.site}t/{row.table_id}"
        subject, line = _words(row.about, title_of(box), names, days)
        return Letter(
            id=row.id, about=row.about, subject=say(subject), link=link, stop=stop,
            text="\n\n".join((say(line), link, say(msg("No more of these: {link}", link=stop)))) + "\n",
        )

    async def _situation(self, row: Any) -> tuple[str, str, int] | None:
        """Box, players and days of a table, if the notice still holds."""
        def act(connection: Connection) -> tuple[str, str, int] | None:
            tables, turns, seats = schema.tables.c, schema.turns.c, schema.seats.c
            table = connection.execute(select(tables.box, tables.days).where(tables.id == row.table_id)) \
                .one_or_none()
            entries = connection.execute(
                select(turns.entries).where(turns.table_id == row.table_id)
            ).scalar_one_or_none()
            if table is None or (row.about != OVER and entries != row.entries):
                return None
            names = connection.execute(
                select(seats.name).where(seats.table_id == row.table_id).order_by(seats.seat)
            ).scalars()
            return table.box, ", ".join(names), table.days

        return await self._store.database.read(act)


def _words(about: str, game: Message, names: str, days: int) -> tuple[Message, Message]:
    if about == TURN:
        return (
            msg("Your turn: {game}, {names}", game=game, names=names),
            nmsg("It is your turn. You have {n} day.", "It is your turn. You have {n} days.", n=days),
        )
    if about == LAPSE:
        return (
            msg("Your time was up: {game}, {names}", game=game, names=names),
            msg("The time for your turn was up. You can come back to the table at any time."),
        )
    return (
        msg("Finished: {game}, {names}", game=game, names=names),
        msg("Your game is over. See how it ended."),
    )


def _yes_word(channel: Channel) -> str:
    return hashlib.sha256(f"yes {channel.secret}".encode()).hexdigest()[:32]


def says_yes(channel: Channel, word: str) -> bool:
    return hmac.compare_digest(_yes_word(channel), word)


def says_stop(channel: Channel, word: str) -> bool:
    return hmac.compare_digest(channel.stop_word, word)


def _delivery(channel: str, about: str, table: str | None, entries: int) -> dict[str, Any]:
    """The id follows from what it is about: whoever makes it twice makes it once."""
    name = hashlib.sha256(f"{channel} {about} {table} {entries}".encode()).hexdigest()[:40]
    return {"id": name, "channel": channel, "about": about, "table": table, "entries": entries,
            "next": now()}


def _ways(connection: Connection, tables: Sequence[str]) -> dict[str, list[Any]]:
    """By table: the confirmed channels of its owners, with their seats and when these were last seen."""
    keys, channels, seats = schema.keys.c, schema.channels.c, schema.seats.c
    found = connection.execute(
        select(keys.table_id, keys.seat, channels.id, seats.seen)
        .join(schema.channels, channels.key == keys.key)
        .join(schema.seats, (seats.table_id == keys.table_id) & (seats.seat == keys.seat))
        .where(keys.table_id.in_(tables), keys.guest == 0, channels.confirmed == 1, seats.kind == HUMAN)
    ).all()
    ways: dict[str, list[Any]] = {}
    for row in found:
        ways.setdefault(row.table_id, []).append(row)
    return ways


def _channel(row: Any) -> Channel:
    return Channel(
        id=row.id, key=row.key, kind=row.kind, address=row.address, secret=row.secret,
        language=row.language, site=row.site, confirmed=bool(row.confirmed),
    )


def is_mail_address(text_: str) -> bool:
    return len(text_) <= 200 and ADDRESS.fullmatch(text_) is not None

