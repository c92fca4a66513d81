"""One folder per game, and nothing about a game anywhere else."""
