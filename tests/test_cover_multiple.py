"""Items that are needed more than once: read, written, found and counted, against brute force."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablero as tb
from tablero.cli import run
from tablero.cover import checking, estimate, trace
from tablero.cover.puzzle import ExactCover
from tablero.cover.tracing import player
from tablero.errors import BadInput


def some_problem(seed: int) -> ExactCover:
    draw = random.Random(seed)
    items, late = list("abcd")[: draw.randint(1, 4)], list("xy")[: draw.randint(0, 2)]
    options = []
    for _ in range(draw.randint(1, 9)):
        some = draw.sample(items, draw.randint(1, len(items)))
        options.append([*some, *(item for item in late if draw.random() < 0.4)])
    return ExactCover(options, primary=items, secondary=late, need={item: draw.randint(1, 3) for item in items})


def brute(problem: ExactCover, options: list[list[str]], need: dict[str, int]) -> set[frozenset[int]]:
    """Every set of options that covers each item as often as it needs."""
    found = set()
    for size in range(len(options) + 1):
        for chosen in itertools.combinations(range(len(options)), size):
            used = [item for option in chosen for item in options[option]]
            if all(used.count(item) == n for item, n in need.items()) and all(
                used.count(str(item)) <= 1 for item in problem.items[problem.primary :]
            ):
                found.add(frozenset(chosen))
    return found


def test_covers_are_those_of_brute_force() -> None:
    several = 0
    for seed in range(150):
        problem = some_problem(seed)
        options = [[str(item) for item in problem.option(k)] for k in range(len(problem))]
        need = {
            str(item): 1 if problem.need is None else int(problem.need[k])
            for k, item in enumerate(problem.items[: problem.primary])
        }
        expected = brute(problem, options, need)
        found = problem.solve(None)
        assert {frozenset(chosen) for chosen in found.chosen} == expected, seed
        assert len(found.chosen) == found.solutions == problem.count().solutions == len(expected)
        assert found.status == ("complete" if expected else "none")
        assert tb.cover.parse(tb.cover.write(problem)).count().solutions == len(expected)
        for chosen in found.chosen:
            assert checking.fault(problem, chosen) is None
            if problem.need is not None:
                assert checking.fault(problem, chosen[:-1]) is not None
                assert checking.fault(problem, [*chosen, chosen[0]]) == "an option is chosen twice"
        several += len(expected) > 1 and problem.need is not None
    assert several > 20


@pytest.mark.parametrize("branch", ["fewest", "first"])
def test_traces_find_what_brute_force_does(branch: Any) -> None:
    for seed in range(60):
        problem = some_problem(seed)
        options = [[str(item) for item in problem.option(k)] for k in range(len(problem))]
        need = {
            str(item): 1 if problem.need is None else int(problem.need[k])
            for k, item in enumerate(problem.items[: problem.primary])
        }
        found = trace(problem, branch=branch, steps=100_000)
        assert found.whole
        assert len(found.covers) == len({frozenset(chosen) for chosen in found.covers})
        assert {frozenset(chosen) for chosen in found.covers} == brute(problem, options, need), seed
        assert str(found)
    assert "Algorithm X" in player(found)


def test_a_trace_tells_what_is_needed() -> None:
    found = trace(tb.cover.parse("2|a b\na\na b\na\n"))
    text = str(found)
    assert "column a, needed 2 times, has the fewest rows to spare" in text or "column b has the fewest rows to" in text
    assert len(found.covers) == 2
    dead = trace(tb.cover.parse("3|a b\na\na b\n"))
    assert "column a, needed 3 times, has 2 rows left: a dead end" in str(dead)
    assert dead.status == "none"


def test_dives_estimate_multicovers_and_their_nodes() -> None:
    cells = [[f"r{i}", f"c{j}"] for i in range(4) for j in range(4)]
    lines = [f"{k}{i}" for k in "rc" for i in range(4)]
    twos = ExactCover(cells, primary=lines, need=dict.fromkeys(lines, 2))
    several = [one for one in map(some_problem, range(150)) if one.need is not None and one.count().solutions > 2]
    assert len(several) > 5
    for problem in (twos, *several[:6]):
        known = problem.solve(None)
        found = estimate(problem, 20_000, seed=1)
        assert abs(found.covers.value - known.solutions) <= 4 * found.covers.error + 1e-9
        assert abs(found.nodes.value - known.nodes) <= 4 * found.nodes.error + 1e-9
        assert found.nodes.error < 0.1 * known.nodes


def test_known_numbers() -> None:
    """Graphs in which every vertex has degree r: 2-regular on 6 vertices 70, cubic 70; magic: 3 ones in rows and columns."""
    edges = [[i, j] for i in range(6) for j in range(i)]
    for degree, number in ((1, 15), (2, 70), (3, 70), (4, 15)):
        assert ExactCover(edges, primary=range(6), need=dict.fromkeys(range(6), degree)).count().solutions == number
    cells = [[f"r{i}", f"c{j}"] for i in range(4) for j in range(4)]
    lines = [f"{k}{i}" for k in "rc" for i in range(4)]
    assert ExactCover(cells, primary=lines, need=dict.fromkeys(lines, 2)).count().solutions == 90  # A001499


def test_threads_jobs_and_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    cells = [[f"r{i}", f"c{j}"] for i in range(5) for j in range(5)]
    lines = [f"{k}{i}" for k in "rc" for i in range(5)]
    problem = ExactCover(cells, primary=lines, need=dict.fromkeys(lines, 2))
    assert problem.count(run=tb.Here(threads=2)).solutions == 2040
    part = tb.cover.count(problem, run=tb.Job("twos", node_limit=500))
    assert part.status == "open"
    assert tb.cover.count(problem, run=tb.Job("twos")).solutions == 2040
    first = problem.solve().first
    assert first is not None
    assert len(first) == 10
    assert "10 items needed 20 times in all" in repr(problem)


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("0|a\na\n", "text:1: '0|a': expected a multiplicity from 1 to 999999, as 2|a"),
        ("1:2|a\na\n", "text:1: '1:2|a': expected a multiplicity"),
        ("9999999|a\na\n", "expected a multiplicity from 1 to 999999"),
        ("a | 2|x\na x\n", "only primary items have multiplicities"),
        ("2|a 3|a\na\n", "item 'a' declared twice"),
        ("2|a | x\na x:red\n", "multiplicities and colours do not go together"),
        ("two|a\na\n", "has a colon or a bar in its name"),
        ("2|\na\n", "has a colon or a bar in its name"),
    ],
)
def test_texts_that_do_not_fit_are_refused(text: str, reported: str) -> None:
    with pytest.raises(BadInput) as refused:
        tb.cover.parse(text)
    assert reported in str(refused.value)


def test_what_knows_no_multiplicities_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.dlx"
    file.write_text("2|a b\na\na b\na\n")
    assert run(["cover", "count", str(file), "-q"]) == 0
    assert capfd.readouterr().out == "2\n"
    for words in (["sample"], ["solve", "--cheapest"], ["count", "--kernel", "bits"]):
        assert run(["cover", words[0], str(file), *words[1:]]) == 2
        assert "not for items with multiplicities" in capfd.readouterr().err
    assert run(["cover", "show", str(file), "-q"]) == 0
    assert tb.cover.parse("999999|a\na\na\n").solve(None).status == "none"
    with pytest.raises(BadInput, match="too many for multiplicities"):
        ExactCover([["a"]] * 20_000, need={"a": 15_000}).solve()
    with pytest.raises(BadInput, match="is no primary item"):
        ExactCover([["a"]], need={"z": 2})
    with pytest.raises(BadInput, match="expected a number from 1"):
        ExactCover([["a"]], need={"a": 0})


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(st.integers(1, 999999), st.text("abc", min_size=1, max_size=3)),
        min_size=1,
        max_size=5,
        unique_by=lambda t: t[1],
    )
)
def test_what_is_read_is_what_was_written(items: list[tuple[int, str]]) -> None:
    head = " ".join(f"{n}|{name}" if n > 1 else name for n, name in items)
    text = head + "\n" + items[0][1] + "\n"
    problem = tb.cover.parse(text)
    assert tb.cover.write(problem) == text
    assert ([1] * len(items) if problem.need is None else problem.need.tolist()) == [n for n, _ in items]
