"""What a refusal or a drawing can say, read from the sources: texts of errors and titles, with * for what changes.

    template   the text of an error, a star for every value that is put into it
    part       a piece of it between colons and semicolons: as such the web page translates it

A part that is nearly stars alone is what a user gave, and needs no words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import tablero

SOURCE = Path(tablero.__file__).parent
ERRORS = {"BadInput", "BadField", "NotThere", "JobError", "NothingToKeep", "Busy", "Slow", "Damaged", "NotOurs"}
# Functions that make parts of a text: which of their arguments these are, by place or name, and what is put around them.
HELPERS: dict[str, dict[int | str, str]] = {
    "unknown": {0: "{} *"},
    "_refuse": {1: "{}"},
    "require_here": {1: "{} is not a search that can be kept or shared"},
    "require_no_search": {1: "{} need no search, there is nothing to keep"},
    "_within": {3: "expected {}"},
    "BadValue": {2: "expected {}"},
    "Refuse": {1: "{}"},
}
# What the page never asks for (the command line, worksheets, grids), and what is wrong inside a damaged file.
ELSEWHERE = re.compile(
    r"cli/|search/|kernels/|/(worksheets|estimating|peaceable|tuning|encoding|batch|saving|sheets)\.py|"
    r"/(checking|sampling|worst_cases|programme|progress|values|record|store|run|session|coordinator|answers|process)\.py|"
    r"runs/(cluster|security|leases|reports|viewing)\.py|web/guard\.py|extras\.py|draw/sheet\.py"
)
_WORDY = 6  # letters


def modules() -> list[Path]:
    """The modules whose refusals the page may have to show."""
    return [path for path in sorted(SOURCE.rglob("*.py")) if not ELSEWHERE.search(path.relative_to(SOURCE).as_posix())]


def texts_of(node: ast.expr) -> list[str] | None:
    """All that an expression may say; None where that does not stand there."""
    match node:
        case ast.Constant(value=str(text)):
            return [text.replace("*", "·")]
        case ast.JoinedStr(values=values):
            pieces = [_piece(value) for value in values]
            return ["".join(choice) for choice in product(*pieces)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = texts_of(left) or ["*"], texts_of(right) or ["*"]
            return [a + b for a in one for b in other]
        case ast.IfExp(body=body, orelse=orelse):
            return [*(texts_of(body) or ["*"]), *(texts_of(orelse) or ["*"])]
    return None


def _piece(value: ast.expr) -> list[str]:
    if isinstance(value, ast.FormattedValue):
        return (texts_of(value.value) if isinstance(value.value, ast.IfExp | ast.Constant) else None) or ["*"]
    return texts_of(value) or ["*"]


def templates(path: Path) -> Iterator[tuple[int, str]]:
    """What the errors of a module say, with the lines where they stand."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        given: dict[int | str | None, ast.expr] = {
            **dict(enumerate(node.args)),
            **{word.arg: word.value for word in node.keywords},
        }
        frames = {len(node.args) - 1: "{}"} if name in ERRORS else HELPERS.get(name, {})
        for place, frame in frames.items():
            for text in (texts_of(given[place]) if place in given else None) or []:
                said = frame.replace("{}", text).replace("{}", "*")
                yield node.lineno, re.sub(r"\{\w+\}", "*", said) if name == "Refuse" else said


def titles(path: Path) -> Iterator[tuple[int, str]]:
    """What the drawings of a module say: what is called their title, and texts within them."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Assign(targets=[ast.Name(id="title")], value=value):
                said = value
            case ast.BoolOp(op=ast.Or(), values=[ast.Name(id="title"), value]):
                said = value
            case ast.Call(func=ast.Name(id="Text"), args=[_, _, value, *_]):
                said = value
            case ast.Call(func=ast.Name(id="mosaic" | "board" | "scene" | "picture"), args=[*_, value]):
                said = value
            case _:
                continue
        if path.name in ("draw.py", "page.py", "watch.py"):
            for text in texts_of(said) or []:
                yield said.lineno, text


@cache
def texts_of_techniques() -> str:
    """All texts of the modules that explain steps of a Sudoku."""
    modules = (SOURCE / "sudoku" / "logic").rglob("*.py")
    nodes = (node for module in modules for node in ast.walk(ast.parse(module.read_text())))
    return "\n".join(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def parts(text: str) -> list[str]:
    """The parts of a template that have words of their own."""
    return [part for part in re.split(": |; ", text) if len(re.sub("[^A-Za-z]", "", part)) >= _WORDY]


if __name__ == "__main__":
    for module in modules():
        for line, text in templates(module):
            print(f"{module.relative_to(SOURCE)}:{line}\t{text}")
