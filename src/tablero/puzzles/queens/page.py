"""Queens on the web page: a board to place them on, and searches for all the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablero.web.forms import (
    FILLED,
    HOW_MANY,
    SEED,
    Above,
    BadField,
    Cells,
    Field,
    Form,
    Other,
    Page,
    Shown,
    Verb,
    most_of,
)
from tablero.words import several

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.queens.anneal import Annealed
    from tablero.puzzles.queens.count import Counted
    from tablero.puzzles.queens.puzzle import Queens
    from tablero.puzzles.queens.solve import Solved
    from tablero.runs.findings import Findings
    from tablero.runs.runner import Run

_MOST_CLICKED = 60  # squares a side
_MOST_DRAWN = 2000
_MOST_PLAYED = 100_000  # trials: a run is made again one by one
_WATCHED = 5.0  # seconds of a run that is to be played
# Sides of boards that exact cover, counting and playing take: as in `cover`, `kernels.count` and `player`.
MOST_EXACT, MOST_COUNTED, MOST_WATCHED = 500, 32, 200


def _puzzle(form: Form) -> Queens:
    from tablero.puzzles.queens.puzzle import Queens, squares

    return Queens(form["n"], tuple(squares(form["given"])), tuple(squares(form["blocked"])), form["torus"])


def _show(form: Form) -> Shown:
    puzzle = _puzzle(form)
    attacks = _attacks(puzzle)
    words = f"{len(puzzle.given)} of {several(puzzle.n, 'queen')} placed"
    if attacks:
        words += ", two queens attack each other" if len(attacks) == 1 else f", {len(attacks)} pairs attack each other"
    scene = _scene(puzzle, attacks) if puzzle.n <= _MOST_DRAWN else None
    cells = None
    if scene is not None and puzzle.n <= _MOST_CLICKED:
        side = scene.width / 1.08
        cells = Cells(puzzle.n, puzzle.n, 0.04 * side, 0.04 * side, side / puzzle.n)
    return Shown(dict(form), words, scene, cells, {"attacks": attacks})


def _attacks(puzzle: Queens) -> list[list[list[int]]]:
    """Pairs of given queens that attack each other."""
    found = []
    n = puzzle.n
    for k, (r1, c1) in enumerate(puzzle.given[:200]):
        for r2, c2 in puzzle.given[k + 1 : 200]:
            down, across = abs(r1 - r2), abs(c1 - c2)
            wrapped = puzzle.torus and ((r1 + c1 - r2 - c2) % n == 0 or (r1 - c1 - r2 + c2) % n == 0)
            if down == 0 or across == 0 or down == across or wrapped:
                found.append([[r1, c1], [r2, c2]])
    return found


def _scene(puzzle: Queens, attacks: list[list[list[int]]]) -> Scene:
    """The board with what is given and blocked, and a line between queens that attack each other."""
    from dataclasses import replace

    from tablero.draw.scene import Line
    from tablero.puzzles.queens.draw import puzzle_picture

    drawn = puzzle_picture(puzzle)
    side = drawn.width / 1.08
    margin, cell = 0.04 * side, side / puzzle.n

    def middle(k: int) -> float:
        return margin + cell * (k + 0.5)

    lines = [
        Line(middle(c1), middle(r1), middle(c2), middle(r2), "#c1121f", 0.09 * cell) for (r1, c1), (r2, c2) in attacks
    ]
    return replace(drawn, shapes=(*drawn.shapes, *lines))


def _solve(form: Form, run: Run) -> Solved:
    return _puzzle(form).solve(most_of(form), method=form["method"], seed=form["seed"], run=run)


def _count(form: Form, run: Run) -> Counted:
    from tablero.puzzles.queens.count import counted

    return counted(_puzzle(form), fundamental=form["fundamental"], run=run)


def _annealed(form: Form, run: Run) -> Annealed:
    return _puzzle(form).anneal(
        seed=form["seed"],
        t0=_real(form, "t0"),
        alpha=_real(form, "alpha"),
        cooling=form["cooling"],
        swap=form["swap"],
        run=run,
    )


def _real(form: Form, name: str) -> float | None:
    """A number that may be left out."""
    text = form[name].strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{0,12}\.?[0-9]{0,12}", text) or not re.search("[0-9]", text):
        raise BadField(name, f"{text[:40]!r}: expected a number as 0.95, or nothing")
    return float(text)


def _watch(form: Form, run: Run) -> dict[str, Any]:
    """One run of annealing: board, temperature and cost.  Of one that cannot arrive there is nothing to play."""
    from tablero.puzzles.queens.player import require_playable

    puzzle = _puzzle(form)
    require_playable(puzzle.n)
    found = _annealed(form, run.within(_WATCHED))
    if found.status == "none":
        return {**found.values(), "say": found.why}
    trials = several(found.nodes, "trial")
    if found.nodes > _MOST_PLAYED:
        return {**found.values(), "say": f"{trials}: too many to be played"}
    return {**found.values(), "say": trials, "page": found.page()}


def _picture(found: Findings[Any], number: int) -> Scene | None:
    from tablero.puzzles.queens.draw import picture

    return picture(found.answers[number])


_ANNEALING = (
    Field("t0", "First temperature", hint="empty: as recommended for so many queens"),
    Field("alpha", "Cooling factor", hint="each step multiplies the temperature by it, as 0.95"),
    Field("cooling", "Cooling", "choice", "geometric", ("geometric", "linear", "logarithmic")),
    Field("swap", "Swaps", "choice", "effective", ("effective", "random", "min-conflicts")),
    SEED,
)

_NEVER_SET = (2, 3)  # so many queens on a board of their own size: it is known that there is no way

PAGE = Page(
    "Queens",
    "Place queens so that no two attack each other.",
    (
        Field("n", "Queens", "number", 8, least=1, most=1_000_000),
        Field("given", "Given", hint="squares as r1c3,r2c5; or click the board"),
        Field("blocked", "Blocked", hint="squares that must stay empty"),
        Field("torus", "Edges meet", "tick", False),
    ),
    _show,
    (
        Verb(
            "solve",
            "Solve",
            _solve,
            (
                HOW_MANY,
                Field("method", "Method", "choice", "auto", ("auto", "exact", "local", "anneal", "construct")),
                SEED,
            ),
            searches=True,
            never=(
                {"torus": (True,), "method": ("local", "anneal")},
                {"solutions": ("all",), "method": ("local", "anneal", "construct")},
                {"solutions": Other(("1",)), "method": ("construct",)},
                {"given": FILLED, "method": ("construct",)},
                {"blocked": FILLED, "method": ("construct",)},
                {"n": Above(MOST_EXACT), "method": ("exact",)},
                {"n": Above(MOST_EXACT), "solutions": ("all",)},
                {"n": Above(MOST_EXACT), "torus": (True,), "given": FILLED},
                {"n": Above(MOST_EXACT), "torus": (True,), "blocked": FILLED},
                {"n": Above(MOST_EXACT), "torus": (True,), "solutions": Other(("1",))},
            ),
            at_once=(
                {"method": ("construct",)},
                {"method": ("auto",), "solutions": ("1",), "given": ("",), "blocked": ("",)},
                {"n": _NEVER_SET, "method": ("local", "anneal")},
            ),
        ),
        Verb(
            "count",
            "Count",
            _count,
            (Field("fundamental", "Only different ones", "tick", False),),
            searches=True,
            never=(
                {"torus": (True,), "fundamental": (True,)},
                {"given": FILLED, "fundamental": (True,)},
                {"blocked": FILLED, "fundamental": (True,)},
                {"n": Above(MOST_COUNTED), "given": ("",), "blocked": ("",), "torus": (False,)},
                {"n": Above(MOST_EXACT)},
            ),
            at_once=({"n": _NEVER_SET, "fundamental": (False,)},),
        ),
        Verb(
            "anneal",
            "Anneal",
            _annealed,
            _ANNEALING,
            searches=True,
            never=({"torus": (True,)},),
            at_once=({"n": _NEVER_SET},),
        ),
        Verb(
            "watch",
            "Watch annealing",
            _watch,
            _ANNEALING,
            command="anneal",
            never=({"torus": (True,)}, {"n": Above(MOST_WATCHED)}),
        ),
    ),
    (
        ("Eight queens", {"n": 8, "given": "", "blocked": "", "torus": False}),
        ("Twelve, two given", {"n": 12, "given": "r1c4,r2c8", "blocked": "", "torus": False}),
        ("Five hundred", {"n": 500, "given": "", "blocked": "", "torus": False}),
    ),
    None,
    _picture,
    says=(
        "# of # queen placed",
        "# of # queens placed",
        "# of # queens placed, # pairs attack each other",
        "# of # queens placed, two queens attack each other",
        "# queens, # given",
        *("# queen", "# given", "# blocked", "torus"),  # of the titles of boards
        "there is no way to set # queens on a torus",
        "# or # divides # (Pólya #)",
        *("T0 of *", "alpha of *"),  # of refusals
        "# trials",
        "# trials: too many to be played",
        "# trial",
    ),
    script=True,
    card={"n": 8, "given": "r1c5,r2c1,r3c8,r4c4,r5c2,r6c7,r7c3,r8c6", "blocked": "", "torus": False},
)
