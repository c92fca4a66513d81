"""One game in progress, and all of them: stored, in memory, with their bots."""
