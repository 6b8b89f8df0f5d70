"""The web page in its languages: every word that it says has one in each table, and no table has others."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

import tablero
from tablero.families import Family, families
from tablero.web.work import ask, guide, page_of, show
from tests import refusals
from tests import spoken as said_by_pages
from tests.says import SAYS

FAMILIES = [*families().values()]
STATIC = Path(tablero.__file__).parent / "web" / "static"
STATES = {"running", "finished", "stopped", "damaged", "starting", "ended"}  # of jobs, as the server says them
UNITS = {"row", "column", "box", "region", "the falling diagonal", "the rising diagonal", "and"}  # within sentences
# What is put together from pieces: by `tablero.text`, and by the names of what is decomposed.
BUILT = {
    "did you mean *?",
    "expected one of *",
    "* less * given",
    "*-fold *",
    "* copies",
    "* copy",
    "* edges",
    "* edge",
}
# Put together from the bounds of a parameter, by `tablero.verbs.parameters`.
BUILT |= {"expected a whole number from * to *", "expected a number from * to *", "expected a number above * to *"}
BUILT |= {
    "expected a number above * and below *",
    "expected a whole number from *",
    "expected a whole number from *, or *",
}
BUILT |= {"is", "in", "or", "so", "if"}  # between cells and digits: JOINTS of words.js
BUILT |= {"as", "more", "two", "three", "four", "five", "six", "seven", "rows", "columns", "otherwise", "is not"}
BUILT |= {"a picture", "*, line *", "options", "items", "* to * of * queens in each of *×* parts"}
FILES = {"Save the task", "Save the sheets"}  # what is offered with answers


def words_of_scripts() -> set[str]:
    """What the scripts say: the texts within t("…")."""
    found: set[str] = set()
    rooms = STATIC.parent.parent
    for script in [*STATIC.glob("*.js"), *rooms.glob("*/page.js")]:
        text = script.read_text()
        found |= {json.loads(f'"{words}"') for words in re.findall(r'\bt\("((?:[^"\\]|\\.)*)"\)', text)}
    return found


def words_of_pages() -> set[str]:
    """What the families' pages say."""
    found: set[str] = set()
    for family in families().values():
        page = page_of(family.word)
        found |= {page.title, page.about, *(verb.label for verb in page.verbs), *(label for label, _ in page.examples)}
        found |= set(page.says)
        for field in (*page.puzzle, *(field for verb in page.verbs for field in verb.fields)):
            found |= {field.label, field.hint, *field.choices}
    return found - {""}


def names_of_guides() -> set[str]:
    """What pages explain, by name: a name that no table has stays as it is."""
    pages = [page_of(family.word) for family in families().values()]
    return {guide["title"] for page in pages if page.guides for guide in page.guides()}


def spoken() -> set[str]:
    return words_of_scripts() | words_of_pages() | STATES | FILES | UNITS | set(SAYS)


def form_of(text: str) -> str:
    """A sentence with signs for what changes, as words.js has it."""
    digit = r"(?:\d+|(?<![\w-])[A-P](?![\w-]))"
    cells, unit = (
        r"r\d+c\d+(?:(?:, | and )r\d+c\d+)*",
        r"\b(?:row|column|box|region) \d+|\bthe (?:falling|rising) diagonal",
    )
    numbers = rf"{digit}(?:, {digit})* and {digit}|\d[\d,]*\d(?:\.\d+)?|\d(?:\.\d+)?|{digit}"
    text = re.sub(r"(?<![A-Za-z])'[^']*'(?![A-Za-z])", "~", text)
    return re.sub(numbers, "#", re.sub(unit, "%", re.sub(cells, "@", text)))


def loose(text: str) -> str:
    """A sentence with stars for all that changes, as `refusals` reads it from the sources."""
    return re.sub(r"'?[#@%~*]+'?", "*", form_of(text))


def words_of_refusals() -> dict[str, str]:
    """What the sources say when they refuse something, each with a place where it stands."""
    return {
        loose(part): f"{part} ({module.name}, line {line})"
        for module in refusals.modules()
        for line, text in refusals.templates(module)
        for part in refusals.parts(text)
    }


def words_of_drawings() -> dict[str, str]:
    """What titles and texts of drawings say, in the same way; they are translated as a whole."""
    return {
        loose(text): f"{text} ({module.name}, line {line})"
        for module in refusals.modules()
        for line, text in refusals.titles(module)
        if refusals.parts(text)
    }


def is_of_techniques(text: str) -> bool:
    """Whether the words of a sentence stand where the sentences of techniques are made."""
    words = re.findall("[A-Za-z]{3,}", text)
    return bool(words) and all(word.removesuffix("s") in refusals.texts_of_techniques() for word in words)


def is_sentence(table: dict[str, str], text: str) -> bool:
    """Whether a table has a sentence for it, as it stands or with stars."""
    stars = ["(.+?)".join(map(re.escape, words.split("*"))) for words in table if "*" in words]
    return form_of(text) in table or any(re.fullmatch(pattern, text) for pattern in stars)


@pytest.mark.parametrize("language", ["es"])
def test_no_word_is_missing_and_none_is_left_over(language: str) -> None:
    words = json.loads((STATIC / f"words_{language}.json").read_text())
    sayings = json.loads((STATIC / f"sayings_{language}.json").read_text())
    assert words.keys() & sayings.keys() == set(), "in both tables"
    assert words.keys() - spoken() - names_of_guides() == set(), "not needed on the first page"
    table = words | sayings
    same = {word for word in spoken() if re.fullmatch(r"[\d×x. -]+", word)}  # numbers need no translation
    assert spoken() - same - table.keys() == set(), "without a translation"
    refused = words_of_refusals() | words_of_drawings()
    known = {loose(text) for text in table}
    assert {place for part, place in refused.items() if part not in known} == set(), (
        "refusals and titles without a translation"
    )
    others = sayings.keys() - spoken()
    more = {text for text in others if loose(text) not in refused.keys() | BUILT and not is_of_techniques(text)}
    assert more == set(), "said nowhere"
    assert all(text.strip() for text in table.values())
    for text, said in sayings.items():
        assert text.count("*") == said.count("*"), text


def test_what_the_server_says_is_known_to_the_table() -> None:
    """Captions of all examples, and the sentences of the first techniques."""
    for family in families().values():
        page = page_of(family.word)
        for _, puzzle in page.examples:
            assert form_of(show(family.word, dict(puzzle))["words"]) in page.says
    says = page_of("sudoku").says
    for name in (
        "last-value",
        "hidden-single",
        "naked-single",
        "pointing",
        "direct-claiming",
        "naked-pair",
        "hidden-triplet",
    ):
        assert form_of(guide("sudoku", name)["sentence"]) in says
    table = json.loads((STATIC / "words_es.json").read_text())
    sayings = json.loads((STATIC / "sayings_es.json").read_text())
    for name in ("x-wing", "xy-wing", "unique-rectangle-type-1", "skyscraper", "w-wing"):
        sentence = guide("sudoku", name)["sentence"]
        assert is_sentence(sayings, sentence), sentence
    said = (text for family in families().values() for text in page_of(family.word).says)
    for text in {*SAYS, *said}:  # the same signs in both
        assert Counter(re.findall("[@%#~*]", text)) == Counter(re.findall("[@%#~*]", (table | sayings)[text])), text


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("cover", {"problem": ""}),
        ("cover", {"problem": "a b\n\na z\n"}),
        ("edges", {"pieces": "x"}),
        ("edges", {"pieces": "size 2\n1 2 3"}),
        ("edges", {"laying": "x"}),
        ("queens", {"n": 0}),
        ("queens", {"given": "a1"}),
        ("queens", {"n": 4, "given": "r9c9"}),
        ("slide", {"board": "1 2/3"}),
        ("slide", {"board": "1 1/2 0"}),
        ("slide", {"board": "1 x/2 0"}),
        ("warehouse", {"size": "7"}),
        ("sudoku", {"puzzle": "."}),
        ("sudoku", {"filled": "x"}),
        ("sudoku", {"marks": "x"}),
    ],
)
def test_refusals_have_words_in_every_language(word: str, form: dict[str, str | int]) -> None:
    """Part by part, as words.js takes them; what the user has given may stand between."""
    known = spoken()
    parts = re.split(": |; ", show(word, dict(form))["refused"])
    unknown = [part for part in parts if part not in known and form_of(part) not in known]
    assert [part for part in unknown if not re.fullmatch(r"'.*'|\d+", part)] == []


@pytest.mark.parametrize("word", ["cover", "edges", "queens", "slide", "warehouse", "sudoku"])
def test_drawings_have_words_in_every_language(word: str) -> None:
    page = page_of(word)
    for _, puzzle in page.examples[:2]:
        for text in re.findall(r"<(?:title|text)[^>]*>([^<]*[a-z]{3}[^<]*)<", show(word, dict(puzzle))["svg"] or ""):
            assert form_of(text) in spoken(), text


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run words.js")
@pytest.mark.parametrize("family", families().values(), ids=lambda family: str(family.word))
def test_nothing_that_is_said_of_puzzles_and_answers_stays_english(family: Family) -> None:
    assert said_by_pages.left_over([family.word], "es") == []


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run words.js")
@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("2.0 medium (direct hidden pair)", "2.0 medio (par oculto directo)"),
        ("r1c1 is the only place for G in box 1.", "r1c1 es el único lugar para G en el bloque 1."),
        ("1 item, 2 options", "1 elemento, 2 opciones"),
        ("12. easy", "12. fácil"),  # below a board of a sheet
        (
            "6 edges to be divided: each of the 3 copies meets every vertex",
            "6 aristas por repartir: cada una de las 3 copias llega a todos los vértices",
        ),
        ("something: that nobody knows", "something: that nobody knows"),
        (": ", ": "),
    ],
)
def test_sentences_are_put_together_from_parts(english: str, spanish: str) -> None:
    assert said_by_pages.translated([("said", english)], "es") == [spanish]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run words.js")
@pytest.mark.parametrize(
    ("word", "verb", "form", "spanish"),
    [
        (
            "queens",
            "anneal",
            {"alpha": "7"},
            "Factor de enfriamiento: 7.0: se esperaba un número mayor que 0 y menor que 1",
        ),
        (
            "edges",
            "make",
            {"size": "1", "colours": "500"},
            "501 colores con el borde: un tablero de 1 tiene sitio para 1 como mucho",
        ),
        (
            "edges",
            "solve",
            {"pieces": "size 1\n0 0 0 0\nhello"},
            "las piezas:3: 'hello': se esperaba un color como número desde 0",
        ),
        (
            "sudoku",
            "make",
            {"rating": "imposible"},
            "la valoración 'imposible': se esperaba uno de easy, medium, hard, fiendish, diabolical, "
            "un número, un intervalo como 3.0-4.2",
        ),
        (
            "decompose",
            "solve",
            {"conditions": "x>3"},
            "la lista de condiciones 'x>3': se esperaban pares entre corchetes como [(0,1),(1,2)]",
        ),
    ],
)
def test_refusals_of_a_wrong_field_are_translated_whole(
    word: str, verb: str, form: dict[str, str | int], spanish: str
) -> None:
    refused = ask(word, verb, dict(form))["refused"]
    assert said_by_pages.translated([("refusal", refused)], "es") == [spanish]
