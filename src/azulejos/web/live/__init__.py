"""A page and its table talk: every message, typed (`messages`), and one connection (`connection`)."""
