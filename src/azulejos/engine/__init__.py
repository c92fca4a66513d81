"""Fast loops for any game: they call the contract's verbs, and are bound to a game and compiled."""
