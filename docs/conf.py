"""How Sphinx builds these pages: `make docs`."""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import make_reference

_PACKAGE = Path(__file__).parent.parent / "src" / "tablero" / "__init__.py"
_VERSION = re.search(r'^__version__ = "(.+)"', _PACKAGE.read_text(encoding="utf-8"), re.MULTILINE)

project = "tablero"
author = "the tablero maintainers"
copyright = "2026, the tablero maintainers"
release = version = _VERSION[1] if _VERSION else ""

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_typehints = "description"
suppress_warnings = ["ref.python"]  # words such as "values" in types of numpydoc name several attributes
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
exclude_patterns = ["_build", "_*.md", "lab"]
myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"tablero {release}"
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["tablero.css"]


def setup(app: Any) -> None:
    """Generate the page of all commands before the pages are read."""
    app.connect("builder-inited", make_reference.write)
