"""Languages: translations of all messages of the program."""

from azulejos.i18n.catalogue import (
    LANGUAGES, NAMES, ONLY_TRADITIONAL, is_ours, negotiate, reads_simplified, translator,
)

__all__ = [
    "LANGUAGES", "NAMES", "ONLY_TRADITIONAL", "is_ours", "negotiate", "reads_simplified", "translator",
]
