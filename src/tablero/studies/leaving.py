"""Work that can be left at any time: a measurement runs to its end, or is given up when the study is stopped.

It runs in a thread of its own, which is told to end when nobody waits for it any more.  It ends between two steps of
Python: a search that it waits for is recalled as after any error, and a kernel that it has called itself ends first.  The
thread does not keep the process from ending.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

from tablero.search.base import Flag

Made = TypeVar("Made")
_LOOK = 0.1  # seconds between two looks at the flag
_GRACE = 0.5  # seconds that a thread gets to end


class _Left(SystemExit):
    """Nobody waits for this work any more; a thread that it meets at its very end says nothing of it."""


def unless_stopped(work: Callable[[], Made], stop: Flag) -> Made | None:
    """What the work gives; None when it was stopped before it was done."""
    made: list[Made] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            made.append(work())
        except _Left:
            pass
        except BaseException as error:  # whoever waits gets it
            failed.append(error)

    thread = threading.Thread(target=run, name="measuring", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_LOOK)
        if stop[0] and thread.is_alive():
            number = ctypes.c_ulong(thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(_Left))
            thread.join(_GRACE)
            return None
    if failed:
        raise failed[0]
    return made[0] if made else None
