"""What once ended in a traceback, or told less than it should: each is a line now."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tablero as tb
from tablero.cli import run as command
from tablero.edges import formats
from tablero.edges.layings import parse_layings
from tablero.errors import BadInput
from tablero.runs import jobs, security
from tablero.search.numba_private import stamp_of
from tablero.text import several

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


def complaint(capfd: Capture, *words: str) -> str:
    assert command(list(words)) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_an_address_without_its_edges() -> None:
    with pytest.raises(BadInput, match="board_edges has 0 letters"):
        formats.parse("xboard_edges=abc&board_w=2&board_h=2")


@pytest.mark.parametrize(
    "text", ['{"answers":5}', '{"answers":{"a":1}}', '{"answers":[]}', f"[[{'9' * 5000},0]]", "{}"]
)
def test_boards_in_strange_json(text: str) -> None:
    with pytest.raises(BadInput, match=r"board: (expected a list|no JSON|it contains no answer)"):
        parse_layings(tb.edges.generate(3, colours=3, seed=1), text)


def test_names_of_machines_that_no_certificate_holds(capfd: Capture, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    for hosts in ("nödé", "a\x1b[31m"):
        assert "\x1b" not in complaint(capfd, "cluster", "certificates", str(tmp_path / "d"), "--hosts", hosts)
        assert list(tmp_path.iterdir()) == [], "nothing is left in the way of the next try"
    assert command(["cluster", "certificates", str(tmp_path / "d\x1b[31m")]) == 0
    assert "\x1b" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (["tour", "--into", ""], "expected the name of a folder"),
        (["cluster", "scheduler", "--dashboard", "-1"], "expected a whole number from 0 to 65,535"),
        (["cover", "make", "dominoes", "٤x٤"], "expected rows and columns"),
        (["cover", "make", "langford", "٤"], "expected"),
        (["slide", "random", "٤"], "expected"),
        (["queens", "solve", "٨"], "expected"),
        (["warehouse", "random", "٨"], "expected"),
        (["cover", "solve", "-", "-n", "٨"], "expected a whole number from 1, or all"),
        (["cover", "solve", "-", "--time-limit", "٨s"], "expected a time above 0"),
    ],
)
def test_words_that_are_refused(capfd: Capture, words: list[str], reported: str) -> None:
    assert reported in complaint(capfd, *words)


def test_this_machine_may_be_written_in_capitals() -> None:
    assert security.is_loopback("LOCALHOST")
    assert not security.is_loopback("localhost.example")


def test_the_library_does_not_speak_of_options() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(BadInput) as caught:
        tb.cover.generate("dominoes", "2x2").solve(run=tb.Grid("nowhere"))
    assert "--cluster" not in str(caught.value)


def test_a_private_folder_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dask = pytest.importorskip("dask")
    (tmp_path / f"tablero-{os.getuid()}").mkdir(mode=0o755)
    (tmp_path / f"tablero-{os.getuid()}").chmod(0o755)  # somebody else could look in
    with dask.config.set({"temporary-directory": str(tmp_path)}):
        first = security.private_scratch()
        assert security.private_scratch() == first
    assert len(list(tmp_path.iterdir())) == 2


def test_a_job_that_has_its_answer_is_finished(capfd: Capture, tmp_path: Path) -> None:
    path = tmp_path / "d.dlx"
    path.write_text(tb.cover.write(tb.cover.generate("dominoes", "4x4")))
    assert command(["cover", "solve", str(path), "--job", "one", "-q"]) == 0
    assert jobs.describe("one").state == "finished"
    assert command(["cover", "solve", str(path), "--job", "some", "-n", "all", "--node-limit", "3", "-q"]) == 3
    assert jobs.describe("some").state == "stopped"


def test_a_resumed_job_says_why_it_is_searched_so(capfd: Capture, tmp_path: Path) -> None:
    path = tmp_path / "e.txt"
    path.write_text(tb.edges.write(tb.edges.generate(4, colours=4, seed=1)))
    words = ["edges", "solve", str(path), "-n", "all", "--job", "e", "--json"]
    assert command([*words, "--node-limit", "3"]) == 3
    began = json.loads(capfd.readouterr().out)
    command(["jobs", "resume", "e", "--json"])
    ended = json.loads(capfd.readouterr().out)
    assert began["why"]
    assert (ended["why"], ended["method"]) == (began["why"], began["method"])


def test_one_is_not_many() -> None:
    assert [several(n, "row") for n in (0, 1, 2, 1000)] == ["0 rows", "1 row", "2 rows", "1,000 rows"]
    assert repr(tb.cover.ExactCover([["a"]])) == "<exact cover: 1 item, 1 option>"


# Compiled kernels that are kept on disk

KERNEL = """
import sys
sys.path.insert(0, {folder!r})
import toy
print(toy.twice(20))
print(sum(toy.twice.stats.cache_hits.values()))
"""
TOY = """
from tablero.search.compiled import kernel

@kernel
def twice(n):
    return 2 * n
"""


def twice(folder: Path, cache: Path) -> tuple[str, str, str]:
    """What a kernel says, how often it was found compiled, and what was complained of; in a process of its own."""
    (folder / "toy.py").write_text(TOY) if not (folder / "toy.py").exists() else None
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    code = KERNEL.format(folder=str(folder))
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    answer, hits = ended.stdout.split()
    return answer, hits, ended.stderr


def test_kernels_that_were_cut_or_changed_on_disk_are_compiled_anew(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert twice(tmp_path, cache) == ("40", "0", "")
    assert twice(tmp_path, cache) == ("40", "1", ""), "it is kept"
    for ending in ("nbi", "nbc"):
        (file,) = cache.rglob(f"*.{ending}")
        whole = file.read_bytes()
        middle = len(whole) // 2
        for damaged in (b"", whole[:middle], whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]):
            file.write_bytes(damaged)
            assert twice(tmp_path, cache) == ("40", "0", "")
    assert twice(tmp_path, cache) == ("40", "1", ""), "it is kept again"


def test_a_kernel_that_cannot_be_kept_is_used(tmp_path: Path) -> None:
    from tablero.search import numba_private as kept

    cache = tmp_path / "cache"
    twice(tmp_path, cache)
    code = "import tablero.search.numba_private as k\ndef full(*_): raise OSError(28, 'No space left on device')\n"
    code += "k._Files.save = full\n" + KERNEL.format(folder=str(tmp_path))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "other")}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["40", "0"]
    assert ended.stderr.count("\n") == 1
    assert "No space left on device" in ended.stderr
    assert not kept.is_whole(tmp_path / "nothing")


@pytest.mark.parametrize(
    "text", ["[]\n....\n", "....\ncandidates:\n1 2\n", "[Puzzle]\n1...\n....\n....\n....\n[State]\n1\n"]
)
def test_boards_with_candidates_that_begin_otherwise(text: str) -> None:
    with pytest.raises(BadInput):
        tb.sudoku.parse(text)


def test_a_helper_in_another_file_makes_kernels_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba looks at the file of the kernel alone; a stamp is kept for the life of a process."""
    some, other, shared = tmp_path / "some" / "kernels", tmp_path / "other" / "kernels", tmp_path / "search"
    for folder in (some, other, shared):
        folder.mkdir(parents=True)
    monkeypatch.setattr("tablero.search.numba_private._SHARED", shared)
    (some / "helper.py").write_text("x = 1\n")
    stamps = []
    for path in (some / "helper.py", shared / "new.py", other / "helper.py"):
        stamps.append(stamp_of.__wrapped__(some))
        path.write_text("x = 12\n")
    stamps.append(stamp_of.__wrapped__(some))
    assert len(set(stamps[:3])) == 3
    assert stamps[2] == stamps[3]  # kernels of another family use nothing of this one


def test_an_export_that_is_cut_short_has_no_second_object_behind_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def cut(*_: object) -> int:
        sys.stdout.write('{"name": ')
        raise KeyboardInterrupt

    assert command(["queens", "count", "6", "--job", "six", "-q"]) == 0
    capfd.readouterr()
    monkeypatch.setattr("tablero.cli.jobs.Export._write_object", cut)
    assert command(["jobs", "export", "six", "--json"]) == 130
    assert capfd.readouterr().out == '{"name": '
