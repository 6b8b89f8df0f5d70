"""Files of many puzzles, a line each: solved or counted batch by batch."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from tablero.cli.common import Settings, compile_notice, print_json
from tablero.errors import BadInput

if TYPE_CHECKING:
    pass


def solve_file(path: Path, limit: int, output: Path | None, settings: Settings, *, keep: bool) -> int:
    """A file of many puzzles, batch by batch: solutions or counts, a line each."""
    import numpy as np

    from tablero.puzzles.sudoku import batch
    from tablero.puzzles.sudoku.kernels.search import solve_many

    with compile_notice("the kernel sudoku.bands", settings.quiet):
        solve_many(np.zeros((1, 81), np.uint8), 1)
    stop = np.zeros(1, np.uint8)
    answers: list[str] = []
    counts: list[int] = []
    totals = {"unique": 0, "several": 0, "none": 0}
    puzzles, seconds, cpu, interrupted = 0, 0.0, 0.0, False
    progress = _Progress(settings.quiet)
    with ExitStack() as stack:
        stream = stack.enter_context(path.open("rb"))
        out = _opened(output, stack)
        if settings.time_limit:
            timer = threading.Timer(settings.time_limit, lambda: stop.__setitem__(0, 1))
            timer.start()
            stack.callback(timer.cancel)
        try:
            batches = batch.read_batches(stream, str(path))
            for part in batch.solve_batches(batches, str(path), limit, threads=settings.threads, stop=stop):
                known = part.counts >= 0
                puzzles += int(known.sum())
                seconds, cpu = seconds + part.seconds, cpu + part.cpu
                for name, chosen in (
                    ("unique", part.counts == 1),
                    ("several", part.counts > 1),
                    ("none", part.counts == 0),
                ):
                    totals[name] += int(chosen.sum())
                lines = batch.to_lines(part.answers[known])
                if not keep:
                    counts += part.counts[known].tolist()
                    if not settings.as_json:
                        print(*part.counts[known].tolist(), sep="\n")
                elif out is not None:
                    out.write(lines)
                elif settings.as_json:
                    answers += lines.decode().split()
                else:
                    sys.stdout.write(lines.decode())
                progress(puzzles)
        except KeyboardInterrupt:
            interrupted = True
    progress.clear()
    is_open = bool(stop[0]) or interrupted
    status = "open" if is_open else "none" if totals["none"] == puzzles else "complete"
    values: dict[str, Any] = {"status": status, "puzzles": puzzles, "solutions": puzzles - totals["none"], **totals}
    values |= {"seconds": round(seconds, 6), "cpu_seconds": round(cpu, 6)}
    if settings.as_json:
        more = {"answers": answers} if keep and out is None else {"counts": counts} if not keep else {}
        print_json({**values, **more})
    elif not settings.quiet:
        rate = puzzles / max(seconds, 1e-9)
        print(
            f"{puzzles:,} puzzles: {totals['unique']:,} with one solution, {totals['several']:,} with several, "
            f"{totals['none']:,} with none; {seconds:.2f} s, {rate:,.0f} a second",
            file=sys.stderr,
        )
    return 130 if interrupted else {"open": 3, "none": 1, "complete": 0}[status]


def _opened(output: Path | None, stack: ExitStack) -> BinaryIO | None:
    if output is None:
        return None
    try:
        return stack.enter_context(output.open("wb"))
    except OSError as error:
        raise BadInput(f"cannot write {output}: {error.strerror or error}") from None


class _Progress:
    """How many puzzles are done, on one line of a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._live = not quiet and sys.stderr.isatty()
        self._began = self._shown = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if self._live and now - self._shown > 0.2:
            self._shown = now
            sys.stderr.write(f"\r\x1b[K{done:,} puzzles  {done / (now - self._began):,.0f} a second")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
