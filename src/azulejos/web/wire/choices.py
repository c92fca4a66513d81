"""What the player to move may do: legal paths of clicks, or pieces to mark in any order
(`core.scene.Selection`); what the next click would do, and why a place is blocked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from azulejos.core.guide import section_about
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.scene import Scene, prospect
from azulejos.insight.results import Hint
from azulejos.insight.words import GLOW, STEPS, WHERE, WHICH, AdviceWords
from azulejos.web.refused import Refused
from azulejos.web.wire.messages import (
    Blocked, Effect, Explained, GetPreview, Hinted, Judged, JudgeMarked, Markable, MarkedVerdict, PathMove,
    Previewed, Question, ServerMessage, TurnOffer,
)
from azulejos.web.wire.plan import PagePlan, lying

MAX_PLACES = 100
"""Places in a message; no path and no payment is longer."""

Path = Sequence[str]


def offer(plan: PagePlan, scene: Scene, position: Position) -> TurnOffer:
    """What the player to move may do."""
    pale = [plan.slots[place] for place, _ in scene.pale]
    if scene.selection is not None:
        verdict = marked_verdict(plan, scene, position, scene.selection.marked)
        slots = [plan.slots[place] for place in scene.selection.slots]
        return TurnOffer(selection=Markable(slots=slots, verdict=verdict), pale=pale)
    choices, moves = paths(plan, scene, position)
    return TurnOffer(choices=choices, moves=moves, pale=pale)


def paths(plan: PagePlan, scene: Scene, position: Position) -> tuple[list[list[list[int]]], list[PathMove]]:
    """All paths of clicks as products, and the moves whose text is not the joined keys of their places."""
    moves = position.game.moves.moves
    own = {place: slot.key for place, slot in scene.places.items()
           if slot is not None and slot.key != scene.plan.keys[place]}
    plain: list[tuple[int, ...]] = []
    others: list[PathMove] = []
    for choice in scene.choices:
        text = moves[choice.action].text
        numbers, typed = plan.path(choice.path)
        if own and not own.keys().isdisjoint(choice.path):
            typed = "".join(own.get(place, scene.plan.keys[place]) for place in choice.path)
        if text == typed:
            plain.append(numbers)
        else:
            others.append(PathMove(move=text, path=list(numbers)))
    return products(plain), others


def products(paths: Iterable[tuple[int, ...]]) -> list[list[list[int]]]:
    """Merge paths that differ only at the beginning into one product: some first places, some next ones."""
    after: dict[int, list[tuple[int, ...]]] = {}
    for first, *rest in paths:
        after.setdefault(first, []).append(tuple(rest))
    alike: dict[tuple[int, ...], list[int]] = {}
    found: list[list[list[int]]] = []
    for first, rests in after.items():
        if all(len(rest) == 1 for rest in rests):
            alike.setdefault(tuple(rest[0] for rest in rests), []).append(first)
        else:
            found += [[[first], *([place] for place in rest)] for rest in rests]
    return [*([firsts, list(rest)] for rest, firsts in alike.items()), *found]


# --- the next click ----------------------------------------------------------------------------------


def _effects(plan: PagePlan, scene: Scene, position: Position, begun: tuple[str, ...]) -> list[Effect]:
    """The effect of each move that one more click completes, or of the only remaining move."""
    below = [choice for choice in scene.choices if choice.path[: len(begun)] == begun]
    near = [choice for choice in below if len(choice.path) <= len(begun) + 1 or len(below) == 1]
    effects = [_effect(plan, position, action) for action in sorted({choice.action for choice in near})]
    if len(effects) == 1 and near[0].path == begun:
        _foresee(plan, scene, position, near[0].action, begun, effects[0])
    return effects


def every_effect(plan: PagePlan, scene: Scene, position: Position) -> list[Effect]:
    """The effects of all moves, each with its ghosts and points, for a page that cannot ask."""
    first = {choice.action: choice.path for choice in reversed(scene.choices)}
    effects = {action: _effect(plan, position, action) for action in sorted(first)}
    for action, effect in effects.items():
        _foresee(plan, scene, position, action, first[action], effect)
    return list(effects.values())


def foreseen(plan: PagePlan, scene: Scene, position: Position, action: int) -> Effect:
    """What an action does that can be chosen by clicks, with its ghosts and points."""
    effect = _effect(plan, position, action)
    _foresee(plan, scene, position, action, scene.path(action), effect)
    return effect


def _effect(plan: PagePlan, position: Position, action: int) -> Effect:
    preview = position.game.preview
    return Effect(
        move=position.game.moves.text(action), said=plan.say(position.preview(action)),
        lights=[plan.slots[place] for place in preview.concerns(position, action)] if preview else [],
    )


def _foresee(
    plan: PagePlan, scene: Scene, position: Position, action: int, path: Path, effect: Effect
) -> None:
    """Add ghost pieces, and points where they are gained."""
    found = prospect(position, action, scene, path)
    for piece in found.pieces:
        effect.ghosts.setdefault(plan.slots[piece.slot], []).append(lying(plan, piece))
    effect.points = [(plan.slots[slot], points) for slot, points in found.points]


def blocked(plan: PagePlan, scene: Scene, position: Position, begun: tuple[str, ...]) -> list[Blocked]:
    """Places within the player's reach at which only a rule stops the path, each with the reason."""
    found = []
    for panel in scene.plan.panels:
        if panel.seat not in (None, position.to_move):
            continue
        for slot in filter(None, (scene.slot(planned.id) for planned in panel.slots)):
            action = meant(scene, position, (*begun, slot.id)) if slot.key else None
            reason = None if action is None else position.why_not(action)
            if reason is not None:
                found.append(Blocked(slot=plan.slots[slot.id], reason=plan.say(reason)))
    return found


def meant(scene: Scene, position: Position, path: Path) -> int | None:
    """The action that a path stands for, legal or not: the keys along the path are the text of a move."""
    pale = dict(scene.pale)
    if len(path) == 1 and path[0] in pale:
        return pale[path[0]]
    planned, now = scene.plan.slots, scene.places
    return position.game.moves.find("".join((now.get(place) or planned[place]).key for place in path))


# --- marked pieces -----------------------------------------------------------------------------------


def marked_verdict(plan: PagePlan, scene: Scene, position: Position, marked: Path) -> MarkedVerdict:
    """The game's verdict on some marked pieces; `move` is the text of the moves they make, if any."""
    if scene.selection is None or not Counter(marked) <= Counter(scene.selection.slots):
        raise Refused(msg("You cannot choose these pieces now."))
    view = position.game.view
    if view is None or view.judge is None:
        raise TypeError(f"the view of {position.game.name} has a selection but no judge")
    verdict = view.judge(position, marked)
    return MarkedVerdict(
        marked=[plan.slots[place] for place in marked], said=plan.say(verdict.text),
        problem="" if verdict.problem is None else plan.say(verdict.problem),
        move=" ".join(position.game.moves.text(action) for action in verdict.actions),
    )


# --- questions of pages --------------------------------------------------------------------------------


def answer(plan: PagePlan, scene: Scene, position: Position, question: Question) -> ServerMessage:
    """What some clicks would mean in a position."""
    numbers = question.slots if isinstance(question, JudgeMarked) else question.path
    if len(numbers) > MAX_PLACES or not all(0 <= number < len(plan.ids) for number in numbers):
        raise Refused(msg("This message cannot be read."))  # it cannot come from one of our pages
    places = [plan.ids[number] for number in numbers]
    if isinstance(question, JudgeMarked):
        return Judged(ply=question.ply, verdict=marked_verdict(plan, scene, position, places))
    if isinstance(question, GetPreview):
        begun = tuple(places)
        return Previewed(
            ply=question.ply, path=question.path, effects=_effects(plan, scene, position, begun),
            blocked=blocked(plan, scene, position, begun) if begun else [],
        )
    action = meant(scene, position, places)
    if action is None:
        text = plan.say(msg("There is nothing you can do here now."))
        return Explained(path=question.path, text=text, plain=True)
    reason = position.why_not(action) or msg("That is possible.")
    return Explained(
        path=question.path, text=plan.say(reason), section=section_about(position, action),
        step=position.game.names_next_step(position.state, action),
    )


# --- hints -------------------------------------------------------------------------------------------


def hinted(
    plan: PagePlan, scene: Scene, position: Position, names: list[str], hint: Hint, step: int
) -> Hinted:
    told = [GLOW] if step == WHERE else AdviceWords(position, names, hint.seat).step(hint, step)
    path = [plan.slots[place] for place in scene.path(hint.best.turn[0])]
    places = path if step == WHICH else [plan.slots[place] for place in hint.places]
    return Hinted(
        ply=position.ply, step=step, said=[plan.say(sentence) for sentence in told],
        lights=places, arrow=path if step == WHICH else [], more=step < STEPS[-1],
    )
