"""Fixtures that every test may use."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("azulejos", deadline=None, print_blob=True)
settings.load_profile("azulejos")
