"""Our own drawings: each is a fragment of SVG in a box of 100 x 100 around the origin.

A look (``tiles``, ``chocolates``, ``glass``, ``garden``) has ``piece(kind)``, the drawing of a piece, and
``mark(kind)``, the path that tells its colour without any colour, drawn thin in empty places.
Colours are classes (face, edge, ink, fine, …); the theme's style sheet fills them.
"""
