"""What a game is. This package contains no rule of any particular game."""
