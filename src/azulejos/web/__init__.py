"""The table in the browser: pages, live tables, and the store that keeps games across restarts."""
