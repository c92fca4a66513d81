"""Languages: what each message of the program says in them."""

from azulejos.i18n.catalogue import LANGUAGES, NAMES, negotiate, translator

__all__ = ["LANGUAGES", "NAMES", "negotiate", "translator"]
