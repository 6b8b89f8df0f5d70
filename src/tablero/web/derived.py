"""Derive forms from verbs: a field for every parameter, and the rules between them.

A family without a module `page` gets a derived page, too.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.inspect import IntType, StrType

from tablero.errors import BadInput
from tablero.families import Family
from tablero.files import no_files
from tablero.runs.run import Run
from tablero.verbs import Above, Not, Parameter, described, parameters
from tablero.verbs import Verb as Question
from tablero.verbs.describe import Condition
from tablero.verbs.parameters import BadValue, spelled
from tablero.web.forms import BadField, Field, Form, Never, Page, Shown, Value, Verb

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings


def fields_of(some: Iterable[Parameter], **defaults: Value) -> tuple[Field, ...]:
    """The fields for some parameters; `defaults` are initial values in place of the parameters' defaults."""
    return tuple(_field(one, defaults.get(one.option)) for one in some)


def _field(one: Parameter, default: Value | None) -> Field:
    label = one.spelling.label or one.option.replace("_", " ").capitalize()
    written = default if default is not None else "" if one.required else _written(one, one.default)
    if one.is_flag:
        return Field(one.option, label, "tick", bool(written), hint=one.help)
    if one.choices:
        return Field(one.option, label, "choice", str(written), one.choices, hint=one.help)
    if isinstance(one.info, IntType) and not (one.optional or one.spelling.words):
        least, most = one.bounds
        bounds = (0 if least is None else least, 10**9 if most is None else min(most, 10**12))
        return Field(one.option, label, "number", written, (), *bounds, hint=one.help)
    return Field(one.option, label, "area" if one.spelling.lines else "line", written, hint=one.help)


def _written(one: Parameter, value: Any) -> Value:
    """The value of a field; empty for None."""
    for word, meant in one.spelling.words.items():
        if meant == value:
            return word
    if one.is_flag:
        return bool(value)
    if value is None or value == ():
        return ""
    if one.choices or not isinstance(value, int) or one.optional or one.spelling.words:
        return str(value)
    return value


def values_of(some: Iterable[Parameter], form: Mapping[str, Any]) -> dict[str, Any]:
    """The checked values of a form; an error is reported at its field."""
    values = {}
    for one in some:
        given = form[one.option]
        try:
            if not isinstance(given, str):
                values[one.name] = one.check(given)
            elif given.strip() or one.required:
                values[one.name] = one.read(given)
        except BadValue as error:
            raise BadField(one.option, str(error)) from None
    return values


def puzzle_of(reads: Callable[..., Any], form: Mapping[str, Any]) -> Any:
    """The puzzle that a form describes; a value in it is never read as the name of a file."""
    with no_files():
        return reads(**values_of(parameters(reads), form))


def derive(
    ask: Callable[..., Any] | Question,
    *,
    reads: Callable[..., Any] | None = None,
    puzzle: Callable[[Form], Any] | None = None,
    name: str = "",
    label: str = "",
    show: Callable[[Any, Mapping[str, Any]], Any] | None = None,
    only: Iterable[str] | None = None,
    defaults: Mapping[str, Value] | None = None,
    seconds: float = 10.0,
) -> Verb:
    """Derive the form of a verb.

    Parameters
    ----------
    ask
        The verb.
    reads
        The function that makes the puzzle from the page's fields; by default, that of the verb.
    puzzle
        A function that makes the puzzle from the whole form, in place of `reads`.
    name
        Another name, for the second form of a verb; it is answered within `seconds` and cannot become a job.
    label
        Another label.
    show
        A function of the answer and the options that returns what the page shows; by default, the answer.
    only
        Names of the options in the form; by default, all.
    defaults
        Initial values by option, in place of the verb's defaults.
    seconds
        The time limit of an answer that is not a search.

    Returns
    -------
    Verb
        The form's description.
    """
    verb = ask if isinstance(ask, Question) else described(ask)
    known = tuple(one for one in verb.options if only is None or one.name in only)
    reads = reads or verb.reads
    source = () if reads is None or puzzle is not None else parameters(reads)
    both = {one.name: one for one in (*source, *verb.options)}
    here = {one.name: one for one in (*source, *known)}
    at_once = () if name else verb.at_once  # only where there could be a job
    labels = {one.name: _field(one, None).label for one in both.values()}

    @contextmanager
    def asked(form: Form) -> Iterator[tuple[Any, dict[str, Any]]]:
        with spelled(lambda name: labels.get(name, name), ": "), no_files():
            options = values_of(known, form)
            about = puzzle(form) if puzzle is not None else puzzle_of(reads, form) if reads is not None else None
            yield about, options

    def answer(form: Form, run: Run) -> Any:
        with asked(form) as (about, options):
            found = verb.ask(about, options, (run.within(seconds) if name else run) if verb.runs else None)
            return found if show is None else show(found, options)

    def check(form: Form) -> None:
        with asked(form) as (about, options):
            verb.require_search(about, options)

    return Verb(
        name or verb.name,
        label or verb.label,
        answer,
        fields_of(known, **(defaults or {})),
        searches=verb.durable and not name,
        makes=not verb.asks,
        seconds=seconds,
        command=verb.name,
        never=tuple(_condition(rule.condition, here) for rule in verb.refuses if rule.condition.keys() <= here.keys()),
        at_once=tuple(_condition(one, here) for one in at_once if one.keys() <= here.keys()),
        check=check,
    )


def _condition(condition: Condition, known: Mapping[str, Parameter]) -> Never:
    """A condition on the values of a form."""
    found: dict[str, Any] = {}
    for name, wanted in condition.items():
        one = known[name]
        match wanted:
            case Above():
                found[one.option] = wanted
            case Not(values):
                found[one.option] = Not(tuple({_written(one, value) for value in values if _fits(one, value)}))
            case _:
                found[one.option] = tuple(_written(one, value) for value in wanted)
    return found


def _fits(one: Parameter, value: Any) -> bool:
    return one.is_flag or not isinstance(value, bool)


@cache
def page_of_family(family: Family) -> Page:
    """Derive the page of a family: a form for every verb, with the drawings of its puzzles and answers.

    The puzzle's fields are the parameters from which the first verb reads its puzzle; other verbs have additional fields in
    their forms.  The examples are `EXAMPLES` of the package (values of fields by label), or else a generated puzzle.
    """
    questions = list(family.verbs.values())
    reads = next(one.reads for one in questions if one.reads is not None)
    source = parameters(reads)
    fields = fields_of(source)
    one_text = len([one for one in source if one.required]) == 1 and isinstance(source[0].info, StrType)

    def shown(puzzle: Any, values: Mapping[str, Value]) -> Shown:
        return Shown(values, more={"svg": puzzle._repr_svg_()} if hasattr(puzzle, "_repr_svg_") else {})

    def written(puzzle: Any) -> dict[str, Value]:
        """The fields of a puzzle: its text in the first one."""
        text = family.module("formats").write(puzzle).rstrip("\n")
        return {**{one.name: one.default for one in fields}, fields[0].name: text}

    def load(data: bytes, name: str) -> Shown:
        puzzle = family.module("formats").read(BytesIO(data))
        return shown(puzzle, written(puzzle))

    def form_of(one: Question) -> Verb:
        def show(found: Any, options: Mapping[str, Any]) -> Any:
            if hasattr(found, "result"):
                return found
            if hasattr(found, "remarks"):
                return _reply(one, found)
            return shown(found, written(found))

        other = [field for field in parameters(one.reads) if field not in source] if one.reads is not None else []
        made = derive(one, show=show)
        return replace(made, fields=(*fields_of(other), *made.fields))

    examples = getattr(family.root, "EXAMPLES", None)
    if examples is None:
        maker = family.verbs.get("generate")
        simple = maker is not None and one_text and not any(one.required for one in maker.options)
        made = maker.ask(None, {}) if maker is not None and simple else None
        examples = {"Example": {} if made is None or hasattr(made, "remarks") else written(made)}
    empty = {one.name: one.default for one in fields}
    title = family.name.replace("_", " ").capitalize()
    about = family.about.removeprefix(f"{title}: ")
    return Page(
        title,
        about[:1].upper() + about[1:],
        fields,
        lambda form: shown(puzzle_of(reads, form), dict(form)),
        tuple(form_of(one) for one in questions),
        tuple((label, {**empty, **values}) for label, values in examples.items()),
        load if one_text else None,
        _picture,
    )


def _picture(found: Findings[Any], number: int) -> Scene | None:
    """The picture of one answer."""
    alone = replace(found, result=replace(found.result, answers=found.result.answers[number : number + 1]))
    return alone.scene()


def _reply(verb: Question, found: Any) -> dict[str, Any]:
    """The reply for an answer without a search: its lines, or its first file."""
    reply = {"status": found.status, "say": "; ".join(found.remarks())}
    if not verb.must_write:
        text = "\n".join(found.lines())
        return {**reply, "answers": [text], "text": text}
    file = verb.writes[0]
    name = Path(verb.name + "".join(file.suffixes[:1]))
    content = file.content(found, name, {})
    if content is None:
        raise BadInput(f"there is nothing to write into {name}")
    body = content if isinstance(content, bytes) else "".join(content).encode()
    return {**reply, "file": {"name": str(name), "label": "Save it", "base64": b64encode(body).decode()}}
