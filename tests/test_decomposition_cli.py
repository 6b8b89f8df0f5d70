"""`tablero decompose` as a user calls it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tablero as tb
from tablero.cli import run
from tablero.errors import BadInput


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    answer: dict[str, Any] = json.loads(capfd.readouterr().out)
    return answer


def test_an_answer_and_its_keys(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "K4", "--solutions", "all")
    assert (answer["status"], answer["solutions"], answer["copies"]) == ("complete", 6, 12)
    assert (answer["columns"], answer["ones"], answer["fraction"]) == (6, 36, 1.0)
    for parts in answer["answers"]:
        assert sorted(edge for part in parts for edge in part) == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    count = ask(capfd, "decompose", "count", "K8", "--into", "matching")
    assert count["solutions"] == 6240
    assert "answers" not in count


def test_edges_as_two_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask(capfd, "decompose", "count", "K4", "--into", "edges", "0-1,1-2")["solutions"] == 8
    both = ("decompose", "count", "edges", "0-1,1-2,2-3,3-0", "--into", "edges", "0-1,1-2")
    assert ask(capfd, *both)["solutions"] == 2
    mixed = ("decompose", "count", "K5", "--into", "2 x triangle", "--into")
    assert ask(capfd, *mixed, "2 x edges", "0-1,1-2")["solutions"] == ask(capfd, *mixed, "path-3")["solutions"] > 0


def test_what_is_impossible_is_said_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "K6", "--into", "star", status=1)
    assert (answer["status"], answer["solutions"], answer["answers"], answer["copies"]) == ("none", 0, [], 6)
    assert "maximum degree" in answer["why"]
    assert run(["decompose", "count", "K6", "--into", "star"]) == 1
    out, err = capfd.readouterr()
    assert out == "0\n"
    assert "no decomposition: the maximum degree of star-6 is 5, but at most 3" in err
    assert ask(capfd, "decompose", "K6", "--into", "0-1,1-2,2-3,2-4,2-5", status=1)["answers"] == []


def test_pictures_and_edge_lists(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["decompose", "K6", "-n", "2", "--svg", "k6.svg", "--edges-file", "k6.txt"]) == 0
    out, err = capfd.readouterr()
    assert "90 copies; 90 rows, 15 columns, 450 ones" in err
    assert "2 decompositions (as asked)" in err
    picture = ElementTree.parse("k6.svg").getroot()
    lines = [element for element in picture if element.tag.endswith("line")]
    assert len(lines) == 2 * 15
    assert len({line.get("stroke") for line in lines}) == 3
    blocks = Path("k6.txt").read_text().strip().split("\n\n")
    assert [len(block.splitlines()) for block in blocks] == [3, 3]
    assert blocks[0] in out


def test_tasks_out_and_in(capfd: pytest.CaptureFixture[str]) -> None:
    saved = ask(capfd, "decompose", "task", "K6", "-o", "k6.dlx")
    assert (saved["copies"], saved["columns"], saved["ones"], saved["status"]) == (90, 15, 450, "solved")
    assert ask(capfd, "cover", "count", "k6.dlx")["solutions"] == 120
    direct = ask(capfd, "decompose", "K6")
    assert ask(capfd, "decompose", "@k6.dlx")["answers"] == direct["answers"]
    assert ask(capfd, "decompose", "count", "@k6.dlx")["solutions"] == 120


def test_classes_that_were_met_when_time_was_up_are_no_part_of_what_was_found(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A class has all its members, of which few may have been found."""
    assert run(["decompose", "classes", "K7", "--into", "hamiltonian-cycle", "--node-limit", "50"]) == 3
    reported = capfd.readouterr().err
    assert re.search(
        r"\d classe?s? so far, with Σ 5,040/\|Aut\| = \d+ members; \d+ labelled were found, not all", reported
    )


def test_classes(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "classes", "K8")
    assert sorted(one["group"] for one in answer["classes"]) == [8, 24]
    assert (answer["labelled"], answer["checked"], len(answer["answers"])) == (6720, True, 2)
    assert run(["decompose", "classes", "K6", "--svg", "k6.svg"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("class 1: group of order 6, 120 labelled\n")
    assert "1 class; Σ 720/|Aut| = 120 of 120 labelled: all there are" in err


def test_symmetry(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "K30", "--into", "hamiltonian-path", "--symmetry", "bicyclic")
    assert (answer["status"], len(answer["answers"][0])) == ("solved", 15)
    assert ask(capfd, "decompose", "count", "K9", "--into", "triangle", "--symmetry", "3")["solutions"] == 21


def test_the_life_of_a_job(capfd: pytest.CaptureFixture[str]) -> None:
    ask(capfd, "decompose", "K6", "-n", "5", "--job", "five")
    whole = ask(capfd, "decompose", "K6", "-n", "all", "--job", "five")
    assert (whole["status"], whole["solutions"]) == ("complete", 120)
    assert whole["answers"] == ask(capfd, "decompose", "K6", "-n", "all")["answers"]
    assert ask(capfd, "jobs", "resume", "five")["answers"] == whole["answers"]
    assert run(["jobs", "export", "five", "-o", "five.json"]) == 0
    assert json.loads(Path("five.json").read_text())["answers"] == whole["answers"]
    for name, words in {
        "fold": ("K5", "--into", "path-3", "--fold", "2"),
        "laying": ("K14", "--into", "path", "--symmetry", "bicyclic", "-n", "3"),
    }.items():
        first = ask(capfd, "decompose", *words, "--job", name)
        assert ask(capfd, "jobs", "resume", name)["answers"] == first["answers"]


def test_limits(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "count", "K12", "--into", "matching", "--node-limit", "100000", status=3)
    assert answer["status"] == "open"


def test_without_a_verb_solve_is_meant(capfd: pytest.CaptureFixture[str]) -> None:
    found = ask(capfd, "decomposition", "solve", "K6")["answers"]
    assert ask(capfd, "decompose", "K6")["answers"] == ask(capfd, "decompose", "solve", "K6")["answers"] == found
    assert ask(capfd, "decompose", "--into", "double-star", "K6")["answers"] == found
    assert tb.decomposition.solve("K6").to_list() == found
    assert run(["decompose", "clases", "K6"]) == 2  # a slip of a verb is no host
    assert "did you mean 'tablero decompose classes K6'" in capfd.readouterr().err
    assert run(["decompose", "-h"]) == 0
    assert "'solve' is the default command." in capfd.readouterr().out


def test_names_as_people_write_them(capfd: pytest.CaptureFixture[str]) -> None:
    for host in ("K7", "k7", "K_7", "k_7"):
        assert ask(capfd, "decompose", "count", host, "--into", "triangle")["solutions"] == 30
    assert run(["decompose", "K7", "--into", "tri"]) == 2
    assert capfd.readouterr().err.endswith("did you mean triangle?\n")
    assert run(["decompose", "K7"]) == 2
    assert "no part was named, so a double star was assumed: --into changes it" in capfd.readouterr().err
    with pytest.raises(BadInput, match="a double star was assumed: into changes it"):
        tb.decompose("K7")
    with pytest.raises(BadInput, match=r"expected an even number of vertices$"):
        tb.decompose("K7", into="double-star")


def test_what_is_read_as_a_problem(place: Path) -> None:
    puzzle = tb.decompose("K6")
    (place / "k6.txt").write_text("\n".join(f"{u} {v}" for u, v in puzzle.host.edges))
    (place / "k6.json").write_text(tb.decomposition.write(puzzle))
    (place / "k6.dlx").write_text(str(tb.decomposition.task(puzzle)))
    given = [puzzle, "K6", list(puzzle.host.edges), (place / "k6.txt").read_text()]
    given += [kind for name in ("k6.txt", "k6.json", "k6.dlx") for kind in (place / name, f"@{name}")]
    for one in given:
        assert tb.decomposition.count(one).solutions == 120
    with pytest.raises(BadInput, match="the host 'chess': expected one of"):
        tb.decomposition.count("chess")


def test_a_task_has_a_time_limit(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "task", "K16", "--time-limit", "0.01s", "-o", "k16.dlx", status=3)
    assert answer == {"status": "open"}
    assert not Path("k16.dlx").exists()
