"""What a bot is, in Python and as a program that speaks the engine protocol (docs/protocol.md)."""
