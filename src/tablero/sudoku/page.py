"""The web page for Sudoku: a board to fill in, hints and steps with drawings, ratings, new puzzles.

filled    the digits that the player has entered, one character per cell, a dot for an empty cell; may be empty
marks     the pencil marks of the player, for example r1c2=135 r4c4=27
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.sudoku import verbs
from tablero.sudoku.draw import board, step_scene
from tablero.sudoku.formats import parse, read, write
from tablero.sudoku.puzzle import SYMBOLS, Sudoku
from tablero.text import several
from tablero.web.derived import derive
from tablero.web.forms import BadField, Cells, Field, Form, NotThere, Page, Shown, Verb

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.draw.sheet import Worksheet
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run
    from tablero.sudoku.generating import Made
    from tablero.sudoku.logic import Hint
    from tablero.sudoku.rating import Rating

_EASY = "8..9...7.7.13.26.....76...2.2....3.1.45.......7.....6...9.....4.37..6.9..1.59..3."
_HARD = "2.5.....7.48.576.29...4.....5...41....958..4......2......8.5...6.1.3..5...3....19"
_DIAGONAL = (
    "diagonals: yes\nboard:\n4.1.58..2\n5......4.\n67.4....8\n.1734.26.\n.9...5...\n254......\n"
    "9.3.1....\n7........\n...8.3...\n"
)
_KILLER = (
    "board:\n......\n......\n......\n......\n......\n......\ncages:\nabbccd\naeefgd\nhhifgg\nhjifgk\nljimnk\nljommp\n"
    "sums:\na=6 b=4 c=8 d=6 e=11 f=12 g=12 h=12 i=13 j=11 k=7 l=4\nm=7 n=5 o=2 p=6\n"
)
_JIGSAW = (
    "board:\n312.8....\n.4..756..\n..9.2.8..\n.3....9.8\n...6.....\n...29....\n...36..87\n8..53....\n58....3.9\n"
    "regions:\n111112222\n344411522\n344661552\n334461552\n733466652\n773468855\n733668885\n777779988\n999999988\n"
)
_SIXTEEN = (
    "..2....48....B...E..6.B.93.G..F.7.AB...25....8.E....E..1.6A.2.G..7...5..4.D8.1..........2G.5..8F"
    "8...CB.E.76.3.5...3.F.4D1....A.7D.5G.EF.....97..6AB....9....8..1.18..6..729.....329...G5.1.E.C.A"
    ".9..5.3..8..C..B18.D....6.72G.4..B.........4..1.4..38..F..CA76.9"
)
_MARGIN = 0.15
_MAKING = 20.0  # seconds for new puzzles
_SOLVING = 30.0  # seconds for all steps of a board of up to 16×16


def _puzzle(form: Form) -> Sudoku:
    """Return the puzzle without the digits that the player has entered."""
    return parse(form["puzzle"], "the puzzle")


def _filled(puzzle: Sudoku, form: Form) -> tuple[int, ...]:
    """Return the clues and the digits that the player has entered."""
    text = form["filled"].strip()
    if not text:
        return puzzle.cells
    if len(text) != len(puzzle.cells):
        raise BadField("filled", f"Filled in: {len(text)} cells, expected {len(puzzle.cells)}")
    values = []
    for clue, character in zip(puzzle.cells, text, strict=True):
        digit = 0 if character == "." else SYMBOLS.find(character)
        if not 0 <= digit <= puzzle.side:
            raise BadField("filled", f"Filled in: {character!r} is no digit of a board of side {puzzle.side}")
        values.append(clue or digit)
    return tuple(values)


def _marks(puzzle: Sudoku, form: Form) -> list[int] | None:
    """Return the pencil marks of the player as a bit mask for each cell."""
    words = form["marks"].split()
    if not words:
        return None
    side, masks = puzzle.side, [0] * len(puzzle.cells)
    for word in words[: len(masks)]:
        found = re.fullmatch(r"r([0-9]{1,2})c([0-9]{1,2})=([0-9A-Za-z]{1,25})", word)
        if not found or not (1 <= int(found[1]) <= side and 1 <= int(found[2]) <= side):
            raise BadField("marks", f"Pencil marks: {word[:40]!r}: expected a cell and its digits, as r1c2=135")
        for character in found[3]:
            digit = SYMBOLS.find(character)
            if 1 <= digit <= side:
                masks[(int(found[1]) - 1) * side + int(found[2]) - 1] |= 1 << digit
    return masks


def _now(form: Form) -> Sudoku:
    """Return the puzzle with the digits that the player has entered as clues."""
    puzzle = _puzzle(form)
    return Sudoku(_filled(puzzle, form), puzzle.layout)


def _clashes(puzzle: Sudoku, values: tuple[int, ...]) -> list[int]:
    """Return the cells whose digit occurs twice in a unit."""
    found: set[int] = set()
    for unit in puzzle.layout.units:
        seen: dict[int, int] = {}
        for cell in unit.cells:
            if values[cell] and values[cell] in seen:
                found |= {cell, seen[values[cell]]}
            seen.setdefault(values[cell], cell)
    return sorted(found)


def _show(form: Form) -> Shown:
    puzzle = _puzzle(form)
    values = _filled(puzzle, form)
    clashes = _clashes(puzzle, values)
    empty = values.count(0)
    words = "the board is full"
    if empty:
        words = f"{puzzle.layout.kind}, {several(puzzle.clues, 'clue')}, {several(empty, 'cell')} to fill"
    if clashes:
        words += "; some digits occur twice"
    return Shown(
        {**form, "puzzle": _text(puzzle)},
        words,
        board(puzzle, values, candidates=_marks(puzzle, form)),
        Cells(puzzle.side, puzzle.side, _MARGIN, _MARGIN),
        {
            "clues": [bool(cell) for cell in puzzle.cells],
            "values": list(values),
            "clashes": clashes,
            "side": puzzle.side,
        },
    )


def _text(puzzle: Sudoku) -> str:
    """Return a plain puzzle as one line, and others in sections."""
    return puzzle.line() if puzzle.layout.is_plain else write(puzzle)


def _load(data: bytes, name: str) -> Shown:
    stream = io.BytesIO(data)
    stream.name = name or "the file"
    return _show(Form(puzzle=_text(read(stream)), filled="", marks=""))


def _made(found: Made, _: Mapping[str, Any]) -> Shown:
    if not found.puzzles:
        raise BadInput(f"no such puzzle was made within {_MAKING:.0f} s")
    return _show(Form(puzzle=_text(found.puzzle), filled="", marks=""))


def _hinted(found: Hint, _: Mapping[str, Any]) -> dict[str, Any]:
    if found.hopeless:  # the puzzle has no solution
        words = found.warning
        return {"status": "none", "sentence": words, "why": words, "svg": to_svg(board(found.puzzle))}
    return {**found.to_dict(), "svg": to_svg(found.scene())}


def _steps(form: Form, run: Run) -> dict[str, Any]:
    """Solve step by step, with a drawing of the step whose number is in the form."""
    path = _now(form).step(run=run)
    wanted = form["at"]
    svg = None
    for number, (position, step) in enumerate(path.positions()):
        if number == wanted:
            svg = to_svg(step_scene(position, step))
            break
    if svg is None:
        svg = to_svg(board(path.puzzle, path.cells))
    return {**path.to_dict(), "at": wanted, "svg": svg}


def _rated(found: Rating, _: Mapping[str, Any]) -> dict[str, Any]:
    if found.status == "open":
        raise BadInput(str(found))
    return {**found.values, "say": str(found)}


def _slug(technique: str) -> str:
    """Return the name of a technique in a URL."""
    return re.sub("[^a-z0-9]+", "-", technique.lower()).strip("-")


def _title(technique: str) -> str:
    return technique[0].upper() + technique[1:]


def _guides() -> list[dict[str, Any]]:
    from tablero.sudoku.logic.techniques import TECHNIQUES

    return [{"name": _slug(one.name), "title": _title(one.name), "rating": one.rating} for one in TECHNIQUES]


def _guide(name: str) -> dict[str, Any]:
    """Explain a technique with a position in which it applies."""
    from tablero.sudoku.examples import ABOUT, EXAMPLES, KILLERS, position_for
    from tablero.sudoku.logic.techniques import TECHNIQUES

    one = next((one for one in TECHNIQUES if _slug(one.name) == name), None)
    if one is None:
        raise NotThere(f"there is no technique {name!r}")
    reported = [f"HoDoKu: {one.code}, score {one.score}."] if one.code else []
    reported += [] if one.walked else ["It is slow: hints omit it; 'tablero sudoku steps --all' includes it."]
    if one.name not in EXAMPLES and one.name not in KILLERS:
        reported.append("No generated puzzle has needed it yet, so there is no drawing.")
    values = {"title": _title(one.name), "rating": one.rating, "about": ABOUT[one.name], "words": " ".join(reported)}
    if one.name in EXAMPLES or one.name in KILLERS:
        position, step = position_for(one.name)
        puzzle = position.puzzle
        filled = "".join(SYMBOLS[0 if puzzle.cells[k] else digit] for k, digit in enumerate(position.values))
        values |= {
            "svg": to_svg(step_scene(position, step)),
            "sentence": step.sentence,
            "puzzle": {"puzzle": _text(puzzle), "filled": filled.replace(SYMBOLS[0], "."), "marks": ""},
        }
    return values


def _sheet(found: Worksheet, _: Mapping[str, Any]) -> dict[str, Any]:
    """Return pages of puzzles to print, followed by the solutions."""
    pages = found.pages
    return {
        "say": f"{several(len(found.tasks), 'puzzle')} on {several(len(pages), 'page')}, the solutions at the end",
        "svg": to_svg(pages[0]),
        "text": "\n".join(task.given.rstrip("\n") for task in found.tasks),
        "file": {
            "name": "sudoku.pdf",
            "label": "Save the sheets",
            "base64": base64.b64encode(found.to_pdf()).decode(),
        },
    }


def _picture(found: Findings[Any], number: int) -> Scene | None:
    from tablero.sudoku.solving import Solutions

    assert isinstance(found, Solutions)
    return board(found.puzzle, found.boards[number])


_OPTIONS = ("side", "kind", "symmetry", "rating", "seed")
_SHEET = (*_OPTIONS, "count", "per_page")


def _making(verb: Verb) -> Verb:
    """Exclude jigsaws of side 25, which exceed the time limit of a page."""
    return replace(verb, never=(*verb.never, {"kind": ("jigsaw",), "side": ("25",)}))


PAGE = Page(
    "Sudoku",
    "Fill in, ask for a hint, see every step and its reason, rate, and make new ones.",
    (
        Field("puzzle", "Puzzle", "area", _EASY, hint="81 cells in a line, rows, or the text of any Sudoku program"),
        Field("filled", "Filled in"),
        Field("marks", "Pencil marks"),
    ),
    _show,
    (
        derive(verbs.hint, puzzle=_now, show=_hinted),
        Verb(
            "steps", "Steps", _steps, (Field("at", "Step", "number", 0, most=10_000),), seconds=_SOLVING, command="step"
        ),
        derive(verbs.rate, puzzle=_now, show=_rated, seconds=_SOLVING),
        _making(derive(verbs.worksheet, name="sheet", label="Print sheets", show=_sheet, only=_SHEET, seconds=_MAKING)),
        derive(verbs.solve, puzzle=_now),
        derive(verbs.count, puzzle=_now, only=()),
        _making(derive(verbs.generate, name="make", label="Make", show=_made, only=_OPTIONS, seconds=_MAKING)),
    ),
    (
        ("Medium", {"puzzle": _EASY, "filled": "", "marks": ""}),
        ("Hard", {"puzzle": _HARD, "filled": "", "marks": ""}),
        ("Diagonals", {"puzzle": _DIAGONAL, "filled": "", "marks": ""}),
        ("Killer", {"puzzle": _KILLER, "filled": "", "marks": ""}),
        ("Jigsaw", {"puzzle": _JIGSAW, "filled": "", "marks": ""}),
        ("Sixteen by sixteen", {"puzzle": _SIXTEEN, "filled": "", "marks": ""}),
    ),
    _load,
    _picture,
    _guides,
    _guide,
    says=(
        *(f"{kind}#×#, # clues, # cells to fill" for kind in ("", "diagonal ", "jigsaw ", "killer ")),
        *(f"a {kind}#×# Sudoku" for kind in ("", "diagonal ", "jigsaw ", "killer ")),
        "No generated puzzle has needed it yet, so there is no drawing.",
        *(f"{kind} #×#" for kind in ("diagonal", "jigsaw", "killer")),
        *("# clue", "# clues", "# cell to fill", "# cells to fill"),
        "the board is full",
        "some digits occur twice",
        *("no solution", "more than one solution"),
        "at @",
        # ratings, and captions below the boards of a sheet
        *(
            form.format(word)
            for form in ("* {} (*)", "#. {}")
            for word in ("easy", "medium", "hard", "fiendish", "diabolical")
        ),
        "expected one of *, a number, a range such as 3.0-4.2",
        *("nothing to fill", "beyond the techniques here"),
        "solved in # step",
        "no technique applies",
        "the puzzle has no solution: some digit is wrong",
        "the puzzle has no solution: without the # in @ it has one",
        "the puzzle has no solution: without the # in @ or the # in @ it has one",
        "the puzzle has no solution: without the # in @ or the # in @ or the # in @ it has one",
        "solved in # steps",
        "# puzzles on # pages, the solutions at the end",
        "# puzzle on # pages, the solutions at the end",
        "@ is the last empty cell of %: it is #.",
        "@ is the only place for # in %.",
        "@ can only be #: every other digit is ruled out there.",
        "In % the # can only be in @, all in %: no other cell there is #.",
        "In % the # can only be in @, all in %: no other cell there is #, and @ is left as its only place in %.",
        "@ in % hold only #: those digits are removed from the other cells that all of them see.",
        "In % the digits # fit only into @: those cells hold nothing else.",
        "In % the digits # fit only into @: those cells hold nothing else, and @ is left as the only place for # in %.",
    ),
    script=True,
)
