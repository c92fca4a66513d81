"""What takes long: processes that think for bots, hints, reviews, cards and studies; a queue for each."""
