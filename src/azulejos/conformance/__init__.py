"""The contract that every game fulfils, as tests; our own run with the tests of the project.

    pip install 'azulejos[conformance]'
    python -m azulejos.conformance pebbles          # or the path of a game's folder

A game without a guide, a lesson or another optional part is asked only about what it has.
"""
