"""The notebook runs from top to bottom."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.filterwarnings("ignore")  # the kernel's packages warn; our code is tested elsewhere
def test_every_cell_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    text = (ROOT / "docs" / "tour.ipynb").read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
    pictures = [
        kind for cell in notebook.cells for output in cell.get("outputs", [])
        for kind in output.get("data", {}) if kind.startswith("image/")
    ]
    assert pictures.count("image/png") >= 3
    assert pictures.count("image/svg+xml") >= 2
