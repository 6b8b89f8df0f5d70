"""Divide the edges of a graph into copies of a part."""

import lazy_loader

ALIASES = ("decompose",)
DEFAULT = "solve"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
