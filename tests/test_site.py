"""All pages of the documentation build without a network and load nothing from other hosts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from azulejos.web.wire import messages

ROOT = Path(__file__).parent.parent
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    variables = {
        **os.environ, "http_proxy": NOWHERE, "https_proxy": NOWHERE, "NO_MKDOCS_2_WARNING": "1",
        "PYTHONWARNINGS": "default",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix("")
        built = site / (name.parent if name.name == "index" else name) / "index.html"
        assert built.exists(), f"{name} was not built"


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        found = r'<(?:script|img|link rel="stylesheet")[^>]+(?:src|href)="(https?://[^"]+)'
        loaded = re.findall(found, page.read_text())
        assert not loaded, f"{page.name} loads {loaded}"


def test_games_and_the_reference_have_content(site: Path) -> None:
    assert "rulebook" in (site / "games" / "azul" / "index.html").read_text().lower()
    reference = (site / "reference" / "index.html").read_text()
    for name in ("legal_moves", "Batch", "ExternalBot", "SelfPlayEnv"):
        assert name in reference


def test_the_page_about_the_protocol_tells_every_message(site: Path) -> None:
    page = (site / "web-protocol" / "index.html").read_text()
    for message in get_args(messages.FromTable | messages.ToTable | messages.FromStudy | messages.ToStudy):
        assert f'id="{message.__name__.lower()}"' in page
