"""How far compiling has come for a question: the process that works on it notes it down, the page that waits reads it.

A kernel is compiled once on a machine, but then it may take a minute, and whoever waits should know why.
"""

from __future__ import annotations

import json
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablero.runs.progress import CompilingPace, parts_left


class Notes:
    """A note for every question that is being answered, by the number that the page gave it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tablero-")

    def path(self, number: str) -> str:
        """Where the note of a question stands; nowhere for a question without a number."""
        return str(Path(self._folder.name) / number) if number else ""

    def read(self, number: str) -> dict[str, Any] | None:
        """What is left to compile; None where nothing is compiled."""
        try:
            found: dict[str, Any] = json.loads(Path(self.path(number)).read_text())
        except OSError:
            return None
        return found

    def drop(self, number: str) -> None:
        """The question is answered, or nobody waits any more."""
        if number:
            Path(self.path(number)).unlink(missing_ok=True)

    def close(self) -> None:
        self._folder.cleanup()


class Writer:
    """Writes the note: called now and then, and told whether something is being compiled."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._pace = CompilingPace()
        self._written = False

    def __call__(self, compiling: bool) -> None:
        if compiling:
            self._write()
        elif self._written:
            self._pace = CompilingPace()
            Path(self._path).unlink(missing_ok=True)
        self._written = compiling

    def _write(self) -> None:
        left, parts = parts_left()
        values: dict[str, Any] = {"left": left, "parts": parts}
        if rest := self._pace.rest(left, parts, time.monotonic()):
            values["seconds"] = round(rest, 1)
        with suppress(OSError):  # a note is no part of the answer
            new = Path(f"{self._path}.new")
            new.write_text(json.dumps(values))
            new.replace(self._path)
