"""The tables of the store, and the steps that bring older stores up to date."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger, Column, Connection, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text,
    inspect, text,
)

metadata = MetaData()

schema = Table("schema", metadata, Column("version", Integer, nullable=False))

tables = Table(
    "tables", metadata,
    Column("id", String(32), primary_key=True),
    Column("box", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("promise", String(64), nullable=False),
    Column("dealt_from", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("listed", Integer, nullable=False),
    Column("minutes", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("branch_of", String(32)),
    Column("rematch", String(32)),
    Column("at_zero", String(8), nullable=False),
    Column("replace_after", Integer, nullable=False),
    Column("chat", String(8), nullable=False),
    Column("start_position", Text, nullable=False),
    Column("contest", String(48), nullable=False),
    Column("ranked", Integer, nullable=False),
    Column("mixed", Integer, nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("days", Integer, nullable=False),
    Column("takes_back", Integer, nullable=False),
    Column("helps", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("programs", Integer, nullable=False),
    Column("circle", String(32), nullable=False),
)

seats = Table(
    "seats", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(64), nullable=False),
    Column("bot", String(64), nullable=False),
    Column("guest", String(64), nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("revocations", Integer, nullable=False),
    Column("program", Integer, nullable=False),
    Column("face", String(16), nullable=False),
    Column("number", String(32), nullable=False),
)

keys = Table(
    "keys", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("guest", Integer, nullable=False),
)

actions = Table(
    "actions", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("action", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("move", Text, nullable=False),
    Column("to_move", Integer),
    Column("event", String(8), nullable=False),
)

chat = Table(
    "chat", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("phrase", String(16), nullable=False),
    Column("text", Text, nullable=False),
)

answers = Table(
    "answers", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("request", String(8), primary_key=True),
    Column("entries", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("answer", String(8), nullable=False),
)

secrets = Table(
    "secrets", metadata,
    Column("id", Integer, primary_key=True),
    Column("secret", String(64), nullable=False),
    Column("since", Float, nullable=False),
)

reviews = Table(
    "reviews", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("judge", Integer, nullable=False),
    Column("weights", String(16), nullable=False),
    Column("found", Text, nullable=False),
)

daily_deals = Table(
    "daily_deals", metadata,
    Column("day", String(10), primary_key=True),
    Column("box", String(64), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("bot", String(64), nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("par", Integer),
    Column("easy_par", Integer),
)

daily_attempts = Table(
    "daily_attempts", metadata,
    Column("day", String(10), ForeignKey("daily_deals.day"), primary_key=True),
    Column("visitor", String(64), primary_key=True),
    Column("easy", Integer, primary_key=True),
    Column("game", String(32), nullable=False, unique=True),
    Column("name", String(64), nullable=False),
    Column("verdict", String(8), nullable=False),
    Column("margin", Integer),
    Column("points", Integer),
)

duplicates = Table(
    "duplicates", metadata,
    Column("id", String(32), primary_key=True),
    Column("form", String(8), nullable=False),
    Column("first", String(32), nullable=False),
    Column("second", String(32), nullable=False),
)

deals = Table(
    "deals", metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("box", String(64), nullable=False),
    Column("options", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("numbers", Text, nullable=False),
    Column("bots", Text, nullable=False),
    Column("made", Float, nullable=False),
)

Index("attempts_by_verdict", daily_attempts.c.day, daily_attempts.c.verdict, daily_attempts.c.margin)

progress = Table(
    "progress", metadata,
    Column("key", String(64), primary_key=True),
    Column("changed", Float, nullable=False),
    Column("document", Text, nullable=False),
)

studies = Table(
    "studies", metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("title", String(80), nullable=False),
    Column("record", Text, nullable=False),
    Column("source", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
)

people = Table(
    "people", metadata,
    Column("key", String(64), primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("name", String(64), nullable=False),
    Column("face", String(16), nullable=False),
    Column("shared", Integer, nullable=False),
    Column("since", Float, nullable=False),
)

handovers = Table(
    "handovers", metadata,
    Column("code", String(64), primary_key=True),
    Column("sealed", Text, nullable=False),
    Column("until", Float, nullable=False),
)

turns = Table(
    "turns", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("told", Integer, nullable=False),
)

channels = Table(
    "channels", metadata,
    Column("id", String(32), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("address", Text, nullable=False),
    Column("secret", String(128), nullable=False),
    Column("language", String(8), nullable=False),
    Column("site", Text, nullable=False),
    Column("confirmed", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("made", Float, nullable=False),
)

deliveries = Table(
    "deliveries", metadata,
    Column("id", String(64), primary_key=True),
    Column("channel", String(32), nullable=False),
    Column("about", String(8), nullable=False),
    Column("table_id", String(32)),
    Column("entries", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next", BigInteger, nullable=False),
)

results = Table(
    "results", metadata,
    Column("game", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("bot", String(64), nullable=False),
    Column("box", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("deal", String(48), nullable=False),
)

ratings = Table(
    "ratings", metadata,
    Column("circle", String(32), primary_key=True),
    Column("box", String(64), primary_key=True),
    Column("season", String(8), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)

circles = Table(
    "circles", metadata,
    Column("id", String(32), primary_key=True),
    Column("title", String(80), nullable=False),
    Column("owner", String(64), nullable=False),
    Column("since", Float, nullable=False),
)

members = Table(
    "members", metadata,
    Column("circle", String(32), ForeignKey("circles.id"), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("since", Float, nullable=False),
)

server_values = Table(
    "server_values", metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

Index("turns_by_due", turns.c.due)
Index("turns_by_told", turns.c.told, turns.c.since)
Index("channels_by_key", channels.c.key)
Index("deliveries_by_next", deliveries.c.next)
Index("results_by_key", results.c.key, results.c.at)
Index("results_by_deal", results.c.deal)
Index("deals_by_game", deals.c.game, deals.c.seat, unique=True)
Index("members_by_key", members.c.key)
Index("studies_by_owner", studies.c.owner, studies.c.changed)
Index("tables_by_state", tables.c.state, tables.c.changed)
Index("keys_by_key", keys.c.key)
Index("seats_by_seen", seats.c.seen)

STEPS: tuple[tuple[str, ...], ...] = ()
"""Statements that bring a store from one version to the next, since version 1. Steps are never edited."""
VERSION = 1 + len(STEPS)


class TooNew(ValueError):
    """The store was written by a later version of the program."""


def prepare(connection: Connection, *, version: int = VERSION) -> None:
    """Make the tables of a new store; bring an older one up to date."""
    if connection.dialect.name == "postgresql":  # several servers may start at once
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('azulejos schema', 0))"))
    if not inspect(connection).has_table(schema.name):
        metadata.create_all(connection)
        connection.execute(schema.insert().values(version=version))
        return
    found = int(connection.execute(schema.select()).scalar_one())
    if found > version:
        raise TooNew(
            f"it was written by a later version of azulejos (schema {found}; this one knows up to "
            f"{version}). Install that version again, or use another database"
        )
    for statement in (statement for step in STEPS[found - 1:] for statement in step):
        connection.execute(text(statement))
    if found < version:
        connection.execute(schema.update().values(version=version))
