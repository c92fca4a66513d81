"""Which of many cases the quick tests run; `make test-all` runs them all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Cases for `parametrize`: all but the quick ones are slow. A tuple holds several arguments."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)),
                     marks=() if case in quick else pytest.mark.slow)
        for case in cases
    ]
