"""Learning weights and networks from self-play of the search."""
