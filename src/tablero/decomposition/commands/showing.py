"""What was found, printed or written to a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tablero.cli.common import Settings, exit_status, print_found, print_json, print_values, sentence
from tablero.errors import BadInput
from tablero.files import writing
from tablero.words import several

if TYPE_CHECKING:
    from tablero.decomposition import Classes, Found
    from tablero.decomposition.checking import Copy
    from tablero.decomposition.graph import Graph


def show(found: Found | Classes, settings: Settings, *, rows: bool = False) -> int:
    """Print what was found, also of a job that was resumed."""
    from tablero.decomposition import Classes

    if isinstance(found, Classes):
        _show_classes(found, settings)
    elif settings.as_lines:
        print_found(found, settings, **({"rows": list(_rows(found))} if rows else {}))
    elif settings.as_json:
        _print_json(found, rows=rows)
    else:
        _print(found, settings, rows=rows)
    if found.why:
        settings.say(f"no decomposition: {found.why}")
    elif not found.why and not settings.as_json:
        settings.say(sentence(found, "decomposition", "decompositions"))
    return exit_status(found)


def _print(found: Found, settings: Settings, *, rows: bool) -> None:
    """A part a line; paths and cycles as walks."""
    if not found.result.kept:
        print(found.solutions)
    elif rows:
        for row in _rows(found):
            print(*row)
    else:
        for k, parts in enumerate(found.written(copy_text(found.puzzle.host)), 1):
            head = [f"{'' if k == 1 else chr(10)}decomposition {k}"] if found.solutions > 1 else []
            print("\n".join([*head, *parts]))
    if found.model is not None:
        settings.say(_about(found))


def _about(found: Found) -> str:
    """Copies; rows, columns and ones of the matrix, as the source reports them; or how copies were laid."""
    from tablero.decomposition.copies import told_copies

    assert found.model is not None
    copies = "" if found.copies is None else f"{told_copies(found.copies)}; "
    size, columns, ones = found.model.size
    if found.model.method in ("laying", "anneal"):
        order = getattr(found.model, "turn_order", 1)
        laid, plainly = ("laid", "one after another") if found.model.method == "laying" else ("annealed", "together")
        how = f"{several(size, 'base copy', 'base copies')} under a turn of order {order}" if order > 1 else plainly
        return f"{found.puzzle}: {copies}{laid} {how}{_under_conditions(found)}"
    text = f"{found.puzzle}: {copies}{told_size(size, columns, ones)}{_under_conditions(found)}"
    return text + (f"; made in {found.making:.1f} s" if found.making >= 1 else "")


def _under_conditions(found: Found) -> str:
    """How often the conditions make the copies."""
    from tablero.decomposition.copies import told_number
    from tablero.decomposition.solving import CONDITIONS

    why = f"; {CONDITIONS[found.conditions]}" if CONDITIONS.get(found.conditions) else ""
    if found.puzzle.conditions is None or found.automorphisms is None or found.placements is None:
        return why
    automorphisms, placed = told_number(found.automorphisms), told_number(found.placements)
    text = f"; {automorphisms} automorphism{'' if found.automorphisms == 1 else 's'}, {placed} "
    text += f"placement{'' if found.placements == 1 else 's'} under the conditions"
    repeated = found.copies is not None and found.placements > found.copies
    return text + (": repeated copies are taken once" if repeated else "") + why


def told_size(rows: int, columns: int, ones: int) -> str:
    """A matrix in words."""
    return f"{several(rows, 'row')}, {several(columns, 'column')}, {several(ones, 'one')}"


def _rows(found: Found) -> Iterator[list[int]]:
    """The answers as numbers of rows, from 1."""
    if found.model is not None and not (found.model.by_option and found.model.method == "matrix"):
        raise BadInput("--rows: there is no matrix whose rows could be numbered; --method matrix makes one")
    return ([option + 1 for option in row if option >= 0] for row in found.rows())


def _print_json(found: Found, *, rows: bool) -> None:
    """One object; answers are written as they come, since there may be a million."""
    from tablero.decomposition.formats import edges_to_json

    if not found.result.kept:
        print_json(found.values())
        return

    def text(copy: Copy) -> str:
        return json.dumps(edges_to_json(found.puzzle.host, copy), ensure_ascii=False)

    values = {**found.values(), **({"rows": list(_rows(found))} if rows else {})}
    sys.stdout.write(json.dumps(values, ensure_ascii=False)[:-1] + ', "answers": [')
    for k, parts in enumerate(found.written(text)):
        sys.stdout.write(f"{', ' if k else ''}[{', '.join(parts)}]")
    sys.stdout.write("]}\n")


def _show_classes(found: Classes, settings: Settings) -> None:
    if settings.as_json:
        print_values({**found.values(), "answers": found.told()}, settings)
        return
    text = copy_text(found.puzzle.host)
    for k, one in enumerate(found.classes, 1):
        head = f"class {k}: group of order {one.group}, {one.labelled:,} labelled"
        print("\n".join([f"{'' if k == 1 else chr(10)}{head}", *map(text, one.example.parts)]))
    if not found.why:
        number = several(len(found.classes), "class", "classes")
        members = f"Σ {found.symmetries:,}/|Aut| = {sum(one.labelled for one in found.classes):,}"
        if found.complete:
            settings.say(f"{number}; {members} of {found.labelled:,} labelled: all there are")
        else:  # a class that was met has all its members, whether they were found or not
            settings.say(f"{number} so far, with {members} members; {found.labelled:,} labelled were found, not all")


def write_edges(found: Found | Classes, path: Path) -> None:
    """All answers, a part a line, an empty line between two; written as they come, since there may be a million."""
    from tablero.decomposition import Classes

    if not len(found.answers):
        return
    if isinstance(found, Classes):
        blocks: Iterator[str] = (str(one.example) for one in found.classes)
    else:
        host = found.puzzle.host
        blocks = ("\n".join(parts) for parts in found.written(lambda copy: edges_text(host, copy)))
    with writing(path) as stream:
        for k, block in enumerate(blocks):
            stream.write(f"{chr(10) if k else ''}{block}\n".encode())


def edges_text(host: Graph, copy: Copy) -> str:
    return " ".join("{}-{}".format(*host.named(edge)) for edge in copy)


def copy_text(host: Graph) -> Callable[[Copy], str]:
    """How a copy is printed: a path or a cycle of three or more edges as a walk 0-1-2, anything else as its edges."""
    from tablero.decomposition.words import walk_of

    def text(copy: Copy) -> str:
        walk = walk_of(copy)
        return edges_text(host, copy) if walk is None else "-".join(str(host.labels[vertex]) for vertex in walk)

    return text
