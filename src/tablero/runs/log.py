"""A log of a run: JSON lines, one for what was made before a search, one for every unit, one for every search that ended.

    {"event": "made", "seconds": 0.31}
    {"event": "unit", "unit": 1, "nodes": 5000, "solutions": 12, "seconds": 0.02, "cpu_seconds": 0.02, "left": 1}
    {"event": "search", "kernel": "cover.bits/1", "status": "complete", "nodes": 16101, "solutions": 6720, …}

`seconds` of a unit is wall time from when it was handed out until it was booked, `left` how many units follow from it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

from tablero.errors import BadInput
from tablero.runs.findings import Result
from tablero.search.base import Outcome, Search


class Log:
    """The lines of one session; a file that was there is replaced."""

    def __init__(self, path: Path) -> None:
        self._path, self._units = path, 0
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise BadInput(f"the log {path}: cannot write it: {error.strerror or error}") from None

    def made(self, seconds: float) -> None:
        self._write({"event": "made", "seconds": round(seconds, 6)})

    def unit(self, outcome: Outcome, seconds: float, left: int) -> None:
        self._units += 1
        self._write(
            {
                "event": "unit",
                "unit": self._units,
                "nodes": outcome.nodes,
                "solutions": outcome.found,
                "seconds": round(seconds, 6),
                "cpu_seconds": round(outcome.cpu_seconds, 6),
                "left": left,
            }
        )

    def search(self, search: Search, result: Result) -> None:
        self._write(
            {
                "event": "search",
                "kernel": search.name,
                "status": result.status,
                "nodes": result.nodes,
                "solutions": result.solutions,
                "seconds": round(result.seconds, 6),
                "cpu_seconds": round(result.cpu_seconds, 6),
                "fraction": result.fraction,
            }
        )

    def _write(self, values: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(values) + "\n")
        except OSError as error:
            raise BadInput(f"the log {self._path}: cannot write it: {error.strerror or error}") from None

    def close(self) -> None:
        self._file.close()
