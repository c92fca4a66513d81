"""The interface of bots, in Python and for programs that speak the engine protocol (docs/protocol.md)."""
