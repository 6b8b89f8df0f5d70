"""Nothing: the null family, which is the template of a new one.  Its puzzle is a row of n steps that lead nowhere.

It has every verb of a family and finds nothing.  Copy the folder to src/tablero/NAME, add a line to families.py, and
replace module by module: see CONTRIBUTING.md.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
