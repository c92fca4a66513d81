"""What a viewer sees of a table, as data: plan and sprite, frames, texts, points."""
