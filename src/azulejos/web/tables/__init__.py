"""Tables in memory, with their people, draws and help; all of them together; and tables as records."""
