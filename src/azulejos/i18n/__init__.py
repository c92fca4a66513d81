"""Languages: translations of all messages of the program."""

from azulejos.i18n.catalogue import LANGUAGES, NAMES, negotiate, translator

__all__ = ["LANGUAGES", "NAMES", "negotiate", "translator"]
