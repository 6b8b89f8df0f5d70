"""What a written page knows: the data that its script finds."""

from __future__ import annotations

import json
import re
from typing import Any


def data_of(html: str) -> Any:
    found = re.search(r"^const D = (.*);$", html, re.MULTILINE)
    assert found, "the page has no data"
    return json.loads(found[1])
