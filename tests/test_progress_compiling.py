"""What is said while kernels are compiled: nothing where it takes a glance, else what is waited for and how much is left."""

from __future__ import annotations

import io
import sys
from threading import Thread
from types import ModuleType

import pytest

from tablero.runs import progress
from tablero.runs.progress import Progress, Snapshot
from tablero.search.compiled import kernel, parts_left


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time between two looks."""
    monkeypatch.setattr(progress, "_GLANCE", 0.0)
    monkeypatch.setattr(progress, "_COUNT_EVERY", 0.0)
    monkeypatch.setattr(progress, "_LOG_EVERY", 0.0)


class Waiting(io.StringIO):
    """A file that knows when it has been told of what is left."""

    def wait_for(self, words: str) -> None:
        while words not in self.getvalue():
            pass


@pytest.mark.usefixtures("hurried")
def test_what_is_left_is_counted_down(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [(0, 5)]
    monkeypatch.setattr(progress, "parts_left", lambda: known[0])
    out = Waiting()
    show = Progress(out)
    show(Snapshot(doing="compiling the kernel"))
    out.wait_for("loading the kernel …\n")
    known[0] = (12, 17)
    out.wait_for("compiling the kernel · 12 of 17 parts left\n")
    known[0] = (8, 25)
    out.wait_for("compiling the kernel · 8 of 25 parts left, about ")
    show(Snapshot(over=True))
    lines = out.getvalue().splitlines()
    assert lines[:3] == [
        "loading the kernel …",
        "compiling the kernel, once on this machine …",
        "compiling the kernel · 12 of 17 parts left",
    ]
    assert lines[-1].startswith("ready in ")


def test_what_is_left_goes_down_and_is_not_told_once_it_has_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "parts_left", lambda: (0, 0))
    estimate = progress.CompilingEstimate()
    assert estimate.text(0, 0, 1.0) == ""
    assert estimate.text(20, 20, 2.0) == "20 of 20 parts left"
    assert estimate.text(10, 20, 12.0) == "10 of 20 parts left, about 10 s"
    assert estimate.text(10, 20, 18.0) == "10 of 20 parts left, about 4.0 s"
    assert estimate.text(10, 20, 22.0) == "10 of 20 parts left"


def test_what_takes_a_glance_is_not_told() -> None:
    out = io.StringIO()
    show = Progress(out)
    show(Snapshot(doing="compiling the kernel"))
    show(Snapshot(over=True))
    assert out.getvalue() == ""


def test_a_kernel_is_compiled_once_for_all_numbers_written_out() -> None:
    @kernel
    def three_times(number: int) -> int:
        return 3 * number

    @kernel
    def some(number: int) -> int:
        return three_times(1) + three_times(2) + three_times(number)

    left, parts = parts_left()
    assert some(5) == 24
    assert len(three_times.part) == 1  # type: ignore[attr-defined]
    assert not three_times.signatures  # type: ignore[attr-defined]  # it has no machine code of its own
    assert parts_left() == (left, parts + 2)
    assert three_times(7) == 21  # Python can call it all the same


def test_nothing_is_counted_while_what_counts_is_itself_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tablero.search.compiled", ModuleType("tablero.search.compiled"))
    assert progress.parts_left() == (0, 0)


def test_never_are_none_of_no_parts_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "parts_left", lambda: (3, 5))
    assert progress.CompilingEstimate().text(0, 0, 1.0) == ""


def test_ctrl_c_while_the_telling_is_begun_leaves_no_other_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Thread) -> None:
        raise KeyboardInterrupt

    show = Progress(io.StringIO())
    monkeypatch.setattr(Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        show(Snapshot(doing="compiling the kernel"))
    show(Snapshot(over=True))
