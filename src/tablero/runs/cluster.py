"""The engine for a Dask cluster: its workers advance units for the same coordinator that uses threads.

    payload   the search, pickled once.  The scheduler keeps it under its fingerprint, and every worker fetches and unpacks
              it once.  (If it were the result of a task, workers would wait for the worker that holds it, which may be
              frozen.)
    recall    an event of the scheduler that every worker waits for; cancelling would not stop a running task.
              Each recall has its own event, so that a unit never sees an old one
    loss      a unit whose worker died.  A scheduler started by tablero reports it at once, and the coordinator counts it;
              another scheduler may run the unit again by itself a few times first

A scheduler that dies takes all promises with it.  The units are then given back, and the client waits for the scheduler to
return.  The store belongs to the coordinator, so nothing is lost.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import pickle
import signal
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any

import numpy as np

from tablero import __version__
from tablero.errors import BadInput, JobError, need
from tablero.runs.engines import Outcomes, Promise, advance_all
from tablero.runs.security import checked_address, private_scratch, tls_of
from tablero.search.base import UNBOUNDED, Flag, Orders, Search

CONNECT = 10  # seconds that a scheduler has to answer
SHORTEST_UNIT = 5.0  # seconds
UNITS_PER_SECOND = 50
_STARTING = 60  # seconds that the first worker of a local cluster has to start
_ENDING = 5  # seconds that a killed process has to end
_FETCH = 20  # seconds that a worker waits for the search
_ASK = 0.5  # seconds between two requests for the list of workers
_MOST_PLACED = 500  # workers up to which the scheduler is asked which worker has which unit
COMEBACK = 60.0  # seconds that a lost scheduler has to return
REPORT_EVERY_LOSS = {"distributed.scheduler.allowed-failures": 0}
PAGES_HERE = {"dashboard_address": "127.0.0.1:0"}  # in case a later version of Dask serves its pages nevertheless

# What runs on a worker

_flags: dict[str, Flag] = {}
_flags_lock = threading.Lock()
_searches: dict[str, Search] = {}
_searches_lock = threading.Lock()


def work(payload: str, states: list[bytes], orders: Orders, bound: int, event: str, version: str) -> Outcomes:
    """Advance a bundle of units until it is done, its time is up, or the event is set."""
    if version != __version__:
        raise BadInput(f"the coordinator has tablero {version}, a worker has {__version__}: install the same on both")
    from distributed import get_worker

    search, flag = _search_of(payload), _flag_of(event)
    return advance_all(search, states, orders, flag, np.full(1, bound, np.int64), str(get_worker().address))


def _search_of(payload: str) -> Search:
    """The search of this name; fetched once by each worker, which keeps only the latest."""
    from distributed import Variable, get_client

    with _searches_lock:
        if payload not in _searches:
            search: Search = pickle.loads(Variable(payload, client=get_client()).get(timeout=_FETCH))
            _searches.clear()
            _searches[payload] = search
        return _searches[payload]


def _flag_of(event: str) -> Flag:
    """The flag that is set with an event; one thread of the worker waits for the event."""
    from distributed import Event, get_client

    with _flags_lock:
        flag = _flags.get(event)
        if flag is None:
            flag = _flags[event] = np.zeros(1, np.uint8)
            waiter = Event(event, client=get_client())
            threading.Thread(target=_wait, args=(waiter, event, flag), daemon=True).start()
    return flag


def _wait(waiter: Any, event: str, flag: Flag) -> None:
    try:
        waiter.wait()
    except Exception:
        pass  # the scheduler is gone, and the result of the unit cannot be sent
    finally:
        flag[0] = 1
        with _flags_lock:
            _flags.pop(event, None)


# What runs beside the coordinator


def patience_of(slots: int) -> float:
    """Seconds of a unit: longer for more workers, so that the scheduler passes on at most `UNITS_PER_SECOND`."""
    return max(SHORTEST_UNIT, slots / UNITS_PER_SECOND)


def greet(address: str, security: Any, role: str) -> None:
    """Check by Dask's handshake that a scheduler listens at an address.

    If something else listens there, Dask's client may take text for the size of a message, and its worker prints tracebacks.

    Raises
    ------
    OSError
        If no scheduler answers.
    """
    answer: Future[None] = Future()
    threading.Thread(target=_greet, args=(address, security, role, answer), daemon=True).start()
    try:
        answer.result(2 * CONNECT)  # Dask's own limit does not hold for a listener that never answers
    except TimeoutError:
        raise OSError("the listener does not answer") from None
    except Exception as error:
        raise OSError(_reason(error)) from None


def _greet(address: str, security: Any, role: str, answer: Future[None]) -> None:
    try:
        asyncio.run(_shake_hands(address, security.get_connection_args(role) if security else {}))
        answer.set_result(None)
    except Exception as error:
        answer.set_exception(error)


async def _shake_hands(address: str, arguments: dict[str, Any]) -> None:
    from distributed.comm import connect

    comm = await asyncio.wait_for(connect(address, timeout=CONNECT, **arguments), CONNECT)
    await comm.close()


def _reason(error: Exception) -> str:
    """Why a connection failed, in one line."""
    if isinstance(error, MemoryError):
        return "the listener is not a scheduler"
    return str(error).splitlines()[0] if str(error) else type(error).__name__


class Cluster:
    """An engine over `Client.get_executor()`."""

    shares_memory = False
    grace = 5.0

    def __init__(self, address: str, tls: str = "", insecure: bool = False) -> None:
        distributed = need("distributed", "a cluster", "cluster")
        logging.getLogger("distributed").setLevel(logging.ERROR)
        self._local: _LocalCluster | None = None
        self._name = address
        if tls and address.startswith("local:"):
            raise BadInput(f"the cluster {address}: it makes its own certificates: leave tls out")
        security = tls_of(tls, "client") if tls else None
        try:
            if address.startswith("local:"):
                self._local = _LocalCluster(address)
                target, security = self._local.address, self._local.security
            else:
                target = checked_address(address, secure=bool(tls), insecure=insecure)
                greet(target, security, "client")
            self._client = distributed.Client(target, security=security, timeout=CONNECT, set_as_default=False)
            if self._local is not None:
                self._local.await_workers(self._client)
        except BaseException as error:
            if self._local is not None:
                self._local.end()
            if isinstance(error, BadInput) or not isinstance(error, (OSError, TimeoutError, ValueError, RuntimeError)):
                raise
            raise BadInput(f"the cluster {address}: no scheduler there ({_reason(error)})") from None
        self._client._timeout = COMEBACK  # how long it looks for a lost scheduler
        self._executor = self._client.get_executor(pure=False, retries=0)
        self._run = uuid.uuid4().hex[:12]
        self._generation = 0
        self._bound = UNBOUNDED
        self._payload: str | None = None
        self._kept_by: Any = None
        self._gone_since: float | None = None
        self._asked: Future[Any] | None = None
        self._ask_at = 0.0
        self._submitted = 0
        self._keys: dict[Promise, str] = {}
        self._places_wanted = False
        self._placing: Future[Any] | None = None
        self._places: dict[str, str] = {}
        self._known: dict[str, int] = self._client.nthreads()

    @property
    def slots(self) -> int:
        """The threads of all present workers."""
        if self._client.status != "running":
            self._await_scheduler()
            return 0
        self._gone_since = None
        return sum(self._threads().values())

    @property
    def workers(self) -> int:
        return len(self._threads()) if self._client.status == "running" else 0

    def _threads(self) -> dict[str, int]:
        """The number of threads of each worker, as the scheduler last answered.  It is not waited for: it may be frozen."""
        if self._asked is not None and self._asked.done():
            with suppress(Exception, CancelledError):  # it is gone, or has just returned
                self._known = self._asked.result()
            self._asked = None
        if self._asked is None and time.monotonic() >= self._ask_at:
            self._ask_at = time.monotonic() + _ASK
            self._asked = self._send(self._client.scheduler.ncores)
            if self._places_wanted:
                self._ask_places()
        return self._known

    def _send(self, message: Callable[..., Any], **what: Any) -> Future[Any]:
        """Send the scheduler a message without waiting for the answer."""
        return asyncio.run_coroutine_threadsafe(message(**what), self._client.loop.asyncio_loop)

    @property
    def patience(self) -> float:
        return patience_of(self.slots)

    def _await_scheduler(self) -> None:
        """Give a lost scheduler time to return."""
        now = time.monotonic()
        self._gone_since = self._gone_since or now
        if self._client.status == "closed" or now - self._gone_since > COMEBACK:
            raise JobError(f"the scheduler at {self._name} is gone; a job can be resumed when the scheduler runs again")

    def begin(self) -> None:
        self._forget()  # the payload of the search before
        self._bound = UNBOUNDED
        self.go_on()

    def submit(self, search: Search, states: Sequence[bytes], orders: Orders) -> Promise:
        if self._payload is None or self._kept_by is not self._client.scheduler_comm:
            self._keep(pickle.dumps(search))
        self._submitted += 1
        key = f"tablero-{self._run}-unit-{self._submitted}"
        promise: Promise = self._executor.submit(
            work, self._payload, list(states), orders, self._bound, self._event, __version__, key=key
        )
        self._keys[promise] = key
        promise.add_done_callback(lambda done: self._keys.pop(done, None))
        return promise

    def where(self) -> dict[Promise, str]:
        """The worker of each bundle, by the last answer of the scheduler, which is asked from the first call on."""
        self._places_wanted = True
        return {promise: self._places[key] for promise, key in list(self._keys.items()) if key in self._places}

    def _ask_places(self) -> None:
        """Ask the scheduler which worker has which unit, without waiting for the answer; not with very many workers."""
        if self._placing is not None and self._placing.done():
            with suppress(Exception, CancelledError):
                self._places = {key: worker for worker, keys in self._placing.result().items() for key in keys}
            self._placing = None
        if self._placing is None and len(self._known) <= _MOST_PLACED:
            self._placing = self._send(self._client.scheduler.processing, workers=None)

    @property
    def scheduler(self) -> str:
        return "" if self._local is not None else self._name

    def _keep(self, payload: bytes) -> None:
        """Let the scheduler keep the payload; again after each lost connection, as it may be another scheduler."""
        self._payload = f"tablero-{hashlib.blake2b(payload, digest_size=16).hexdigest()}"
        self._kept_by = self._client.scheduler_comm
        self._send(self._client.scheduler.variable_set, name=self._payload, data=payload)

    def _forget(self) -> None:
        """Delete the payload."""
        if self._payload is not None and self._client.status == "running":
            self._client._send_to_scheduler({"op": "variable_delete", "name": self._payload})
        self._payload = None

    @property
    def _event(self) -> str:
        return f"tablero-{self._run}-{self._generation}"

    def recall(self) -> None:
        if self._client.status == "running":
            self._send(self._client.scheduler.event_set, name=self._event)

    def go_on(self) -> None:
        self._generation += 1

    def tighten(self, bound: int) -> None:
        self._bound = min(bound, self._bound)

    def losses(self, error: BaseException) -> int | None:
        """How many workers a failed bundle has cost; None if the search itself failed."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            return int(error.allowed_failures) + 1
        if isinstance(error, TimeoutError):
            self._payload = None  # a worker did not find it
        return 0 if isinstance(error, (CancelledError, OSError)) else None

    def close(self) -> None:
        if self._client.status == "running":
            with suppress(Exception):  # the scheduler or the workers may be gone
                self._forget()
                self._send(self._client.scheduler.event_set, name=self._event).result(timeout=1)
        with suppress(TimeoutError):
            self._client.close(timeout=2)
        if self._local is not None:
            self._local.end()


class _LocalCluster:
    """Workers on this machine, a process each, that no other user of this machine can connect to."""

    def __init__(self, address: str) -> None:
        import dask
        from distributed import Nanny, Security, SpecCluster

        from tablero.runs import nodes

        count = address.removeprefix("local:")
        if not (count.isascii() and count.isdecimal()) or len(count) > 4 or not 1 <= int(count) <= 1024:
            raise BadInput(f"the cluster {address}: expected local:N with N from 1 to 1024")
        self._name, self._wanted = address, int(count)
        os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", "65536")
        self.security, scratch = Security.temporary(), private_scratch()
        listen = {"host": "127.0.0.1", "protocol": "tls", "security": self.security, "dashboard": False, **PAGES_HERE}
        worker = {
            "nthreads": 1,
            "memory_limit": 1 / self._wanted,  # of the memory of this machine
            "worker_class": nodes.Worker,
            "silence_logs": logging.CRITICAL,
            "local_directory": scratch,
        }
        with dask.config.set({**REPORT_EVERY_LOSS, "temporary-directory": scratch}):
            self._dask = SpecCluster(
                scheduler={"cls": nodes.Scheduler, "options": {**listen, "port": 0}},
                worker={"cls": Nanny, "options": {**listen, **worker}},
                security=self.security,
                silence_logs=logging.CRITICAL,
            )
        self._dask.scale(self._wanted)  # does not wait for the workers: one may be frozen

    @property
    def address(self) -> str:
        """The address of the scheduler.  (A client that is given the cluster itself would wait for all of its workers.)"""
        return str(self._dask.scheduler_address)

    def await_workers(self, client: Any) -> None:
        """Wait for all workers; after a while for only one, as the others can join later."""
        began = time.monotonic()
        while (here := len(client.nthreads())) < self._wanted:
            waited = time.monotonic() - began
            if here and waited > CONNECT:
                return
            if waited > _STARTING:
                raise BadInput(f"the cluster {self._name}: no worker has started within {_STARTING} s")
            time.sleep(0.05)

    def end(self) -> None:
        """Close the cluster; workers that do not end in time, because they are frozen or have just started, are killed."""
        processes = [nanny.process for nanny in self._dask._created if nanny.process is not None]
        if len(self._dask.workers) < self._wanted:  # closing would wait for them
            _kill(processes)
        with suppress(TimeoutError):
            self._dask.close(timeout=5)
        self._dask.shutdown_on_close = False  # not again when the program ends
        _kill(processes)


def _kill(processes: Sequence[Any]) -> None:
    """Kill the processes that run, and wait until they are gone; threads of Dask collect their exit status."""
    living = [process.pid for process in processes if process.pid is not None]
    for pid in living:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + _ENDING
    while any(map(_is_there, living)) and time.monotonic() < until:
        time.sleep(0.02)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
