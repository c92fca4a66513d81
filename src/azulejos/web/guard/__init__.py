"""What keeps one visitor from disturbing the others: prices and budgets, names and origins, the log."""

from azulejos.web.guard.buckets import Bucket, Buckets, Pace
from azulejos.web.guard.prices import UNLIMITED, Charges, Limits

__all__ = ["UNLIMITED", "Bucket", "Buckets", "Charges", "Limits", "Pace"]
