"""How long a test waits for an event that must happen: a bound against hanging, not a measurement."""

PATIENCE = 300.0
"""Seconds; high, because a busy machine is not a failure."""
