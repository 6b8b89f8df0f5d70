"""Answer the requests of a page: in warm worker processes for short questions, and in a process of its own for a job.

    python -m tablero.web.work NAME < request.json        the process of a job; its output is the job's log

Everything goes through the family's `page`, which calls the same verbs as the command line.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from tablero import families, interrupts
from tablero.draw.pdf import CENTIMETRE, to_pdf
from tablero.draw.svg import read_svg, to_svg
from tablero.errors import BadInput, NothingToKeep
from tablero.families import by_word, resume
from tablero.runs.jobs import path_of, read_job, resuming
from tablero.runs.progress import Progress
from tablero.runs.run import Here, Job
from tablero.text import several
from tablero.verbs.describe import NO_SEARCH
from tablero.web.derived import page_of_family
from tablero.web.forms import BadField, Form, NotThere, Page, Shown
from tablero.web.limits import TimeIsUp, Writer, within

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings
    from tablero.runs.record import Record

MOST_ANSWERS = 100  # in one reply
_PICTURES = 12  # in one reply
_SHEET = (18.0, 26.0)  # centimetres of a page for the drawing
_AT_ONCE = 8.0  # seconds of searching
_AROUND = 7.0  # seconds for the work before and after a search
_CHECKING = 5.0  # seconds to check whether a form can become a job
_DRAWING = 10.0  # seconds for a drawing
_READING = 20.0  # seconds for answers of a job

P = ParamSpec("P")
Reply = dict[str, Any]


def page_of(word: str) -> Page:
    """The description of a family's page."""
    family = by_word(word)
    return family.module("page").PAGE if family.has("page") else page_of_family(family)


def refusal(error: BadInput) -> Reply:
    """An error as a reply that can be sent between processes."""
    field = {"field": error.name} if isinstance(error, BadField) else {}
    kinds = {"missing": NotThere, "at_once": NothingToKeep}
    return {"refused": str(error), **field, **{key: True for key, kind in kinds.items() if isinstance(error, kind)}}


def warm() -> None:
    """Import what most replies need."""
    from tablero.runs import session  # noqa: F401
    from tablero.sudoku import examples, hint  # noqa: F401


def _limited(work: Callable[[], Reply], seconds: float, otherwise: str = "", note: str = "") -> Reply:
    """The reply of `work`, or an error; `note` is the path for what is left to compile."""
    try:
        with within(seconds, Writer(note)) if note else within(seconds):
            return work()
    except BadInput as error:
        return refusal(error)
    except MemoryError:
        return {"refused": "not enough memory for this problem"}
    except TimeIsUp:
        more = f": {otherwise}" if otherwise else ""
        return {"refused": f"it takes longer than {seconds:g} s{more}", "slow": True}


def _limit(seconds: float, otherwise: str = "") -> Callable[[Callable[P, Reply]], Callable[P, Reply]]:
    """Limit the time of a function, whose errors become replies.  In `otherwise` {} is its first argument."""

    def limit(function: Callable[P, Reply]) -> Callable[P, Reply]:
        @wraps(function)
        def limited(*given: P.args, **options: P.kwargs) -> Reply:
            return _limited(lambda: function(*given, **options), seconds, otherwise.format(*given))

        return limited

    return limit


@_limit(_DRAWING)
def show(word: str, given: dict[str, Any]) -> Reply:
    """Show the puzzle of a form."""
    page = page_of(word)
    return page.show(Form.of(page.puzzle, given)).to_dict()


@_limit(_DRAWING)
def load(word: str, data: bytes, name: str) -> Reply:
    """Show the puzzle of a file."""
    page = page_of(word)
    if page.load is None:
        raise BadInput("this family reads no files here: paste the puzzle")
    return page.load(data, name).to_dict()


def ask(word: str, name: str, given: dict[str, Any], note: str = "") -> Reply:
    """Answer a question; a search stops after some seconds with the answer open.  For `note` see `_limited`."""
    try:
        page = page_of(word)
        verb = page.verb(name)
        form = Form.of(page.fields_of(verb), given)
    except BadInput as error:
        return refusal(error)
    if verb.searches:
        return _limited(
            lambda: reported(page, verb.answer(form, Here(time_limit=_AT_ONCE))),
            _AT_ONCE + _AROUND,
            "keep it as a job",
            note,
        )
    command = f"the command line sets no limit, see 'tablero {word} {verb.command or verb.name} --help'"
    return _limited(lambda: reported(page, verb.answer(form, Here())), verb.seconds, command, note)


@_limit(_CHECKING)
def check(word: str, name: str, given: dict[str, Any]) -> Reply:
    """Refuse a form that could not become a job.  Errors that only the search finds are in the job's log."""
    page = page_of(word)
    verb = page.verb(name)
    if not verb.searches:
        raise BadInput(f"{name[:60]!r} is no search: ask for it without a job")
    verb.check(Form.of(page.fields_of(verb), given))
    return {}


def reported(page: Page, answer: Findings[Any] | Shown | Reply) -> Reply:
    """The reply for an answer."""
    if isinstance(answer, dict):
        return answer
    if isinstance(answer, Shown):
        return answer.to_dict()
    return {**answer.values(), **_some(page, answer, 0, MOST_ANSWERS)}


def _some(page: Page, found: Findings[Any], first: int, count: int) -> Reply:
    """Some of the answers, with pictures of the first ones."""
    from tablero.search.base import PIECE  # imports NumPy

    rows, skipped = found.result.answers, first
    many = found.result.kept and rows.nbytes > PIECE
    if many:  # convert only the answers that are shown
        found, skipped = replace(found, result=replace(found.result, answers=rows[first : first + count])), 0
    answers = found.to_list() if found.result.kept else []
    some = answers[skipped : skipped + count]
    scenes = [_picture(page, found, skipped + k) for k in range(min(len(some), _PICTURES))]
    return {
        "kept": len(rows) if many else len(answers),
        "from": first,
        "answers": some,
        "svgs": [to_svg(scene) for scene in scenes if scene is not None],
        "text": str(found) if first == 0 else "",
        "puzzle_svg": None if scenes else _puzzle_picture(found),
    }


def _puzzle_picture(found: Findings[Any]) -> str | None:
    """The picture of the puzzle, shown while there is no answer."""
    draw = getattr(found.puzzle, "_repr_svg_", None)
    svg: str | None = None if draw is None else draw()
    return svg


def _picture(page: Page, found: Findings[Any], number: int) -> Scene | None:
    if page.picture is not None:
        return page.picture(found, number)
    return found.scene() if number == 0 else None


@_limit(_READING, "'tablero jobs export {}' has them all")
def answers(name: str, first: int, count: int) -> Reply:
    """Some of the answers that a job has found so far, with pictures of the first ones."""
    with read_job(name) as record:
        page, found = _page_of_job(record), families.look(record)
    return {**found.values(), **_some(page, found, first, min(count, MOST_ANSWERS))}


@_limit(_DRAWING)
def board(name: str, best: bool) -> Reply:
    """The current board of a job, or with `best` its best answer if there is one."""
    with read_job(name) as record:
        page, found = _page_of_job(record), families.look(record)
        there = found.result.kept and len(found.result.answers) > 0
        if not (best and there):
            now = families.board(record)
            found, there = now or found, now is not None
    scene = _picture(page, found, 0) if there else None
    return {
        "svg": _puzzle_picture(found) if scene is None else to_svg(scene),
        "maximum": getattr(found, "maximum", None),  # the highest score
        "shows": "puzzle" if scene is None else "standing" if found.result.partial else "answer",
    }


@_limit(_DRAWING)
def pdf(svg: str) -> Reply:
    """A drawing as a PDF of one page, at most A4."""
    scene = read_svg(svg)
    cells = max(scene.width / _SHEET[0], scene.height / _SHEET[1])
    return {"pdf": to_pdf([scene], min(2.0, 1 / cells) * CENTIMETRE)}


def guides(word: str) -> Reply:
    """The explanations of a family."""
    page = page_of(word)
    return {"guides": page.guides() if page.guides is not None else []}


@_limit(_DRAWING)
def guide(word: str, name: str) -> Reply:
    """One explanation, with its drawing."""
    page = page_of(word)
    if page.guide is None:
        raise NotThere("this family explains nothing here")
    return page.guide(name)


def _page_of_job(record: Record) -> Page:
    return page_of(by_word(record.info.recipe.get("family")).word)


# The process of a job.


def _say(text: str) -> None:
    print(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}", flush=True)


def _begin(name: str, request: dict[str, Any]) -> Reply:
    """Start a new job."""
    page = page_of(request["family"])
    verb = page.verb(request["verb"])
    form = Form.of(page.fields_of(verb), request["form"])
    run = Job(name, threads=request["threads"], time_limit=request["time_limit"], watch=Progress(sys.stdout))
    _say(f"{request['family']} {verb.name}, {several(run.threads, 'thread')}")
    answer = verb.answer(form, run)
    if not path_of(name).exists():
        raise NothingToKeep(NO_SEARCH)
    return answer if isinstance(answer, dict) else {} if isinstance(answer, Shown) else answer.values()


def _go_on(name: str, threads: int) -> Reply:
    """Resume a stopped job."""
    with resuming(name) as store:
        _say(f"resumed, {several(threads, 'thread')}")
        values: Reply = resume(store, Job(name, threads=threads, watch=Progress(sys.stdout))).values()
        return values


def main(arguments: list[str]) -> int:
    """Run the request on standard input as a job."""
    (name,) = arguments
    request = json.load(sys.stdin)
    try:
        values = _begin(name, request) if "family" in request else _go_on(name, request["threads"])
    except BadInput as error:
        _say(f"refused: {error}")
        return 2
    except KeyboardInterrupt:
        _say("stopped")
        return 130
    _say(f"{values.get('status', 'done')}: {values.get('solutions', 0):,} found, {values.get('nodes', 0):,} nodes")
    return 0


if __name__ == "__main__":
    interrupts.at_end = lambda: _say("stopped")
    interrupts.install()
    sys.exit(main(sys.argv[1:]))
