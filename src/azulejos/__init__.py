"""azulejos: play, study and simulate the Azul family of board games."""

from azulejos.core.game import CHANCE, OVER, Game, Outcome, Seat
from azulejos.core.message import Message
from azulejos.core.notation import IllegalMove, InvalidMove, Move
from azulejos.core.position import LegalMoves, Position, Scored, new
from azulejos.core.record import Player, Record, RecordError
from azulejos.core.registry import presets

__version__ = "0.1.0"

__all__ = [
    "CHANCE", "OVER", "Game", "IllegalMove", "InvalidMove", "LegalMoves", "Message", "Move",
    "Outcome", "Player", "Position", "Record", "RecordError", "Scored", "Seat", "new", "presets",
]
