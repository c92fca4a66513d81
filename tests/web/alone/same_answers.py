"""A program for two Pythons, one of them in a browser: what it finds has to be the same, byte for byte."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import msgspec

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.core.position import Position, new
from azulejos.core.scene import scene_of
from azulejos.i18n import LANGUAGES, translator
from azulejos.web.wire.choices import offer
from azulejos.web.wire.plan import plan_for

NAMES = ["Ana", "Kiln", "Luz", "Celadon"]


def positions(box: str, count: int) -> Iterator[Position]:
    """With a seat to move, from random games with two to four seats."""
    rng = random.Random(box)
    while True:
        position = new(box, players=rng.randint(2, 4))
        position.deal(rng)
        while not position.is_over:
            if rng.random() < 0.2:
                yield position.copy()
                count -= 1
                if not count:
                    return
            position.play(rng.choice(position.legal_actions()))
            position.deal(rng)


def frames(box: str, count: int) -> str:
    """A digest of what frames say of positions in all languages: where things lie, what can be done, and
    what comes of it."""
    digest = hashlib.sha256()
    for position in positions(box, count):
        digest.update(position.text().encode())
        for language in LANGUAGES:
            say = translator(language)
            plan = plan_for(box, position.players, tuple(sorted(position.options.items())), language)
            scene = scene_of(position, NAMES[: position.players])
            digest.update(msgspec.json.encode(offer(plan, scene, position)))
            digest.update(say(scene.status).encode())
    return digest.hexdigest()


def moves(box: str, count: int, level: str, nodes: int) -> str:
    """What a bot plays, and what it thinks of it."""
    bot, digest = open_bot(level), hashlib.sha256()
    for number, position in enumerate(positions(box, count)):
        found = bot.play(position, Limit(nodes=nodes), rng=random.Random(number))
        digest.update(f"{found.move} {found.nodes} {found.line} {found.value}\n".encode())
    return digest.hexdigest()
