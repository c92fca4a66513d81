"""How weights and networks are learned from games of the search against itself."""
