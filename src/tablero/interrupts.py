"""How the command line, and a search anywhere, hears Ctrl-C, and SIGTERM, which asks for the same.

Python raises KeyboardInterrupt wherever it happens to be.  In the midst of an import, that leaves a module half made or a
lock of the import system held; out of the callback of a weak reference, or a `__del__`, it does not come at all.  So `hear`
raises it only where no import is under way, and an interrupt that was lost comes again.  A second one does not wait.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal itself takes long enough to be interrupted
import sys
from _thread import get_ident, interrupt_main, start_new_thread
from os import _exit
from time import sleep

TYPE_CHECKING = False  # typing need not be loaded
if TYPE_CHECKING:
    from typing import Any

_MOMENT = 0.02  # seconds until an interrupt comes again
_IMPORTS = "<frozen importlib."  # how the code of the import system is called
_waiting: set[int] = set()  # signals that came, and come again: each at most once
_usual = sys.unraisablehook  # who hears of other exceptions that go to nobody


def hear(number: int, frame: Any) -> None:
    """The handler of both signals."""
    if not _is_importing(frame):
        raise KeyboardInterrupt
    if number in _waiting:
        _exit(130)
    _come_again(number)


def end(number: int, frame: Any) -> None:
    """The handler where nobody is there to hear it: the process ends, without a traceback out of its midst."""
    _exit(130)


def hears(handler: object) -> bool:
    """Whether a handler makes a KeyboardInterrupt of a signal: this module's, or Python's own."""
    return handler is hear or handler is signal.default_int_handler


def listen() -> None:
    """Hear Ctrl-C from now on, also one that is raised where nobody can hear it."""
    signal.signal(signal.SIGINT, hear)
    catch_lost()


def listen_no_more() -> None:
    """Let Python hear it as it does by itself."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    catch_lost_no_more()


def catch_lost() -> bool:
    """Let a Ctrl-C come again that is raised where nobody can hear it; return whether it did not until now."""
    global _usual
    if sys.unraisablehook is _hear_lost:
        return False
    _usual, sys.unraisablehook = sys.unraisablehook, _hear_lost
    return True


def catch_lost_no_more() -> None:
    sys.unraisablehook = _usual


class HeldBack:
    """Signals that would be a KeyboardInterrupt wait until something short is done.

    What LLVM asks of Python in its midst must be answered: an exception instead leaves it with half a kernel.  Only the main
    thread hears signals, so elsewhere nothing is to be done.
    """

    def __enter__(self) -> None:
        self._came: list[int] = []
        self._before: dict[int, Any] = {}
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                if hears(handler := signal.getsignal(number)):
                    self._before[number] = handler
                    signal.signal(number, self._note)
        except ValueError:  # another thread
            self._before.clear()
        except BaseException:
            self._give_back()
            raise

    def __exit__(self, *_: object) -> None:
        self._give_back()
        if self._came:
            signal.raise_signal(self._came[0])

    def _note(self, number: int, frame: Any) -> None:
        self._came.append(number)

    def _give_back(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def is_importing() -> bool:
    """Whether the caller is part of an import: then it could not tell one that is interrupted from its own."""
    return _is_importing(sys._getframe())


def _is_importing(frame: Any) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTS):
            return True
        frame = frame.f_back
    return False


def _hear_lost(lost: Any) -> None:
    if lost.exc_type is KeyboardInterrupt:
        _come_again(signal.SIGINT)
    else:
        _usual(lost)


def _come_again(number: int) -> None:
    _waiting.add(number)
    start_new_thread(_send, (number, get_ident()))


def _send(number: int, thread: int) -> None:
    sleep(_MOMENT)
    _waiting.discard(number)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, number)
    else:  # on Windows
        interrupt_main(number)  # type: ignore[arg-type]  # any number will do
