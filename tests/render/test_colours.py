"""Colours can be told apart by people with other colour vision, and in greyscale.

Simulations after Viénot, Brettel and Mollon (1999) for protan and deutan, and the usual linear one for
tritan; distances are CIE76 in Lab. Pieces also differ by their marks; colours must help everybody too.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from azulejos.core.layout import Cells
from azulejos.render.themes import Theme, themes

RGB_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])

# Matrices on linear RGB.
VISION = {
    "normal": np.eye(3),
    "protan": np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]),
    "deutan": np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]),
    "tritan": np.array(
        [[1.01277, 0.13548, -0.14826], [-0.01243, 0.86812, 0.14431], [0.07589, 0.805, 0.11911]]
    ),
    "greyscale": np.array([[0.2126, 0.7152, 0.0722]] * 3),
}

LEAST = {"normal": 30.0, "protan": 15.0, "deutan": 15.0, "tritan": 15.0, "greyscale": 8.0}
"""Minimum distance between two colours of a theme; a just noticeable difference is about 2.3."""

COLOURS = {
    "tiles": ("blue", "yellow", "red", "black", "white"),
    "chocolates": ("blue", "yellow", "red", "black", "white"),
    "glass": ("blue", "pink", "orange", "yellow", "white"),
    "garden": ("light-blue", "light-purple", "yellow", "light-green", "dark-green", "dark-purple"),
}


def lab(colour: str, vision: str) -> Cells:
    encoded = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    xyz = RGB_TO_XYZ @ np.clip(VISION[vision] @ linear, 0, 1) / WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, vision: str) -> float:
    return float(np.linalg.norm(lab(one, vision) - lab(other, vision)))


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", themes().values(), ids=lambda theme: theme.name)
def test_faces_differ(theme: Theme, vision: str) -> None:
    faces = {kind: theme.pieces[kind].face for kind in COLOURS[theme.name]}
    near = {
        (a, b): round(distance(faces[a], faces[b], vision), 1)
        for a, b in itertools.combinations(faces, 2) if distance(faces[a], faces[b], vision) < LEAST[vision]
    }
    assert near == {}


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", themes().values(), ids=lambda theme: theme.name)
def test_marks_stand_out_from_faces(theme: Theme, vision: str) -> None:
    for kind, paint in theme.pieces.items():
        assert distance(paint.face, paint.ink, vision) > 30, kind


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("theme", themes().values(), ids=lambda theme: theme.name)
def test_pieces_stand_out_from_wells(theme: Theme, dark: bool) -> None:
    ground = theme.variables(dark=dark)
    for kind in COLOURS[theme.name]:
        paint = theme.pieces[kind]
        best = max(distance(part, ground["recess"], "greyscale") for part in (paint.face, paint.ink))
        assert best > 25, kind


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("theme", themes().values(), ids=lambda theme: theme.name)
def test_words_can_be_read(theme: Theme, dark: bool) -> None:
    ground = theme.variables(dark=dark)
    for ink, under in itertools.product(("ink", "soft"), ("stone", "wall")):
        assert abs(lab(ground[ink], "normal")[0] - lab(ground[under], "normal")[0]) > 40


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("theme", themes().values(), ids=lambda theme: theme.name)
def test_wells_are_neutral(theme: Theme, dark: bool) -> None:
    """A hue means that a place is occupied."""
    _, a, b = lab(theme.variables(dark=dark)["recess"], "normal")
    assert float(np.hypot(a, b)) < 18  # a paper cup; the palest chocolate with a hue has 23


@pytest.mark.parametrize("theme", themes().values(), ids=lambda theme: theme.name)
def test_every_kind_has_a_mark_of_its_own(theme: Theme) -> None:
    marks = [theme.shapes.mark(kind, theme.name) for kind in theme.pieces]
    assert len(set(marks)) == len(marks)
