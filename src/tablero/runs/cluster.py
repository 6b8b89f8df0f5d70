"""The grid: units worked on by the workers of a Dask cluster, through the same coordinator as threads.

    payload   the search, pickled once; a task of its own that every worker unpacks once and keeps.  Dask makes it
              again on another worker when those that hold it are lost
    recall    an event of the scheduler that every worker waits for; cancelling would not stop a running task.
              Each recall has an event of its own, so that a unit never sees one that is over
    loss      a unit whose worker died.  Our schedulers tell at once, and the coordinator counts; one that somebody else
              started may run the unit again by itself a few times first

A scheduler that dies takes every promise with it.  The units are then given back, and the client waits for the
scheduler to come back; the books are the coordinator's, so nothing is lost with it.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
import threading
import time
import uuid
import warnings
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from ipaddress import IPv6Address
from typing import Any

import numpy as np

from tablero import __version__
from tablero.errors import BadInput, JobError, MissingExtra
from tablero.runs.security import host_of, is_loopback, private_scratch, temporary_tls, tls_of
from tablero.search.base import UNBOUNDED, Flag, Orders, Outcome, Search

CONNECT = 10  # seconds that a scheduler has to answer
SHORTEST_UNIT = 5.0  # seconds
UNITS_PER_SECOND = 50
COMEBACK = 60.0  # seconds that a lost scheduler is waited for
TELL_EVERY_LOSS = {"distributed.scheduler.allowed-failures": 0}
PAGES_HERE = {"dashboard_address": "127.0.0.1:0"}  # should a Dask to come serve its pages after all

# What runs on a worker

_flags: dict[str, Flag] = {}
_flags_lock = threading.Lock()


def unpack(payload: bytes) -> Search:
    """The search, made once on each worker."""
    search: Search = pickle.loads(payload)
    return search


def work(search: Search, state: bytes, orders: Orders, bound: int, event: str, version: str) -> Outcome:
    """Work on a unit until it is done, its time is up, or the event is set."""
    if version != __version__:
        raise BadInput(f"the coordinator has tablero {version}, a worker has {__version__}: install the same on both")
    return search.advance(state, orders, _flag_of(event), np.full(1, bound, np.int64))


def _flag_of(event: str) -> Flag:
    """The flag that rises with an event: one thread a worker waits for it."""
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
        pass  # the scheduler is gone: what the unit brings can no longer be told
    finally:
        flag[0] = 1
        with _flags_lock:
            _flags.pop(event, None)


# What runs beside the coordinator


class Cluster:
    """An engine over `Client.get_executor()`."""

    def __init__(self, address: str, tls: str = "", insecure: bool = False) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingExtra("--cluster", "cluster") from None
        logging.getLogger("distributed").setLevel(logging.ERROR)
        self._local: Any = None
        self._name = address
        if tls and address.startswith("local:"):
            raise BadInput(f"--cluster {address}: it makes certificates of its own; --tls is for other clusters")
        security = tls_of(tls, "client") if tls else None
        try:
            if address.startswith("local:"):
                self._local = _local_cluster(address)
                target = self._local
            else:
                target = checked_address(address, secure=bool(tls), insecure=insecure)
            self._client = distributed.Client(target, security=security, timeout=CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            if isinstance(error, BadInput):
                raise
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise BadInput(f"--cluster {address}: no scheduler there ({reason})") from None
        self._client._timeout = COMEBACK  # how long it tries to find a lost scheduler again
        self._executor = self._client.get_executor(pure=False, retries=0)
        self._run = uuid.uuid4().hex[:12]
        self._generation = 0
        self._bound = UNBOUNDED
        self._payload: Any = None
        self._gone_since: float | None = None

    @property
    def slots(self) -> int:
        """The threads of all workers there are now."""
        if self._client.status != "running":
            self._await_scheduler()
            return 0
        self._gone_since = None
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(worker["nthreads"] for worker in workers)

    @property
    def workers(self) -> int:
        return len(self._client.scheduler_info(n_workers=-1)["workers"]) if self._client.status == "running" else 0

    @property
    def patience(self) -> float:
        """Longer units for more workers, so that the scheduler never has more than some fifty a second to pass on."""
        return max(SHORTEST_UNIT, self.slots / UNITS_PER_SECOND)

    def _await_scheduler(self) -> None:
        """Give a lost scheduler time to come back."""
        now = time.monotonic()
        self._gone_since = self._gone_since or now
        if self._client.status == "closed" or now - self._gone_since > COMEBACK:
            raise JobError(f"the scheduler at {self._name} is gone; a job can be resumed when it is back")

    def submit(self, search: Search, state: bytes, orders: Orders) -> Future[Outcome]:
        if self._payload is None or self._payload.status in ("cancelled", "lost", "error"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # Dask's remark that a payload is large
                self._payload = self._client.submit(unpack, pickle.dumps(search), pure=False)
        promise: Future[Outcome] = self._executor.submit(
            work, self._payload, state, orders, self._bound, self._event, __version__
        )
        return promise

    @property
    def _event(self) -> str:
        return f"tablero-{self._run}-{self._generation}"

    def recall(self) -> None:
        from distributed import Event

        if self._client.status == "running":
            Event(self._event, client=self._client).set()

    def go_on(self) -> None:
        self._generation += 1

    def tighten(self, bound: int) -> None:
        self._bound = min(bound, self._bound)

    def losses(self, error: Exception) -> int | None:
        """How many workers a failed unit has cost, or None when it failed for another reason."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            return int(error.allowed_failures) + 1
        return 0 if isinstance(error, (CancelledError, OSError)) else None

    def close(self) -> None:
        with suppress(Exception):  # nobody may be left to be recalled
            self.recall()
        self._executor.shutdown(wait=False)
        self._client.close(timeout=2)
        if self._local is not None:
            self._local.close(timeout=5)


def _local_cluster(address: str) -> Any:
    """Workers on this machine, a process each; their doors are shut to everyone else, who may be on this machine too."""
    import dask
    from distributed import Nanny, SpecCluster

    from tablero.runs import nodes

    count = address.removeprefix("local:")
    if not count.isdecimal() or not 1 <= int(count) <= 1024:
        raise BadInput(f"--cluster {address}: expected local:N with N from 1 to 1024")
    os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", "65536")
    security = temporary_tls()
    door = {"host": "127.0.0.1", "protocol": "tls", "security": security, "dashboard": False, **PAGES_HERE}
    worker = {
        "nthreads": 1,
        "memory_limit": 1 / int(count),  # of this machine's
        "worker_class": nodes.Worker,
        "silence_logs": logging.CRITICAL,
    }
    with dask.config.set({**TELL_EVERY_LOSS, "temporary-directory": private_scratch()}):
        return SpecCluster(
            scheduler={"cls": nodes.Scheduler, "options": {**door, "port": 0}},
            workers={k: {"cls": Nanny, "options": {**door, **worker}} for k in range(int(count))},
            security=security,
            silence_logs=logging.CRITICAL,
        )


# Addresses


def checked_address(
    address: str, *, secure: bool, insecure: bool, option: str = "--cluster", default_port: int | None = None
) -> str:
    """A scheduler's address with its protocol; without TLS only this machine is talked to, unless the user insists."""
    scheme, _, rest = address.rpartition("://")
    host, port = _host_and_port(rest, f"{option} {address}")
    if scheme not in ("", "tcp", "tls") or (port is None and default_port is None):
        local = " or local:N" if option == "--cluster" else ""
        raise BadInput(f"{option} {address}: expected HOST:PORT, tls://HOST:PORT{local}")
    if secure and scheme == "tcp":
        raise BadInput(f"{option} {address}: tcp is not encrypted, and --tls is given")
    if not secure and scheme == "tls":
        raise BadInput(f"{option} {address}: --tls DIR must say where the certificates are")
    _refuse_open_doors(host, f"{option} {address}", secure or insecure)
    return f"{'tls' if secure else 'tcp'}://{host}:{port or default_port}"


def checked_host(host: str, *, secure: bool, insecure: bool) -> str:
    """An address to listen on; an IPv6 address gets the brackets that it has beside a port."""
    known = host_of(host.removeprefix("[").removesuffix("]"), f"--host {host}")
    written = f"[{known}]" if isinstance(known, IPv6Address) else str(known)
    _refuse_open_doors(written, f"--host {host}", secure or insecure)
    return written


def host_towards(scheduler: str, *, secure: bool, insecure: bool) -> str:
    """Where a worker and its nanny listen, if nobody says: on the one address that the scheduler reaches them by.

    Dask would let the worker, though not its nanny, listen on all of them.
    """
    from distributed.utils import ensure_ip, get_ip

    host = scheduler.partition("://")[2].rpartition(":")[0]
    if not secure and not insecure:
        return "[::1]" if host.startswith("[") else "127.0.0.1"
    try:
        own = get_ip(ensure_ip(host.removeprefix("[").removesuffix("]")))
    except OSError as error:
        raise BadInput(f"worker {scheduler}: {host} is not known here ({error.strerror or error})") from None
    return f"[{own}]" if ":" in own else str(own)


def check_free(host: str, port: int, option: str) -> None:
    """Tell in one line, before Dask tells in many, that one cannot listen there."""
    name = host.removeprefix("[").removesuffix("]")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Dask does
            probe.bind(place)
    except OSError as error:
        raise BadInput(f"{option}: cannot listen there ({error.strerror or error})") from None


def _host_and_port(text: str, option: str) -> tuple[str, int | None]:
    """HOST, HOST:PORT, [IPV6] or [IPV6]:PORT, the host in the same spelling."""
    if text.startswith("["):
        host, end, rest = text[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        good = isinstance(host_of(host, option), IPv6Address) and end == "]" and colon in ("", ":")
        host = f"[{host}]"
    else:
        host, colon, port = text.partition(":")
        if ":" in port:
            raise BadInput(f"{option}: an IPv6 address stands in brackets, as [::1]:8786")
        good = bool(host) and bool(host_of(host, option))
    if not good or (colon and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536)):
        raise BadInput(f"{option}: expected HOST:PORT with a port from 1 to 65535")
    return host, int(port) if colon else None


def _refuse_open_doors(host: str, option: str, may_be_open: bool) -> None:
    if not may_be_open and not is_loopback(host):
        raise BadInput(f"{option}: not encrypted and not this machine; give --tls DIR, or insist: --insecure")
