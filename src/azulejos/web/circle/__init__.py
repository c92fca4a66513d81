"""People who come back: who somebody is, what is due to them, how they have played, with whom they meet."""
