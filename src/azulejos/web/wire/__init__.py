"""What travels between page and server: typed messages, connections, and what a viewer sees, as data."""
