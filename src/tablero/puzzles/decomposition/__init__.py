"""Decompositions of graphs: divide the edges of a host into copies of a part."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
