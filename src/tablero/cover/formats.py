"""Knuth's text format for exact covers, read and written.

    | a comment
    a b 2|c | x y        the items: primary, a bar, secondary; c is to be covered twice
    a x:red              an option a line; a secondary item may have a colour
    b c y |7             an option with a weight of 7

Names have no blanks, no colon and no bar.  Weights as in Knuth's DLX5; several on a line add up.  Multiplicities as in his
DLX3, a number and a bar before an item; bounds as 1:3|c are not read.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from itertools import pairwise, takewhile

import numpy as np

from tablero.cover import puzzle  # as a module: it imports this one
from tablero.errors import BadInput
from tablero.files import Source, name_of, plain_text, read_text

MOST_BYTES = 1 << 30


def read(source: Source) -> puzzle.ExactCover:
    """Read a problem from a path, an open file, or "-" for standard input."""
    return parse(read_text(source, MOST_BYTES), name_of(source))


def parse(text: str, source: str = "text") -> puzzle.ExactCover:
    """Read a problem from text; an error names the line."""
    written = plain_text(text, source).split("\n")
    first = [
        line.strip() for line in takewhile(lambda line: not line.strip() or line.lstrip().startswith("|"), written)
    ]
    comment = "\n".join(line[1:].strip() for line in first if line)
    numbered = enumerate(written, 1)
    lines = ((place, line) for place, line in numbered if line.strip() and not line.lstrip().startswith("|"))
    head = next(lines, None)
    if head is None:
        raise BadInput(f"{source}: empty; expected a line of items first")
    names, primary, need = _items(*head, source)
    number = {name: k for k, name in enumerate(names)}
    colours: dict[str, int] = {}
    start, item, colour, weights = [0], [], [], []
    last_seen = [-1] * len(names)
    for k, (place, line) in enumerate(lines):
        weight = 0
        for word in line.split():
            if word[0] == "|":
                weight += _weight(word, f"{source}:{place}")
                continue
            name, colon, hue = word.partition(":")
            i = number.get(name)
            if i is None:
                raise BadInput(f"{source}:{place}: unknown item {name!r}")
            if last_seen[i] == k:
                raise BadInput(f"{source}:{place}: item {name!r} twice in one option")
            if colon and i < primary:
                raise BadInput(f"{source}:{place}: {name!r} is primary, only secondary items have colours")
            if (colon and not hue) or ":" in hue:
                raise BadInput(f"{source}:{place}: {word!r}: expected one colour after the colon")
            last_seen[i] = k
            item.append(i)
            colour.append(colours.setdefault(hue, len(colours) + 1) if hue else 0)
        if len(item) == start[-1]:
            raise BadInput(f"{source}:{place}: an option without items")
        if not any(i < primary for i in item[start[-1] :]):
            raise BadInput(f"{source}:{place}: an option without a primary item would never be chosen")
        start.append(len(item))
        weights.append(weight)
    problem = puzzle.ExactCover.of_arrays(
        names,
        primary,
        np.array(start, np.int64),
        np.array(item, np.int32),
        np.array(colour, np.int32),
        colours=tuple(colours),
        weights=weights if any(weights) else None,
        need=need,
    )
    return problem.with_comment(comment)


def _items(place: int, line: str, source: str) -> tuple[list[str], int, list[int]]:
    """The names of the items, the number of primary items, and the multiplicity of each of these."""
    words = line.split()
    if words.count("|") > 1:
        raise BadInput(f"{source}:{place}: more than one bar between the items")
    primary = words.index("|") if "|" in words else len(words)
    need, names = [], []
    for k, word in enumerate(words):
        found = re.fullmatch(r"([\d:]+)\|([^|:]+)", word)
        if found and not re.fullmatch(r"[1-9]\d{0,5}", found[1]):
            raise BadInput(f"{source}:{place}: {word!r}: expected a multiplicity from 1 to 999999, as 2|{found[2]}")
        if found and k > primary:
            raise BadInput(f"{source}:{place}: {word!r}: only primary items have multiplicities")
        if k < primary:
            need.append(int(found[1]) if found else 1)
        if word != "|":
            names.append(found[2] if found else word)
    seen: set[str] = set()
    for name in names:
        if ":" in name or "|" in name:
            raise BadInput(f"{source}:{place}: the item {name!r} has a colon or a bar in its name")
        if name in seen:
            raise BadInput(f"{source}:{place}: item {name!r} declared twice")
        seen.add(name)
    if primary == 0:
        raise BadInput(f"{source}:{place}: no primary item before the bar")
    return names, primary, need


def _weight(word: str, where: str) -> int:
    if not re.fullmatch(r"\|[0-9]{1,12}", word):
        raise BadInput(f"{where}: {word!r}: expected a weight as |7 at most 999999999999")
    return int(word[1:])


def write(problem: puzzle.ExactCover, comment: str | None = None) -> str:
    """Return the problem in this format, with its comment first unless another is given.

    Names that the format cannot hold are refused.
    """
    names = [_name(item) for item in problem.items]
    if len(set(names)) < len(names):
        raise BadInput("two items are written alike in this format")
    need = [1] * problem.primary if problem.need is None else problem.need.tolist()
    head = " ".join(name if n == 1 else f"{n}|{name}" for name, n in zip(names[: problem.primary], need, strict=True))
    if len(names) > problem.primary:
        head += " | " + " ".join(names[problem.primary :])
    comment = problem.comment if comment is None else comment
    out = [f"| {line}" for line in comment.splitlines()] + [head]
    hues = ["", *(":" + _name(colour) for colour in problem.colours)]
    start, item, colour = (array.tolist() for array in problem.table[:3])
    weights = [""] * len(problem) if problem.weights is None else [f" |{w}" if w else "" for w in problem.weights]
    if problem.weights is not None and problem.weights.min(initial=0) < 0:
        raise BadInput("this format has no weights below 0")
    for (first, end), weight in zip(pairwise(start), weights, strict=True):
        out.append(" ".join(names[item[k]] + hues[colour[k]] for k in range(first, end)) + weight)
    return "\n".join(out) + "\n"


def _name(item: Hashable) -> str:
    """An item's name as text; tuples of plain values are joined by commas, as 3,4."""
    text = ",".join(map(str, item)) if isinstance(item, tuple) else str(item)
    if not text or re.search(r"[\s:|]", text):
        raise BadInput(f"the name {text!r} has a blank, a colon or a bar, or is empty: it cannot be written")
    return text
