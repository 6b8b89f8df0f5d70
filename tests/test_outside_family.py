"""A family of another package: an entry point is all that tells of it.

The package is `tests/families/nonograms`.  Its own tests are run as its author runs them, and what is asked here is asked of
processes that have it on their path, with the metadata that `pip install` would have written.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent / "families" / "nonograms"
HEART = "5x5:2/4/4/4/2/1.1/5/5/3/1"
LONG = "20x20:" + "/".join(["1.1.1.1.1"] * 40)  # a search that nobody waits for


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the metadata of the installed package; processes that are started have it."""
    folder = tmp_path / "site"
    register(folder, "nonograms")
    for name, value in (
        ("PYTHONPATH", os.pathsep.join([str(folder), str(PACKAGE), os.environ.get("PYTHONPATH", "")])),
        ("TABLERO_HOME", str(tmp_path / "home")),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return folder


def register(folder: Path, name: str) -> None:
    """What pip writes of a package whose family has this name."""
    metadata = folder / "tablero_nonograms-1.0.dist-info"
    metadata.mkdir(parents=True, exist_ok=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tablero-nonograms\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[tablero.families]\n{name} = nonograms\n")


def python(code: str) -> str:
    """What a program prints that ends well."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_own_tests_pass(site: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-c", str(PACKAGE / "pyproject.toml"), "--rootdir", str(PACKAGE)]
    done = subprocess.run([sys.executable, "-m", "pytest", *options, str(PACKAGE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("site")
def test_the_library_has_it() -> None:
    printed = python(
        f"""
        import sys
        import tablero as tb
        assert "nonograms" in dir(tb)
        puzzle = tb.nonograms.parse({HEART!r})
        assert not {{"numpy", "numba"}} & set(sys.modules)
        assert puzzle.count().solutions == tb.nonograms.count({HEART!r}).solutions == 1
        print(tb.nonograms.solve({HEART!r}).first)
        """
    )
    assert printed == ".#.#.\n#####\n#####\n.###.\n..#..\n"


@pytest.mark.usefixtures("site")
def test_the_command_line_has_it(tmp_path: Path) -> None:
    printed = python(
        f"""
        from tablero.cli import run
        from tablero.cli.mcp import tools
        from tablero.families import families
        assert run(["--help"]) == run(["nonograms", "--help"]) == run(["nonograms", "solve", "--help"]) == 0
        assert run(["nonograms", "solve", {HEART!r}, "--quiet", "--svg", "heart.svg"]) == 0
        assert run(["nonograms", "solve", "1x1:1/"]) == 1
        assert run(["nonograms", "solve", "1x1:2/"]) == 2
        assert run(["nonograms", "count", {LONG!r}, "--node-limit", "1000", "--json"]) == 3
        assert run(["nonograms", "generate", "5", "-o", "made.txt"]) == 0
        assert run(["nonograms", "count", "made.txt"]) == 0
        known = families()
        for name in set(known) - {{"nonograms"}}:
            del known[name]
        assert list(tools()) == ["nonograms_solve", "nonograms_count", "nonograms_generate"]
        assert known["nonograms"].module("solving").kernels().keys() == {{"nonograms"}}
        """
    )
    assert "Nonograms: pictures made from the lengths of their runs." in printed
    assert all(f"\n  {verb} " in printed for verb in ("solve", "count", "generate"))
    assert (tmp_path / "heart.svg").read_text().startswith("<svg")


@pytest.mark.usefixtures("site")
def test_jobs_have_it() -> None:
    """A job that is stopped, resumed on threads and looked at has the totals of one run through."""
    printed = python(
        """
        from tablero.cli import run
        made = ["nonograms", "generate", "12", "--filled", "40", "--seed", "2", "-o", "puzzle.txt"]
        assert run(made) == 0
        assert run(["nonograms", "count", "puzzle.txt", "--job", "whole", "--json", "--quiet"]) == 0
        stopped = ["nonograms", "count", "puzzle.txt", "--job", "part", "--node-limit", "500", "--quiet", "--json"]
        assert run(stopped) == 3
        assert run(["jobs", "resume", "part", "--threads", "2", "--quiet", "--json"]) == 0
        assert run(["jobs", "export", "part", "-o", "part.json"]) == 0
        """
    )
    whole, stopped, resumed = map(json.loads, printed.splitlines())
    assert stopped["nodes"] == 500 < whole["nodes"]
    assert [resumed[key] for key in ("status", "solutions", "nodes", "fraction")] == [
        whole[key] for key in ("status", "solutions", "nodes", "fraction")
    ]


def test_a_family_may_have_another_name_than_its_package(site: Path) -> None:
    register(site, "picross")
    printed = python(
        f"""
        from tablero.cli import run
        assert run(["picross", "count", {HEART!r}, "--job", "heart", "--node-limit", "9", "--quiet"]) == 3
        assert run(["jobs", "resume", "heart", "--quiet"]) == 0
        """
    )
    assert printed.splitlines()[-1] == "1"


@pytest.mark.usefixtures("site")
def test_what_the_documents_show(tmp_path: Path) -> None:
    """The console block of docs/extending.md."""
    page = (Path(__file__).parent.parent / "docs" / "extending.md").read_text(encoding="utf-8")
    block = page.partition("```console\n")[2].partition("```")[0]
    commands = re.findall(r"^\$ tablero (.*)", block, re.MULTILINE)
    python(
        f"""
        import shlex, sys
        from tablero.cli import run
        sys.stderr = sys.stdout = open("shown.txt", "w")
        for command in {commands!r}:
            print("$ tablero", command, flush=True)
            run(shlex.split(command))
        """
    )
    assert (tmp_path / "shown.txt").read_text() == block


@pytest.mark.usefixtures("site")
def test_the_tour_has_it(tmp_path: Path) -> None:
    python(
        """
        from tablero import families
        from tablero.cli import run
        known = families.families()
        for name in set(known) - {"nonograms"}:
            del known[name]
        assert run(["tour", "--quiet"]) == 0
        """
    )
    assert "The runs of every row and column leave 1 picture." in (tmp_path / "tour" / "index.html").read_text()


@pytest.mark.usefixtures("site")
def test_the_page_is_derived() -> None:
    """A form for every verb, examples, pictures of all answers, makers that fill in the puzzle."""
    printed = python(
        """
        import json, sys
        from tablero.web import work
        page = work.page_of("nonograms")
        assert not {"numpy", "numba"} & set(sys.modules)
        two = dict(page.examples[1][1])
        replies = [
            page.to_dict(),
            work.show("nonograms", two),
            work.ask("nonograms", "solve", {**two, "solutions": "all"}),
            work.ask("nonograms", "generate", {"side": 5, "seed": 3}),
            work.ask("nonograms", "generate", {"side": 0}),
            work.show("nonograms", {"nonogram": "/etc/passwd"}),
            work.load("nonograms", b"1x1:1/1", "one.txt"),
            work.check("nonograms", "count", two),
        ]
        print(json.dumps(replies))
        """
    )
    reported, shown, solved, made, refused, named, loaded, checked = json.loads(printed)
    assert reported["title"] == "Nonograms"
    assert reported["about"] == "Pictures made from the lengths of their runs."
    assert [field["name"] for field in reported["puzzle"]] == ["nonogram"]
    forms = {verb["name"]: [field["name"] for field in verb["fields"]] for verb in reported["verbs"]}
    assert forms == {"solve": ["solutions"], "count": [], "generate": ["side", "filled", "seed"]}
    assert shown["svg"].startswith("<svg")
    assert len(solved["answers"]) == len(set(solved["svgs"])) == 2
    assert made["puzzle"]["nonogram"].startswith("5x5:")
    assert refused["field"] == "side"
    assert "expected width, height and runs" in named["refused"]
    assert loaded["puzzle"] == {"nonogram": "1x1:1/1"}
    assert checked == {}


@pytest.mark.usefixtures("site")
def test_the_server_has_it() -> None:
    pytest.importorskip("fastapi")
    python(
        """
        from fastapi.testclient import TestClient
        from tablero.web.app import make_app
        from tablero.web.guard import AllowedHosts
        client = TestClient(make_app(AllowedHosts(frozenset(["testserver"]))), base_url="http://testserver")
        assert client.get("/nonograms").status_code == 200
        words = [one["word"] for one in client.get("/api/families").json()["families"]]
        assert words[-1] == "nonograms"
        """
    )


COINS = {
    "__init__": '"""Coins: ways to pay a sum."""',
    "puzzle": """
from dataclasses import dataclass

@dataclass(frozen=True)
class Sum:
    cents: int

def as_puzzle(value):
    from coins.formats import parse
    return value if isinstance(value, Sum) else parse(value)
""",
    "formats": """
from coins.puzzle import Sum
from tablero.errors import BadInput

def parse(text):
    if not text.strip().isdecimal() or len(text) > 9:
        raise BadInput(f"{text[:60]!r}: expected a sum")
    return Sum(int(text))

def write(puzzle):
    return str(puzzle.cents)
""",
    "verbs": """
from typing import Annotated
from coins.puzzle import Sum, as_puzzle
from tablero.verbs import Document, Meta, maker, verb
from tablero.verbs.types import Seed

def sum_of(cents: Annotated[str, Meta(description="The sum.")]):
    return as_puzzle(cents)

@verb(reads=sum_of)
def pay(puzzle):
    '''Pay with as few coins as possible.'''
    left, coins = puzzle.cents, []
    for coin in (50, 20, 10, 5, 2, 1):
        coins += [coin] * (left // coin)
        left %= coin
    return Document(" ".join(map(str, coins)), {"coins": coins})

@maker()
def generate(*, seed: Seed = 3):
    '''Make a sum.'''
    return Sum(37 + seed)
""",
}


def test_the_least_that_a_family_needs(site: Path) -> None:
    """A package of four modules: no search, no drawing, no page, no tour."""
    (site / "coins").mkdir()
    for name, text in COINS.items():
        (site / "coins" / f"{name}.py").write_text(text)
    (site / "tablero_nonograms-1.0.dist-info" / "entry_points.txt").write_text("[tablero.families]\ncoins = coins\n")
    printed = python(
        """
        import json
        import tablero as tb
        from tablero.cli import run
        from tablero.cli.warm import kernel_names
        from tablero.families import families
        from tablero.web import work
        for name in set(families()) - {"coins"}:
            del families()[name]
        import coins.verbs
        assert tb.coins is coins
        assert coins.verbs.pay("88").text == "50 20 10 5 2 1"
        assert run(["coins", "pay", "88", "--quiet"]) == run(["tour", "--quiet"]) == 0
        assert run(["coins", "pay", "eight"]) == run(["coins", "generate", "--seed", "x"]) == 2
        assert list(kernel_names()) == []
        page = work.page_of("coins").to_dict()
        assert page["examples"] == [{"label": "Example", "puzzle": {"cents": "40"}}]
        shown, made = work.show("coins", {"cents": "5"}), work.ask("coins", "generate", {})
        print(json.dumps([shown, made, work.ask("coins", "pay", {"cents": "7"})]))
        """
    )
    plain, _, replies = printed.splitlines()
    assert plain == "50 20 10 5 2 1"
    shown, made, paid = json.loads(replies)
    assert (shown["puzzle"], made["puzzle"]) == ({"cents": "5"}, {"cents": "40"})
    assert paid["text"] == "5 2"


def test_pip_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path / "site")]
    source = tmp_path / "source"  # a build leaves nothing in the repository
    subprocess.run(["cp", "-r", str(PACKAGE), str(source)], check=True)
    done = subprocess.run([*pip, str(source)], capture_output=True, text=True)
    if done.returncode != 0 and "hatchling" in done.stderr:
        pytest.skip("hatchling cannot be had: the index is out of reach")
    assert done.returncode == 0, done.stderr
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]))
    words = [sys.executable, "-m", "tablero", "nonograms", "count", "2x2:1/1/1/1", "--quiet"]
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "2\n"
