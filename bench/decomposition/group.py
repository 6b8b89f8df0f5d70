"""The group `decomposition`: tablero beside networkx and xcover, then what only tablero is asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from bench import table
from bench.decomposition.tools import PEER, TABLERO, Task
from bench.measure import Measured, Settings, Worker, hush, race

PACKAGES = ("tablero", "numba", "numpy", "igraph", "networkx", "xcover")


@dataclass(frozen=True)
class Instance:
    """One line of the table; `known` is the number that must come out."""

    title: str
    task: Task
    known: int
    peer: bool = False
    quick: bool = True


_SUITE = (
    Instance("double stars of K8: copies", Task("K8", "double-star", "copies"), 560, peer=True),
    Instance("double stars of K8: all", Task("K8", "double-star", "list"), 6720, peer=True),
    Instance("triangles of K9: all", Task("K9", "triangle", "list"), 840, peer=True),
    Instance("Hamilton paths of K6: all", Task("K6", "path", "list"), 960, peer=True),
    Instance("matchings of K8: all", Task("K8", "matching", "list"), 6240, peer=True),
    Instance("double stars of K10: first", Task("K10", "double-star", "first"), 1, peer=True, quick=False),
    Instance("double stars of K10: all", Task("K10", "double-star", "list"), 967_680, quick=False),
    Instance("Hamilton cycles of K9: number", Task("K9", "cycle", "count"), 40_037_760, quick=False),
    Instance("triangles of K13: number", Task("K13", "triangle", "count"), 1_197_504_000),
    Instance("triangles of K15: number", Task("K15", "triangle", "count"), 60_281_712_691_200, quick=False),
    Instance("double stars of K16: copies", Task("K16", "double-star", "copies"), 411_840),
    Instance("double stars of K16: first", Task("K16", "double-star", "first"), 1),
    Instance("double stars of K18: first", Task("K18", "double-star", "first"), 1, quick=False),
    Instance("double stars of K30, bicyclic: first", Task("K30", "double-star", "first", "bicyclic"), 1),
    Instance("Hamilton paths of K30, bicyclic: first", Task("K30", "path", "first", "bicyclic"), 1),
)
PARTS = ("decomposition-peers", "decomposition-alone")
# Small questions that compile whatever the others need.
_WARM_UP = (
    Task("K6", "double-star", "list"),
    Task("K6", "double-star", "count"),
    Task("K14", "double-star", "first"),
    Task("K10", "double-star", "first"),
    Task("K22", "double-star", "first", "bicyclic"),
)
_PEER_WARM_UP = (Task("K6", "double-star", "list"),)


def run(settings: Settings) -> dict[str, Any]:
    """Measure what is wanted, print it, and return it."""
    values: dict[str, Any] = {"faults": []}
    chosen = [
        one
        for one in _SUITE
        if settings.wants(PARTS[0] if one.peer else PARTS[1]) and (one.quick or not settings.quick or settings.only)
    ]
    results: list[tuple[Instance, Measured, Measured | None]] = []
    with ExitStack() as stack:
        ours, theirs = Worker(TABLERO), Worker(PEER)
        stack.callback(ours.close)
        stack.callback(theirs.close)
        for one in chosen:
            workers, warm_up = ([ours, theirs], _PEER_WARM_UP) if one.peer else ([ours], _WARM_UP)
            by_tool = race(f"decomposition {one.title}", workers, one.task, warm_up, settings)
            results.append((one, by_tool[TABLERO.name], by_tool.get(PEER.name)))
    hush()
    if results:
        print(f"\nDecompositions, from the question to the answer: CPU seconds, median\n{_show(results)}")
    for one, measured, peer in results:
        values[one.title] = {"known": one.known, "tablero": measured.as_json()}
        if peer is not None:
            values[one.title][PEER.name] = peer.as_json()
        if fault := measured.fault(one.known):
            values["faults"].append(f"tablero on {one.title}: {fault} {measured.error}".rstrip())
    return values


def _show(results: Sequence[tuple[Instance, Measured, Measured | None]]) -> str:
    rows = []
    for one, ours, peer in results:
        row = [one.title, f"{one.known:,}", _cell(ours, one.known), "–", ""]
        if peer is not None:
            mine, median = ours.median(), peer.median()
            row[3] = _cell(peer, one.known)
            if mine and median and not peer.fault(one.known):
                row[4] = table.ratio(median / mine)
            elif mine and peer.cut is not None:
                row[4] = ">" + table.ratio(peer.cut / mine)
        rows.append(row)
    return table.table(["", "known", TABLERO.name, PEER.name, ""], rows)


def _cell(measured: Measured, known: int) -> str:
    median = measured.median()
    if (fault := measured.fault(known)) or median is None:
        return fault
    return table.seconds(median)
