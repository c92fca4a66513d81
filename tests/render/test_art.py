"""Faces, logo, covers and friezes are pictures of their own; colours and fonts are in one place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from importlib import resources
from pathlib import Path

import pytest

from azulejos.core import registry
from azulejos.render import themes
from azulejos.render.drawings import FEATURES, drawing, face_svg, logo_svg, pigments

STATIC = Path(str(resources.files("azulejos"))) / "web/static"
OWN = [look.name for look in themes().values() if look.shapes.art(look.name, "cover")]
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
FONT_BYTES = 120_000


def test_every_level_has_a_face_of_its_own() -> None:
    drawn = [face_svg(level) for level in range(len(FEATURES) + 1)]
    assert len(set(drawn)) == len(pigments()) + 1 == 8
    for picture in drawn:
        ElementTree.fromstring(picture)


def test_a_level_that_does_not_exist_has_no_face() -> None:
    for name in ("face-8", "face-x", "face--1"):
        with pytest.raises(KeyError):
            drawing(name)


@pytest.mark.parametrize("what", ["cover", "frieze", "table"])
@pytest.mark.parametrize("theme", OWN)
def test_a_picture_of_a_theme_stands_alone(theme: str, what: str) -> None:
    picture = drawing(f"{theme}-{what}")
    root = ElementTree.fromstring(picture)
    assert "var(" not in picture
    names = {element.get("id") for element in root.iter() if element.get("id")}
    used = set(re.findall(r'(?:url\(|href=")#([\w.-]+)', picture))
    assert used <= names


def test_every_game_of_this_repository_brings_a_cover() -> None:
    own = {look.game.name for look in themes().values() if look.name in OWN}
    assert own >= {game.name for game in registry.games() if game.folder.parent.name == "games"}


def test_an_icon_that_is_cropped_has_room_around_the_tiles() -> None:
    box = ElementTree.fromstring(logo_svg(margin=70)).get("viewBox") or ""
    left, _, width, _ = map(float, box.split())
    assert left == -width / 2
    assert 0.4 * width >= 96 * 2**0.5 - 1  # the corners of the tiles lie within the circle


def test_style_sheets_and_shapes_name_no_colours() -> None:
    package = Path(str(resources.files("azulejos")))
    files = [*STATIC.glob("*.css"), *package.glob("games/*/*shapes.py"), *package.glob("games/*/art.py"),
             *package.glob("parts/*.py"), *package.glob("render/*.py"), *package.glob("render/*.css")]
    found = {}
    for file in files:
        text = re.sub(r'#[\w-]+ ?[{,:.>\[]|url\(#[\w-]+|href="#|"#|id="', "", file.read_text("utf-8"))
        colours = [one for one in HEX.findall(text) if len(one) in (4, 7, 9)]
        if colours:
            found[file.name] = colours
    assert found == {}


def test_fonts_are_small_and_their_licences_lie_beside_them() -> None:
    fonts = list((STATIC / "fonts").glob("*.woff2"))
    assert sum(font.stat().st_size for font in fonts) <= FONT_BYTES
    families = {font.name.partition("-")[0] for font in fonts}
    assert families == {file.name.partition("-")[0] for file in (STATIC / "fonts").glob("*-OFL.txt")}
