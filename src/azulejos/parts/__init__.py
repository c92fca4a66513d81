"""Code that several games share."""
