"""Sliding tiles: the fifteen puzzle and its relatives on any rectangle."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
