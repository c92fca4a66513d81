"""How long a test waits for something that must happen: a bound against hanging, never a measurement."""

PATIENCE = 300.0
"""Seconds; a busy machine is no failure."""
