"""Sliding tiles: boards as '1 2 3/4 5 6/7 8 0', 0 the blank."""

import lazy_loader

ALIASES = ("slide",)

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
