"""Files of many puzzles: lines, columns of tables, boards of a workbook; in and out, by the suffix."""

from __future__ import annotations

import csv
import gc
import io
import json
import sys
import tempfile
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

import tablero as tb
from tablero.cli import run
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.sudoku import batch, saving
from tablero.sudoku.rating import Rating
from tablero.sudoku.reading import many_in
from tablero.sudoku.saving import save_many


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def made() -> list[tuple[str, str]]:
    """Puzzles and their solutions."""
    puzzles = tb.sudoku.generate_many(5, tb.sudoku.Options(minimal=True, rating=(1.0, 2.6)), seed=11)
    return [(puzzle.line(), puzzle.solve().first or "") for puzzle in puzzles]


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    return json.loads(capfd.readouterr().out)


def tally_of(found: Any, interrupted_at: int = 0) -> Any:
    """What became of a file of puzzles; where it is said, Ctrl-C is pressed at one of them."""
    answers = iter(found)
    if not interrupted_at:
        deque(answers, maxlen=0)
        return found.tally
    for _ in range(interrupted_at):
        next(answers)
    with pytest.raises(StopIteration):
        answers.throw(KeyboardInterrupt())
    return found.tally


def sheet(path: Path, rows: list[list[Any]], title: str = "Sheet") -> None:
    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)


def tables(made: list[tuple[str, str]]) -> dict[str, list[list[str]]]:
    return {
        "kaggle": [["quizzes", "solutions"], *([p.replace(".", "0"), s] for p, s in made)],
        "turned": [["solution", "puzzle"], *([s, p] for p, s in made)],
        "named": [["Name", "clues", "puzzle"], *([f"no. {k}, {p[:3]}", "30", p] for k, (p, _) in enumerate(made))],
        "bare": [[p, s] for p, s in made],
        "numbered": [[str(k), p] for k, (p, _) in enumerate(made)],
    }


@pytest.mark.parametrize("kind", ["kaggle", "turned", "named", "bare", "numbered"])
def test_columns_of_puzzles(
    kind: str, place: Path, made: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]
) -> None:
    rows = tables(made)[kind]
    sheet(place / "many.xlsx", rows)
    for name, separator in (("many.csv", ","), ("semi.csv", ";"), ("many.tsv", "\t")):
        with Path(name).open("w", newline="") as file:
            csv.writer(file, delimiter=separator).writerows(rows)
    answers = [solution for _, solution in made]
    for name in ("many.xlsx", "many.csv", "semi.csv", "many.tsv"):
        assert [puzzle.line() for puzzle in tb.sudoku.read_many(name)] == [puzzle for puzzle, _ in made]
        reported = ask(capfd, "sudoku", "solve", name)
        assert (reported["answers"], reported["unique"]) == (answers, 5)
    assert tally_of(tb.sudoku.solve("many.csv")).unique == 5


def test_the_column_that_is_asked_for(
    place: Path, made: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]
) -> None:
    (first, one), (second, two) = made[:2]
    rows = [["Easy", "Hard"], [first, second], [second, first]]
    sheet(place / "two.xlsx", rows)
    Path("two.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    for name in ("two.xlsx", "two.csv"):
        for column in ("hard", "2", "B"):
            assert ask(capfd, "sudoku", "solve", name, "--column", column)["answers"] == [two, one]
        for column in ("easy", "1", "A"):
            assert ask(capfd, "sudoku", "solve", name, "--column", column)["answers"] == [one, two]
        for column in ("C", "3", "soft", "0", "-1", "²"):
            with pytest.raises(BadInput, match="no column"):
                many_in(name, column=column)


def test_tables_on_all_sheets(place: Path, made: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]) -> None:
    book = Workbook()
    book.active.append(["about", "these puzzles"])
    for title, part in (("first", made[:2]), ("second", made[2:])):
        page = book.create_sheet(title)
        page.append([])
        page.append(["name", "puzzle"])
        for puzzle, _ in part:
            page.append([title, puzzle])
    book.save("book.xlsx")
    assert ask(capfd, "sudoku", "solve", "book.xlsx")["answers"] == [solution for _, solution in made]
    assert ask(capfd, "sudoku", "count", "book.xlsx", "--sheet", "second")["counts"] == [1, 1, 1]
    many = many_in("book.xlsx")
    assert many is not None
    assert next(many.entries())[::2] == ("book.xlsx: 'first' B3", "first")
    bad = load_workbook("book.xlsx")
    bad["second"]["B4"] = made[0][0][:80]
    bad.save("bad.xlsx")
    assert run(["sudoku", "solve", "bad.xlsx", "-q"]) == 2
    assert "bad.xlsx: 'second' B4: 80 characters: expected" in capfd.readouterr().err
    bad["second"]["B4"] = "=B3"
    bad["second"]["B2"], bad["second"]["A3"] = '="puzzle"', "=A4"  # of which nothing is asked
    bad.save("bad.xlsx")
    computed = "bad.xlsx: 'second' B4: the formula =B3 has no stored value: expected a puzzle"
    assert run(["sudoku", "solve", "bad.xlsx", "-q"]) == 2
    assert computed in capfd.readouterr().err
    for cell in ("B3", "B5"):
        bad["second"][cell] = "=B4"
    bad["second"]["B2"] = "puzzle"
    bad.save("bad.xlsx")
    assert run(["sudoku", "solve", "bad.xlsx", "-q", "--sheet", "second", "--column", "puzzle"]) == 2
    assert "bad.xlsx: 'second' B3: the formula =B4" in capfd.readouterr().err


def test_one_puzzle_in_a_table(place: Path, made: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]) -> None:
    puzzle, solution = made[0]
    Path("one.csv").write_text(f"name,puzzle\nthis,{puzzle}\n")
    sheet(place / "one.xlsx", [["puzzle"], [puzzle]])
    for name in ("one.csv", "one.xlsx"):
        assert ask(capfd, "sudoku", "solve", name)["answers"] == [solution]
        assert ask(capfd, "sudoku", "hint", name)["status"] == "solved"
    Path("two.csv").write_text(f"name,puzzle\nthis,{puzzle}\nthat,{puzzle}\n")
    assert run(["sudoku", "hint", "two.csv"]) == 2
    assert "two.csv: 2 puzzles, expected one" in capfd.readouterr().err


def test_from_standard_input(
    place: Path, made: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for text in ("quizzes,solutions\n" + "".join(f"{p},{s}\n" for p, s in made), "".join(f"{p}\n" for p, _ in made)):
        reader = io.BufferedReader(io.BytesIO(text.encode()))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(reader))
        assert ask(capfd, "sudoku", "solve", "-")["answers"] == [solution for _, solution in made]


# Out


@pytest.mark.parametrize("suffix", [".xlsx", ".csv", ".sdm", ".sdk", ".txt"])
def test_puzzles_out_and_in_again(suffix: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = f"out{suffix}"
    reported = ask(capfd, "sudoku", "generate", "-n", "12", "--seed", "3", "-o", name)
    data = Path(name).read_bytes()
    assert data.startswith(b"PK") == (suffix == ".xlsx")
    assert [puzzle.line() for puzzle in tb.sudoku.read_many(name)] == reported["answers"]
    assert ask(capfd, "sudoku", "solve", name, "-o", f"solved{suffix}")["unique"] == 12
    solved = [puzzle.solve().first for puzzle in tb.sudoku.read_many(name)]
    column = "solution" if suffix in (".xlsx", ".csv") else ""
    assert [puzzle.line() for puzzle in tb.sudoku.read_many(f"solved{suffix}", column=column)] == solved


def test_solutions_keep_their_names(place: Path, made: list[tuple[str, str]]) -> None:
    hopeless = "12345678." + "........9" + "." * 63
    rows = [f'"no. {k}, =1",{puzzle}' for k, (puzzle, _) in enumerate(made)]
    Path("in.csv").write_text("\n".join(["name,puzzle", *rows, f"none,{hopeless}"]) + "\n")
    assert run(["sudoku", "solve", "in.csv", "-o", "out.csv", "-q"]) == 0
    assert run(["sudoku", "solve", "in.csv", "-o", "out.xlsx", "-q"]) == 0
    with Path("out.csv").open(newline="") as file:
        table = list(csv.reader(file))
    assert table[0] == ["name", "puzzle", "solution", "solutions"]
    assert table[1] == ["no. 0, =1", *made[0], "1"]
    assert table[-1] == ["none", hopeless, "", "0"]
    page = load_workbook("out.xlsx").active
    assert [[str(value or "") for value in row] for row in page.iter_rows(values_only=True)][1:-1] == table[1:-1]


def test_all_solutions_of_one_into_a_table(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    few = "1...2...3...4..."
    reported = ask(capfd, "sudoku", "solve", few, "-n", "all", "-o", "all.xlsx")
    rows = list(load_workbook("all.xlsx").active.iter_rows(values_only=True))
    assert [row[0] for row in rows] == ["solution", *reported["answers"]]


def test_a_sheet_that_is_full_is_followed_by_another(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MOST_ROWS", 4)
    puzzles = list(tb.sudoku.generate_many(7, seed=1))
    save_many(Path("many.xlsx"), puzzles)
    assert len(load_workbook("many.xlsx").sheetnames) == 3
    assert list(tb.sudoku.read_many("many.xlsx")) == puzzles


# Ratings


@pytest.mark.parametrize("threads", [1, 2])
def test_ratings_of_a_file(
    threads: int, place: Path, made: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]
) -> None:
    Path("many.csv").write_text("name,puzzle\n" + "".join(f"{s[:4]},{p}\n" for p, s in made))
    expected = [tb.sudoku.parse(puzzle).rate() for puzzle, _ in made]
    reported = ask(capfd, "sudoku", "rate", "many.csv", "--threads", str(threads))
    assert [one["rating"] for one in reported["ratings"]] == [rating.value for rating in expected]
    assert (reported["status"], reported["puzzles"], sum(reported["words"].values())) == ("complete", 5, 5)
    assert run(["sudoku", "rate", "many.csv", "-o", "out.csv", "-t", str(threads)]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("5 puzzles rated: ")
    with Path("out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["name", "puzzle", "rating", "word", "score", "technique", "clues", "fine_rating"]
    for row, rating, (puzzle, solution) in zip(rows, expected, made, strict=True):
        assert (row["name"], row["puzzle"], float(row["rating"])) == (solution[:4], puzzle, rating.value)
        assert (row["technique"], int(row["clues"])) == (rating.technique, 81 - puzzle.count("."))
    assert run(["sudoku", "rate", "many.csv", "-o", "out.xlsx", "-q", "-t", str(threads)]) == 0
    (head, first, *_) = load_workbook("out.xlsx").active.iter_rows(values_only=True)
    assert (head, first[2]) == (tuple(rows[0]), expected[0].value)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_puzzle_without_a_rating_does_not_end_the_file(
    threads: int, place: Path, made: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]
) -> None:
    (one, _), (two, _) = made[:2]
    Path("some.sdm").write_text(f"{one}\n{'.' * 81}\n11{'.' * 79}\n{two}\n")
    reported = ask(capfd, "sudoku", "rate", "some.sdm", "-t", str(threads))
    assert (reported["status"], reported["puzzles"], reported["unrated"]) == ("complete", 2, 2)
    assert [one["rating"] is None for one in reported["ratings"]] == [False, True, True, False]
    assert "the puzzle has more than one solution" in reported["ratings"][1]["why"]
    assert "the digit 1 occurs twice in row 1" in reported["ratings"][2]["why"]
    assert run(["sudoku", "rate", "some.sdm", "-t", str(threads)]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[1].startswith("some.sdm:2: the puzzle has more than one solution")
    assert "2 puzzles without a rating" in err
    assert run(["sudoku", "rate", "some.sdm", "-o", "some.csv", "-q", "-t", str(threads)]) == 0
    with Path("some.csv").open(newline="") as file:
        assert [row["rating"] != "" for row in csv.DictReader(file)] == [True, False, False, True]
    Path("bad.sdm").write_text(f"{one}\n{one[:70]}\n{two}\n")
    assert run(["sudoku", "rate", "bad.sdm", "-o", "bad.csv", "-q", "-t", str(threads)]) == 2
    assert "bad.sdm:2: 70 characters" in capfd.readouterr().err
    assert not Path("bad.csv").exists()


@pytest.mark.parametrize("verb", ["rate", "solve"])
def test_a_bad_line_leaves_no_half_workbook(
    verb: str,
    place: Path,
    made: list[tuple[str, str]],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line on standard error, and nothing that sheets left open say when they are collected."""
    heard: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(batch, "SIZE", 1)  # so that a row is written before
    good = made[0][0]
    Path("bad.csv").write_text(f"name,puzzle\na,{good}\nb,{good[:-1]}?\nc,{good}\n")
    assert run(["sudoku", verb, "bad.csv", "-o", "out.xlsx", "--quiet"]) == 2
    gc.collect()
    assert heard == []
    err = capfd.readouterr().err
    assert (err.startswith("tablero: bad.csv:3: "), err.count("\n")) == (True, 1)
    assert [path.name for path in place.iterdir()] == ["bad.csv"]


def test_ratings_are_stopped(place: Path, made: list[tuple[str, str]]) -> None:
    Path("many.sdm").write_text("".join(f"{p}\n" for p, _ in made))
    heard: list[Snapshot] = []
    found: Any = tb.sudoku.rate("many.sdm", run=tb.Here(time_limit=1e-9, watch=heard.append))
    tally = tally_of(found)
    assert (tally.status, tally.puzzles, tally.untried) == ("open", 0, 5)
    assert "the time is up, 5 of 5 not tried" in str(tally)
    assert heard[-1].over
    tally = tally_of(tb.sudoku.rate("many.sdm"), interrupted_at=1)
    assert (tally.status, tally.interrupted, tally.to_dict()["untried"]) == ("open", True, 5)
    assert "interrupted, 5 of 5 not tried" in str(tally)
    tally = tally_of(tb.sudoku.rate("many.sdm"), interrupted_at=3)
    assert "2 puzzles rated: " in str(tally)
    assert "interrupted, 3 of 5 not tried" in str(tally)
    assert tally_of(tb.sudoku.rate("many.sdm")).untried == 0


def test_while_a_file_is_rated_the_compiling_of_kernels_is_told(
    place: Path, made: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("two.sdm").write_text(f"{made[0][0]}\n" * 2)

    def rate(puzzle: tb.sudoku.Sudoku, run: tb.Here) -> Rating:
        run.report(Snapshot(words="of no file"))
        run.report(Snapshot(doing="compiling the nets"))
        run.report(Snapshot(over=True))
        return Rating(1.2, "hidden single in a box", 1, 1)

    monkeypatch.setattr("tablero.sudoku.rating.find_rating", rate)
    heard: list[Snapshot] = []
    tally_of(tb.sudoku.rate("two.sdm", run=tb.Here(watch=heard.append)))
    assert [(one.doing, one.over) for one in heard[:2]] == [("compiling the nets", False), ("searching", True)]
    assert "of no file" not in [one.words for one in heard]


# Large files


def test_a_large_table_is_read_in_pieces(
    place: Path, made: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than a batch is held: while the first is worked on, the file is at its beginning."""
    with Path("many.csv").open("w") as file:
        file.write("quizzes,solutions\n")
        for _ in range(4_000):
            file.writelines(f"{puzzle},{solution}\n" for puzzle, solution in made)
    monkeypatch.setattr(batch, "SIZE", 500)
    heard: list[Snapshot] = []
    found: Any = tb.sudoku.count("many.csv", 1, run=tb.Here(watch=heard.append))
    sizes = [len(part.counts) for part in found]
    assert (found.tally.puzzles, max(sizes)) == (20_000, 500)
    fractions = [snapshot.fraction for snapshot in heard if snapshot.words]
    assert fractions[0] is not None
    assert fractions[0] < 0.1
    assert fractions == sorted(fractions, key=lambda value: value or 0.0)


def test_a_line_without_end(place: Path, made: list[tuple[str, str]]) -> None:
    for name in ("long.sdm", "long.csv"):
        Path(name).write_text("".join(f"{puzzle},x\n" for puzzle, _ in made) + "1" * 100_000)
        with pytest.raises(BadInput, match=rf"{name}:6: a line of 65,536 bytes or more"):
            tally_of(tb.sudoku.solve(name))


# Anything at all

_FIELD = st.one_of(st.text(alphabet='1.,;"\n\t xA', max_size=12), st.sampled_from(["." * 81, "1" + "." * 15, "puzzle"]))


@settings(max_examples=200)
@given(
    st.lists(st.lists(_FIELD, max_size=4).map(",".join), max_size=6).map("\n".join),
    st.sampled_from(["", "1", "puzzle"]),
)
def test_any_table(text: str, column: str) -> None:
    file = io.BytesIO(text.encode())
    file.name = "any.csv"
    try:
        many = many_in(file, column=column)
        puzzles = [] if many is None else [tb.sudoku.parse(entry.text) for entry in many.entries()]
        assert all(isinstance(puzzle, tb.sudoku.Sudoku) for puzzle in puzzles)
    except BadInput as error:
        assert "\n" not in str(error).replace("\\n", "")  # noqa: PT017
