"""What stands in for NumPy where it does not exist (`core.arrays`) gives the same numbers."""

from __future__ import annotations

import operator
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azulejos.core import arrays

WITHOUT = "import sys\nsys.modules['numpy'] = None\n"
MEMORIES = """
import hashlib, json
from azulejos.bots.page_memory import LENGTH, memory_file
from azulejos.core import registry
from azulejos.core.position import Position

def plain(laid):
    if isinstance(laid, dict):
        return {key: plain(value) for key, value in laid.items()}
    if isinstance(laid, list):  # NumPy chooses the strides of arrays that hold nothing
        nothing = len(laid) == 4 and isinstance(laid[2], list) and 0 in laid[2]
        return laid[2] if nothing else [*map(plain, laid)]
    return laid

for box, players in (("azul", 2), ("chocolatier", 4), ("sintra-a", 2), ("garden-variant", 3)):
    game, preset = registry.find(box)
    file = memory_file(Position(game, preset, players, {}))
    size = LENGTH.unpack_from(file)[0]
    header = json.dumps(plain(json.loads(file[4 : 4 + size])), sort_keys=True).encode()
    print(box, players, hashlib.sha256(header + file[4 + size :]).hexdigest())
"""
HINTS = """
import random
import msgspec
import azulejos
from azulejos.core import readiness
from azulejos.insight.hint import hints
from azulejos.insight.judge import Effort, judge_for
for box, players in (("azul", 2), ("chocolatier-grey", 4), ("sintra-a", 2), ("garden", 2)):
    rng, position = random.Random(3), azulejos.new(box, players=players)
    readiness._engines[position.game] = readiness.module_of(position.game)
    position.deal(rng)
    for _ in range(6):
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    while position.in_turn:
        position.play(position.legal_actions()[0])
        position.deal(rng)
    for hint in hints(judge_for(position), position, (Effort(nodes=200, deals=3, deal_nodes=60),)):
        print(box, msgspec.json.encode(hint).decode())
"""
REVIEW = """
import random
import azulejos
from azulejos.core import readiness
from azulejos.core.record import Record
from azulejos.insight.judge import Effort
from azulejos.insight.review import reviews
from azulejos.web.work.reviews import encoded
rng, position = random.Random(5), azulejos.new("azul", players=2)
readiness._engines[position.game] = readiness.module_of(position.game)
while not position.is_over:
    position.deal(rng)
    if not position.is_over:
        position.play(rng.choice(position.legal_actions()))
*_, review = reviews(Record.from_position(position), efforts=(Effort(nodes=300, deals=2, deal_nodes=60),))
print(encoded(review).decode())
"""


def printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", [
    pytest.param(MEMORIES, id="memories"), pytest.param(HINTS, id="hints"),
    pytest.param(REVIEW, id="review", marks=pytest.mark.slow),
])
def test_without_numpy_bots_and_judges_find_the_same(program: str) -> None:
    """But for the last digits of long sums, which NumPy adds up in another order."""
    found, known = (re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.9f}", printed(each))
                    for each in (WITHOUT + program, program))
    assert found == known != ""


PAIRS = [
    ([[1.5, 2.0, -3.25], [4.0, 0.5, 6.0]], [2.0, -1.0, 0.25]),
    ([[3, 7, -2], [9, 1, 4]], [[2], [5]]),
    ([1, 2, 3], 4),
]
OPERATORS: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.ge, operator.eq,
]


@pytest.mark.parametrize("calculate", OPERATORS)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_operators_broadcast(pair: tuple[Any, Any], calculate: Callable[[Any, Any], Any]) -> None:
    one, other = pair
    assert calculate(arrays.array(one), other).tolist() == calculate(np.array(one), other).tolist()
    assert calculate(other, arrays.array(one)).tolist() == calculate(other, np.array(one)).tolist()


CALLS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda n: n.array([[1.0, 2.5], [4.0, 8.0], [0.1, 0.2]]).mean(0),
    "var": lambda n: n.array([[[1.0, 2.5]], [[4.0, 8.0]], [[0.1, 0.2]]]).var(axis=0, ddof=1),
    "sum": lambda n: n.array([[1, 2], [3, 4]]).sum(axis=1),
    "any": lambda n: n.array([[0, 0], [3, 0]]).any(axis=1),
    "argmax": lambda n: n.array([1, 7, 3]).argmax(),
    "tile": lambda n: n.tile(n.array([1.5, 2.5]), (2, 1)),
    "tile more": lambda n: n.tile(n.array([[1.5, 2.5], [0.5, 1.0]]), (3, 1, 1)),
    "where": lambda n: n.where(n.array([True, False]), n.array([1, 2], n.uint8), n.array([3, 4], n.uint8)),
    "repeat": lambda n: n.repeat((100, 150), 3),
    "diff": lambda n: n.diff(n.array([1.0, 4.0, 2.5])),
    "clip": lambda n: n.clip(n.array([-80.0, 3.0, 90.0]), -50, 50),
    "hypot": lambda n: n.hypot(n.array([3.0, 5.0]), (4.0, 12.0)),
    "maximum": lambda n: n.maximum(n.array([3.0, 5.0]), (4.0, 1.0)),
    "interp": lambda n: [n.interp(x, n.array([0.0, 1.0, 4.0]), n.array([2.0, 8.0, 5.0]))
                         for x in (-1, 0.5, 2, 9)],
    "lexsort": lambda n: n.lexsort((n.array([2, 1, 2, 1]), n.array([1, 1, 0, 0]))),
    "mask": lambda n: n.array([5, 6, 7])[n.array([True, False, True])],
    "list": lambda n: n.array([[5, 6, 7], [8, 9, 10]])[:, [2, 0]],
    "steps": lambda n: n.array([[5, 6, 7], [8, 9, 10]])[::-1, 1:],
    "turned": lambda n: n.array([[5, 6, 7], [8, 9, 10]]).T.copy(),
    "permutation": lambda n: (lambda rng: [rng.permutation(k).tolist() for k in (5, 2, 12)])(
        n.random.default_rng(1)),
    "bytes": lambda n: n.frombuffer(bytes(range(8)), n.uint8).view(n.int16),
    "pad": lambda n: n.pad(n.array([[1, 2], [3, 4]]), [(0, 1), (0, 2)]),
    "argsort": lambda n: n.argsort(n.array([[3, 1, 2], [1, 1, 0]]), axis=1, kind="stable"),
    "wraps": lambda n: int((n.array([2**63], n.uint64) * n.uint64(3))[0]),
    "bits": lambda n: float(n.int64(1023 << 52).view(n.float64)),
}


@pytest.mark.parametrize("name", CALLS)
def test_functions_give_what_numpy_gives(name: str) -> None:
    found, known = CALLS[name](arrays), CALLS[name](np)
    plain = [each.tolist() if hasattr(each, "tolist") else each for each in (found, known)]
    assert plain[0] == plain[1]
    if isinstance(known, np.ndarray):
        assert found.shape == known.shape


def set_up(n: Any) -> Any:
    """Every way of assigning that is used."""
    cells = n.zeros((3, 4), n.int32)
    cells[1] = 7
    cells[:, 2] = (1, 2, 3)
    cells[:, [0, 3]] = (8, 9)
    cells[[0, 2]] += 100
    cells[n.array([True, False, False])] = -1
    n.right_shift(cells, 1, out=cells)
    rows = n.zeros((2, 2), n.uint64)
    rows[0].view(n.uint8)[:5] = n.frombuffer(b"abcde", n.uint8)
    return cells.tolist(), rows.tobytes(), cells[1:, ::2].tobytes()


def test_assignments() -> None:
    assert set_up(arrays) == set_up(np)


def test_records() -> None:
    fields = [("key", "u8"), ("total", "f8"), ("visits", "i4"), ("moves", "i2", (3,))]
    found = []
    for n in (arrays, np):
        many: Any = n.zeros(3, n.dtype(fields, align=True))
        many["visits"][1:] = 5
        many[2]["moves"][:2] = (4, 6)
        many[1]["total"] = 2.5
        edges = many[n.array([2, 1])]
        found.append((many.dtype.itemsize, many.tobytes(), [int(edge["visits"]) for edge in edges],
                      many[2]["moves"].tolist(), float(many[1]["total"])))
    assert found[0] == found[1]


def test_networks_are_read(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    np.savez_compressed(path, one=np.arange(6, dtype=np.int16).reshape(2, 3), two=np.float32(1.5))
    with arrays.load(path) as file:
        assert file["one"].tolist() == [[0, 1, 2], [3, 4, 5]]
        assert float(file["two"]) == 1.5
        assert set(file.files) == {"one", "two"}
