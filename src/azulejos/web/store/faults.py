"""What can go wrong with the database, in words that name no address and no file.

The details are for the operator: they are logged here, once, and never shown to visitors.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from azulejos.core.message import Message, msg
from azulejos.web.refused import Refused

log = logging.getLogger("azulejos.web")


class DatabaseFault(Exception):
    """The database failed; `reason` says how, in words for visitors."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Unread(DatabaseFault):
    """Something could not be read."""


class Unsaved(DatabaseFault):
    """Something could not be written. Nothing was changed."""


class InDoubt(DatabaseFault):
    """The database did not say whether a transaction was committed: all of it was, or nothing."""

    def __init__(self, reason: Message, *, silent: bool) -> None:
        super().__init__(reason)
        self.silent = silent
        """Whether it did not answer at all, so that asking again at once would take as long."""


class Overtaken(Exception):
    """Another action has been written at this ply: the table has moved on."""


class Vanished(OSError):
    """The file of the database was removed or replaced while it was in use."""


class InUse(ValueError):
    """Another server uses this database."""


SAID = {
    "disk is full": msg("the disk is full"),
    "readonly": msg("the database cannot be written"),
    "read-only": msg("the database cannot be written"),
    "locked": msg("the database is locked by another program"),
    "not a database": msg("the file is not a database"),
    "statement timeout": msg("the database does not answer"),
}
"""Parts of what SQLite and PostgreSQL say, and what visitors are told."""


def reason_of(error: BaseException) -> Message:
    if isinstance(error, Vanished):
        return msg("the file of the database was removed or replaced")
    cause = getattr(error, "orig", None) or error
    if isinstance(error, TimeoutError) or isinstance(cause, TimeoutError):
        return msg("the database does not answer")
    said = str(cause)
    found = next((words for part, words in SAID.items() if part in said), None)
    if found is not None:
        return found
    if isinstance(cause, OSError) or getattr(error, "connection_invalidated", False):
        return msg("the database cannot be reached")
    return msg("the database reported an error")


def is_silent(error: BaseException) -> bool:
    return reason_of(error) == msg("the database does not answer")


@contextmanager
def reported(kind: type[Unread] | type[Unsaved]) -> Iterator[None]:
    """Turn what drivers raise into a fault of this kind; broken constraints are for the caller."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise kind(logged(error)) from error


@contextmanager
def committing() -> Iterator[None]:
    """If a commit fails, it is not known whether it was made."""
    try:
        yield
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise InDoubt(logged(error), silent=is_silent(error)) from error


def logged(error: BaseException) -> Message:
    cause = getattr(error, "orig", None) or error
    log.warning("database: %s: %s", type(cause).__name__, cause)  # limited in rate, unlike errors
    return reason_of(error)


def not_saved(fault: DatabaseFault) -> Message:
    """What a player reads whose move or word was not saved."""
    if isinstance(fault, InDoubt):
        return msg("The connection to the database broke while this was being saved ({error}). As soon as "
                   "it is back, the table shows whether it was saved.", error=fault.reason)
    return msg("The server could not save this, so nothing was changed. Try again in a moment. ({error})",
               error=fault.reason)


@contextmanager
def saving() -> Iterator[None]:
    """A fault of the database is a refusal in the words of `not_saved`."""
    try:
        yield
    except DatabaseFault as fault:
        raise Refused(not_saved(fault)) from fault
