"""Pages that play a search or a solution, as the command line writes them, shown within the page.

Such a page has its script inside.  So it comes with a policy that allows just that script, by its hash, and puts it into a
sandbox of its own: it can reach neither the server nor the page around it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections import OrderedDict

_KEPT = 40  # pages
_MOST = 1 << 26  # characters of all of them


class Plays:
    """The pages that were made lately, by a number that nobody guesses."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, str] = OrderedDict()

    def keep(self, page: str) -> str:
        """Keep a page, and tell its address."""
        number = secrets.token_urlsafe(16)
        self._pages[number] = page
        while len(self._pages) > 1 and (len(self._pages) > _KEPT or sum(map(len, self._pages.values())) > _MOST):
            self._pages.popitem(last=False)
        return f"/play/{number}"

    def find(self, number: str) -> str | None:
        return self._pages.get(number)


def policy_of(page: str) -> str:
    """What a page may do: run the script that it came with, and nothing else."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts)
    allowed = hashes or "'none'"
    return (
        f"sandbox allow-scripts; default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    )
