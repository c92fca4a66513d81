"""What is kept: the log of every table, people, documents and secrets, in SQLite or PostgreSQL."""
