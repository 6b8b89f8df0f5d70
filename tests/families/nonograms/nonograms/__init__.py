"""Nonograms: pictures made from the lengths of their runs."""

import lazy_loader

EXAMPLES = {
    "Heart": {"nonogram": "5x5:2/4/4/4/2/1.1/5/5/3/1"},
    "Two pictures": {"nonogram": "2x2:1/1/1/1"},
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
