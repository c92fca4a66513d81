"""Live connections between pages and tables: the typed messages (`messages`) and one `connection`."""
