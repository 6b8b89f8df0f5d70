"""States that no search has stored: refused before a kernel sees them, or worked on without harm."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tablero.edges.generating import generate
from tablero.edges.methods import optimiser_for
from tablero.errors import BadInput
from tablero.queens.annealing import COOLINGS, SWAPS, Settings
from tablero.queens.kernels.anneal import QueensAnneal
from tablero.queens.kernels.local import QueensLocal
from tablero.search.base import UNBOUNDED, Orders
from tablero.search.cursor import Cursor, Level
from tablero.search.portfolio import Portfolio, pack
from tests import checked
from tests.hostile_states import FAMILIES, honest, work

STOP = np.zeros(1, np.uint8)
SEED = (1).to_bytes(8, "little")


@pytest.mark.parametrize("family", FAMILIES)
def test_no_state_leads_a_kernel_beyond_its_arrays(family: str, tmp_path: Path) -> None:
    """With bounds checked: an access beyond an array is an error, not a silence."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile_states", family, "300"],
        env={**os.environ, "TABLERO_HOME": str(tmp_path), **checked.environment()},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines
    for line in lines:
        refused, worked = (int(words.split()[0]) for words in line.rsplit(": ", 1)[1].split(", "))
        assert refused > 0, line
        assert worked > 0, line


def annealer(side: int = 300, **given: Any) -> QueensAnneal:
    return QueensAnneal((1, 2), side, Settings.for_side(side, **given).schedule())


def middle(search: Portfolio, trials: int = 60) -> Any:
    """The arrays of a search that is under way."""
    arrays = search.fresh(1)
    _, ended = search.step(arrays, trials, STOP)
    assert not ended
    return arrays


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("cooling", COOLINGS)
def test_honest_states_of_annealers_go_on(cooling: str, swap: str) -> None:
    for side in (1, 2, 4, 6, 9, 64, 300):
        for t0 in (None, 0.0, 1e9):
            expect_restored(annealer(side, cooling=cooling, swap=swap, t0=t0, max_trials=2000), 1 + side // 3)


@pytest.mark.parametrize("side", [1, 4, 5, 6, 8, 50, 2000])
def test_honest_states_of_local_searches_go_on(side: int) -> None:
    expect_restored(QueensLocal((1, 2), side), 1 + side // 7)


def expect_restored(search: Portfolio, trials: int) -> None:
    for seed in search.seeds:
        arrays, ended = search.fresh(seed), False
        for _ in range(50):
            again = search.restored(seed.to_bytes(8, "little") + pack(arrays), search.fresh(seed))
            assert all(np.array_equal(one, other) for one, other in zip(arrays, again, strict=True))
            _, ended = search.step(arrays, trials, STOP)
            if ended:
                break


def change(name: str, where: Any, value: Any) -> Callable[[Any], None]:
    def apply(arrays: Any) -> None:
        getattr(arrays, name)[where] = value

    return apply


def exchange_rows(arrays: Any) -> None:
    """Another board, in range in every array."""
    arrays.columns[[0, 1]] = arrays.columns[[1, 0]]


def one_diagonal(arrays: Any) -> None:
    """258 queens on one diagonal: its byte says 2, and the XOR of their rows is no row."""
    n = len(arrays.columns)
    arrays.columns[:] = np.arange(n)
    arrays.rising[:] = np.bincount(2 * np.arange(n), minlength=2 * n).astype(np.uint8)
    arrays.falling[:] = 0
    arrays.falling[n] = n % 256


CHANGES: dict[str, Callable[[Any], None]] = {
    "columns beyond the board": change("columns", slice(None), 1 << 30),
    "a column below 0": change("columns", 0, -1),
    "a column twice": change("columns", slice(2), 5),
    "another board": exchange_rows,
    "a diagonal of 258": one_diagonal,
    "rising": change("rising", 7, 9),
    "falling": change("falling", 7, 9),
    "pool beyond the board": change("pool", 0, 1 << 30),
    "pool below 0": change("pool", 0, -1),
    "a queen twice in the pool": lambda arrays: arrays.pool.__setitem__(0, arrays.pool[1]),
    "marks": change("pooled", slice(None), 1),
    "marks that are no marks": lambda arrays: arrays.pooled.__setitem__(arrays.pool[0], 7),
    "a random state of 0": change("random", 0, 0),
}
ANNEALER = {
    **CHANGES,
    "mates up": change("rising_mates", 3, 1 << 20),
    "mates down": change("falling_mates", 3, 1 << 20),
    "cost": change("numbers", 0, 1),
    "trials": change("numbers", 1, -1),
    "more trials": change("numbers", 1, 1 << 61),
    "stall": change("numbers", 2, -1),
    "pool of more than all": change("numbers", 3, 1 << 40),
    "an empty pool": change("numbers", 3, 0),
    "step": change("numbers", 4, 1 << 40),
    "here": change("numbers", 5, 1 << 40),
    "hot": change("reals", 0, np.inf),
    "no temperature": change("reals", 0, np.nan),
    "warmer": change("reals", 0, 17.0),
    "seconds": change("reals", 1, np.nan),
    "less than no time": change("reals", 1, -1.0),
}
LOCAL = {
    **CHANGES,
    "phase": change("numbers", 0, 7),
    "done": change("numbers", 0, 3),
    "trials": change("numbers", 1, -1),
    "row": change("numbers", 2, 1 << 40),
    "row below 0": change("numbers", 2, -1),
    "cost": change("numbers", 4, 1),
    "no cost": change("numbers", 4, 0),
    "stall": change("numbers", 5, 1 << 40),
    "an empty pool": change("numbers", 6, 0),
    "pool of more than all": change("numbers", 6, 1 << 40),
    "seconds": change("seconds", 0, np.inf),
}


@pytest.mark.parametrize("what", ANNEALER)
def test_a_changed_annealer_is_refused(what: str) -> None:
    expect_refused(annealer(258), 60, ANNEALER[what])


@pytest.mark.parametrize("what", LOCAL)
def test_a_changed_local_search_is_refused(what: str) -> None:
    search = QueensLocal((1, 2), 258)
    expect_refused(search, int(3.08 * 258) + 1, LOCAL[what])


@pytest.mark.parametrize(
    "what", sorted({"columns beyond the board", "another board", "row", "rising", "marks", "cost"})
)
def test_a_changed_greedy_board_is_refused(what: str) -> None:
    expect_refused(QueensLocal((1, 2), 258), 100, LOCAL[what])


def expect_refused(search: Portfolio, trials: int, apply: Callable[[Any], None]) -> None:
    arrays = middle(search, trials)
    search.restored(SEED + pack(arrays), search.fresh(1))
    apply(arrays)
    with pytest.raises(BadInput, match="a stored local search is damaged"):
        work(search, SEED + pack(arrays))


def test_arrays_of_another_kind_are_refused_at_no_cost() -> None:
    """A header that promises gigabytes, or a pickle, is not read: it is not what stands before a fresh array."""
    search = annealer(20)
    arrays = middle(search, 5)
    good = pack(arrays)

    class Harm:
        def __reduce__(self) -> Any:
            return pytest.fail, ("a pickle was run",)

    huge = io.BytesIO()
    np.lib.format.write_array_header_1_0(huge, {"descr": "<i4", "fortran_order": False, "shape": (1 << 40,)})
    objects = io.BytesIO()
    np.lib.format.write_array_header_1_0(objects, {"descr": "|O", "fortran_order": False, "shape": (20,)})
    bad = [
        b"rubbish",
        good[:-1],
        good + b"x",
        good[:40],
        huge.getvalue(),
        huge.getvalue() + good,
        objects.getvalue() + pickle.dumps(Harm()),
        pack((arrays.columns.astype(np.int64), *arrays[1:])),
        pack((arrays.columns[:-1], *arrays[1:])),
        pack((arrays.columns.reshape(4, 5), *arrays[1:])),
        pack((*arrays, arrays.random)),
        pack(tuple(reversed(arrays))),
    ]
    tracemalloc.start()
    for data in bad:
        with pytest.raises(BadInput, match="a stored local search is damaged"):
            work(search, SEED + data)
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()
    for state in (b"", b"1", (3).to_bytes(8, "little"), (3).to_bytes(8, "little") + good):
        with pytest.raises(BadInput, match="its seed is none of this search"):
            work(search, state)


def test_blanks_after_a_header_are_of_no_account() -> None:
    """Versions of NumPy put different numbers of them."""
    search = annealer(20)
    good = pack(middle(search, 5))
    length = int.from_bytes(good[8:10], "little")
    longer = good[:8] + (length + 64).to_bytes(2, "little") + good[10 : 9 + length] + b" " * 64 + good[9 + length :]
    rests = [
        search.advance(SEED + one, Orders(60.0, nodes=50), STOP, np.full(1, UNBOUNDED)).rest for one in (good, longer)
    ]
    boards = [search.partial(rest or b"") for rest in (*rests, SEED + good)]
    one, other, before = [() if board is None else tuple(board.tolist()) for board in boards]
    assert one == other != before


def test_boards_of_a_beam() -> None:
    search = optimiser_for(generate(7, colours=9, seed=1), 3)
    state = next(state for state in honest(search) if len(state) > len(search.starts()[0]))
    head = len(search.starts()[0])
    cells = search.tiles.cells
    boards = np.frombuffer(state[head:], np.int32).copy()

    def with_boards(apply: Callable[[Any], None]) -> bytes:
        changed = boards.copy()
        apply(changed)
        return state[:head] + changed.tobytes()

    assert work(search, with_boards(lambda _: None)) is not None
    for apply in (
        lambda rows: rows.__setitem__(0, 1 << 30),
        lambda rows: rows.__setitem__(0, -1),
        lambda rows: rows.__setitem__(0, rows[1]),
        lambda rows: rows.__setitem__(cells, rows[cells + 1]),
        lambda rows: rows.__setitem__([0, 5], rows[[5, 0]]),
    ):
        with pytest.raises(BadInput, match="a stored board is damaged"):
            work(search, with_boards(apply))
    for bad in (state[:-1], state[:head], state[: head - 1], b"", state + b"1234"):
        with pytest.raises(BadInput, match="stored"):
            work(search, bad)
    with pytest.raises(BadInput, match="stored"):
        search.share(b"")


def number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def test_cursors_of_no_sense() -> None:
    million = 1 << 24
    for data in (
        b"\x01" + number(1 << 62),
        b"\x01" + number(million) + b"\x00\x00\x01" * million,
        b"\x01\x01" + number(1 << 62) + number(1 << 62) + number(1 << 62),
        b"\x01\x01" + number(1 << 41) + b"\x00\x01",
        b"\x01\x01\x00\x00" + b"\xff" * 100 + b"\x01",
    ):
        with pytest.raises(BadInput, match="a stored cursor"):
            Cursor.load(data)
    deep = Cursor((Level(0, 0, 1),) * 100_000)
    for family in ("cover", "queens", "sliding", "sudoku"):
        _, search = next(FAMILIES[family]())
        with pytest.raises(BadInput, match="levels deep"):
            work(search, deep.store())
