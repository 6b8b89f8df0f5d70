"""What the web page says of puzzles, drawings and answers, and what of it stays English on a page in another language.

    python -m tests.spoken [es]        all sentences that are asked for here and are not wholly translated

Each family is shown its examples and some odd puzzles, and asked what its page offers; node lets words.js translate it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tablero
from tablero.web import work

STATIC = Path(tablero.__file__).parent / "web" / "static"
Form = dict[str, Any]
_SAID = ("words", "say", "sentence")  # of a reply
_FULL = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"

# Puzzles of which something else is said than of the examples: few things, none, too many, and why there is no answer.
ODD: dict[str, tuple[Form, ...]] = {
    "cover": ({"problem": "a\n\na\n"}, {"problem": "a b\n\na\n"}),
    "decompose": (
        {"host": "K2", "part": "K2"},
        {"host": "K4", "part": "triangle"},
        {"host": "K5", "part": "star-4"},
        {"host": "K6", "part": "triangle"},
        {"host": "K6", "part": "hamiltonian-cycle"},
        {"host": "K4,4", "part": "matching"},
        {"host": "K6", "part": "[(0,1),(0,2),(0,3),(0,4),(0,5)]"},
        {"host": "K7", "part": "cycle-7", "symmetry": "cyclic"},
        {"host": "K3,3", "part": "[(0,1),(0,2),(0,3)]"},
        {"host": "K8", "part": "double-star", "conditions": "[(0,1)]"},
    ),
    "edges": ({"pieces": "size 1\n0 0 0 0\n"}, {"laying": "1/0 - - - - - - - -"}),
    "queens": (
        {"n": 1},
        {"n": 1, "given": "r1c1"},
        {"n": 2},
        {"n": 3},
        {"n": 8, "torus": True},
        {"n": 8, "given": "r1c1,r2c2"},
        {"n": 8, "given": "r1c1,r2c2,r3c3"},
        {"n": 4, "blocked": "r1c1,r1c2,r1c3,r1c4"},
    ),
    "slide": (
        {"board": "1 2 3/4 5 6/7 8 0"},
        {"board": "1 2 3/4 5 6/7 0 8"},
        {"board": "2 1 3/4 5 6/7 8 0"},
        {"board": "2 1 3/4 5 6/7 0 8"},
        {"board": "2 1 3/4 0 6/7 5 8"},
    ),
    "warehouse": (
        {"size": "4", "order": "reversed"},
        {"floor": "1 .\n"},
        {"floor": "2 # 1\n"},
        {"floor": ". . .\n. 1 .\n. . .\n"},
        {"floor": ". . . . .\n. 2 # 1 .\n. . # . .\n"},
    ),
    "sudoku": (
        {"puzzle": _FULL},
        {"puzzle": "." + _FULL[1:]},
        {"puzzle": "1" + "." * 80},
        {"puzzle": "11" + "." * 79},
        {"puzzle": ".." + _FULL[2:], "filled": "21" + "." * 79},
        {"puzzle": "diagonals: yes\nboard:\n" + "\n".join("." * 4 for _ in range(4)) + "\n"},
    ),
}
_SLOW = {("sudoku", "sheet"), ("sudoku", "make"), ("edges", "make"), ("cover", "make"), ("slide", "random")}


def replies(word: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the server answers about the puzzles of a family, each with what was asked."""
    page = work.page_of(word)
    for puzzle in (*(dict(values) for _, values in page.examples), *ODD[word]):
        yield f"{word} show {puzzle}", work.show(word, dict(puzzle))
        for verb in page.verbs:
            if verb.name != "play" and (word, verb.name) not in _SLOW:
                yield f"{word} {verb.name} {puzzle}", work.ask(word, verb.name, dict(puzzle))


def sentences(reply: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What the page says of a reply, each with the function of words.js through which it does."""
    yield from (("said", reply[key]) for key in _SAID if isinstance(reply.get(key), str))
    if reply.get("status") == "none" and not reply.get("nodes") and "why" in reply:
        yield "said", reply["why"]
    steps = reply.get("steps")
    for step in steps if isinstance(steps, list) else ():
        yield "said", step["sentence"]
        yield "term", step["technique"]
    for svg in (reply.get("svg"), *reply.get("svgs", ())):
        for text in re.findall(r"<(?:title|text)[^>]*>([^<]*[a-z]{3}[^<]*)<", svg or ""):
            yield "drawn", text
    if "refused" in reply:
        yield "refusal", reply["refused"]


_TRANSLATE = """
import { readFile } from "node:fs/promises";
const [folder, language] = process.argv.slice(1);
globalThis.localStorage = { getItem: () => language };
globalThis.document = { documentElement: {} };
const text = (name) => readFile(folder + name, "utf8");
globalThis.fetch = async (path) => ({ json: async () => JSON.parse(await text(path.replace("/static", ""))) });
const words = await import("data:text/javascript," + encodeURIComponent(await text("/words.js")));
await words.learn(true);
let given = "";
for await (const piece of process.stdin) given += piece;
console.log(JSON.stringify(JSON.parse(given).map(([through, one]) => words[through](one))));
"""


def translated(said: Iterable[tuple[str, str]], language: str) -> list[str]:
    """Sentences as the page has them in a language."""
    node = shutil.which("node")
    assert node is not None
    command = [node, "--input-type=module", "-e", _TRANSLATE, str(STATIC), language]
    run = subprocess.run(command, input=json.dumps(list(said)), capture_output=True, text=True, check=True)
    found: list[str] = json.loads(run.stdout)
    return found


def words_in(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[^\W\d_]{2,}", text.lower())}


def table_of(language: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for name in ("words", "sayings"):
        table |= json.loads((STATIC / f"{name}_{language}.json").read_text())
    return table


def left_over(words: Iterable[str], language: str) -> list[tuple[str, str, str]]:
    """Of all families' replies what stays English, at least in part: what was asked, the sentence, and what became of it."""
    asked: dict[tuple[str, str], str] = {}
    for word in words:
        for question, reply in replies(word):
            for said in sentences(reply):
                asked.setdefault(said, question)
    table, found = table_of(language), []
    foreign = words_in(table) - words_in(table.values())  # what only the English side has
    for (said, question), now in zip(asked.items(), translated(asked, language), strict=True):
        # What is quoted stays as it is, and so do names that can be typed.
        rest = re.sub(r"(?<![A-Za-z])'[^']*'(?![A-Za-z])|\b[a-z-]+-[0-9]+\b", "", now)
        same = now == said[1] and table.get(now) != now  # some names are the same
        if words_in([rest]) & foreign or (same and re.search("[a-z]{3}", rest)):
            found.append((question, said[1], now))
    return found


def main(arguments: list[str]) -> int:
    from tablero.families import families

    found = left_over([family.word for family in families().values()], *(arguments or ["es"]))
    for question, text, now in found:
        print(f"{question[:100]}\n    {text}\n    {now}")
    print(f"{len(found)} not wholly translated")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
