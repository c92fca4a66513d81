"""What takes long: one pool that thinks for bots, hints, studies, reviews, cards, daily checks."""
