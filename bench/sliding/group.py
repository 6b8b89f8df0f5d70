"""The group `sliding`: how long the answers are and how long they take, in CPU seconds, kernels compiled before.

constructive  1,000 boards for each n = 3 to 12 by each method, every answer played to its end; 100 by `carry`
large         boards of 50×50, 100×100 and 200×200 by each method
carry         moves over n³ of `carry` beside the greedy methods, n = 8 to 100, and what lies below and above
worst         the exact worst case by the dynamic programme, n = 3 to 12
databases     the pattern databases of 4×4, built from nothing
twenty-four   boards of 5×5 by their databases, which are built first where they are not there (a minute or two)
optimal       all boards of 3×3; 100 random boards of 4×4; Korf's boards where a file is given (--korf FILE: a line a
              board, its number, the moves of a shortest answer, 16 tiles row by row, the goal's blank first)
anytime       20 boards of 10×10, five seconds each; one of 50×50 and one of 100×100, a minute of CPU time each
warehouse     random orders and the reversed one
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from bench import table
from bench.measure import Settings, hush, report
from bench.sliding import many
from tablero import sliding, warehouse
from tablero.files import read_text
from tablero.runs.run import Here
from tablero.sliding import anytime, checking, constructive, optimal
from tablero.sliding.kernels import databases, search
from tablero.sliding.kernels.construct import UNREACHED

PARTS = ("constructive", "large", "carry", "worst", "databases", "twenty-four", "optimal", "anytime", "warehouse")
PACKAGES = ("tablero", "numba", "numpy", "scipy")
_MEANS = {  # of the specification: table, transport
    4: (94.0, 93.3), 5: (222.9, 219.2), 6: (421.8, 416.1), 7: (712.8, 699.0), 8: (1104.5, 1084.8),
    9: (1618.1, 1591.1), 10: (2266.1, 2228.1), 11: (3067.7, 3012.5), 12: (4040.4, 3964.6),
}  # fmt: skip
_KNOWN = ("table", "transport")
_WORST = {  # of the specification
    "table": {4: 152, 5: 374, 6: 728, 7: 1242, 8: 1946, 9: 2870, 10: 4044, 11: 5498},
    "sides": {4: 158, 5: 388, 6: 750, 7: 1274},
}
_CPU_CLOCK = SimpleNamespace(monotonic=time.process_time, thread_time=time.thread_time)
_WAREHOUSES = {9: (384, 500), 16: (2625, 3704), 25: (10601, 14880), 36: (33076, 47442), 81: (379620, 549568)}


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    parts: dict[str, Callable[[Settings, list[str]], dict[str, Any]]] = {
        "constructive": _constructive,
        "large": _large,
        "carry": _carry,
        "worst": _worst,
        "databases": _databases,
        "twenty-four": _twenty_four,
        "optimal": _optimal,
        "anytime": _anytime,
        "warehouse": _warehouse,
    }
    anytime.warm()
    for name, part in parts.items():
        if settings.wants(name):
            report(f"sliding: {name}")
            values[name] = part(settings, values["faults"])
    return values


def _print(title: str, head: list[str], rows: list[list[str]]) -> None:
    hush()
    print(f"\n{title}\n{table.table(head, rows)}")


def _constructive(settings: Settings, faults: list[str]) -> dict[str, Any]:
    count = 200 if settings.quick else 1000
    rows, values = [], {}
    for n in range(3, 13):
        boards = np.array([sliding.generate(n, seed=k).tiles for k in range(count)], np.int64)
        row = [f"{n}×{n}"]
        for method in constructive.METHODS:
            some = boards[: count // 10] if method == "carry" else boards
            many.constructed(n, some[:1], method)
            began = time.process_time()
            moves = many.constructed(n, some, method)
            seconds = (time.process_time() - began) / len(some)
            bound = constructive.bound(method, n)
            values[f"{n} {method}"] = {"mean": float(moves.mean()), "most": int(moves.max()), "seconds": seconds}
            row += [f"{moves.mean():.1f}", f"{moves.max()}", f"{1e6 * seconds:.0f} µs"]
            if bound is not None and moves.max() > bound:
                faults.append(f"{method} took {moves.max()} moves on {n}×{n}, over its bound {bound}")
            known = _MEANS[n][("table", "transport").index(method)] if n in _MEANS and method in _KNOWN else 0.0
            if known and abs(moves.mean() / known - 1) > 0.03:
                faults.append(f"{method} on {n}×{n}: a mean of {moves.mean():.1f}, the specification says {known}")
        rows.append(row)
    head = ["boards"] + [word for method in constructive.METHODS for word in (f"{method}: mean", "most", "each")]
    _print(f"{count:,} random boards of each size ({count // 10} by carry), all solved and played", head, rows)
    return values


def _large(settings: Settings, faults: list[str]) -> dict[str, Any]:
    rows, values = [], {}
    for n in (50, 100) if settings.quick else (50, 100, 200):
        board = sliding.generate(n, seed=1)
        for method in constructive.METHODS:
            if (n, method) == (200, "carry"):
                continue  # too slow here
            began = time.process_time()
            moves, _ = constructive.construct(board, method)
            seconds = time.process_time() - began
            if wrong := checking.fault_of_codes(board, moves):
                faults.append(f"{method} on {n}×{n}: {wrong}")
            values[f"{n} {method}"] = {"moves": len(moves), "seconds": seconds}
            rows.append([f"{n}×{n} {method}", f"{len(moves):,}", f"{len(moves) / n**3:.3f}", table.seconds(seconds)])
    if values["100 table"]["seconds"] > 2 or values["100 carry"]["seconds"] > 5:
        faults.append("100×100 took table more than 2 s, or carry more than 5")
    _print("Large boards", ["", "moves", "over n³", "seconds"], rows)
    return values


def _carry(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """What the blank can carry on its way: the method beside the greedy ones, and beside what is needed at least."""
    rows, values = [], {}
    for n in (8, 12, 20, 40) if settings.quick else (8, 12, 20, 40, 70, 100):
        boards = [sliding.generate(n, seed=k) for k in range(1, (100 if n < 30 else 8 if n < 70 else 2) + 1)]
        row = [f"{n}×{n}", f"{len(boards)}", f"{statistics.mean(map(optimal.lower_bound, boards)) / n**3:.3f}"]
        for method in ("table", "parberry", "transport", "carry"):
            began = time.process_time()
            moves = [constructive.construct(board, method)[0] for board in boards]
            seconds = (time.process_time() - began) / len(boards)
            if any(checking.fault_of_codes(board, one) for board, one in zip(boards, moves, strict=True)):
                faults.append(f"{method} did not solve a board of {n}×{n}")
            over = [len(one) / n**3 for one in moves]
            values[f"{n} {method}"] = {"over": over, "seconds": seconds}
            row.append(f"{statistics.mean(over):.3f}")
        rows.append([*row, f"{max(over):.3f}", table.seconds(seconds)])
    head = ["moves over n³", "boards", "needed at least", "table", "parberry", "transport", "carry", "most", "s"]
    _print("What the blank carries on its way; random boards by seed, every answer played", head, rows)
    return values


def _worst(settings: Settings, faults: list[str]) -> dict[str, Any]:
    rows, values = [], {}
    for n in range(3, 8 if settings.quick else 13):
        row = [f"{n}×{n}"]
        for method in constructive.TILE_BY_TILE:
            began = time.process_time()
            found = sliding.worst(n, method=method)
            row += [str(found.moves), table.seconds(time.process_time() - began)]
            values[f"{n} {method}"] = found.moves
            known = _WORST.get(method, {}).get(n, found.moves)
            if found.moves != known:
                faults.append(f"the worst case of {method} on {n}×{n} is {found.moves}, the specification says {known}")
            if found.bound is not None and found.moves > found.bound:
                faults.append(f"the worst case of {method} on {n}×{n} is over its bound {found.bound}")
        rows.append([*row, str(constructive.bound("table", n)), str(constructive.bound("parberry", n))])
    head = ["boards"] + [word for method in constructive.TILE_BY_TILE for word in (method, "s")]
    _print(
        "Exact worst cases, each attained by a board that was played",
        [*head, "thesis's bound", "Parberry's bound"],
        rows,
    )
    return values


def _twenty_four(settings: Settings, faults: list[str]) -> dict[str, Any]:
    if settings.quick and not databases.twenty_four_is_there():
        hush()
        print("\n5×5 by pattern databases: left out, they are not built on this machine")
        return {}
    began = time.process_time()
    tables = databases.twenty_four(lambda part: report(f"sliding: databases of 5×5, {100 * part:.0f} %"))
    built, rows, values = time.process_time() - began, [], {}
    optimal.warm(sliding.generate(5, seed=1), "patterns")
    for walk in (60, 90) if settings.quick else (60, 90, 120, 150):
        found, lines = [], []
        for seed in range(5):
            board = _walked(walk, seed)
            report(f"sliding: 5×5, {walk} moves from the goal, {seed + 1} of 5")
            answer = board.solve(method="optimal", estimate="patterns", run=Here(time_limit=60.0))
            found.append(answer)
            lines.append(optimal.Task.of(board).least("lines"))
        solved = [answer for answer in found if answer.optimal]
        values[str(walk)] = [[len(answer), answer.lower, answer.nodes, answer.cpu_seconds] for answer in found]
        rows.append(
            [
                f"{walk}",
                f"{len(solved)} of {len(found)}",
                f"{statistics.mean(len(answer) for answer in solved):.1f}" if solved else "",
                f"{statistics.mean(answer.lower for answer in found):.1f}",
                f"{statistics.mean(lines):.1f}",
                f"{statistics.mean(answer.nodes for answer in found):,.0f}",
                table.seconds(statistics.mean(answer.cpu_seconds for answer in found)),
            ]
        )
    size = sum(map(len, tables)) / 1e6
    title = (
        f"5×5 by pattern databases: {size:.0f} MB, built or read in {table.seconds(built)} s; a minute a board at most"
    )
    head = ["walk from the goal", "solved", "moves", "proved at least", "first by lines", "positions", "CPU s"]
    _print(title, head, rows)
    return {"seconds": built, "boards": values}


def _walked(length: int, seed: int) -> sliding.Board:
    """A board that a walk of so many moves leads to from the goal, none taken back at once."""
    rng, tiles, hole, last = random.Random(seed), [*range(1, 25), 0], 24, 0
    for _ in range(length):
        steps = [s for s in (-5, 5) if 0 <= hole + s < 25] + [s for s in (1, -1) if (hole + s) // 5 == hole // 5]
        last = rng.choice([s for s in steps if s != -last])
        tiles[hole], tiles[hole + last] = tiles[hole + last], 0
        hole += last
    return sliding.Board(5, 5, tuple(tiles))


def _databases(settings: Settings, faults: list[str]) -> dict[str, Any]:
    databases.by_index(3, 3, (1, 2))
    began = time.process_time()
    sizes = [len(databases.by_index(4, 4, pattern)) for pattern in databases.FIFTEEN]
    seconds = time.process_time() - began
    hush()
    print(f"\nPattern databases of 4×4: {sum(sizes) / 1e6:.1f} MB built in {table.seconds(seconds)} s")
    if seconds > 20:
        faults.append("building the databases took more than 20 s")
    return {"seconds": seconds, "bytes": sum(sizes)}


def _optimal(settings: Settings, faults: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {"3×3": _eight(faults)}
    count = 20 if settings.quick else 100
    sets: dict[str, list[tuple[sliding.Board, int | None]]] = {
        f"{count} random": [(sliding.generate(4, seed=k), None) for k in range(count)]
    }
    if settings.korf is not None:
        sets["Korf's"] = _korf(read_text(settings.korf))
    search.problem_for(4, 4, 15, "patterns")
    rows = []
    for name, boards in sets.items():
        for estimate in ("patterns", "walking"):
            optimal.warm(boards[0][0], estimate)
            found = []
            for k, (board, known) in enumerate(boards):
                report(f"sliding: optimal, {name}, {estimate}, {k + 1} of {len(boards)}")
                answer = board.solve(method="optimal", estimate=estimate)
                found.append(answer)
                if known is not None and len(answer) != known:
                    faults.append(f"board {k + 1} of {name}: {len(answer)} moves, known are {known}")
            cpu = [answer.cpu_seconds for answer in found]
            nodes = sum(answer.nodes for answer in found)
            values[f"{name} {estimate}"] = {"cpu": cpu, "nodes": nodes, "moves": [len(answer) for answer in found]}
            mean = statistics.mean(len(answer) for answer in found)
            rows.append(
                [
                    f"{name}, {estimate}",
                    f"{len(found)}",
                    f"{mean:.2f}",
                    f"{nodes / len(found):,.0f}",
                    table.seconds(statistics.mean(cpu)),
                    table.seconds(max(cpu)),
                    f"{nodes / sum(cpu) / 1e6:.1f}",
                ]
            )
            if name != "Korf's" and estimate == "patterns" and statistics.mean(cpu) > 1:
                faults.append("a random board of 4×4 took more than a CPU second in the mean")
    head = ["4×4, shortest answers", "boards", "moves", "positions", "CPU s", "most", "million a second"]
    _print("Shortest answers", head, rows)
    return values


def _eight(faults: list[str]) -> dict[str, Any]:
    states = constructive.permutations(9)
    far = constructive.distances(3, 3)[constructive.rank(states)]
    boards = states[far != UNREACHED].astype(np.int64)
    many.shortest(3, 3, boards[:1])
    began = time.process_time()
    moves, nodes = many.shortest(3, 3, boards)
    seconds = time.process_time() - began
    hush()
    print(
        f"\nAll {len(boards):,} boards of 3×3: the worst takes {moves.max()} moves, the mean {moves.mean():.2f}; "
        f"{nodes:,} positions in {table.seconds(seconds)} s\n  by moves: {' '.join(map(str, np.bincount(moves)))}"
    )
    if (moves != far[far != UNREACHED]).any() or moves.max() != 31:
        faults.append("a board of 3×3 has a shorter answer than the search found")
    return {"seconds": seconds, "nodes": nodes, "counts": np.bincount(moves).tolist()}


def _korf(text: str) -> list[tuple[sliding.Board, int | None]]:
    """A line a board: number, moves of a shortest answer, tiles; the goal's blank is first."""
    boards: list[tuple[sliding.Board, int | None]] = []
    for line in text.splitlines():
        _, moves, *tiles = map(int, line.split())
        boards.append((sliding.Board(4, 4, tuple(tiles), tuple(range(16))), moves))
    return boards


def _anytime(settings: Settings, faults: list[str]) -> dict[str, Any]:
    count, seconds = (3, 1.0) if settings.quick else (20, 5.0)
    first, last, lower = [], [], []
    for k in range(count):
        report(f"sliding: anytime, {k + 1} of {count}")
        found = sliding.generate(10, seed=k).solve(method="anytime", run=Here(time_limit=seconds))
        assert found.first_length is not None
        first.append(found.first_length)
        last.append(len(found))
        lower.append(found.lower)
    before, after = statistics.mean(first), statistics.mean(last)
    hush()
    print(
        f"\nAnytime, {count} boards of 10×10, {seconds:g} s each: {before:.1f} moves of table became {after:.1f}, "
        f"{100 * (1 - after / before):.1f} % less; at least {statistics.mean(lower):.1f} are needed"
    )
    values: dict[str, Any] = {"table": first, "anytime": last, "lower": lower}
    rows = []
    for n, seconds in ((50, 10.0),) if settings.quick else ((50, 60.0), (100, 60.0)):
        report(f"sliding: anytime, {n}×{n}, {seconds:g} s")
        board = sliding.generate(n, seed=1)
        greedy = len(constructive.construct(board, "transport")[0])
        with mock.patch.object(anytime, "time", _CPU_CLOCK):
            found = board.solve(method="anytime", run=Here(time_limit=seconds))
        values[str(n)] = [greedy, found.start_length, len(found)]
        gains = [f"{100 * (1 - len(found) / moves):.1f} %" for moves in (greedy, found.start_length)]
        rows.append([f"{n}×{n}, {seconds:g} s", f"{greedy:,}", f"{found.start_length:,}", f"{len(found):,}", *gains])
        least = 3 if settings.quick else 5
        if len(found) > (1 - least / 100) * (found.start_length or 0):
            faults.append(f"anytime improved what carry makes of {n}×{n} by less than {least} %")
    head = ["anytime", "transport", "begun with", "came to", "less than transport", "less than begun with"]
    _print("Large boards, the limit in CPU seconds: wall time says little on a busy machine", head, rows)
    return values


def _warehouse(settings: Settings, faults: list[str]) -> dict[str, Any]:
    rows, values = [], {}
    for n, (mean, reversal) in _WAREHOUSES.items():
        if settings.quick and n > 36:
            continue
        layout = warehouse.square(n)
        count = max(1, 2700 // n**2 * 9)
        began = time.process_time()
        moves = [len(warehouse.generate(n, seed=k).solve(method="exchange")) for k in range(count)]
        seconds = (time.process_time() - began) / count
        turned = len(warehouse.generate(n, "reversed").solve(method="exchange"))
        values[str(n)] = {"random": moves, "reversed": turned, "seconds": seconds}
        rows.append(
            [
                f"n = {n}",
                f"{len(layout.slots):,}",
                f"{count}",
                f"{statistics.mean(moves):,.0f}",
                f"{max(moves):,}",
                f"{mean:,}",
                f"{turned:,}",
                f"{reversal:,}",
                f"{layout.estimate:,}",
                f"{layout.bound:,}",
                table.seconds(seconds),
            ]
        )
        if max(moves) > layout.bound:
            faults.append(f"a warehouse of n = {n} took {max(moves)} moves, over the bound {layout.bound}")
    head = ["warehouse", "tiles", "orders", "mean", "most", "(known)", "reversed", "(known)", "estimate", "bound", "s"]
    _print("Warehouses; every move checked", head, rows)
    return values
