"""How a tool is timed: in a process of its own, by CPU seconds, in rounds that take turns with the other tools.

    task      what a tool is asked to do
    tool      a program under test: `prepare` turns a task into a call that takes no arguments and does the work
    call      the timed part; what comes before it (reading, converting, compiling) is not timed
    sample    the times of one or more calls in a row

Every tool has a process of its own, so that one cannot disturb another, and one that hangs can be cut off: the parent
watches its CPU time from outside.  (A timer in the process itself would spoil what is measured: while one is set, Linux
moves the process's CPU clock in steps of 4 ms.)
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")

_LONG = 30.0  # CPU seconds that a tool may spend on one task before it sits out further rounds
_SHORT = 0.1  # calls shorter than this are repeated: one alone would be mostly noise
_MOST_CALLS = 20
_LOOK = 0.25  # seconds between looks at a tool's CPU time
_STARTING = 300.0  # seconds of real time for a process to start and compile
# Nobody gets a second thread by the back door.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Settings:
    """What the user asked for."""

    rounds: int = 3
    limit: float = 120.0  # CPU seconds a call
    only: frozenset[str] = frozenset()
    quick: bool = False
    korf: Path | None = None  # a file with Korf's boards
    sudoku: tuple[Path, ...] = ()  # files of puzzles, a line each
    eternity: Path | None = None  # a file with the pieces of Eternity II

    def wants(self, part: str) -> bool:
        return not self.only or part in self.only


@dataclass(frozen=True)
class Found:
    """What a call brought."""

    solutions: int
    kernel: float | None = None  # CPU seconds of the search alone, where the tool tells
    remark: str = ""


@dataclass(frozen=True)
class Tool(Generic[Task]):
    """A program under test.  `prepare` must be a function of a module: it is sent to another process by name."""

    name: str
    prepare: Callable[[Task], Callable[[], Found]]


@dataclass
class Measured:
    """All that is known of one tool on one task."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    kernel: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)  # of solutions, one a call
    remark: str = ""
    cut: float | None = None  # the limit at which it was cut off
    error: str = ""

    @property
    def over(self) -> bool:
        """Whether there is no use in another round."""
        return self.cut is not None or bool(self.error) or sum(self.cpu) >= _LONG

    def add(self, more: Measured) -> None:
        """Put the calls of another round to these."""
        self.cpu += more.cpu
        self.wall += more.wall
        self.kernel += more.kernel
        self.counts += more.counts
        self.remark, self.cut, self.error = more.remark, more.cut, more.error

    def fault(self, solutions: int) -> str:
        """What is wrong, if anything: one false number among many right ones is enough."""
        if self.error:
            return "error"
        if self.cut is not None:
            return f">{self.cut:g}"
        false = [count for count in self.counts if count != solutions]
        return f"WRONG {false[0]}" if false else ""

    def median(self) -> float | None:
        return statistics.median(self.cpu) if self.cpu else None

    def as_json(self) -> dict[str, Any]:
        values: dict[str, Any] = {"solutions": sorted(set(self.counts)), "cpu": self.cpu, "wall": self.wall}
        if self.cpu:
            values |= {"median": self.median(), "min": min(self.cpu)}
        if self.kernel:
            values["kernel"] = self.kernel
        return values | {k: v for k in ("cut", "error", "remark") if (v := getattr(self, k))}


class CutOff(Exception):
    """A tool used up its time."""


class Worker(Generic[Task]):
    """The process of one tool, started when it is first needed."""

    def __init__(self, tool: Tool[Task]) -> None:
        self.tool = tool
        self._process: Any = None
        self._line: Connection | None = None

    def sample(self, task: Task, warm_up: Sequence[Task], limit: float) -> Measured:
        """Let the tool do the warm-up tasks, then time it on the task.  Raise CutOff when it takes too long."""
        try:
            line = self._line or self._start()
            line.send((task, tuple(warm_up)))
            if not line.poll(_STARTING):
                return self._failed(f"not ready after {_STARTING:g} s")
            if (answer := line.recv()) is None:  # ready: the clock runs
                self._watch(line, limit)
                answer = line.recv()
        except (EOFError, OSError):
            return self._failed("its process ended")
        except BaseException:
            self.close()
            raise
        assert isinstance(answer, Measured)
        return answer

    def _watch(self, line: Connection, limit: float) -> None:
        """Wait for an answer until the process has used up its time; a call that is repeated is a short one.

        A tool that waits for something uses no CPU time, so real time ends that too.
        """
        cpu, wall = _cpu_of(self._process.pid), time.monotonic()
        while not line.poll(_LOOK):
            if _cpu_of(self._process.pid) - cpu > limit + _SHORT or time.monotonic() - wall > _STARTING + 5 * limit:
                raise CutOff

    def _failed(self, how: str) -> Measured:
        status = self.close()
        return Measured(error=how if status is None else f"{how} with status {status}")

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self.tool.prepare), daemon=True)
        self._process.start()
        theirs.close()
        return self._line

    def close(self) -> int | None:
        """End the process; return the status with which it had ended by itself, or None."""
        if self._line:
            self._line.close()
        status: int | None = None
        if self._process:
            self._process.join(1.0)  # an idle process ends when its line is closed
            status = self._process.exitcode
            if status is None:
                self._process.kill()
                self._process.join()
        self._line = self._process = None
        return status


def _cpu_of(pid: int) -> float:
    """CPU seconds that another process has used; real time where the system does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return time.monotonic()
    fields = stat.read_text().rpartition(")")[2].split()  # the name before it may have blanks
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(line: Connection, prepare: Callable[[Any], Callable[[], Found]]) -> None:
    """The life of a tool's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells when to end
    warnings.simplefilter("ignore")
    with suppress(EOFError):
        while True:
            task, warm_up = line.recv()
            doing = "warming up: "  # a failure there says nothing about the task
            try:
                for small in warm_up:
                    prepare(small)()
                doing = ""
                call = prepare(task)
                line.send(None)
                answer = _time(call)
            except Exception as error:
                answer = Measured(error=f"{doing}{type(error).__name__}: {error}")
            line.send(answer)


def _time(call: Callable[[], Found]) -> Measured:
    """Time a call; a short one several times."""
    answer = Measured()
    while not answer.cpu or (sum(answer.cpu) < _SHORT and len(answer.cpu) < _MOST_CALLS):
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        found = call()
        answer.cpu.append(time.process_time() - cpu)
        answer.wall.append(time.perf_counter() - wall)
        if answer.cpu[-1] <= 0:
            raise RuntimeError("no CPU time passed in a call: this system's clock is too coarse to compare anything")
        if found.kernel is not None:
            answer.kernel.append(found.kernel)
        answer.counts.append(found.solutions)
        answer.remark = found.remark
    return answer


def race(
    name: str, workers: Sequence[Worker[Task]], task: Task, warm_up: Sequence[Task], settings: Settings
) -> dict[str, Measured]:
    """All tools on one task, taking turns, so that a busy minute of the machine meets all of them."""
    total = {worker.tool.name: Measured() for worker in workers}
    for number in range(settings.rounds):
        for worker in workers:
            so_far = total[worker.tool.name]
            if so_far.over:
                continue
            report(f"{name}: round {number + 1} of {settings.rounds}, {worker.tool.name}")
            try:
                so_far.add(worker.sample(task, warm_up, settings.limit))
            except CutOff:
                so_far.cut = settings.limit
    return total


def hold_to_one_thread() -> None:
    """Set what libraries look at when they decide on threads; processes started from now on inherit it."""
    for name in _ONE_THREAD:
        os.environ[name] = "1"


def report(text: str) -> None:
    """What is going on, for those who wait."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
    else:
        sys.stderr.write(text + "\n")
    sys.stderr.flush()


def hush() -> None:
    """Take the last line of `tell` away."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
