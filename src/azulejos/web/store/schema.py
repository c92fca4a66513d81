"""The tables of the store, and the migrations of older stores."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    text,
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
    Column("nodes", Integer, nullable=False),
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
    Column("move", Text, nullable=False, server_default=""),
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
)

daily_attempts = Table(
    "daily_attempts", metadata,
    Column("day", String(10), ForeignKey("daily_deals.day"), primary_key=True),
    Column("visitor", String(64), primary_key=True),
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
    Column("version", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
)

Index("studies_by_owner", studies.c.owner, studies.c.changed)
Index("tables_by_state", tables.c.state, tables.c.changed)
Index("keys_by_key", keys.c.key)
Index("seats_by_seen", seats.c.seen)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tables (
            id VARCHAR(32) PRIMARY KEY, box VARCHAR(64) NOT NULL, players INTEGER NOT NULL,
            options TEXT NOT NULL, rules_version INTEGER NOT NULL, seed VARCHAR(64) NOT NULL,
            promise VARCHAR(64) NOT NULL, dealt_from INTEGER NOT NULL, state VARCHAR(16) NOT NULL,
            listed INTEGER NOT NULL, minutes INTEGER NOT NULL, created DOUBLE PRECISION NOT NULL,
            changed DOUBLE PRECISION NOT NULL, branch_of VARCHAR(32), rematch VARCHAR(32))""",
        """CREATE TABLE seats (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id), seat INTEGER NOT NULL,
            kind VARCHAR(8) NOT NULL, name VARCHAR(64) NOT NULL, bot VARCHAR(64) NOT NULL,
            PRIMARY KEY (table_id, seat))""",
        """CREATE TABLE keys (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id), seat INTEGER NOT NULL,
            key VARCHAR(64) NOT NULL, PRIMARY KEY (table_id, seat, key))""",
        """CREATE TABLE actions (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id), ply INTEGER NOT NULL,
            action INTEGER NOT NULL, seat INTEGER NOT NULL, at BIGINT NOT NULL,
            PRIMARY KEY (table_id, ply))""",
        "CREATE INDEX tables_by_state ON tables (state, changed)",
        "CREATE INDEX keys_by_key ON keys (key)",
    ),
    (
        "ALTER TABLE actions ADD COLUMN move TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE actions ADD COLUMN to_move INTEGER",
    ),
    (
        "ALTER TABLE tables ADD COLUMN at_zero VARCHAR(8) NOT NULL DEFAULT 'remind'",
        "ALTER TABLE tables ADD COLUMN replace_after INTEGER NOT NULL DEFAULT 180",
        "ALTER TABLE tables ADD COLUMN chat VARCHAR(8) NOT NULL DEFAULT 'phrases'",
        "ALTER TABLE tables ADD COLUMN start_position TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE seats ADD COLUMN guest VARCHAR(64) NOT NULL DEFAULT ''",
        "ALTER TABLE seats ADD COLUMN seen BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE keys ADD COLUMN guest INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE actions ADD COLUMN event VARCHAR(8) NOT NULL DEFAULT ''",
        """CREATE TABLE chat (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
            at BIGINT NOT NULL, seat INTEGER NOT NULL, name VARCHAR(64) NOT NULL,
            phrase VARCHAR(16) NOT NULL, text TEXT NOT NULL, PRIMARY KEY (table_id, number))""",
        """CREATE TABLE answers (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id), request VARCHAR(8) NOT NULL,
            entries INTEGER NOT NULL, seat INTEGER NOT NULL, answer VARCHAR(8) NOT NULL,
            PRIMARY KEY (table_id, request, entries, seat))""",
        "CREATE INDEX seats_by_seen ON seats (seen)",
    ),
    (
        """CREATE TABLE secrets (
            id INTEGER PRIMARY KEY, secret VARCHAR(64) NOT NULL, since DOUBLE PRECISION NOT NULL)""",
    ),
    (
        """CREATE TABLE reviews (
            table_id VARCHAR(32) NOT NULL REFERENCES tables (id), judge INTEGER NOT NULL,
            weights VARCHAR(16) NOT NULL, found TEXT NOT NULL, PRIMARY KEY (table_id))""",
    ),
    (
        "ALTER TABLE tables ADD COLUMN contest VARCHAR(48) NOT NULL DEFAULT ''",
        "ALTER TABLE tables ADD COLUMN ranked INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tables ADD COLUMN nodes INTEGER NOT NULL DEFAULT 0",
        """CREATE TABLE daily_deals (
            day VARCHAR(10) PRIMARY KEY, box VARCHAR(64) NOT NULL, rules_version INTEGER NOT NULL,
            seed VARCHAR(64) NOT NULL, bot VARCHAR(64) NOT NULL, nodes INTEGER NOT NULL, par INTEGER)""",
        """CREATE TABLE daily_attempts (
            day VARCHAR(10) NOT NULL REFERENCES daily_deals (day), visitor VARCHAR(64) NOT NULL,
            game VARCHAR(32) NOT NULL UNIQUE, name VARCHAR(64) NOT NULL, verdict VARCHAR(8) NOT NULL,
            margin INTEGER, points INTEGER, PRIMARY KEY (day, visitor))""",
        """CREATE TABLE duplicates (
            id VARCHAR(32) PRIMARY KEY, form VARCHAR(8) NOT NULL, first VARCHAR(32) NOT NULL,
            second VARCHAR(32) NOT NULL)""",
        "CREATE INDEX attempts_by_verdict ON daily_attempts (day, verdict, margin)",
    ),
    (
        """CREATE TABLE progress (
            key VARCHAR(64) PRIMARY KEY, changed DOUBLE PRECISION NOT NULL, document TEXT NOT NULL)""",
    ),
    (
        """CREATE TABLE studies (
            id VARCHAR(32) PRIMARY KEY, owner VARCHAR(64) NOT NULL, title VARCHAR(80) NOT NULL,
            record TEXT NOT NULL, version INTEGER NOT NULL, created DOUBLE PRECISION NOT NULL,
            changed DOUBLE PRECISION NOT NULL)""",
        "CREATE INDEX studies_by_owner ON studies (owner, changed)",
    ),
    (
        "ALTER TABLE seats ADD COLUMN revocations INTEGER NOT NULL DEFAULT 0",
    ),
)
"""Step n migrates a store from version n to version n + 1. Steps are never edited, only added."""


class TooNew(ValueError):
    """The store was written by a later version of the program."""


def migrate(connection: Connection) -> int:
    """Bring the store up to date; return the number of steps taken."""
    if connection.dialect.name == "postgresql":  # several servers may start at once
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('azulejos schema', 0))"))
    version = _version(connection)
    if version > len(MIGRATIONS):
        raise TooNew(
            f"it was written by a later version of azulejos (schema {version}; this one knows up to "
            f"{len(MIGRATIONS)}). Install that version again, or use another database"
        )
    for step in MIGRATIONS[version:]:
        for statement in step:
            connection.execute(text(statement))
    if version < len(MIGRATIONS):
        connection.execute(schema.update().values(version=len(MIGRATIONS)))
    return len(MIGRATIONS) - version


def _version(connection: Connection) -> int:
    if not inspect(connection).has_table("schema"):
        schema.create(connection)
        connection.execute(schema.insert().values(version=0))
    return int(connection.execute(schema.select()).scalar_one())
