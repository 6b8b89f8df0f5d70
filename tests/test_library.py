"""The library over all families: the same words, the same findings, pictures in a notebook, nothing swallowed."""

from __future__ import annotations

import dataclasses
import inspect
import io
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.families import Family, families
from tablero.runs.findings import Findings
from tablero.runs.progress import Snapshot

SUDOKU = "000000070001004500070000030090000001052400300000010000087000000600029400000058096"  # of our own

# A small puzzle of each family.
PUZZLES: dict[str, Callable[[], Any]] = {
    "cover": lambda: tb.cover.generate("pentominoes", "3x20"),
    "decomposition": lambda: tb.decompose("K6", into="double-star"),
    "edges": lambda: tb.edges.generate(4, colours=4, seed=1),
    "queens": lambda: tb.queens.Queens(6),
    "sliding": lambda: tb.sliding.generate(3, seed=1),
    "sudoku": lambda: tb.sudoku.parse(SUDOKU),
    "warehouse": lambda: tb.warehouse.generate(9, seed=1),
}
# Those whose answers can be counted.
COUNTED = {"cover": 8, "decomposition": 120, "queens": 4, "sudoku": 1}
of_every_family = pytest.mark.parametrize("family", families().values(), ids=lambda family: family.name)


def test_every_family_has_an_example() -> None:
    assert set(PUZZLES) == {family.name for family in families().values()}


def test_dir_lists_the_families_and_importing_costs_nothing() -> None:
    assert {family.name for family in families().values()} <= set(dir(tb))
    for name in dir(tb):
        assert getattr(tb, name) is not None
    code = """
import sys, tablero as tb
for name in dir(tb):
    if name.islower() and name != "decompose" and not name.startswith("_"):
        getattr(tb, name)
        dir(getattr(tb, name))
print(sorted({"numpy", "numba", "rich", "click"} & set(sys.modules)))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@of_every_family
def test_a_family_is_an_attribute(family: Family) -> None:
    room = import_module(family.package)
    assert room is getattr(tb, family.name)
    assert room.__doc__
    assert sorted(room.__all__) == list(room.__all__) == [name for name in dir(room) if not name.startswith("__")]


@of_every_family
def test_every_public_name_is_documented(family: Family) -> None:
    room = import_module(family.package)
    page = (Path(__file__).parent.parent / "docs" / "api" / f"{family.name}.md").read_text(encoding="utf-8")
    assert f".. automodule:: {family.package}\n" in page
    for name in room.__all__:
        assert inspect.getdoc(getattr(room, name)), f"{family.package}.{name}"


@of_every_family
def test_the_words_of_a_puzzle(family: Family) -> None:
    puzzle = PUZZLES[family.name]()
    assert dataclasses.is_dataclass(puzzle)
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        setattr(puzzle, dataclasses.fields(puzzle)[0].name, None)
    assert len(repr(puzzle)) < 200
    assert str(puzzle)
    for verb in ("solve", "first", "all", "count"):
        if hasattr(puzzle, verb):
            parameters = inspect.signature(getattr(puzzle, verb)).parameters
            assert "run" in parameters
            assert not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())
            with pytest.raises(TypeError):
                getattr(puzzle, verb)(nonsense=1)


# Texts of each family: two problems.
TEXTS = {
    "cover": ("a b | x\na x:1\nb x:1\n| $2 a b\n", "a b | x\na x:1\nb x:2\n"),
    "decomposition": ("0 1\n1 2\n2 3\n3 0\n", "0 1\n0 2\n0 3\n"),
    "edges": ("1 2 0 0\n2 0 0 1\n0 1 2 0\n0 0 1 2\n", "1 1 0 0\n1 0 0 1\n0 1 1 0\n0 0 1 1\n"),
    "queens": ("Q...\n....\n....\n....\n", "....\n....\n....\n...Q\n"),
    "sliding": ("1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/0 7 8"),
    "sudoku": ("0" * 81, SUDOKU[::-1]),
}


@of_every_family
def test_equal_puzzles_are_equal(family: Family) -> None:
    room = import_module(family.package)
    make = PUZZLES[family.name]
    pairs = [(make(), make())]
    one, other = TEXTS.get(family.name, (None, None))
    if one is not None:
        pairs += [(room.parse(text), room.parse(text)) for text in (one, other)]
    for a, b in pairs:
        assert a is not b
        assert a == b
        assert hash(a) == hash(b)
        assert a != "a text"
    assert len({a for pair in pairs for a in pair}) == len(pairs)


@of_every_family
def test_every_verb_refuses_what_does_not_say_how_to_run(family: Family) -> None:
    room, puzzle = import_module(family.package), PUZZLES[family.name]()
    words = [getattr(home, name) for home in (room, puzzle) for name in dir(home) if not name.startswith("_")]
    routines = [word for word in words if inspect.isfunction(word) or inspect.ismethod(word)]
    verbs = [verb for verb in routines if "run" in inspect.signature(verb).parameters]
    assert len(verbs) >= 2
    for verb in verbs:
        given: dict[str, Any] = {"n": 5, "count": 1, "each": print, "file": "lines.txt"}
        needed = [one for one in inspect.signature(verb).parameters.values() if one.default is inspect.Parameter.empty]
        arguments = {one.name: given.get(one.name, puzzle) for one in needed}
        for how in (None, "x", 5):
            with pytest.raises(tb.BadInput, match=r"^run=.*: expected Here\(…\), Job\(…\) or Grid\(…\)$"):
                list(verb(**arguments, run=how))  # a list, where one comes after another


@of_every_family
def test_findings(family: Family) -> None:
    puzzle = PUZZLES[family.name]()
    found = puzzle.solve()
    assert isinstance(found, Findings)
    assert (found.status, found.solutions, len(found.answers)) == ("solved", 1, 1)
    assert found.nodes >= 0
    assert found.seconds >= 0
    assert found.cpu_seconds >= 0
    assert 0 <= found.fraction <= 1
    assert found.puzzle is not None
    assert len(repr(found)) < 200
    assert len(str(found).splitlines()) >= 1
    assert {"status", "solutions", "nodes", "seconds", "cpu_seconds", "fraction"} <= set(found.values())
    assert len(found.to_list()) == 1
    found.verify()
    assert puzzle.solve().first is not None


@of_every_family
def test_pictures_in_a_notebook(family: Family) -> None:
    puzzle = PUZZLES[family.name]()
    assert "<svg" in puzzle._repr_svg_()
    found = puzzle.solve()
    shown = found._repr_html_() if hasattr(found, "_repr_html_") else found._repr_svg_()
    assert re.search(r"<svg|<iframe", shown)


@pytest.mark.parametrize(("name", "known"), COUNTED.items())
def test_counting_by_every_run(name: str, known: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    puzzle = PUZZLES[name]()
    heard: list[Any] = []
    runs = [tb.Here(), tb.Here(threads=2, watch=heard.append), tb.Job("counted"), tb.Job("counted", threads=2)]
    found = [puzzle.count(run=run) for run in runs]
    assert [getattr(one, "solutions", one) for one in found] == [known] * 4
    assert heard[-1].over
    assert len(puzzle.solve(None).answers) == known


@pytest.mark.parametrize("name", ["cover", "edges", "sliding", "sudoku"])
def test_reading_and_writing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, its name, an open file and standard input, with and without a mark of the byte order."""
    room, puzzle = getattr(tb, name), PUZZLES[name]()
    text = room.write(puzzle)
    file = tmp_path / "puzzle.txt"
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
        file.write_bytes(data)
        read = [room.read(file), room.read(str(file)), room.read(io.BytesIO(data))]
        with file.open("rb") as stream:
            read.append(room.read(stream))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            read.append(room.read("-"))
        assert {room.write(one) for one in read} == {text}
    assert room.write(room.parse(text)) == text
    with pytest.raises(tb.BadInput, match=r"nowhere\.txt"):
        room.read(tmp_path / "nowhere.txt")


def test_a_run_refuses_what_it_cannot_be() -> None:
    here: Any = tb.Here  # the types forbid what is tried here
    for wrong in ({"threads": 0}, {"threads": 5000}, {"time_limit": 0.0}, {"node_limit": 0}):
        with pytest.raises(tb.BadInput):
            here(**wrong)
    for name in ("", "a/b", ".hidden", "x" * 65):
        with pytest.raises(tb.BadInput):
            tb.Job(name)
    with pytest.raises(TypeError):
        here(2)


@pytest.mark.parametrize("name", ["cover", "edges", "sliding", "sudoku"])
def test_a_text_may_begin_with_a_mark_of_the_byte_order(name: str) -> None:
    room, puzzle = getattr(tb, name), PUZZLES[name]()
    assert room.write(room.parse("\ufeff" + room.write(puzzle))) == room.write(puzzle)
    for wrong in (None, 5, b"a"):
        with pytest.raises(tb.BadInput):
            room.parse(wrong)
        with pytest.raises(tb.BadInput):
            room.read(wrong)


def test_a_graph_may_begin_with_a_mark_of_the_byte_order() -> None:
    triangle = tb.decomposition.parse("\ufeff0 1\n1 2\n2 0\n", into="triangle")
    assert (triangle.solve().status, triangle.host.vertices) == ("solved", 3)


@of_every_family
def test_what_cannot_be_asked_is_refused(family: Family) -> None:
    puzzle = PUZZLES[family.name]()
    for wrong in (None, 5, tb.Here):
        with pytest.raises((tb.BadInput, TypeError, AttributeError)):
            puzzle.solve(run=wrong)
    if "most" in inspect.signature(puzzle.solve).parameters:
        for most in (0, -1):
            with pytest.raises(tb.BadInput):
                puzzle.solve(most)
    assert bool(puzzle.solve())


WRONG_KINDS: dict[str, Callable[[], Any]] = {
    "a job that is a number": lambda: tb.Grid("local:1", job=5),  # type: ignore[arg-type]
    "a job that is None": lambda: tb.Grid("local:1", job=None),  # type: ignore[arg-type]
    "an address that is a number": lambda: tb.Grid(5),  # type: ignore[arg-type]
    "an address that is None": lambda: tb.Grid(None),  # type: ignore[arg-type]
    "an address in a list": lambda: tb.Grid(["local:1"]),  # type: ignore[arg-type]
    "an address in bytes": lambda: tb.Grid(b"local:1"),  # type: ignore[arg-type]
    "certificates in a number": lambda: tb.Grid("local:1", tls=5),  # type: ignore[arg-type]
    "a word for yes": lambda: tb.Grid("local:1", insecure="x"),  # type: ignore[arg-type]
    "a log that is a number": lambda: tb.Here(log=5),  # type: ignore[arg-type]
    "a log in bytes": lambda: tb.Here(log=b"x"),  # type: ignore[arg-type]
    "a time beyond all numbers": lambda: tb.Here(time_limit=10**400),
    "a time beyond all digits": lambda: tb.Here(time_limit=10**5000),
    "a time that is True": lambda: tb.Here(time_limit=True),
    "nodes that are True": lambda: tb.Here(node_limit=True),
    "units that are True": lambda: tb.Here(unit_nodes=True),
    "a class that watches": lambda: tb.Here(watch=tb.Progress),  # type: ignore[arg-type]
    "a number that receives": lambda: tb.Here(receive=5),  # type: ignore[arg-type]
    "progress on a number": lambda: tb.Progress(5),  # type: ignore[arg-type]
    "a problem that is a number": lambda: tb.cover.generate(5),  # type: ignore[arg-type]
    "a problem that is a list": lambda: tb.cover.generate([]),  # type: ignore[arg-type]
    "holes that are None": lambda: tb.cover.generate("dominoes", "4x4", holes=None),  # type: ignore[arg-type]
    "restarts that are no whole number": lambda: tb.queens.anneal(8, restarts=1.5),  # type: ignore[arg-type]
    "a factor that is a word": lambda: tb.queens.anneal(8, alpha="x"),  # type: ignore[arg-type]
    "a kernel that is a number": lambda: tb.cover.generate("langford", 3).count(kernel=5),  # type: ignore[arg-type]
    "a method that is a number": lambda: tb.sliding.generate(3, seed=1).solve(method=5),  # type: ignore[arg-type]
    "answers that are a word": lambda: tb.queens.Queens(8).solve("x"),  # type: ignore[arg-type]
    "a seed that is a word": lambda: tb.queens.Queens(30).solve(seed="x"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("make", WRONG_KINDS.values(), ids=WRONG_KINDS.keys())
def test_what_is_of_a_wrong_kind_is_refused_in_one_line(make: Callable[[], Any]) -> None:
    with pytest.raises(tb.BadInput, match=r"^[^\n]{1,200}: expected [^\n]+$"):
        make()


@pytest.mark.parametrize("wrong", [5, "here"])
def test_a_run_of_a_wrong_kind_is_told_as_it_is(wrong: Any) -> None:
    with pytest.raises(tb.BadInput, match=f"^run={wrong!r}: expected "):
        tb.queens.solve(8, run=wrong)


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    numbers: Any = {"threads": np.int64(2), "time_limit": np.float32(0.5), "node_limit": np.int64(7)}
    here = tb.Here(**numbers, unit_nodes=np.uint8(3))  # type: ignore[arg-type]
    assert (here.threads, here.time_limit, here.node_limit, here.unit_nodes) == (2, 0.5, 7, 3)
    assert {type(here.threads), type(here.node_limit), type(here.unit_nodes)} == {int}
    assert tb.Grid("127.0.0.1:1", tls=tmp_path).tls == str(tmp_path)  # type: ignore[arg-type]


def test_the_last_that_a_watcher_hears_is_how_it_ended() -> None:
    heard: list[Snapshot] = []
    found = tb.cover.generate("pentominoes", "3x20").solve(None, kernel="bits", run=tb.Here(watch=heard.append))
    last = heard[-1]
    assert last.over
    assert (last.found, last.nodes, last.fraction) == (8, found.nodes, 1.0)
    assert last.seconds >= found.seconds > 0
