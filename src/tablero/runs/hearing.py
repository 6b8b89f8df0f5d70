"""Ctrl-C and SIGTERM during a search, whoever runs it: see `tablero.interrupts`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tablero import interrupts


@contextmanager
def interruptible() -> Iterator[None]:
    """Hear Ctrl-C also where Python would lose it, as while kernels are loaded; and SIGTERM, by which 'jobs stop' and batch
    systems ask a process to end: a program that has no other plan for it keeps what it found instead of dying.  Only the
    main thread of a program can say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    importing = interrupts.is_importing()  # a module that searches as it is imported
    listens = not importing and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ends = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if listens:
        interrupts.listen()
    if ends:
        signal.signal(signal.SIGTERM, signal.default_int_handler if importing else interrupts.hear)
    try:
        yield
    finally:
        if listens:
            interrupts.listen_no_more()
        if ends:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
