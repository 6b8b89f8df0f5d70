"""The warehouse: tiles in square blocks between corridors, brought into any order by legal moves."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
