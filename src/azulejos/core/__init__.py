"""What a game is. No rule of any game stands here."""
