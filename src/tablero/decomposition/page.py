"""The web page for decompositions: the form of the server in the DLX thesis, with more symmetries.

Conditions restrict the images of the part's vertices, so that each copy is made once.  The original server asked the user
for them; here the conditions that were found are filled in, and other conditions are checked.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablero.decomposition import verbs
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.files import decode
from tablero.text import several
from tablero.verbs import Not
from tablero.web.derived import derive
from tablero.web.forms import BadField, Field, Form, Page, Shown, Verb

if TYPE_CHECKING:
    from tablero.decomposition.automorphisms import Condition
    from tablero.decomposition.puzzle import DecompositionPuzzle
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run

_MOST_DRAWN = 2000  # edges
_MOST_TASK = 4_000_000  # characters of a task that is sent to the page
_MAKING = 8.0  # time limit for the matrix in seconds


def _puzzle(form: Form) -> DecompositionPuzzle:
    from tablero.decomposition import decompose, words

    for name, label in (("host", "Graph"), ("part", "Part")):
        # The page must not read files of the server.
        if re.match(r"\s*(?:[0-9]+\s*[x×*])?\s*@", form[name]) or not form[name].strip():
            raise BadField(name, f"{label}: {form[name][:60]!r}: expected a word as K8, or edges")
    symmetry, conditions = _symmetry(form), form["conditions"].strip()
    host, part = form["host"].strip(), form["part"].strip()
    puzzle = decompose(host, part, symmetry=symmetry)
    if not conditions:
        return puzzle
    if conditions == _conditions(puzzle):  # with a symmetry, they are ignored but remain in the form
        return puzzle if symmetry is not None else replace(puzzle, conditions=_found(puzzle))
    if symmetry is not None:
        raise BadField("conditions", "Conditions: they need the symmetry none: leave them out")
    return decompose(host, part, conditions=words.source_pairs(conditions, "condition"))


def _symmetry(form: Form) -> str | None:
    word: str = form["symmetry"].strip()
    return None if word in ("", "none") else word


def _conditions(puzzle: DecompositionPuzzle) -> str:
    """The conditions that were found, as text."""
    part = puzzle.parts[0].graph
    return "[" + ",".join("({},{})".format(*part.named(pair)) for pair in _found(puzzle)) + "]"


def _found(puzzle: DecompositionPuzzle) -> tuple[Condition, ...]:
    from tablero.decomposition.automorphisms import symmetry

    return symmetry(puzzle.parts[0].graph).conditions


def _show(form: Form) -> Shown:
    from tablero.decomposition.necessary import obstacle

    puzzle = _puzzle(form)
    lines, why, found = puzzle.lines, obstacle(puzzle), _conditions(puzzle)
    words = f"{several(lines, 'edge')} to be divided" + (f": {why}" if why else "")
    scene = puzzle.scene() if lines <= _MOST_DRAWN else None
    return Shown({**form, "conditions": form["conditions"].strip() or found}, words, scene, None, {"found": found})


def _load(data: bytes, name: str) -> Shown:
    """Load a task that `tablero decompose task` wrote, or a problem as JSON."""
    from tablero.decomposition import formats, tasks, words

    name = name or "the file"
    text = decode(data, name)
    puzzle = tasks.parse(text, name) if text.lstrip().startswith("|") else formats.load(text, name)
    if len(puzzle.parts) > 1 or puzzle.fold > 1 or puzzle.perfect or puzzle.given:
        raise BadInput(f"{name}: this form has no mixtures, folds or given copies: use 'tablero decompose'")
    host = words.typed(puzzle.host, words.host_of)
    part = words.typed(puzzle.parts[0].graph, lambda word: words.part_of(word, puzzle.host).graph)
    return _show(Form(host=host, part=part, symmetry=_cycles(puzzle), conditions=""))


def _cycles(puzzle: DecompositionPuzzle) -> str:
    """The symmetry of a problem in cycle notation."""
    if puzzle.symmetry is None:
        return "none"
    left, out = set(range(puzzle.host.vertices)), []
    while left:
        cycle = [min(left)]
        while puzzle.symmetry[cycle[-1]] != cycle[0]:
            cycle.append(puzzle.symmetry[cycle[-1]])
        left -= set(cycle)
        if len(cycle) > 1:
            out.append("(" + " ".join(str(puzzle.host.labels[vertex]) for vertex in cycle) + ")")
    return "".join(out)


def _matrix(form: Form, run: Run) -> dict[str, Any]:
    """Make the exact cover without solving it: a task to save."""
    from tablero.decomposition import copies, draw, tasks
    from tablero.runs.run import Clock

    if _symmetry(form) is not None:
        raise BadField("symmetry", "Symmetry: the matrix is for problems without a symmetry: choose none")
    copies.warm()
    clock = Clock(run)

    def look() -> None:
        if clock.seconds > _MAKING:
            raise BadInput(f"the matrix takes longer than {_MAKING:.0f} s: 'tablero decompose task' makes it")

    model = tasks.model_for(_puzzle(form), look)
    rows, columns, ones = model.size
    size = (several(rows, "row (copy)", "rows (copies)"), several(columns, "column (edge)", "columns (edges)"))
    words = f"{', '.join(size)}, {several(ones, 'one')}, made in {clock.seconds:.3f} s"
    values: dict[str, Any] = {"say": words, "rows": rows, "columns": columns, "ones": ones}
    drawn = draw.matrix_scene(model.table.start.tolist(), model.table.edge.tolist(), columns)
    if drawn is not None:
        values["svg"] = to_svg(drawn)
    if 12 * ones <= _MOST_TASK:
        name = re.sub("[^A-Za-z0-9]+", "-", str(model.puzzle))[:60]
        values["file"] = {"name": f"{name}.task", "label": "Save the task", "text": tasks.write(model)}
    return values


def _picture(found: Findings[Any], number: int) -> Scene | None:
    scene: Scene = found.answers[number].scene()
    return scene


def _example(host: str, part: str, symmetry: str = "none") -> dict[str, str]:
    return {"host": host, "part": part, "symmetry": symmetry, "conditions": ""}


PAGE = Page(
    "Decompositions",
    "Divide the edges of a graph into copies of a part.",
    (
        Field("host", "Graph", "line", "K8", hint="K8, K4,4, or edges as [(0,1),(1,2)]"),
        Field("part", "Part", "line", "double-star", hint="double-star, hamiltonian-path, cycle-4, or edges"),
        Field("symmetry", "Symmetry", "line", "none", hint="none, cyclic, bicyclic, an order as 5, or (0 1 2)(3 4 5)"),
        Field(
            "conditions",
            "Conditions",
            "area",
            hint="(i,j): the image of i is lower than that of j; the conditions found are filled in, others are checked",
        ),
    ),
    _show,
    (
        derive(verbs.solve, puzzle=_puzzle, only=("most",)),
        derive(verbs.count, puzzle=_puzzle, only=()),
        Verb("matrix", "Only the matrix", _matrix, command="task", never=({"symmetry": Not(("", "none"))},)),
    ),
    (
        ("K8 into double stars", _example("K8", "double-star")),
        ("K9 into triangles", _example("K9", "triangle")),
        ("K13 into triangles that a turn exchanges", _example("K13", "triangle", "cyclic")),
        ("K4,4 into paths by edges", _example("K4,4", "[(0,1),(1,2),(2,3),(3,4)]")),
    ),
    _load,
    _picture,
    says=(
        "# edge to be divided",
        "# edges to be divided",
        *(f"the {what} list{fault}" for what in ("condition", "edge") for fault in ("", " *", " ends with a comma")),
        # reasons why there is no decomposition
        *("* has *, which is no multiple of the * of *", "* has *, which the sizes of the parts do not make up"),
        *("* has *, the parts asked for have *", "* has *, the parts asked for have * already"),
        "vertex * of * has the degree *, which is no sum of the degrees of the parts (*)",
        "each of the * meets vertex * in at least *, but its degree is *",
        "each of the * meets vertex *, and its degree * is no sum of * degrees of the part (*)",
        "the maximum degree of * is *, but at most * is possible",
        "each of the * meets every vertex",
        "the degrees of the * (*) cannot be dealt out to the * vertices, * to each with the sum *",
        "# rows (copies), # columns (edges), # ones, made in # s",
        *("# row (copy)", "# rows (copies)", "# column (edge)", "# columns (edges)", "# one", "# ones", "made in # s"),
    ),
    script=True,
)
