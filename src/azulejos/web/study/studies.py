"""Studies in the database: a record each, under a name, changed by its owner alone."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from azulejos.core.message import msg
from azulejos.core.record import Record
from azulejos.web.study.line_tree import LineTree, tree_of
from azulejos.web.tables import schema
from azulejos.web.tables.refused import Refused
from azulejos.web.tables.saved import new_id, now
from azulejos.web.tables.store import Store

MOST_STUDIES = 100
"""Of one visitor; the one that was not changed for longest makes room for a new one."""
LONGEST_RECORD = 400_000
"""Characters."""
MAX_TITLE = 80


@dataclass(kw_only=True, eq=False)
class Study:
    id: str
    owner: str
    title: str
    tree: LineTree
    version: int


class Studies:
    """Opens and keeps studies."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def create(self, owner: str, title: str, tree: LineTree) -> str:
        text, id_, moment = written(tree), new_id(), now() / 1000
        columns = schema.studies.c

        def act(connection: Connection) -> None:
            own = select(columns.id).where(columns.owner == owner).order_by(columns.changed.desc())
            old = [row.id for row in connection.execute(own.offset(MOST_STUDIES - 1))]
            connection.execute(delete(schema.studies).where(columns.id.in_(old)))
            connection.execute(insert(schema.studies).values(
                id=id_, owner=owner, title=title[:MAX_TITLE], record=text, version=1, created=moment,
                changed=moment,
            ))

        await self._store.database.write(act)
        return id_

    async def load(self, id_: str) -> Study | None:
        rows = await self._store.rows(select(schema.studies).where(schema.studies.c.id == id_))
        if not rows:
            return None
        row = rows[0]
        return Study(id=row.id, owner=row.owner, title=row.title, tree=tree_of(Record.read(row.record)),
                     version=row.version)

    async def save(self, study: Study) -> None:
        """Keep what was changed, unless somebody else has changed the study since it was loaded."""
        text, columns = written(study.tree), schema.studies.c

        def act(connection: Connection) -> int:
            return connection.execute(
                update(schema.studies)
                .where(columns.id == study.id, columns.version == study.version)
                .values(record=text, title=study.title, version=study.version + 1, changed=now() / 1000)
            ).rowcount

        if not await self._store.database.write(act):
            raise Refused(msg("This study was changed in another window. Load this page again."))
        study.version += 1

    async def remove(self, id_: str, owner: str) -> None:
        columns = schema.studies.c
        await self._store.database.write(lambda connection: connection.execute(
            delete(schema.studies).where(columns.id == id_, columns.owner == owner)
        ))

    async def of(self, owner: str) -> list[tuple[str, str, float]]:
        """The studies of a visitor: name, title and time of the last change, newest first."""
        columns = schema.studies.c
        query = select(columns.id, columns.title, columns.changed).where(columns.owner == owner)
        rows = await self._store.rows(query.order_by(columns.changed.desc()).limit(MOST_STUDIES))
        return [(row.id, row.title, row.changed) for row in rows]

    async def count(self) -> int:
        rows = await self._store.rows(select(func.count().label("n")).select_from(schema.studies))
        return int(rows[0].n)


def written(tree: LineTree) -> str:
    text = tree.record().write_json()
    if len(text) > LONGEST_RECORD:
        raise Refused(msg("This study is too long to be kept. Begin another one."))
    return text
