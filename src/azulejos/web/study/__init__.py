"""The study board: trees of lines, kept under a name, and positions judged while somebody looks."""
