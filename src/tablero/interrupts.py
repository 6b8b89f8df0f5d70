"""Ctrl-C and SIGTERM at the command line: one handler, and points at which work stops.

A front end calls `install` once.  The first signal then only leaves a request.  Work looks at it where it can stop: `check`
raises KeyboardInterrupt in the main thread.  Work that reaches no such point in time, as an import or the compiling of a
kernel, ends with the process; a job's file survives that as it survives a crash.  A second signal ends the process at once.

Without a front end nothing is installed, and a program gets Python's own KeyboardInterrupt.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal itself takes long enough to be interrupted
import atexit
import os
import sys
import time
from _thread import start_new_thread

TYPE_CHECKING = False  # typing need not be loaded
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

INTERRUPTED = 130  # the exit status
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PATIENCE = 0.6  # seconds until work that does not check ends with the process
_TELLING = 1.0  # seconds for the last words, which a full pipe may hold up
_TIDYING = 0.2  # seconds for what multiprocessing leaves behind, which may wait for a worker
_LOOK = 0.02  # seconds between two looks

at_end: Callable[[], None] | None = None  # the last words of the front end, before the process ends
drafts: set[str] = set()  # files that take the place of others when they are written
compiling = 0  # kernels that are being compiled, one within another
_polling = 0  # blocks that check, one within another
_requests: list[bool] = []  # a request that nobody has heard yet: whoever takes it out answers it


def install() -> None:
    """Listen to both signals from now on.  A process in the background that ignores one goes on ignoring it."""
    if os.name == "nt":
        return  # Python's own KeyboardInterrupt has to do
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    # Python's handlers wait until the main thread comes out of a kernel or of LLVM; the pipe does not.
    signal.set_wakeup_fd(writer)
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave_to_listener)
    start_new_thread(_listen, (reader,))
    atexit.register(_listen_no_more)


def hand_over() -> None:
    """Let both signals be Python's KeyboardInterrupt again, for a server that has its own way to stop."""
    if os.name != "nt":
        signal.set_wakeup_fd(-1)
    for number in _SIGNALS:
        if signal.getsignal(number) is _leave_to_listener:
            signal.signal(number, signal.default_int_handler)


def _listen_no_more() -> None:
    """When all is done the status is what was found: Python, as it ends, would let a signal kill it."""
    for number in _SIGNALS:
        if signal.getsignal(number) is _leave_to_listener:
            signal.signal(number, signal.SIG_IGN)


def request_stop() -> None:
    """Do what the first signal does."""
    _requests.append(True)


def stop_requested() -> bool:
    """Whether there is a request that nobody has heard."""
    return bool(_requests)


def check() -> None:
    """Raise KeyboardInterrupt where a stop is requested: once, and in the main thread alone."""
    if _requests and _is_main_thread() and _take():
        raise KeyboardInterrupt


def sleep(seconds: float) -> None:
    """Sleep, unless a stop is requested."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        check()
        time.sleep(min(left, 2 * _LOOK))
    check()


class Polling:
    """A block, or a function, that checks again and again: the process does not end in its midst unless it compiles."""

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
    """The handler: all is done by `_listen`."""


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
    """End the process if nobody has heard the request when patience is over."""
    began = time.monotonic()
    while _requests:
        time.sleep(_LOOK)
        if time.monotonic() - began > _PATIENCE and (compiling or not _polling) and _take():
            if at_end is not None:
                _within(_TELLING, at_end)
            end()


def _within(seconds: float, work: Callable[[], None]) -> None:
    """Do something that may hang, and go on without it."""
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
    """End the process now, and its workers with it; no half-written file is left."""
    try:
        for path in list(drafts):
            os.unlink(path)  # noqa: PTH108 — pathlib need not be loaded
        if utilities := sys.modules.get("multiprocessing.util"):
            _within(_TIDYING, utilities._run_finalizers)  # else its tracker of resources complains
        if processes := sys.modules.get("multiprocessing.process"):
            for child in processes.active_children():
                child.kill()  # one that searches would only stop its search at a SIGTERM
    finally:
        os._exit(INTERRUPTED)
