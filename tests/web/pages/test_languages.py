"""What readers are told whose language has no catalogue, and names in the reader's language."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from azulejos.i18n import LANGUAGES, NAMES, ONLY_TRADITIONAL

SIMPLIFIED = "zh-CN,zh;q=0.9,en;q=0.8"


@pytest.mark.parametrize("header", [SIMPLIFIED, "zh-SG", "fr,zh-Hans-CN;q=0.5", "zh-hans"])
def test_readers_of_simplified_chinese_are_told_which_chinese_it_is(
    client: TestClient, header: str
) -> None:
    html = client.get("/", headers={"accept-language": header}).text
    assert '<html lang="zh-Hant"' in html
    assert ONLY_TRADITIONAL in html


@pytest.mark.parametrize("header", ["zh-TW,zh;q=0.9,zh-CN;q=0.8", "zh-Hant", "en,zh-CN;q=0.5", "pl", ""])
def test_nobody_else_is_told(client: TestClient, header: str) -> None:
    assert ONLY_TRADITIONAL not in client.get("/", headers={"accept-language": header}).text


def test_somebody_who_chose_traditional_chinese_is_not_told_again(client: TestClient) -> None:
    client.cookies.set("azulejos_wishes", "language=zh_Hant")
    assert ONLY_TRADITIONAL not in client.get("/", headers={"accept-language": SIMPLIFIED}).text


def test_each_language_is_offered_by_its_own_name(client: TestClient) -> None:
    html = client.get("/", headers={"accept-language": "pl"}).text
    for language in LANGUAGES:
        assert f">{NAMES[language]}</option>" in html


def test_the_bots_of_the_living_board_have_names_in_the_language_of_the_reader(client: TestClient) -> None:
    html = client.get("/", headers={"accept-language": "cs"}).text
    assert "Seladon" in html
    assert "Celadon" not in html
