"""The page of n queens: a board on which queens are placed, and searches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from tablero.draw.scene import Line
from tablero.queens import verbs
from tablero.text import several
from tablero.verbs import Above, Meta, Spelling, parameters
from tablero.web.derived import derive, fields_of, puzzle_of
from tablero.web.forms import Cells, Form, Page, Shown

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.queens.annealing import Annealed
    from tablero.queens.puzzle import Queens
    from tablero.runs.findings import Findings

_MOST_CLICKED = 60  # squares a side
_MOST_DRAWN = 2000
_MOST_PLAYED = 100_000  # trials: the run is repeated trial by trial
_WATCHED = 5.0  # seconds given to a run that the page plays


def board(
    n: Annotated[int, Meta(ge=1, le=1_000_000), Spelling(label="Queens")] = 8,
    *,
    given: Annotated[str | None, Meta(description="squares as r1c3,r2c5; or click the board")] = None,
    blocked: Annotated[str | None, Meta(description="squares that must stay empty")] = None,
    torus: Annotated[bool, Spelling(label="Edges meet")] = False,
) -> Queens:
    """The board of the page; unlike on the command line, no field names a file."""
    return verbs.board(str(n), given=given, blocked=blocked, torus=torus)


def _show(form: Form) -> Shown:
    puzzle: Queens = puzzle_of(board, form)
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
    """The board with given and blocked squares, and a line between queens that attack each other."""
    from tablero.queens.draw import puzzle_picture

    drawn = puzzle_picture(puzzle)
    side = drawn.width / 1.08
    margin, cell = 0.04 * side, side / puzzle.n

    def middle(k: int) -> float:
        return margin + cell * (k + 0.5)

    lines = [
        Line(middle(c1), middle(r1), middle(c2), middle(r2), "#c1121f", 0.09 * cell) for (r1, c1), (r2, c2) in attacks
    ]
    return replace(drawn, shapes=(*drawn.shapes, *lines))


def _watched(found: Annealed, _: Mapping[str, Any]) -> dict[str, Any]:
    """One annealing run: board, temperature and cost.  A puzzle without a solution has nothing to play."""
    from tablero.queens.annealing import require_playable

    require_playable(found.puzzle)
    trials = several(found.nodes, "trial")
    if found.status == "none":
        return {**found.values(), "say": found.why}
    if found.nodes > _MOST_PLAYED:
        return {**found.values(), "say": f"{trials}: too many to be played"}
    return {**found.values(), "say": trials, "page": found.page()}


def _picture(found: Findings[Any], number: int) -> Scene | None:
    from tablero.queens.draw import picture

    return picture(found.answers[number])


_ANNEALING = ("t0", "alpha", "cooling", "swap", "seed")

_WATCH = derive(
    verbs.anneal,
    reads=board,
    name="watch",
    label="Watch annealing",
    show=_watched,
    only=_ANNEALING,
    seconds=_WATCHED,
)
_WATCH = replace(_WATCH, never=(*_WATCH.never, {"n": Above(verbs.MOST_PLAYED)}))

PAGE = Page(
    "Queens",
    "Place queens so that no two attack each other.",
    fields_of(parameters(board)),
    _show,
    (
        derive(verbs.solve, reads=board),
        derive(verbs.count, reads=board),
        derive(verbs.anneal, reads=board, only=_ANNEALING),
        _WATCH,
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
        "# queens cannot be placed on a torus",
        "# or # divides # (Pólya #)",
        "# trials",
        "# trials: too many to be played",
        "# trial",
    ),
    script=True,
    info={"n": 8, "given": "r1c5,r2c1,r3c8,r4c4,r5c2,r6c7,r7c3,r8c6", "blocked": "", "torus": False},
)
