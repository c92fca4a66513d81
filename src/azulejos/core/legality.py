"""Whether an action is legal, which follows from why it is not.

In a module of its own: binding a rule binds everything that its module names, and `verbs` names every part.
"""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.verbs import LEGAL, State, refusal


@rule
def is_legal(s: State, action: int) -> bool:
    """Whether one action is legal (at CHANCE: possible). Any integer 0 <= action < NUM_ACTIONS."""
    return refusal(s, action) == LEGAL
