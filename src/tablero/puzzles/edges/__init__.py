"""Edge-matching puzzles: Eternity II, Tetravex and their like, on squares, triangles and hexagons."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
