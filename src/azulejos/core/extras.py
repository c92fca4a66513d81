"""Packages that are installed only on request, and the extra that brings each of them."""

from __future__ import annotations

from typing import Final

EXTRA_OF: Final = {
    "anyio": "web", "fsrs": "web", "itsdangerous": "web", "jinja2": "web", "markupsafe": "web",
    "multipart": "web", "segno": "web", "sqlalchemy": "web", "starlette": "web", "uvicorn": "web",
    "websockets": "web", "openskill": "web",
    "py_vapid": "push", "http_ece": "push", "cryptography": "push",
    "numba": "fast", "llvmlite": "build", "ziglang": "build",
    "asyncpg": "postgres", "resvg_py": "png", "gymnasium": "rl", "pettingzoo": "rl",
    "open_spiel": "openspiel", "pyspiel": "openspiel", "pyarrow": "data", "ray": "ray", "torch": "train",
    "matplotlib": "plot", "stable_baselines3": "sb3",
    "torchrl": "torchrl", "tensordict": "torchrl", "pytest": "conformance",
}
"""By the name that is imported."""


def explained(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The same error; if an extra brings the module, the text says how to install it."""
    missing = (error.name or "").partition(".")[0]
    extra = EXTRA_OF.get(missing)
    if extra is None:
        return error
    return ModuleNotFoundError(f"this needs {missing}: pip install 'azulejos[{extra}]'", name=missing)
