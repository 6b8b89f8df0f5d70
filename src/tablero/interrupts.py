"""Ctrl-C and SIGTERM on the command line: one handler, and `check` where work can stop.

A front end calls `install` once.  The first signal records a request to stop.  Code that can stop calls `check`, which
raises KeyboardInterrupt in the main thread if there is a request.  Code that does not call it in time, such as an import or
the compilation of a kernel, ends with the process.  A job's file survives that as it survives a crash.  A second signal ends
the process at once.

Without a front end nothing is installed, and a program gets Python's own KeyboardInterrupt.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # importing signal takes long enough to be interrupted
import atexit
import os
import sys
import time
from _thread import start_new_thread

TYPE_CHECKING = False  # type checkers take it for True; importing typing for it would take time
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

INTERRUPTED = 130  # the exit status
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 0.6  # seconds until the process ends if no code calls `check`
_AT_END = 1.0  # seconds that `at_end` may take: a full pipe may block it
_FINALIZERS = 0.2  # seconds that the finalizers of multiprocessing may take: they may wait for a worker
_LOOK = 0.02  # seconds between two looks for requests

at_end: Callable[[], None] | None = None  # called before the process ends, to print a message
drafts: set[str] = set()  # temporary files, deleted when the process ends
compiling = 0  # number of kernels that are being compiled, one within another
_polling = 0  # number of nested blocks that call `check` regularly
_requests: list[bool] = []  # requests to stop that nothing has answered yet; who removes one must stop


def install() -> None:
    """Handle both signals from now on.  A signal that the process ignores, as in the background, stays ignored."""
    if os.name == "nt":
        return  # Python's own KeyboardInterrupt is used
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    # Python runs handlers only when the main thread returns from a kernel or from LLVM; the pipe is written at once.
    signal.set_wakeup_fd(writer)
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave_to_listener)
    start_new_thread(_listen, (reader,))
    atexit.register(_ignore_signals)


def hand_over() -> None:
    """Restore Python's KeyboardInterrupt for both signals, for a server that has its own way to stop."""
    if os.name != "nt":
        signal.set_wakeup_fd(-1)
    for number in _SIGNALS:
        if signal.getsignal(number) is _leave_to_listener:
            signal.signal(number, signal.default_int_handler)


def _ignore_signals() -> None:
    """Keep the exit status of a finished command: a signal would otherwise kill Python while it ends."""
    for number in _SIGNALS:
        if signal.getsignal(number) is _leave_to_listener:
            signal.signal(number, signal.SIG_IGN)


def request_stop() -> None:
    """Record a request to stop, as the first signal does."""
    _requests.append(True)


def stop_requested() -> bool:
    """Whether there is a request that nothing has answered yet."""
    return bool(_requests)


def check() -> None:
    """Raise KeyboardInterrupt if a stop is requested: once for each request, and only in the main thread."""
    if _requests and _is_main_thread() and _take():
        raise KeyboardInterrupt


def sleep(seconds: float) -> None:
    """Sleep; a request to stop ends it."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        check()
        time.sleep(min(left, 2 * _LOOK))
    check()


class Polling:
    """Marks a block or a function that calls `check` regularly: the process does not end within it, unless it compiles."""

    def __enter__(self) -> None:
        global _polling
        _polling += _is_main_thread()

    def __exit__(self, *_: object) -> None:
        global _polling
        _polling -= _is_main_thread()

    def __call__(self, function: Function) -> Function:
        from functools import wraps

        @wraps(function)
        def run(*given: Any, **options: Any) -> Any:
            with self:
                return function(*given, **options)

        return run  # type: ignore[return-value]


def _is_main_thread() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()


def _take() -> bool:
    try:
        return _requests.pop()
    except IndexError:  # another thread was quicker
        return False


def _leave_to_listener(number: int, frame: object) -> None:
    """The handler of both signals; `_listen` does the work."""


def _listen(reader: int) -> None:
    came = False
    while data := os.read(reader, 1):
        if data[0] not in _SIGNALS:
            continue
        if came or at_end is None:
            end()
        came = True
        request_stop()
        start_new_thread(_end_late, ())


def _end_late() -> None:
    """End the process if nothing has answered the request in time."""
    began = time.monotonic()
    while _requests:
        time.sleep(_LOOK)
        if time.monotonic() - began > _PATIENCE and (compiling or not _polling) and _take():
            if at_end is not None:
                _within(_AT_END, at_end)
            end()


def _within(seconds: float, work: Callable[[], None]) -> None:
    """Run a function that may hang, and wait for it no longer than this."""
    done: list[bool] = []
    until = time.monotonic() + seconds

    def do() -> None:
        try:
            work()
        finally:
            done.append(True)

    start_new_thread(do, ())
    while not done and time.monotonic() < until:
        time.sleep(_LOOK)


def end() -> NoReturn:
    """End the process and its workers now, and delete files that are half written."""
    try:
        for path in list(drafts):
            os.unlink(path)  # noqa: PTH108 — pathlib need not be loaded
        if utilities := sys.modules.get("multiprocessing.util"):
            _within(_FINALIZERS, utilities._run_finalizers)  # else the resource tracker prints warnings
        if processes := sys.modules.get("multiprocessing.process"):
            for child in processes.active_children():
                child.kill()  # after SIGTERM a worker would only end its search
    finally:
        os._exit(INTERRUPTED)
