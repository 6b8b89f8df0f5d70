"""Decompositions: how they are run, read, written and shown; the library and the command give the same."""

from __future__ import annotations

import doctest
import io
import json
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tablero as tb
from tablero.cli import run as command
from tablero.decomposition import draw, reduced, tasks
from tablero.decomposition.models import CoverModel
from tablero.errors import BadInput, JobError
from tablero.families import look
from tablero.runs import jobs
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Here, Job
from tablero.runs.session import Session


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert command([*arguments, "--json", "--quiet"]) == status
    out, err = capfd.readouterr()
    assert err == ""
    answer: dict[str, Any] = json.loads(out)
    return answer


# One strategy for the count


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain count gets no time at all."""
    monkeypatch.setattr(reduced, "PATIENCE", 1e-9)


def test_a_count_that_is_not_done_soon_is_begun_again(impatient: None) -> None:
    puzzle = tb.decompose("K13", into="triangle")
    with Session(HERE) as session:
        alone = reduced.count(CoverModel.of(puzzle), session)
    heard: list[Snapshot] = []
    found = tb.decomposition.count(puzzle, run=Here(watch=heard.append))
    assert (found.status, found.solutions, found.fraction) == ("complete", 1_197_504_000, 1.0)
    # What the plain count has cost is not forgotten.
    assert found.nodes > alone.nodes > 0
    assert found.cpu_seconds > 0
    words = [snapshot.words for snapshot in heard if "up to isomorphism" in snapshot.words]
    assert words[0] == "collecting beginnings up to isomorphism, 0 so far"
    assert [snapshot.over for snapshot in heard].count(True) == 1
    assert heard[-1].over


def test_the_command_counts_alike(impatient: None, capfd: pytest.CaptureFixture[str]) -> None:
    for words in (("K13", "--into", "triangle"), ("K8", "--into", "matching", "--threads", "2")):
        answer = ask(capfd, "decompose", "count", *words)
        library = tb.decomposition.count(tb.decompose(words[0], into=words[2]))
        assert (answer["status"], answer["solutions"]) == (library.status, library.solutions)


@pytest.mark.parametrize(("settings", "known"), [({"fold": 2}, 465), ({"symmetry": "cyclic"}, 2)])
def test_what_is_no_plain_cover_is_counted_to_the_end(impatient: None, settings: dict[str, Any], known: int) -> None:
    puzzle = tb.decompose("K7", into="triangle", **settings)
    found = tb.decomposition.count(puzzle)
    assert (found.solutions, found.nodes) == (known, puzzle.solve(None).nodes)


def test_a_job_counts_beginnings_up_to_isomorphism(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are its units: what takes a second here is no search of weeks as a job."""
    for host, part, known in (("K8", "matching", 6240), ("K15", "triangle", 60_281_712_691_200)):
        puzzle = tb.decompose(host, into=part)
        whole = puzzle.count(run=Job(f"whole-{host}", threads=2))
        assert (whole.status, whole.solutions, whole.fraction) == ("complete", known, 1.0)
    name, sums = "in-parts", []
    for nodes in (10_000, 50_000, None):
        found = puzzle.count(run=Job(name, node_limit=nodes, unit_nodes=5000))
        sums.append((found.status, found.solutions))
    assert [status for status, _ in sums] == ["open", "open", "complete"]
    assert 0 < sums[0][1] < sums[1][1] < sums[2][1] == known
    assert found.nodes == whole.nodes  # each once, however often it was stopped
    # Where nothing can be gathered, the plain search is kept.
    monkeypatch.setattr(reduced, "MOST_FORMS", 0)
    plain = tb.decompose("K8", into="matching")
    assert plain.count(run=Job("plain")).nodes == plain.solve(None).nodes


def test_limits_hold_for_both_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = tb.decompose("K10", into="matching")

    def never(*_: Any) -> Any:
        raise AssertionError("begun again although a limit was met")

    with monkeypatch.context() as patch:
        patch.setattr(reduced, "count", never)
        for run in (Here(node_limit=1000), Here(time_limit=0.001)):
            found = tb.decomposition.count(puzzle, run=run)
            assert (found.status, found.result.kept) == ("open", False)
    model = CoverModel.of(tb.decompose("K15", into="triangle"))
    with Session(HERE) as session:
        whole = reduced.count(model, session)
    with Session(Here(node_limit=whole.nodes // 10)) as session:
        part = reduced.count(model, session)
    assert part.status == "open"
    assert part.nodes < whole.nodes
    assert part.solutions < whole.solutions
    assert part.fraction < 1 == whole.fraction
    with pytest.raises(TimeoutError, match="there may be more"):
        puzzle.count(run=Here(node_limit=1000)).require_all()
    with pytest.raises(TimeoutError, match="there may be more"):
        puzzle.solve(None, run=Here(node_limit=1000)).require_all()


def test_ctrl_c_between_two_searches(impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> Any:
        raise KeyboardInterrupt

    puzzle = tb.decompose("K13", into="triangle")
    for name in ("beginnings", "_rest"):
        with monkeypatch.context() as patch:
            patch.setattr(reduced, name, interrupt)
            found = tb.decomposition.count(puzzle)
        assert (found.status, found.interrupted, found.solutions) == ("open", True, 0)
        assert found.nodes > 0


def test_ctrl_c_while_classes_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(tb.decompose("K4").solve(None).answers), "__getitem__", interrupt)
    found = tb.decompose("K8").classes()
    assert (found.status, found.interrupted, found.complete, found.labelled) == ("open", True, False, 6720)


# Runs


def test_a_job_by_the_library() -> None:
    puzzle = tb.decompose("K6")
    assert puzzle.solve(5, run=Job("five")).solutions == 5
    whole = puzzle.solve(None, run=Job("five", threads=2))
    assert whole.to_list() == puzzle.solve(None).to_list()
    with jobs.read_job("five") as record:
        stored = look(record)
    assert (stored.solutions, stored.to_list()) == (120, whole.to_list())
    with pytest.raises(JobError, match="another problem"):
        tb.decompose("K8").solve(run=Job("five"))
    with pytest.raises(JobError, match="begun as 'decomposition solve'"):
        tb.decomposition.count(puzzle, run=Job("five"))


def test_classes_as_a_job(capfd: pytest.CaptureFixture[str]) -> None:
    found = tb.decompose("K8").classes(run=Job("eight"))
    assert sorted(found.groups) == [8, 24]
    answer = ask(capfd, "jobs", "resume", "eight")
    assert answer["classes"] == found.values()["classes"]
    assert answer["answers"] == found.to_list()
    assert command(["jobs", "export", "eight", "-o", "eight.json"]) == 0
    assert json.loads(Path("eight.json").read_text())["answers"] == found.to_list()


def test_a_job_remembers_its_method(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = tb.decompose("K6", into="path", symmetry="bicyclic")  # so small that "auto" takes orbits
    found = puzzle.solve(None, method="laying", run=Job("laid"))
    assert ask(capfd, "jobs", "resume", "laid")["answers"] == found.to_list()
    with pytest.raises(JobError, match="another problem"):
        puzzle.solve(None, method="orbits", run=Job("laid"))


def test_nothing_unknown_is_swallowed() -> None:
    puzzle: Any = tb.decompose("K6")
    for verb in (puzzle.solve, puzzle.count, puzzle.classes):
        with pytest.raises(TypeError, match="threads"):
            verb(threads=2)
    for method, words in (("fast", "expected one of auto, matrix"), ("orbits", "with a symmetry")):
        with pytest.raises(BadInput, match=words):
            puzzle.solve(method=method)


@pytest.mark.parametrize(
    ("host", "into", "more", "settings"),
    [
        ("K8", "double-star", (), {}),
        ("K7", "triangle", ("--fold", "2"), {"fold": 2}),
        ("K9", "triangle", ("--symmetry", "3"), {"symmetry": "3"}),
        ("K6", "matching", ("--perfect",), {"perfect": True}),
        ("K14", "path", ("--symmetry", "bicyclic", "-n", "3"), {"symmetry": "bicyclic"}),
    ],
)
def test_library_and_command_answer_alike(
    host: str, into: str, more: tuple[str, ...], settings: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    most, wanted = (3, ()) if "-n" in more else (None, ("-n", "all"))
    answer = ask(capfd, "decompose", host, "--into", into, *more, *wanted)
    found = tb.decompose(host, into=into, **settings).solve(most)
    assert answer["answers"] == found.to_list() == [one.answer for one in found.answers]
    same = found.values()
    assert {key: answer[key] for key in same if "seconds" not in key} == {
        key: value for key, value in same.items() if "seconds" not in key
    }


# Answers are made when they are looked at


def test_answers_are_a_sequence_that_takes_little_room() -> None:
    found = tb.decompose("K8").solve(None)
    assert isinstance(found.model, CoverModel)
    found.model.table._made.clear()
    assert len(found.answers) == found.solutions == 6720
    assert repr(found.answers) == "<6,720 decompositions of K8 into double-star-8>"
    assert not found.model.table._made
    assert found.answers[-1] == found.answers[6719] == [*found.answers][-1]
    assert found.answers[2:5] == [found.answers[k] for k in (2, 3, 4)]
    assert found.answers[7] in found.answers
    with pytest.raises(IndexError):
        found.answers[6720]
    assert found.first == tb.decompose("K8").solve().first == tb.decompose("K8").solve(None).answers[0]


# Reading and writing


HOST = "# five edges\n0 1\n1-2\n2,0\n2 3\n3 4\n"


def test_hosts_from_files(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "host.txt").write_bytes(b"\xef\xbb\xbfa b\r\nb c\r\nc a\r\n")
    puzzle = tb.decomposition.read("host.txt", into="triangle")
    assert (puzzle.host.labels, str(puzzle)) == (("a", "b", "c"), "host into triangle")
    (place / "host.g6").write_text(">>graph6<<Bw\n")
    for same in (
        tb.decompose("@host.txt", into="triangle"),
        tb.decompose(place / "host.txt", into="triangle"),
        tb.decomposition.read(place / "host.g6", into="triangle"),
        tb.decomposition.read(io.StringIO("a b\nb c\nc a\n"), into="triangle"),
        tb.decomposition.read(io.BytesIO(b"graph6:Bw"), into="triangle"),
        tb.decomposition.parse("Bw", into="triangle"),
    ):
        assert same.host.edges == puzzle.host.edges
        assert same.count().solutions == 1
    with (place / "host.txt").open("rb") as stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        assert tb.decomposition.read("-", into="triangle").host.labels == ("a", "b", "c")
    assert tb.decomposition.parse("0 1\n0 2\n0 3\n1 2\n1 3\n2 3\n").parts == tb.decompose("K4").parts
    for text, words in (
        ("", "text: no edges"),
        ("0 1\n2\n", "text:2: '2': expected the two ends"),
        ("0 1\n1 1\n", "text: the edge 1-1 is a loop"),
        ("Bwwwww", "text: 'Bwwwww': expected a known word, or graph6 of 3 vertices"),
    ):
        with pytest.raises(BadInput, match=words):
            tb.decomposition.parse(text)


def test_the_command_reads_standard_input(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def give(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    give(HOST.encode())
    answer = ask(capfd, "decompose", "@-", "--into", "triangle", "--into", "path-3")
    assert sorted(map(len, answer["answers"][0])) == [2, 3]
    give(b"\xef\xbb\xbf" + tasks.write(tasks.model_for(tb.decompose("K6"))).encode())
    assert ask(capfd, "decompose", "count", "@-")["solutions"] == 120


PROBLEMS: list[tuple[Any, Any, dict[str, Any]]] = [
    ("K6", "double-star", {}),
    ("K7", "triangle", {"fold": 2, "symmetry": "cyclic"}),
    ("K6", "matching", {"perfect": True}),
    ("K5", {"triangle": 2, "path-3": 2}, {}),
    ([("a", "b"), ("b", "ç"), ("ç", "a")], "triangle", {}),
]


@pytest.mark.parametrize(("host", "into", "settings"), PROBLEMS)
def test_problems_are_read_as_they_were_written(host: Any, into: Any, settings: dict[str, Any]) -> None:
    puzzle = tb.decompose(host, into=into, **settings)
    text = tb.decomposition.write(puzzle)
    assert tb.decomposition.parse(text) == puzzle
    assert tb.decomposition.read(io.StringIO("\n " + text)) == puzzle
    with pytest.raises(BadInput, match="leave `into` out"):
        tb.decomposition.parse(text, into="path-3")


GOOD = {"host": {"graph6": "Bw", "name": "K3"}, "parts": [{"graph6": "A_", "name": "edge"}], "fold": 1}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fold": "2"}, r"Expected `int`, got `str` - at `\$.fold`"),
        ({"fold": True}, r"Expected `int`, got `bool` - at `\$.fold`"),
        ({"fold": 0}, "a fold of 0"),
        ({"perfect": 1}, r"Expected `bool`, got `int` - at `\$.perfect`"),
        ({"colour": 1}, "unknown field `colour`"),
        ({"host": "K3"}, r"Expected `object`, got `str` - at `\$.host`"),
        ({"host": {"graph6": "Bw"}}, r"missing required field `name` - at `\$.host`"),
        ({"host": {"graph6": "B", "name": ""}}, "graph6 of 3 vertices"),
        ({"host": {"graph6": "", "name": ""}}, "expected characters from"),
        ({"host": {"graph6": "Bw", "name": "", "labels": [1, 2]}}, "2 labels for 3 vertices"),
        ({"host": {"graph6": "Bw", "name": "", "labels": [1, 1, 2]}}, "not different numbers or names"),
        ({"host": {"graph6": "Bw", "name": "", "labels": [1, [], 2]}}, "got `array`"),
        ({"parts": []}, "0 parts: expected 1 to 20"),
        ({"parts": ["edge"]}, r"Expected `object`, got `str` - at `\$.parts"),
        ({"parts": [{"graph6": "A_", "name": "edge", "times": 0}]}, "0 copies of edge"),
        ({"parts": [{"graph6": "A_", "name": "edge", "times": 1.5}]}, "got `float`"),
        ({"symmetry": [0, 1]}, "the symmetry is not a list of 3 vertices"),
        ({"symmetry": [0, 1, 3]}, "the symmetry is not a list of 3 vertices"),
        ({"symmetry": [0, 0, 1]}, "maps two vertices to one"),
        ({"symmetry": [0, 1, 2]}, "moves no vertex"),
        ({"host": {"graph6": "Bw", "name": "\ud800"}}, "not a decomposition problem"),
    ],
)
def test_problems_that_do_not_fit_are_refused(change: dict[str, Any], words: str) -> None:
    assert tb.decomposition.parse(json.dumps(GOOD)).count().solutions == 1
    with pytest.raises(BadInput, match=words) as refused:
        tb.decomposition.parse(json.dumps({**GOOD, **change}))
    assert str(refused.value).startswith("text: not a decomposition problem")


@pytest.mark.parametrize("text", ["{}", '{"host"', "{", '{"a": ' * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="text: not a decomposition problem"):
        tb.decomposition.parse(text)


# Pictures and words


def lines_of(svg: str | None) -> list[ElementTree.Element]:
    assert svg is not None
    return [element for element in ElementTree.fromstring(svg) if element.tag.endswith("line")]


def test_pictures_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = tb.decompose("K6")
    assert len(lines_of(puzzle._repr_svg_())) == 15 + 5
    found = puzzle.solve(2)
    assert found.first is not None
    assert found._repr_svg_() == found.first._repr_svg_()
    assert len(lines_of(found._repr_svg_())) == 2 * 15
    classes = puzzle.classes()
    assert classes._repr_svg_() == classes.classes[0].example._repr_svg_()
    # Where there is nothing to show, or too much.
    assert tb.decomposition.count(puzzle)._repr_svg_() is None
    assert tb.decompose("K6", into="star").solve()._repr_svg_() is None
    monkeypatch.setattr(draw, "MOST_LINES", 14)
    for large in (puzzle, found, found.first, classes):
        assert large._repr_svg_() is None


def test_short_reprs() -> None:
    puzzle = tb.decompose("K6")
    assert repr(puzzle) == "<decomposition of K6 into double-star-6>"
    assert repr(puzzle.host) == "<graph K6: 6 vertices, 15 edges>"
    assert repr(puzzle.solve().first) == "<K6 into double-star-6: 3 parts>"
    found = puzzle.solve(None)
    assert repr(found).startswith("<Found: complete, 120 found, ")
    assert str(found) == str(found.answers[0])
    assert repr(puzzle.classes()).startswith("<Classes: complete, 1 among 120 labelled, ")
    assert str(puzzle.classes()).startswith("class 1: group of order 6, 120 labelled\n0-1 ")


def test_edge_lists_of_classes(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "classes", "K8", "--edges-file", "k8.txt")
    blocks = Path("k8.txt").read_text().strip().split("\n\n")
    assert len(blocks) == len(answer["answers"]) == 2
    for block in blocks:
        edges = sorted(edge for line in block.splitlines() for edge in line.split())
        assert edges == [f"{u}-{v}" for u, v in combinations(range(8), 2)]


def test_reasons_have_one_name_everywhere(capfd: pytest.CaptureFixture[str]) -> None:
    for verb in ("solve", "count", "classes"):
        answer = ask(capfd, "decompose", verb, "K6", "--into", "star", status=1)
        assert "maximum degree" in answer["why"]
        assert "reason" not in answer


def test_the_stop_of_the_tour_and_the_kernels() -> None:
    from tablero.decomposition.solving import kernels
    from tablero.decomposition.tour import stop

    shown = stop()
    assert "in 967,680 ways" in shown.words
    assert shown.svg.startswith("<svg")
    assert len(shown.text(False).splitlines()) == 5
    assert list(kernels()) == ["copies of a part", "multicovers", "copies laid", "copies annealed"]
    for compile_one in kernels().values():
        compile_one()


def test_the_examples_of_the_page() -> None:
    page = (Path(__file__).parent.parent / "docs" / "decomposition.md").read_text(encoding="utf-8")
    text = "".join(line for line in page.splitlines(keepends=True) if not line.startswith("```"))
    examples = doctest.DocTestParser().get_doctest(text, {}, "decomposition.md", None, 0)
    assert doctest.DocTestRunner().run(examples).failed == 0
