"""Every choice that the web page's forms offer, asked of a running server: `python -m tests.every_choice`.

Of each verb any two of its fields take all their values together, the rest stays as it is offered; and every example is
asked about with each value of each field.  What is refused is listed: the page should not offer it (`never` of a verb).
What the page would keep as a job must be able to become one, or be answered at once.
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from itertools import chain, combinations, product
from typing import Any

from tablero.families import families
from tablero.verbs import Above, Not
from tablero.web.forms import Field, Never, Page, Verb
from tablero.web.work import check, page_of
from tests.api_fuzz import served

FEW = {"puzzles": 1}  # sheets of one puzzle
APART = ("sheet",)  # verbs that have nothing to do with the puzzle on the board
# What is typed into fields of text, as their hints say; a text that is nobody's choice is left as it is.
TYPED: dict[str, tuple[str, ...]] = {
    "given": ("", "r1c2"),
    "blocked": ("", "r1c1"),
    "solutions": ("1", "2", "all"),
    "symmetry": ("none", "cyclic"),
    "rating": ("", "easy"),
}


def values_of(field: Field) -> list[Any]:
    """All that a field can be filled in with here; of some fields nothing but what they have."""
    if field.kind == "tick":
        return [False, True]
    return list(field.choices) or list(TYPED.get(field.name, ()))


def meets(values: tuple[Any, ...] | Not | Above, given: Any) -> bool:
    """Whether a rule speaks of a value: as `meets` of form.js has it."""
    match values:
        case Not(but):
            return given not in but
        case Above(number):
            return bool(given > number)
    return given in values


def is_ruled(rules: tuple[Never, ...], form: dict[str, Any]) -> bool:
    """Whether one of the rules speaks of a form."""
    return any(all(meets(values, form[name]) for name, values in one.items()) for one in rules)


def forms(page: Page, verb: Verb) -> Iterator[dict[str, Any]]:
    """What the form of a verb can be filled in with."""
    fields = page.fields_of(verb)
    usual = {field.name: FEW.get(field.name, field.default) for field in fields}
    open_ones = [field for field in fields if values_of(field)]
    examples = () if verb.makes or verb.name in APART else of_examples(page, usual, open_ones)
    seen: set[str] = set()
    for form in chain(pairs(usual, open_ones), examples):
        key = json.dumps(form, sort_keys=True)
        if key not in seen and not is_ruled(verb.never, form):
            seen.add(key)
            yield form


def pairs(usual: dict[str, Any], fields: list[Field]) -> Iterator[dict[str, Any]]:
    """Any two fields with all their values."""
    for some in combinations(fields, min(2, len(fields))):
        for chosen in product(*(values_of(field) for field in some)):
            yield {**usual, **{field.name: value for field, value in zip(some, chosen, strict=True)}}


def of_examples(page: Page, usual: dict[str, Any], fields: list[Field]) -> Iterator[dict[str, Any]]:
    """Every example as it is, and with each value of one field that is not the puzzle's."""
    own = [field for field in fields if field not in page.puzzle]
    for _, puzzle in page.examples:
        yield {**usual, **puzzle}
        for field in own:
            yield from ({**usual, **puzzle, field.name: value} for value in values_of(field))


def ask(address: str, word: str, verb: str, form: dict[str, Any]) -> str:
    """What the server says against it; nothing where it answers."""
    request = urllib.request.Request(
        f"{address}/api/families/{word}/ask/{verb}",
        json.dumps({"form": form}).encode(),
        {"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=300):
            return ""
    except urllib.error.HTTPError as error:
        return f"{error.code} {json.load(error)['error']}"


def fault_of_job(word: str, verb: Verb, form: dict[str, Any]) -> str:
    """Why the page could not keep it as a job, though it offers that; or that it could, though it does not."""
    reply = check(word, verb.name, form)
    if is_ruled(verb.at_once, form):
        return "" if reply.get("at_once") else "as a job: it is not answered at once"
    return "" if "refused" not in reply or reply.get("at_once") else f"as a job: {reply['refused']}"


def main(words: list[str]) -> int:
    asked = refused = 0
    with served() as address:
        for family in families().values():
            page = page_of(family.word)
            for verb in page.verbs:
                if verb.name == "play" or (words and f"{family.word}/{verb.name}" not in words):
                    continue
                usual = {field.name: field.default for field in page.fields_of(verb)}
                for form in forms(page, verb):
                    asked += 1
                    faults = [ask(address, family.word, verb.name, form)]
                    if verb.searches:
                        faults.append(fault_of_job(family.word, verb, form))
                    for fault in filter(None, faults):
                        refused += 1
                        other = {name: value for name, value in form.items() if value != usual[name]}
                        print(f"{family.word} {verb.name} {other}: {fault}", flush=True)
    print(f"{asked} forms asked for, {refused} refused")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
