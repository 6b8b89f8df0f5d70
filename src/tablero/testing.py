"""Checks that every family must pass; `conformance` lists them for the tests of a family.

::

    import pytest
    from tablero.testing import conformance

    @pytest.mark.parametrize("check", conformance("nonograms", ["2x2:1/1/1/1"]), ids=str)
    def test_conformance(check):
        check()

A check is a function without parameters that raises AssertionError if it fails, so any test framework can call it.  Checks
run in this process, and keep jobs in a temporary folder.
"""

# ruff: noqa: PT017, PT018

from __future__ import annotations

import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec.inspect import FloatType, IntType

from tablero import families
from tablero.errors import BadInput
from tablero.families import Family
from tablero.runs.findings import Findings
from tablero.runs.jobs import read_job, resuming
from tablero.runs.run import HERE, Job
from tablero.verbs import Parameter, Verb

ALL: Mapping[str, Mapping[str, Any]] = {"solve": {"most": None}, "count": {}}
NOISE = b"\xff\xfe\x00\x80noise\n"
HUGE = "9" * 5000
_KEYWORDS = {
    "type", "title", "description", "default", "enum", "const", "anyOf", "items", "prefixItems", "properties", "required",
    "additionalProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "pattern", "minItems", "maxItems",
}  # fmt: skip
_TYPES = {"object", "array", "string", "integer", "number", "boolean", "null"}


@dataclass(frozen=True)
class Check:
    """A check with its name; it is called without arguments."""

    name: str
    function: Callable[[], None]

    def __call__(self) -> None:
        self.function()

    def __str__(self) -> str:
        return self.name


def conformance(
    family: str | Family, puzzles: Sequence[Any], searches: Mapping[str, Mapping[str, Any]] = ALL
) -> list[Check]:
    """List the checks of a family.

    Parameters
    ----------
    family
        The family, or its name.
    puzzles
        Small puzzles that the family reads, preferably with several answers and a search of some hundred nodes.
    searches
        The options of complete tree searches, by the name of a durable verb.

    Returns
    -------
    The checks, each of which is called without arguments.
    """
    if isinstance(family, str):
        family = families.families()[family]
    checks = [Check("registered", partial(_registered, family)), Check("page", partial(_page, family))]
    if family.has("tour"):
        checks.append(Check("tour", partial(_tour, family)))
    for verb in family.verbs.values():
        checks += [
            Check(f"{verb.name}: help", partial(_help, family, verb)),
            Check(f"{verb.name}: schema", partial(_schema, verb)),
            Check(f"{verb.name}: bad options", partial(_bad_options, family, verb, puzzles[0])),
        ]
        if _reads_one_text(verb):
            checks.append(Check(f"{verb.name}: bad files", partial(_bad_files, family, verb)))
    for number, given in enumerate(puzzles):
        checks.append(Check(f"formats {number}", partial(_formats, family, given)))
        for name, options in searches.items():
            checks.append(Check(f"{name} {number}: answers", partial(_answers, family.verbs[name], options, given)))
            for way in (_sliced, _split, _resumed, _viewed):
                checks.append(
                    Check(f"{name} {number}: {way.__name__[1:]}", partial(way, family.verbs[name], options, given))
                )
    return checks


def _registered(family: Family) -> None:
    """The library and the command line find the family."""
    import tablero

    assert family.name in dir(tablero)
    assert getattr(tablero, family.name) is family.root
    assert family.about and "\n" not in family.about
    assert family.verbs, "expected verbs"
    assert families.by_word(family.word) is family
    status, out, _ = shell("--help")
    assert status == 0
    assert family.about.rstrip(".") in " ".join(out.split())


def _page(family: Family) -> None:
    """The web page shows the first example, and its data are JSON."""
    from tablero.web import work

    page = work.page_of(family.word)
    json.dumps(page.to_dict())
    reply = work.show(family.word, dict(page.examples[0][1]))
    assert "refused" not in reply, reply


def _tour(family: Family) -> None:
    stop = family.module("tour").stop()
    assert stop.svg.startswith("<svg")
    assert stop.command.startswith(f"tablero {family.word} ")


def _help(family: Family, verb: Verb) -> None:
    """The help lists every option once, each with a description."""
    from tablero.cli.root import command

    status, out, err = shell(family.word, verb.name, "--help")
    assert (status, err) == (0, "")
    listed = re.findall(r"^  (?:-\w, )?(--[\w-]+)", out, re.MULTILINE)
    for one in command(verb).params:
        if not getattr(one, "hidden", False):
            assert getattr(one, "help", None), f"{one.name} has no help"
            name = max(one.opts, key=len)
            assert one.param_type_name == "argument" or listed.count(name) == 1, (
                f"{name} is listed {listed.count(name)} times"
            )


def _schema(verb: Verb) -> None:
    """The schema is valid JSON Schema and allows the defaults."""
    schema = verb.schema()
    _valid(json.loads(json.dumps(schema)))
    assert set(schema["required"]) <= set(schema["properties"])
    for one in (*verb.source, *verb.options):
        if not one.required and one.default is not None:
            value = one.check(one.default)
            assert (tuple(value) if isinstance(one.default, tuple) else value) == one.default, one.name


def _valid(schema: Any) -> None:
    assert isinstance(schema, dict) and set(schema) <= _KEYWORDS, schema
    types = schema.get("type", [])
    assert set([types] if isinstance(types, str) else types) <= _TYPES
    assert isinstance(schema.get("enum", []), list)
    assert isinstance(schema.get("required", []), list)
    for key in ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"):
        assert isinstance(schema.get(key, 0), int | float)
    items = schema.get("items")
    inner = [*schema.get("anyOf", ()), *schema.get("prefixItems", ()), *schema.get("properties", {}).values()]
    for one in [*inner, items] if isinstance(items, dict) else inner:
        _valid(one)


def _bad_options(family: Family, verb: Verb, given: Any) -> None:
    """Invalid and too large numbers are refused in one line that names the option."""
    from tablero.cli.running import spell_option

    with _folder() as folder:
        words = [family.word, verb.name, *_puzzle_words(family, verb, given, folder)]
        words += [_any(one) for one in verb.options if one.required and one.positional]
        _refused("--no-such-option", *words, "--no-such-option")
        for one in verb.options if all(words) else ():
            if not one.positional and isinstance(one.info, IntType | FloatType):
                least, most = one.bounds
                beyond = [f"-{HUGE}"] * (least is not None) + [HUGE] * (most is not None)
                for value in ("x", *beyond):
                    _refused(spell_option(one), *words, f"{spell_option(one)}={value}", *["--json"] * verb.must_write)


def _any(one: Parameter) -> str:
    """A valid value of a parameter; empty if none is known here."""
    if one.choices:
        return one.choices[0]
    return str(one.bounds[0] or 1) if isinstance(one.info, IntType) else ""


def _bad_files(family: Family, verb: Verb) -> None:
    """A file that is not a puzzle is refused with status 2 and one line."""
    with _folder() as folder:
        for number, content in enumerate((b"", NOISE)):
            file = folder / f"bad-{number}.txt"
            file.write_bytes(content)
            _refused("", family.word, verb.name, str(file))
        _refused("", family.word, verb.name, str(folder / "nowhere.txt"))


def _formats(family: Family, given: Any) -> None:
    """A written puzzle can be read in every way, and an invalid text is refused."""
    formats, module = family.module("formats"), family.module("puzzle")
    puzzle = module.as_puzzle(given)
    text = formats.write(puzzle)
    with _folder() as folder:
        file = folder / "puzzle.txt"
        file.write_text(text, encoding="utf-8")
        for read in (
            module.as_puzzle(puzzle),
            formats.parse(text),
            formats.read(file),
            formats.read(io.BytesIO(text.encode())),
        ):
            assert read == puzzle, read
        assert formats.write(module.as_puzzle(file)) == text  # the puzzle may also have its source
    if any(verb.durable for verb in family.verbs.values()):
        assert module.from_bytes(module.as_bytes(puzzle)) == puzzle
    for wrong in ("", NOISE.decode("latin-1"), HUGE, re.sub(r"\d+", HUGE, text), re.sub(r"\d+", "-1", text)):
        try:
            formats.parse(wrong)
        except BadInput as error:
            assert str(error) and "\n" not in str(error), error
        else:
            assert wrong, "the empty text was read"


def _answers(verb: Verb, options: Mapping[str, Any], given: Any) -> None:
    """The search ends, its answers pass the check, and the findings are JSON."""
    found = verb.ask(given, options, HERE)
    assert isinstance(found, Findings)
    assert found.fraction == 1 and found.status in ("solved", "complete", "none"), found
    found.verify()
    json.dumps(found.to_dict())
    assert "".join(found.lines()) or not found.solutions
    assert not found.result.kept or len(found.answers) == found.solutions == len(found.to_list())


def _sliced(verb: Verb, options: Mapping[str, Any], given: Any) -> None:
    """A search in units of few nodes has the same result."""
    with _folder():
        whole = verb.ask(given, options, Job("whole"))
        for nodes in (1, 7):
            _same(whole, verb.ask(given, options, Job(f"sliced-{nodes}", unit_nodes=nodes)))


def _split(verb: Verb, options: Mapping[str, Any], given: Any) -> None:
    """A search on several threads has the same result."""
    with _folder():
        whole = verb.ask(given, options, Job("whole"))
        for threads in (2, 4):
            _same(whole, verb.ask(given, options, Job(f"split-{threads}", threads=threads, unit_nodes=5)))


def _resumed(verb: Verb, options: Mapping[str, Any], given: Any) -> None:
    """A job that is stopped by a limit and resumed several times has the totals of one run."""
    with _folder():
        whole = verb.ask(given, options, Job("whole"))
        assert whole.nodes > 1, "expected a larger puzzle"
        limit = max(1, whole.nodes // 3)
        found = verb.ask(given, options, Job("resumed", node_limit=limit))
        assert found.nodes == limit, f"{found.nodes} nodes: expected a stop at {limit}"
        for times in count():
            if found.status != "open":
                break
            assert times < 5, "the search does not end"
            with resuming("resumed") as store:
                found = families.resume(store, Job("resumed", node_limit=limit))
        _same(whole, found)


def _viewed(verb: Verb, options: Mapping[str, Any], given: Any) -> None:
    """A stored job can be viewed when it is stopped and when it is finished."""
    with _folder():
        whole = verb.ask(given, options, Job("viewed", node_limit=1))
        _same(whole, _look("viewed"))
        whole = verb.ask(given, options, Job("viewed"))
        _same(whole, _look("viewed"))


def _look(name: str) -> Findings[Any]:
    with read_job(name) as record:
        part: Findings[Any] | None = families.board(record)
        assert part is None or part.result.partial
        found: Findings[Any] = families.look(record)
        return found


def _same(whole: Findings[Any], other: Findings[Any]) -> None:
    """Everything is equal that does not depend on how the search was run."""
    one, two = whole.to_dict(), other.to_dict()
    for key in one.keys() | two.keys():
        same = key.endswith("seconds") or one.get(key) == two.get(key)
        assert same, f"{key} {str(two.get(key))[:200]}: expected {str(one.get(key))[:200]}"


def shell(*words: str) -> tuple[int, str, str]:
    """Run a command in this process; return its exit status, output and error output."""
    from tablero.cli import run

    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = run(list(words))
    return status, out.getvalue(), err.getvalue()


def _refused(names: str, *words: str) -> None:
    status, out, err = shell(*words)
    reported = f"{' '.join(words)[:200]}: status {status}, {out[:200]!r}, {err[:500]!r}"
    assert (status, out) == (2, ""), reported
    assert err.startswith("tablero: ") and err.count("\n") == 1 and names in err and len(err) < 1000, reported


def _reads_one_text(verb: Verb) -> bool:
    """Whether the command line takes the puzzle as one argument, which may be the name of a file."""
    return [one.positional for one in verb.source if one.required] == [True]


def _puzzle_words(family: Family, verb: Verb, given: Any, folder: Path) -> list[str]:
    if not _reads_one_text(verb):
        return []
    file = folder / "puzzle.txt"
    file.write_text(family.module("formats").write(verb.as_puzzle(given)), encoding="utf-8")
    return [str(file)]


@contextmanager
def _folder() -> Iterator[Path]:
    """A temporary folder, in which jobs are kept too."""
    with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, {"TABLERO_HOME": name}):
        yield Path(name)
