"""Verbs: what a signature says is checked alike for Python, a shell, a form and a stored job."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

import tablero as tb
from tablero.cli import run
from tablero.cli.running import spell_option
from tablero.errors import BadInput
from tablero.families import families
from tablero.queens import verbs as queens_verbs
from tablero.queens.page import PAGE
from tablero.queens.puzzle import Queens, as_bytes, from_bytes
from tablero.queens.verbs import MOST_PLAYED
from tablero.runs.run import Here, Job
from tablero.verbs import GIVEN, Above, BadValue, Not, Parameter, Refuse, Spelling, Verb, described, parameters
from tablero.verbs.describe import meets
from tablero.verbs.parameters import spelled
from tablero.web.derived import derive, fields_of, puzzle_of, values_of
from tablero.web.forms import BadField, Form

QUEENS = families()["queens"].verbs


def example(
    whole: Annotated[int, Meta(ge=1, le=10, description="A whole number.")],
    *,
    real: Annotated[float | None, Meta(gt=0, lt=1, description="A number.")] = None,
    choice: Annotated[Literal["slow", "quick"], Meta(description="A choice.")] = "slow",
    numbered: Annotated[Literal[1, 2, 4], Meta(description="A choice of numbers.")] = 1,
    flag: Annotated[bool, Meta(description="A switch.")] = False,
    some: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(description="A list.")] = [],  # noqa: B006
    text: Annotated[str, Meta(max_length=5, description="A text.")] = "",
    most: Annotated[int | None, Meta(ge=1), Spelling(option="solutions", short="-n", words={"all": None})] = 1,
    stalls: Annotated[
        Sequence[int], Meta(description="Numbers."), Spelling(reads="tablero.queens.formats:numbers")
    ] = (),
) -> None:
    """An example."""


ABOUT: dict[str, Parameter] = {one.name: one for one in parameters(example)}


# Parameters


def test_what_a_signature_says() -> None:
    assert list(ABOUT) == ["whole", "real", "choice", "numbered", "flag", "some", "text", "most", "stalls"]
    assert [name for name, one in ABOUT.items() if one.required] == ["whole"]
    assert [name for name, one in ABOUT.items() if one.positional] == ["whole"]
    assert [name for name, one in ABOUT.items() if one.optional] == ["real", "most"]
    assert [name for name, one in ABOUT.items() if one.is_flag] == ["flag"]
    assert [name for name, one in ABOUT.items() if one.is_list] == ["some"]
    assert (ABOUT["choice"].choices, ABOUT["numbered"].choices) == (("slow", "quick"), ("1", "2", "4"))
    assert (ABOUT["whole"].bounds, ABOUT["most"].bounds) == ((1, 10), (1, None))
    assert (ABOUT["most"].option, ABOUT["whole"].option, ABOUT["whole"].help) == (
        "solutions",
        "whole",
        "A whole number.",
    )


@pytest.mark.parametrize(("name", "value", "expected"), [
    ("whole", 3, 3),
    ("whole", np.int32(3), 3),
    ("whole", np.uint64(10), 10),
    ("real", 0.5, 0.5),
    ("real", np.float32(0.5), 0.5),
    ("real", None, None),
    ("choice", "quick", "quick"),
    ("numbered", 4, 4),
    ("numbered", np.int64(4), 4),
    ("flag", True, True),
    ("some", (1, 2), [1, 2]),
    ("some", [], []),
    ("text", "abc", "abc"),
    ("most", None, None),
    ("most", "all", None),
    ("most", 10**30, 10**30),
    ("stalls", [5, 6], [5, 6]),
    ("stalls", "5,6", [5, 6]),
])  # fmt: skip
def test_values_of_python(name: str, value: Any, expected: Any) -> None:
    checked = ABOUT[name].check(value)
    assert (checked, type(checked)) == (expected, type(expected))


@pytest.mark.parametrize(("name", "text", "expected"), [
    ("whole", "3", 3),
    ("real", ".5", 0.5),
    ("real", "5e-1", 0.5),
    ("choice", "slow", "slow"),
    ("numbered", "2", 2),
    ("text", "2", "2"),
    ("most", "7", 7),
    ("most", "ALL", None),
    ("stalls", "50, 500", [50, 500]),
])  # fmt: skip
def test_values_of_a_shell(name: str, text: str, expected: Any) -> None:
    read = ABOUT[name].read(text)
    assert (read, type(read)) == (expected, type(expected))


@pytest.mark.parametrize(("name", "value", "says"), [
    ("whole", 0, "whole 0: expected a whole number from 1 to 10"),
    ("whole", 11, "whole 11: expected a whole number from 1 to 10"),
    ("whole", 1.5, "whole 1.5: expected a whole number from 1 to 10"),
    ("whole", True, "whole True: expected a whole number from 1 to 10"),
    ("whole", "3", "whole 3: expected a whole number from 1 to 10"),
    ("whole", None, "whole None: expected a whole number from 1 to 10"),
    ("whole", np.int64(0), "whole 0: expected a whole number from 1 to 10"),
    pytest.param("whole", 10**5000, "whole a int: expected a whole number from 1 to 10", id="5000 digits"),
    ("real", 1.0, "real 1.0: expected a number above 0 and below 1"),
    ("real", math.nan, "real nan: expected a number above 0 and below 1"),
    ("real", math.inf, "real inf: expected a number above 0 and below 1"),
    ("real", "x", "real x: expected a number above 0 and below 1"),
    ("choice", "quik", "choice quik: expected one of slow, quick; did you mean quick?"),
    ("choice", 5, "choice 5: expected one of slow, quick"),
    ("numbered", 3, "numbered 3: expected one of 1, 2, 4"),
    ("flag", 1, "flag 1: expected true or false"),
    ("flag", "yes", "flag yes: expected true or false"),
    ("some", [1, -1], "some [1, -1]: expected values of which each is a whole number from 0"),
    ("some", 5, "some 5: expected values of which each is a whole number from 0"),
    ("text", "abcdef", "text abcdef: expected a text of at most 5 characters"),
    ("text", 5, "text 5: expected a text of at most 5 characters"),
    ("most", 0, "most 0: expected a whole number from 1, or all"),
    ("stalls", "5,x", "max_stall x: expected whole numbers, as 50,500"),
])  # fmt: skip
def test_values_that_do_not_fit(name: str, value: Any, says: str) -> None:
    with pytest.raises(BadValue, match=f"^{re.escape(says)}$"):
        ABOUT[name].check(value)


@pytest.mark.parametrize(("name", "text"), [
    ("whole", ""), ("whole", "x"), ("whole", "0.5"), ("whole", "9" * 9999), ("real", "hot"), ("real", "nan"),
    ("choice", "quik"), ("numbered", "3"), ("numbered", "one"), ("most", "0"), ("most", "none"), ("stalls", "-5"),
])  # fmt: skip
def test_texts_that_do_not_fit(name: str, text: str) -> None:
    with pytest.raises(BadValue) as caught:
        ABOUT[name].read(text)
    assert len(str(caught.value)) < 200


def kept_or_refused(check: Callable[[Any], Any], value: Any) -> tuple[Any, str]:
    """The value as the function takes it, and what is said where it is refused."""
    try:
        return check(value), ""
    except BadInput as error:
        return None, str(error)


@given(st.sampled_from(sorted({*ABOUT} - {"stalls"})), st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.lists(st.integers()),
    st.tuples(st.integers()), st.dictionaries(st.text(), st.integers()), st.complex_numbers(),
))  # fmt: skip
def test_any_value_fits_or_is_refused_by_name(name: str, value: Any) -> None:
    with spelled(lambda name: f"--{name}"):
        kept, refused = kept_or_refused(ABOUT[name].check, value)
    if refused:
        assert refused.startswith(f"--{name} ")
        assert ": expected " in refused
    else:
        assert ABOUT[name].check(kept) == kept


@given(st.sampled_from(sorted({*ABOUT} - {"flag", "some"})), st.text())
def test_any_text_fits_or_is_refused(name: str, text: str) -> None:
    kept, refused = kept_or_refused(ABOUT[name].read, text)
    assert ": expected " in refused if refused else ABOUT[name].check(kept) == kept


@given(st.integers(), st.integers(-5, 20), st.integers(-5, 20))
def test_bounds_are_those_of_the_type(value: int, least: int, most: int) -> None:
    def bounded(n: Any) -> None: ...

    bounded.__annotations__["n"] = Annotated[int, Meta(ge=least, le=most)]
    (one,) = parameters(bounded)
    assert one.bounds == (least, most)
    if least <= value <= most:
        assert one.check(value) == value == one.read(str(value))
    else:
        with pytest.raises(BadValue, match=r"^n "):
            one.check(value)


# Rules


@pytest.mark.parametrize(("condition", "values", "met"), [
    ({"a": (1, 2)}, {"a": 2}, True),
    ({"a": (1, 2)}, {"a": 3}, False),
    ({"a": Above(5)}, {"a": 6}, True),
    ({"a": Above(5)}, {"a": 5}, False),
    ({"a": Above(5)}, {"a": None}, False),
    ({"a": Not((1,))}, {"a": None}, True),
    ({"a": Not((1,))}, {"a": 1}, False),
    ({"a": GIVEN}, {"a": ((0, 0),)}, True),
    *(({"a": GIVEN}, {"a": nothing}, False) for nothing in (None, "", (), False)),
    ({"a": (1,), "b": (None,)}, {"a": 1, "b": None}, True),
    ({"a": (1,), "b": (None,)}, {"a": 1, "b": 2}, False),
])  # fmt: skip
def test_conditions(condition: Any, values: dict[str, Any], met: bool) -> None:
    assert meets(condition, values) is met


def test_values_that_do_not_go_together() -> None:
    verb = Verb(example, refuses=(Refuse({"choice": ("quick",), "most": (None,)}, "{most}: not with {choice} quick"),))
    verb.require_sense(None, verb.checked({"whole": 1, "choice": "quick"}))
    with pytest.raises(BadInput, match=r"^most: not with choice quick$"):
        verb.require_sense(None, verb.checked({"whole": 1, "choice": "quick", "most": None}))
    with spelled(lambda name: f"<{name}>"), pytest.raises(BadInput, match=r"^<most>: not with <choice> quick$"):
        verb.require_sense(None, verb.checked({"whole": 1, "choice": "quick", "most": "all"}))
    with pytest.raises(BadInput, match=r"^speed: no option of .* example: expected whole, real"):
        verb.checked({"speed": 1})


@pytest.mark.parametrize(("command", "says"), [
    ("solve 7 --method local --toroidal", "--method: local searches do not support a torus"),
    ("solve 8 --method construct -n 2", "--method: the formula gives one solution"),
    ("solve 8 --method local -n all", "--solutions: expected a number"),
    ("solve 8 --method construct --given r1c1", "--method: the formula is for empty boards"),
    ("solve 501 --method exact", "N: expected at most 500 queens"),
    ("solve 501 -n all", "N: expected at most 500 queens"),
    ("solve 501 --toroidal --blocked r1c1", "N: expected at most 500 queens"),
    ("count 33", "N: expected at most 32 queens"),
    ("count 7 --toroidal --fundamental", "--fundamental: expected a board whose edges do not meet"),
    ("count 7 --given r1c1 --fundamental", "--fundamental: expected an empty board"),
    ("tune 12 --grid --tries 5", "--tries: the grid has its own number of sets"),
])  # fmt: skip
def test_rules_in_a_shell(command: str, says: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["queens", *command.split()]) == 2
    assert capfd.readouterr().err.startswith(f"tablero: {says}")


# A stored job asks the same question again


ANNEALED: list[dict[str, Any]] = [
    {},
    {"t0": 3},
    {"t0": np.float64(3.5)},
    {"alpha": 0.8},
    {"beta": 0.5, "cooling": "linear"},
    {"trials": 3},
    {"max_stall": 900},
    {"max_trials": 5000},
    {"cooling": "logarithmic"},
    {"swap": "min-conflicts"},
    {"restarts": 5},
    {"start": [*range(300)][::-1]},
    {"start": np.arange(300, dtype=np.int32)},
    {"seed": np.int64(9)},
    {"runs": 3},
]
SOLVED: list[tuple[Queens, dict[str, Any]]] = [
    (Queens(9), {"most": None}),
    (Queens(9), {"most": 30, "method": "exact"}),
    (Queens(400), {"method": "local", "seed": 4}),
    (Queens(300, ((0, 9),), ((5, 5),)), {"method": "anneal", "seed": 2}),
    (Queens(300), {"most": 3}),
    (Queens(7, torus=True), {"most": None}),
]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def again(verb: Verb, puzzle: Queens, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a recipe that went through JSON."""
    recipe = json.loads(json.dumps(verb.recipe(verb.checked(options))))
    assert (recipe["family"], recipe["verb"]) == ("queens", verb.name)
    assert from_bytes(as_bytes(puzzle)) == puzzle
    return verb.checked(recipe["options"])


def reported(found: Any) -> dict[str, Any]:
    values = found.to_dict()
    for name in ("seconds", "cpu_seconds", "cpu", "each"):
        values.pop(name, None)
    kept: dict[str, Any] = json.loads(json.dumps(values))
    return kept


def interrupted_and_resumed(verb: Verb, puzzle: Queens, options: dict[str, Any]) -> tuple[Any, Any]:
    whole = verb.ask(puzzle, options)
    limit = max(1, whole.nodes // 3)
    part = verb.ask(puzzle, options, Job("one", node_limit=limit))
    assert part.nodes < whole.nodes or whole.nodes <= limit
    recipe = json.loads(json.dumps(verb.recipe(verb.checked(options))))
    return whole, verb.resume(recipe, as_bytes(puzzle), Job("one"))


@pytest.mark.parametrize("options", ANNEALED, ids=lambda options: " ".join(options) or "nothing")
def test_annealing_that_is_resumed(options: dict[str, Any]) -> None:
    verb, puzzle = QUEENS["anneal"], Queens(300)
    kept = again(verb, puzzle, options)
    for name, value in options.items():
        assert np.array_equal(kept[name], value)
    whole, resumed = interrupted_and_resumed(verb, puzzle, options)
    assert reported(resumed) == reported(whole)


@pytest.mark.parametrize(("puzzle", "options"), SOLVED)
def test_solving_that_is_resumed(puzzle: Queens, options: dict[str, Any]) -> None:
    verb = QUEENS["solve"]
    assert again(verb, puzzle, options) == verb.checked(options)
    whole, resumed = interrupted_and_resumed(verb, puzzle, options)
    assert reported(resumed) == reported(whole)


def test_every_option_is_tried() -> None:
    assert {name for options in ANNEALED for name in options} == {one.name for one in QUEENS["anneal"].options}
    assert {name for _, options in SOLVED for name in options} == {one.name for one in QUEENS["solve"].options}


@pytest.mark.parametrize("options", [None, [], "x", {"t0": "hot"}, {"nothing": 1}, {"runs": 0}])
def test_recipes_that_are_none(options: Any) -> None:
    with pytest.raises(BadInput, match="expected"):
        QUEENS["anneal"].resume({"options": options}, as_bytes(Queens(8)), None)


# What is derived


@pytest.mark.parametrize("verb", QUEENS.values(), ids=str)
def test_schemas(verb: Verb) -> None:
    schema = json.loads(json.dumps(verb.schema()))
    fields = [*verb.source, *verb.options]
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert list(schema["properties"]) == [one.option for one in fields]
    assert schema["required"] == [one.option for one in fields if one.required]
    for one in fields:
        assert schema["properties"][one.option]["description"] == one.help


def test_a_schema_has_types_bounds_and_choices() -> None:
    known = QUEENS["anneal"].schema()["properties"]
    assert (known["runs"]["type"], known["runs"]["minimum"], known["runs"]["maximum"]) == ("integer", 1, 100_000)
    assert known["runs"]["default"] == 1
    assert set(known["cooling"]["enum"]) == {"geometric", "linear", "logarithmic"}
    assert "default" not in known["t0"]
    assert {one["type"] for one in known["t0"]["anyOf"]} == {"number", "null"}
    assert known["start"]["type"] == "string"
    assert QUEENS["count"].schema()["properties"]["fundamental"]["type"] == "boolean"


def test_meanings_explain_all_choices_or_none() -> None:
    for family in families().values():
        for verb in family.verbs.values():
            for one in (*verb.source, *verb.options):
                assert tuple(one.spelling.meanings) in ((), one.choices), f"{verb}: {one.name}"


@pytest.mark.parametrize("verb", QUEENS.values(), ids=str)
def test_the_help_lists_every_option_once(verb: Verb) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        assert run(["queens", verb.name, "--help"]) == 0
    text = out.getvalue()
    assert " ".join(verb.summary.split()) in " ".join(text.split())
    for one in (*verb.source, *verb.options):
        listed = re.findall(rf"^ +(?:-\w, )?{re.escape(spell_option(one))}\b(?!-)", text, re.MULTILINE)
        assert len(listed) == 1, one.name
        assert re.fullmatch(r"[^.]+\.", one.help), f"{one.name}: expected one sentence"
    for file in verb.writes:
        assert f"--{file.name}" in text


def test_fields_of_a_form() -> None:
    for verb in QUEENS.values():
        fields = fields_of((*verb.source, *verb.options))
        assert [field.name for field in fields] == [one.option for one in (*verb.source, *verb.options)]
        assert all(field.label for field in fields)
    kinds = {field.name: field.kind for field in fields_of(ABOUT.values())}
    assert kinds == {
        "whole": "number", "real": "line", "choice": "choice", "numbered": "choice", "flag": "tick", "some": "line",
        "text": "line", "solutions": "line", "stalls": "line",
    }  # fmt: skip
    board = {field.name: (field.kind, field.least, field.most) for field in PAGE.puzzle if field.kind != "line"}
    assert board == {"n": ("number", 1, 1_000_000), "torus": ("tick", 0, 10**9)}
    assert {"n": Above(MOST_PLAYED)} in PAGE.verb("watch").never
    offered = {verb.name: {field.name for field in verb.fields} for verb in PAGE.verbs}
    assert offered["solve"] == {one.option for one in QUEENS["solve"].options}
    assert offered["count"] == {one.option for one in QUEENS["count"].options}


def test_values_of_a_form() -> None:
    options = QUEENS["anneal"].options
    form = {field.name: field.default for field in fields_of(options)}
    assert QUEENS["anneal"].checked(values_of(options, form)) == QUEENS["anneal"].checked({})
    values = values_of(options, form | {"t0": "2.5", "seed": 7, "start": "1,3,0,2"})
    assert (values["t0"], values["seed"], values["start"]) == (2.5, 7, [1, 3, 0, 2])
    with pytest.raises(BadField, match=r"alpha 2\.0: expected a number above 0 and below 1") as caught:
        values_of(options, form | {"alpha": "2"})
    assert caught.value.name == "alpha"


def test_a_form_names_no_file(place: Path) -> None:
    (place / "board.txt").write_text("Q . . .\n. . . .\n. . . .\n. . . .\n", encoding="utf-8")
    (place / "squares.txt").write_text("r1c1\n", encoding="utf-8")
    reads, form = queens_verbs.board, {"n": "4", "given": "", "blocked": "", "toroidal": False}
    assert puzzle_of(reads, form) == Queens(4)
    assert puzzle_of(reads, form | {"given": "r1c2", "toroidal": True}) == Queens(4, ((0, 1),), (), True)
    assert tb.queens.count("board.txt").puzzle == Queens(4, ((0, 0),))
    for wrong in ({"n": "board.txt"}, {"n": "-"}, {"given": "squares.txt"}, {"given": "-"}, {"blocked": "squares.txt"}):
        with pytest.raises(BadInput):
            puzzle_of(reads, form | wrong)


def test_an_option_in_a_form_names_no_file(place: Path) -> None:
    (place / "start.txt").write_text("1,3,0,2")
    form = derive(queens_verbs.anneal)
    values = {"n": "4", "given": "", "blocked": "", **{one.name: one.default for one in form.fields}}
    found: Any = form.answer(Form({**values, "start": "1,3,0,2"}), Here())
    assert found.status == "solved"
    with pytest.raises(BadInput, match="expected an existing file"):
        form.answer(Form({**values, "start": str(place / "start.txt")}), Here())


def test_an_object_of_json_is_asked(place: Path) -> None:
    (place / "board.txt").write_text("Q\n", encoding="utf-8")
    found = QUEENS["solve"].ask_json({"n": "5", "given": "r1c1", "toroidal": True, "solutions": "all"})
    assert (found.puzzle, found.status, found.solutions) == (Queens(5, ((0, 0),), (), True), "complete", 2)
    assert QUEENS["model"].ask_json({"n": 4, "format": "mps"}).text.endswith("ENDATA\n")
    for wrong, says in (
        ({"n": "8", "methd": "exact"}, "methd: no such parameter: expected one of n, given"),
        ({"method": "exact"}, "n: expected"),
        ({"n": "8", "solutions": 0}, "solutions 0: expected a whole number from 1, or all"),
        ({"n": "board.txt"}, "expected a number of queens"),
        ({"n": "8", "given": "board.txt"}, "expected row and column"),
    ):
        with pytest.raises(BadInput, match=says):
            QUEENS["solve"].ask_json(wrong)


def test_a_verb_is_what_the_library_offers() -> None:
    assert described(tb.queens.anneal) is QUEENS["anneal"]
    assert list(QUEENS) == ["anneal", "solve", "count", "generate", "model", "armies", "tune", "worksheet"]
    assert [name for name, verb in QUEENS.items() if verb.durable] == ["anneal", "solve", "count"]
    assert [name for name, verb in QUEENS.items() if not verb.asks] == [
        "generate",
        "model",
        "armies",
        "tune",
        "worksheet",
    ]


def test_an_unknown_keyword_names_the_function() -> None:
    with pytest.raises(TypeError, match=r"^decomposition\.solve\(\): .*'into'"):
        tb.decomposition.solve("K7", into="triangle")  # type: ignore[call-arg]
