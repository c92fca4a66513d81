"""Speed for any game: loops over the contract's verbs, bound to a game and compiled."""
