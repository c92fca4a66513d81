"""The table in the browser: pages, live tables, and the store that outlives the server."""
