"""Running a study: what has been measured is kept, what is missing is measured, and all of it makes the table.

Cells are measured by an executor of `concurrent.futures`: processes of this machine, or the workers of a Dask cluster.  Each
result goes into the ledger as soon as it is there.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from rich.console import Console
from rich.progress import track

from studies.catalogue import study as study_of
from studies.design import Cell, Study, key_of, plain
from studies.machine import LOAD, MADE, load, machine
from studies.table import Ledger, Table, table_of
from tablero.errors import BadInput, need

_CONNECT = 10  # seconds that a scheduler has to answer


def run(
    study: Study | str,
    *,
    quick: bool = False,
    repetitions: int | None = None,
    executor: Executor | None = None,
    folder: Path | None = None,
) -> Table:
    """Measure what is missing, and return all that was wanted.

    Parameters:
        study: a study, or its name
        quick: take fewer levels and repetitions
        repetitions: how often each cell is measured
        executor: what measures cells: `processes(…)` or `cluster(…)`; one process where there is none
        folder: the folder of the ledger
    """
    asked = study_of(study) if isinstance(study, str) else study
    if repetitions is not None and not 1 <= repetitions <= 100_000:
        raise BadInput(f"{repetitions} repetitions: expected 1 to 100,000")
    wanted = list(asked.cells(quick=quick, repetitions=repetitions))
    ledger = Ledger(asked, folder)
    known = ledger.read()
    missing = [cell for cell in wanted if key_of(cell) not in known]
    interrupted = False
    if missing:
        with nullcontext(executor) if executor else processes(1) as pool:
            interrupted = _measure_all(asked, missing, ledger, pool)
        known = ledger.read()
    found = [known[key_of(cell)] for cell in wanted if key_of(cell) in known]
    return replace(table_of(asked, found, len(wanted)), interrupted=interrupted)


def _measure_all(study: Study, cells: Sequence[Cell], ledger: Ledger, executor: Executor) -> bool:
    """Measure these cells; return whether Ctrl-C has stopped it."""
    futures: list[Future[Cell]] = []
    try:
        futures += (executor.submit(measure, study.measure, cell, study.seed(cell)) for cell in cells)
        done = track(
            as_completed(futures),
            study.name,
            len(futures),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        for future in done:
            ledger.add(future.result())
    except KeyboardInterrupt:
        return True
    finally:
        for future in futures:
            future.cancel()
    return False


def measure(function: Callable[[Cell, int], Cell], cell: Cell, seed: int) -> Cell:
    """Measure a cell: its levels, what was measured, the machine, and how busy that was."""
    values = {name: plain(value) for name, value in function(cell, seed).items()}
    return {**cell, **values, MADE: machine(), LOAD: load()}


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """Processes of this machine; at the end they are killed, whatever they are doing."""
    if not 1 <= number <= 1024:
        raise BadInput(f"{number} workers: expected 1 to 1,024")
    others = active_children()
    pool = ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=_begin_worker)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            if child not in others:
                child.kill()
        pool.shutdown()


def _begin_worker() -> None:
    """Ctrl-C is for the parent, which then ends its workers; a worker whose parent was killed ends by itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def cluster(address: str, tls: str = "") -> Iterator[Executor]:
    """The workers of a Dask cluster, which get a copy of this package; `tls` is the folder with the certificates."""
    distributed = need("distributed", "a cluster", "cluster")
    from tablero.runs.security import checked_address, tls_of

    target = checked_address(address, secure=bool(tls), insecure=False, option="--cluster")
    security = tls_of(tls, "client") if tls else None
    try:
        client = distributed.Client(target, security=security, timeout=_CONNECT, set_as_default=False)
    except OSError as error:
        raise BadInput(f"--cluster {address}: no scheduler there ({error})") from None
    package = Path(__file__).parent
    with client, TemporaryDirectory() as folder:
        client.upload_file(shutil.make_archive(f"{folder}/studies", "zip", package.parent, package.name))
        yield client.get_executor(pure=False)
