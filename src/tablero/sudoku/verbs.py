"""The verbs of the Sudoku family."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tablero.runs.run import HERE, Run
from tablero.verbs import GIVEN, Meta, Not, Refuse, Spelling, maker, verb, writes
from tablero.verbs.types import Most, PerPage, Puzzles, Seed, Title, sheet_pdf, sheet_svg

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet
    from tablero.sudoku.generating import Made
    from tablero.sudoku.logic import Hint, Steps
    from tablero.sudoku.logic import Path as Way
    from tablero.sudoku.logic.library import Report
    from tablero.sudoku.pencil import Candidates
    from tablero.sudoku.puzzle import Sudoku
    from tablero.sudoku.rating import RatedFile, Rating
    from tablero.sudoku.reading import Asked
    from tablero.sudoku.solving import Solutions
    from tablero.sudoku.sweeps import Sweeps

MOST = 10_000_000  # puzzles in one call
PROVABLE = 12  # the largest side for which a puzzle can be proved minimal

Puzzle = Annotated[
    str,
    Meta(description="A file (text, CSV, Excel), the cells themselves, or - for standard input."),
    Spelling(metavar="PUZZLE", lines=True),
]
Diagonals = Annotated[bool, Meta(description="Both diagonals hold every digit once."), Spelling(short="-x")]
_Sides = Literal[4, 6, 9, 12, 16, 25]
Side = Annotated[
    _Sides,
    Meta(description="Number of rows, columns and digits."),
    Spelling(option="side", metavar="N"),
]
FileSide = Annotated[
    _Sides | None,
    Meta(description="Number of rows, columns and digits, if the file does not define it."),
    Spelling(metavar="N"),
]
Kind = Annotated[Literal["plain", "x", "jigsaw", "killer"], Meta(description="Rules of the puzzle (x adds diagonals).")]
Symmetry = Annotated[
    Literal["none", "half-turn", "quarter-turn", "mirror", "diagonal"], Meta(description="Symmetry of the clues.")
]
Clues = Annotated[int | None, Meta(ge=0, le=625, description="Number of clues at which removal stops.")]
HowHard = Annotated[
    str,
    Meta(description="Difficulty: easy, medium, hard, fiendish, diabolical, a number, or a range such as 3.0-4.2."),
    Spelling(complete="tablero.sudoku.rating:words"),
]
FormName = Literal["grid", "line", "sdx", "sadman", "sections"]
Form = Annotated[
    FormName | None,
    Meta(description="Output format; by default, the suffix of the file decides."),
]

_LARGE = (12, 16, 25)
_KILLERS: tuple[dict[str, tuple[object, ...] | Not], ...] = (
    {"side": _LARGE},
    {"minimal": (True,)},
    {"clues": Not((None, 0))},
    {"symmetry": Not(("none",))},
    {"rating": GIVEN},
)
_GENERATION = (
    Refuse({"minimal": (True,), "clues": Not((None,))}, "{clues} cannot be combined with {minimal}"),
    Refuse(
        {"minimal": (True,), "side": (16, 25)},
        "{minimal}: expected a side up to 12, because larger puzzles cannot be proved minimal",
    ),
    *(
        Refuse(
            {"kind": ("killer",), **other},
            "killer puzzles: expected a side up to 9 and no clues, symmetry or rating",
        )
        for other in _KILLERS
    ),
    Refuse({"rating": GIVEN, "side": _LARGE}, "{rating}: expected a side up to 9"),
)


def board(
    puzzle: Puzzle,
    *,
    diagonals: Diagonals = False,
    side: FileSide = None,
    sheet: Annotated[str, Meta(description="Sheet of the workbook; by default, all sheets.")] = "",
    cell: Annotated[
        str, Meta(description="Top left cell of the board in the sheet, such as B2; by default, it is detected.")
    ] = "",
    column: Annotated[
        str, Meta(description="Column of the puzzles in a table (.csv, .xlsx): header, number or letter.")
    ] = "",
) -> Asked:
    """One puzzle, or a file of many puzzles."""
    from tablero.sudoku.reading import named

    return named(puzzle, diagonals=diagonals, side=side, sheet=sheet, cell=cell, column=column)


@writes(name="output", before="tablero.sudoku.saving:require_output")
def answers(found: Solutions, path: Path) -> None:
    """Write the solutions to this file: .xlsx, .csv, .sdk, .sdm or text."""
    from tablero.sudoku.saving import save_found

    save_found(path, found)


@writes(name="output", before="tablero.sudoku.saving:require_output")
def filled(found: Way | Sweeps, path: Path) -> None:
    """Write the final board to this file: .xlsx, .csv, .sdk, .sdm or text."""
    from tablero.sudoku.saving import save

    save(path, found.puzzle, found.cells)


@writes(name="output", before="tablero.sudoku.rating:require_several")
def ratings(found: Rating | RatedFile, path: Path) -> None:
    """Write the ratings of many puzzles to this file: .xlsx, .csv, .sdm or .sdk."""
    from tablero.sudoku.rating import save_ratings

    save_ratings(path, found)


@writes(name="output", before="tablero.sudoku.saving:require_made", instead=True)
def puzzles(found: Made, path: Path) -> None:
    """Write the puzzles to this file: .xlsx, .csv, .sdk, .sdm or text."""
    from tablero.sudoku.saving import save_many

    save_many(path, found.puzzles)


@writes(name="output")
def marks(found: Candidates, path: Path) -> str:
    """Write the candidates to this file instead of standard output."""
    return found.text_for(path)


@writes(".svg", before="tablero.sudoku.reading:one")
def svg(found: Solutions | Hint | Steps) -> str | None:
    """Draw the board into this SVG file."""
    return found.to_svg()


@writes(".pdf", before="tablero.sudoku.reading:one")
def pdf(found: Solutions | Hint) -> bytes | None:
    """Draw the board into this PDF file."""
    from tablero.sudoku.draw import to_pdf

    return to_pdf(found)


@writes(name="svg", before="tablero.sudoku.draw:require_folder", metavar="FOLDER")
def drawings(found: Way | Sweeps, path: Path) -> None:
    """Draw every step into this folder."""
    from tablero.sudoku.draw import draw_steps

    draw_steps(found, path)


@writes(".html")
def page(found: Way | Sweeps) -> str:
    """Write an HTML page that plays the steps."""
    return found.page()


@writes(".svg", name="svg")
def sheets_svg(found: Made, *, per_page: PerPage = 6, title: Title = "") -> str | None:
    """Draw pages of puzzles, followed by the solutions, into one SVG file."""
    return found.worksheet(per_page, title).to_svg() if found.puzzles else None


@writes(".pdf", name="pdf", before="tablero.verbs.types:require_title")
def sheets_pdf(found: Made, *, per_page: PerPage = 6, title: Title = "") -> bytes | None:
    """Draw A4 pages of puzzles, followed by the solutions, into this PDF file."""
    return found.worksheet(per_page, title).to_pdf() if found.puzzles else None


@verb(
    reads=board,
    durable=True,
    refuses=[Refuse({"most": Not((1,)), "many": (True,)}, "{most} cannot be combined with a file of many puzzles")],
    writes=[answers, svg, pdf],
)
def solve(puzzle: Sudoku, most: Most = 1, *, run: Run = HERE) -> Solutions:
    """Find the solution and check whether it is unique; solve each puzzle of a file of many.

    Examples:
        tablero sudoku solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
        tablero sudoku generate -n 12 --seed 1 -o puzzles.csv
        tablero sudoku solve puzzles.csv -o solved.csv
    """
    from tablero.sudoku.solving import solve as work

    return work(puzzle, most, run=run)


@verb(reads=board, durable=True)
def count(
    puzzle: Sudoku,
    most: Annotated[
        int | None,
        Meta(
            ge=1,
            description="Number of solutions at which counting stops, or all; for a file of many puzzles, 2 by default.",
        ),
        Spelling(option="solutions", short="-n", metavar="N", words={"all": None}),
    ] = None,
    *,
    run: Run = HERE,
) -> Solutions:
    """Count the solutions; count those of each puzzle of a file of many.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku count puzzle.txt --solutions 1000
    """
    from tablero.sudoku.solving import count as work

    return work(puzzle, most, run=run)


@verb(reads=board, writes=[filled, drawings, page])
def step(
    puzzle: Sudoku,
    *,
    method: Annotated[
        Literal["logic", "sweeps"], Meta(description="Use all techniques, or only naked singles in sweeps.")
    ] = "logic",
    pause: Annotated[bool, Meta(description="Wait for Enter after each step.")] = False,
    boards: Annotated[bool, Meta(description="Show the board after each step; sweeps always show it.")] = False,
    run: Run = HERE,
) -> Way:
    """Solve step by step and explain each step.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku step puzzle.txt --page steps.html
        tablero sudoku step puzzle.txt --method sweeps
    """
    from tablero.sudoku.logic import step as work

    return work(puzzle, method=method, pause=pause, boards=boards, run=run)


@verb(reads=board, writes=[svg])
def steps(
    puzzle: Sudoku,
    *,
    every: Annotated[
        bool,
        Meta(description="List the steps of every technique; by default, only of the easiest that applies."),
        Spelling(option="all", label="Of every technique"),
    ] = False,
    technique: Annotated[str, Meta(description="List only the steps of this technique: a name or a HoDoKu code.")] = "",
    candidates: Annotated[bool, Meta(description="First print the candidates and the HoDoKu library line.")] = False,
    run: Run = HERE,
) -> Steps:
    """List all steps that apply to the position, grouped by technique and without duplicates.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku steps puzzle.txt --all
        tablero sudoku steps puzzle.txt --technique 'hidden single'
    """
    from tablero.sudoku.logic import steps as work

    return work(puzzle, every=every, technique=technique, candidates=candidates, run=run)


@verb(reads=board, writes=[svg, pdf])
def hint(puzzle: Sudoku, *, run: Run = HERE) -> Hint:
    """Find the easiest next step.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku hint puzzle.txt --svg hint.svg
    """
    from tablero.sudoku.logic import hint as work

    return work(puzzle, run=run)


@verb(reads=board, writes=[marks])
def candidates(
    puzzle: Sudoku,
    *,
    of: Annotated[
        str,
        Meta(description="Explain the candidates of this cell by the digits missing from its row, column and box."),
        Spelling(metavar="r6c3"),
    ] = "",
    form: Form = None,
) -> Candidates:
    """List the candidates of every empty cell; candidates that the file excludes stay excluded.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku candidates puzzle.txt --of r6c1
        tablero sudoku candidates puzzle.txt --form sadman -o puzzle.sdk
    """
    from tablero.sudoku.pencil import candidates as work

    return work(puzzle, of=of, form=form)


@verb(reads=board, threads=True, writes=[ratings])
def rate(puzzle: Sudoku, *, run: Run = HERE) -> Rating:
    """Rate the difficulty by the hardest technique needed; rate each puzzle of a file of many.

    Examples:
        tablero sudoku generate --seed 1 > puzzle.txt
        tablero sudoku rate puzzle.txt
        tablero sudoku generate -n 12 --seed 1 -o puzzles.csv
        tablero sudoku rate puzzles.csv -o ratings.csv
    """
    from tablero.sudoku.rating import rate as work

    return work(puzzle, run=run)


@maker()
def library(
    file: Annotated[
        str, Meta(description="File of HoDoKu library lines, or - for standard input."), Spelling(metavar="FILE")
    ],
    *,
    misses: Annotated[bool, Meta(description="Also print the lines whose technique was not found.")] = False,
    run: Run = HERE,
) -> Report:
    """Check that the technique of every position in a HoDoKu library is found with exactly the stated result.

    Examples:
        tablero sudoku library positions.txt --json
    """
    from tablero.sudoku.logic.library import try_library as work

    return work(file, misses=misses, run=run)


@maker(writes=[puzzles, sheets_svg, sheets_pdf], refuses=_GENERATION, threads=True)
def generate(
    side: Side = 9,
    *,
    count: Annotated[
        int,
        Meta(ge=1, le=MOST, description="Number of puzzles."),
        Spelling(option="count", short="-n", label="Puzzles"),
    ] = 1,
    kind: Kind = "plain",
    symmetry: Symmetry = "none",
    minimal: Annotated[bool, Meta(description="Make puzzles from which no clue can be removed.")] = False,
    clues: Clues = None,
    rating: HowHard = "",
    seed: Seed = 0,
    run: Run = HERE,
) -> Made:
    """Make puzzles with exactly one solution; drawings end with the solutions.

    Examples:
        tablero sudoku generate --seed 1
        tablero sudoku generate -n 12 --rating hard --pdf class.pdf --title 'Class 5b'
        tablero sudoku generate --kind killer --svg killer.svg
    """
    from tablero.sudoku.generating import Options, make, wanted_rating

    return make(count, Options(side, kind, symmetry, minimal, clues, wanted_rating(rating)), seed=seed, run=run)


@maker(writes=[sheet_pdf, sheet_svg], refuses=_GENERATION, must_write=True)
def worksheet(
    side: Side = 9,
    *,
    kind: Kind = "plain",
    symmetry: Symmetry = "none",
    rating: HowHard = "",
    count: Puzzles = 6,
    seed: Seed = 0,
    title: Title = "",
    per_page: PerPage = 6,
) -> Worksheet:
    """Make worksheets of puzzles with exactly one solution, followed by the solutions.

    Examples:
        tablero sudoku worksheet --rating easy --pdf sudoku.pdf
        tablero sudoku worksheet --kind killer --side 6 --title 'Class 5b' --pdf killer.pdf
    """
    from tablero.sudoku.generating import Options, wanted_rating
    from tablero.sudoku.generating import worksheet as work

    options = Options(side, kind, symmetry, rating=wanted_rating(rating))
    return work(options, count=count, seed=seed, title=title, per_page=per_page)
