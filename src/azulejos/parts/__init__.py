"""What several games really share."""
