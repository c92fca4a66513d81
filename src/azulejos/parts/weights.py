"""Evaluation weights, stored as an array in the game's folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from azulejos.core.layout import Cells


def read_weights(path: Path) -> Cells:
    """Read weights written by `azulejos fit`: [phase, term], hundredths of a point."""
    with np.load(path) as file:
        weights: Cells = file["fitted"].astype(np.int32)
    return weights


def write_weights(path: Path, weights: Cells) -> None:
    np.savez_compressed(path, fitted=weights.astype(np.int16))
