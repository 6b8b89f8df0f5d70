"""Every choice that the web page's forms offer, asked of a running server: `python -m tests.every_choice`.

Of each verb any two of its choices and ticks take all their values together, the rest stays as it is offered.  What is
refused is listed: the page should not offer it (`never` of a verb).
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from tablero.families import FAMILIES
from tablero.web.forms import Field, Page, Verb
from tablero.web.work import page_of
from tests.api_fuzz import served

FEW = {"puzzles": 1}  # sheets of one puzzle


def values_of(field: Field) -> list[Any]:
    return [False, True] if field.kind == "tick" else list(field.choices)


def is_never(verb: Verb, form: dict[str, Any]) -> bool:
    """Whether the page does not offer this."""
    return any(all(form[name] in values for name, values in one.items()) for one in verb.never)


def forms(page: Page, verb: Verb) -> Iterator[dict[str, Any]]:
    """What the form of a verb can be filled in with."""
    fields = page.fields_of(verb)
    asked = {field.name: FEW.get(field.name, field.default) for field in fields}
    open_ones = [field for field in fields if field.kind in ("choice", "tick")]
    seen: set[str] = set()
    for some in combinations(open_ones, min(2, len(open_ones))):
        for chosen in product(*(values_of(field) for field in some)):
            form = {**asked, **{field.name: value for field, value in zip(some, chosen, strict=True)}}
            key = json.dumps(form, sort_keys=True)
            if key not in seen and not is_never(verb, form):
                seen.add(key)
                yield form


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


def main(words: list[str]) -> int:
    asked = refused = 0
    with served() as address:
        for family in FAMILIES:
            page = page_of(family.word)
            for verb in page.verbs:
                if verb.name == "play" or (words and f"{family.word}/{verb.name}" not in words):
                    continue
                usual = {field.name: field.default for field in page.fields_of(verb)}
                for form in forms(page, verb):
                    asked += 1
                    fault = ask(address, family.word, verb.name, form)
                    if fault:
                        refused += 1
                        other = {name: value for name, value in form.items() if value != usual[name]}
                        print(f"{family.word} {verb.name} {other}: {fault}", flush=True)
    print(f"{asked} forms asked for, {refused} refused")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
