"""What keeps one visitor from disturbing the others: budgets, names and origins, connections, the log."""

from azulejos.web.guard.budgets import UNLIMITED, Bucket, Buckets, Charges, Limits, Pace

__all__ = ["UNLIMITED", "Bucket", "Buckets", "Charges", "Limits", "Pace"]
