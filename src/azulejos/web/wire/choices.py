"""Paths of clicks: which are legal, what the next click would do, and why a place is blocked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from azulejos.core.guide import section_about
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import Scene
from azulejos.web.wire.foreseen import foreseen
from azulejos.web.wire.marking import offered
from azulejos.web.wire.messages import Blocked, Effect, Move, Offer, Previewed
from azulejos.web.wire.plan import PagePlan

Path = Sequence[str]


def offer(plan: PagePlan, scene: Scene, position: Position) -> Offer:
    """What the player to move may do."""
    pale = [plan.slots[place] for place, _ in scene.pale]
    if scene.selection is not None:
        return Offer(selection=offered(plan, scene, position), pale=pale)
    choices, moves = paths(plan, scene, position)
    return Offer(choices=choices, moves=moves, pale=pale)


def paths(plan: PagePlan, scene: Scene, position: Position) -> tuple[list[list[list[int]]], list[Move]]:
    """All paths of clicks as products, and the moves whose text is not the joined keys of their places."""
    moves = position.game.moves.moves
    own = {place: slot.key for place, slot in scene.places.items()
           if slot is not None and slot.key != scene.plan.keys[place]}
    plain: list[tuple[int, ...]] = []
    others: list[Move] = []
    for choice in scene.choices:
        text = moves[choice.action].text
        numbers, typed = plan.path(choice.path)
        if own and not own.keys().isdisjoint(choice.path):
            typed = "".join(own.get(place, scene.plan.keys[place]) for place in choice.path)
        if text == typed:
            plain.append(numbers)
        else:
            others.append(Move(move=text, path=list(numbers)))
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


def previewed(
    plan: PagePlan, scene: Scene, position: Position, path: list[int], places: Path
) -> Previewed:
    """The effects of the moves that continue a path, and the places that are blocked."""
    begun = tuple(places)
    return Previewed(
        ply=position.ply, path=path, effects=_effects(plan, scene, position, begun),
        blocked=blocked(plan, scene, position, begun) if begun else [],
    )


def _effects(plan: PagePlan, scene: Scene, position: Position, begun: tuple[str, ...]) -> list[Effect]:
    """The effect of each move that one more click completes, or of the only remaining move."""
    below = [choice for choice in scene.choices if choice.path[: len(begun)] == begun]
    near = [choice for choice in below if len(choice.path) <= len(begun) + 1 or len(below) == 1]
    effects = [_effect(plan, position, action) for action in sorted({choice.action for choice in near})]
    if len(effects) == 1 and near[0].path == begun:
        effects[0].ghosts, effects[0].points = foreseen(plan, scene, position, near[0].action, begun)
    return effects


def every_effect(plan: PagePlan, scene: Scene, position: Position) -> list[Effect]:
    """The effects of all moves, each with its ghosts and points, for a page that cannot ask."""
    first = {choice.action: choice.path for choice in reversed(scene.choices)}
    effects = {action: _effect(plan, position, action) for action in sorted(first)}
    for action, effect in effects.items():
        effect.ghosts, effect.points = foreseen(plan, scene, position, action, first[action])
    return list(effects.values())


def _effect(plan: PagePlan, position: Position, action: int) -> Effect:
    preview = position.game.preview
    return Effect(
        move=position.game.moves.text(action), said=plan.say(position.preview(action)),
        lights=[plan.slots[place] for place in preview.concerns(position, action)] if preview else [],
    )


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


def explained(scene: Scene, position: Position, path: Path) -> tuple[Message, str] | None:
    """Why a path is not legal, and the section of the rules about it; None if it stands for no action."""
    action = meant(scene, position, path)
    if action is None:
        return None
    return position.why_not(action) or msg("That is possible."), section_about(position, action)
