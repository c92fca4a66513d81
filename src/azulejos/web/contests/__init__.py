"""Games of one deal that are compared: the daily deal, duplicates."""
