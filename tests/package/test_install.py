"""The wheel, built from the sdist and installed without the sources, is complete and works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import azulejos
from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = shutil.ignore_patterns(".*", "*.egg-info", "__pycache__", "build", "dist", "artefacts")

pytestmark = pytest.mark.xdist_group("package")


def run(*command: str | Path, folder: Path) -> str:
    """The output of a program that cannot see this source tree."""
    done = subprocess.run(list(map(str, command)), cwd=folder, env=environment(folder), text=True,
                          capture_output=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return inherited | {
        "AZULEJOS_JIT": "0", "AZULEJOS_CACHE": str(folder / "cache"), "AZULEJOS_DATA": str(folder / "data"),
        "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1",
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with the tools of the test environment: nothing is downloaded."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "tree", ignore=NOT_OURS)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, folder / "tree", folder=folder)
    assert (folder / f"azulejos-{azulejos.__version__}.tar.gz").exists()
    return folder / f"azulejos-{azulejos.__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel and the dependencies of the test environment."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder)
    python = programs(folder) / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel,
        folder=folder)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder)
    # .pth files in a folder that is named in a .pth file are ignored, so the editable install is not found.
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    Path(site.strip(), "dependencies.pth").write_text("\n".join(dependencies))
    return folder


def programs(folder: Path) -> Path:
    return folder / ("Scripts" if os.name == "nt" else "bin")


def test_every_file_of_the_sources_is_in_the_wheel(wheel: Path) -> None:
    sources = ROOT / "src"
    files = {
        file.relative_to(sources).as_posix() for file in (sources / "azulejos").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
        and file.suffix != ".md"  # for readers of the code
    }
    packed = zipfile.ZipFile(wheel).namelist()
    assert {name for name in packed if name.startswith("azulejos/") and not name.endswith(".md")} == files


def test_the_installed_library_is_not_the_tree(elsewhere: Path) -> None:
    program = "import azulejos; print(azulejos.__file__); print(azulejos.new('azul').game.name)"
    place, game = run(programs(elsewhere) / "python", "-c", program, folder=elsewhere).splitlines()
    assert Path(place).is_relative_to(elsewhere)
    assert game == "azul"


@pytest.mark.parametrize(("line", "said"), [
    ("--version", f"azulejos {azulejos.__version__}"),
    ("games", "Queen's Garden"),
    ("rules azul", "factor"),
    ("--language pl rules azul", "warsztat"),
    ("simulate azul --games 2 --seed 1", "2 random games"),
    ("draw garden", "<svg"),
    ("match azul greedy random --nodes 10 --deals 1", "greedy"),
])
def test_commands(elsewhere: Path, line: str, said: str) -> None:
    assert said in run(programs(elsewhere) / "azulejos", *line.split(), folder=elsewhere)


@pytest.fixture
def address(elsewhere: Path) -> Iterator[str]:
    command = [str(programs(elsewhere) / "azulejos"), "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(command, cwd=elsewhere, env=environment(elsewhere), text=True,
                          stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1].rstrip("/")
        server.terminate()


def test_the_table_in_the_browser(address: str) -> None:
    for path, said in (("/", "azulejos"), ("/rules/azul", "<svg"), ("/static/table.js", "import")):
        with urllib.request.urlopen(address + path, timeout=PATIENCE) as answer:
            assert said in answer.read().decode(), path
