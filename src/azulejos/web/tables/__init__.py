"""Games in progress: in the store, in memory, and with their bots."""
