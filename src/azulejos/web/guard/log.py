"""The log: bounded, on one line each, without secrets."""

from __future__ import annotations

import json
import logging
import re
import time

from azulejos.web.guard.budgets import Bucket

CARRY = re.compile(r"(/carry/)[^/\s'\"]+")
"""A link that gives a seat away: whoever reads it can play."""

MAX_ENTRY = 4000
"""Characters of an entry with its traceback."""


class Calm(logging.Filter):
    """Limits the rate of entries of every level, and counts what was left out: a flood must not fill the
    disk. Errors have a bucket of their own, so that refusals do not hide them."""

    def __init__(self, refusals: Bucket, errors: Bucket) -> None:
        super().__init__()
        self._refusals, self._errors = refusals, errors
        self._left_out = {refusals: 0, errors: 0}

    def filter(self, record: logging.LogRecord) -> bool:
        bucket = self._errors if record.levelno >= logging.ERROR else self._refusals
        if not bucket.take():
            self._left_out[bucket] += 1
            return False
        if self._left_out[bucket]:
            record.msg = f"{record.getMessage()} (and {self._left_out[bucket]} more that are not shown)"
            record.args = ()
            self._left_out[bucket] = 0
        return True


class Text(logging.Formatter):
    """An entry as text; only a traceback takes more than one line."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return told(super().format(record))


class JsonLines(logging.Formatter):
    """An entry as one JSON object on one line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": told(record.getMessage()),
        }
        if record.exc_info:
            entry["traceback"] = told(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


def told(text: str) -> str:
    """A text without secrets; of a long one the beginning and the end."""
    safe = CARRY.sub(r"\1…", text)
    half = MAX_ENTRY // 2
    return safe if len(safe) <= MAX_ENTRY else f"{safe[:half]} … {safe[-half:]}"


def set_up(*, as_json: bool) -> None:
    """Send entries of at least the level of warnings to standard error, at most about 2 a second."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else Text())
    handler.addFilter(Calm(refusals=Bucket(100, 1), errors=Bucket(50, 0.5)))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
