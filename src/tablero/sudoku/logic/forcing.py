"""Forcing: take candidates for true or false, follow all that comes of it, and keep what holds in any case.

    Nishio           one digit alone, until it contradicts itself
    forcing chain    links of the position: a contradiction, or what every candidate of a cell or of a unit leads to (verity)
    forcing net      the same, and cells and units that the net itself has emptied to one count, too (dynamic chains)
    wide net         and so do pointing, claiming, pairs and X-wings in it
    nested           and what contradicts itself inside of the net, by chains or by nets
    multiple         nested, and so does what every candidate of a cell or of a unit refutes inside of the net

They are ranked and graded by length as Sudoku Explainer does it.  The nets are compiled; other modules do not load them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

from tablero.sudoku.logic.grades import longer
from tablero.sudoku.logic.position import Candidate, Position, Step
from tablero.sudoku.puzzle import SYMBOLS

if TYPE_CHECKING:
    from tablero.sudoku.logic.nets import Conclusion, Story

Find = Callable[[Position], Iterator[Step]]

_STATIC, _SINGLE, _WIDE, _NESTED_STATIC, _NESTED, _MULTIPLE = 1, 2, 4, 8, 16, 32  # as in kernels.net_state
_DEEPEST = 9  # sides of boards on which nets are nested, as in `nets`
_ROUNDS = 40
_BY_MORE = "by locked candidates"  # as `nets` tells what is wide
_compiled = False  # in this process
_TOLD = 14  # nodes of a net that a sentence names


def _can_start(position: Position) -> bool:
    """Whether a net gets anywhere: one candidate takes one from a cell, and up to four places of its digit from a unit.

    On a board that is all but empty it does not, and the compiled nets need not be loaded to see that.
    """
    if any(0 < digits.bit_count() < 3 for digits in position.cands):
        return True
    return any(0 < (places & mask).bit_count() < 6 for places in position.places for mask in position.geometry.masks)


def _ready(position: Position) -> bool:
    """Whether nets get anywhere, and then they are compiled; that is told the first time, as it can take a minute."""
    global _compiled
    if not _can_start(position):
        return False
    if not _compiled:
        with position.attention.compiling("the forcing nets of Sudoku") if position.attention else nullcontext():
            from tablero.sudoku.logic.nets import warm

            warm()
        _compiled = True
    return True


def contradiction(name: str, base: float, mode: int) -> Find:
    """A finder of candidates that contradict themselves."""

    def find(position: Position) -> Iterator[Step]:
        if not _ready(position):
            return
        from tablero.sudoku.logic.nets import contradictions

        for found in contradictions(position, mode)[1]:
            step = _step(position, found, name, base, mode)
            if not mode & _WIDE or _BY_MORE in step.proof:  # otherwise a net does without
                yield step

    return find


def verity(name: str, base: float, mode: int) -> Find:
    """A finder of what follows in any case."""

    def find(position: Position) -> Iterator[Step]:
        if position.side > _DEEPEST or not _ready(position):
            return
        from tablero.sudoku.logic.nets import verities

        for found in verities(position, mode):
            yield _step(position, found, name, base, mode)

    return find


def nested(name: str, base: float, *modes: int) -> Find:
    """A finder of contradictions of nested nets: as few rounds as it takes, and of those the shortest first.

    The first mode that finds any is the one.
    """

    def find(position: Position) -> Iterator[Step]:
        if position.side > _DEEPEST or not _ready(position):
            return
        from tablero.sudoku.logic.nets import contradictions

        for mode in modes:
            rounds, found = contradictions(position, mode, _ROUNDS)
            if rounds >= 0:
                if rounds > 0:  # otherwise a net does without what is nested in it
                    for one in found:
                        yield _step(position, one, name, base, mode, rounds)
                return

    return find


def nishio(position: Position) -> Iterator[Step]:
    return contradiction("Nishio", 7.5, _SINGLE)(position)


chain_contradiction = contradiction("forcing chain, contradiction", 8.0, _STATIC)
chain_verity = verity("forcing chain, verity", 8.0, _STATIC)
net_contradiction = contradiction("forcing net, contradiction", 8.5, 0)
net_verity = verity("forcing net, verity", 8.5, 0)
wide_net = contradiction("wide forcing net", 9.0, _WIDE)
nested_chain = nested("nested forcing chain", 9.5, _WIDE | _NESTED_STATIC)
nested_multiple = nested("nested multiple forcing chain", 10.0, _WIDE | _NESTED_STATIC | _MULTIPLE)
nested_net = nested("nested forcing net", 10.5, _WIDE | _NESTED, _WIDE | _NESTED | _MULTIPLE)


def _word(position: Position, candidate: Candidate, true: bool) -> str:
    from tablero.sudoku.logic.nets import word

    return word(position, candidate, true)


def _proof(position: Position, told: list[Story], end: str) -> str:
    """All nodes of the nets, a line each, and why each follows."""
    lines = []
    for story in told:
        for (candidate, true), reason in zip(story.nodes, story.reasons, strict=True):
            lines.append(f"{_word(position, candidate, true)}: {reason}.")
        if story.end:
            lines.append(f"Then {story.end}.")
        lines.append("")
    return "\n".join([*lines, f"So {end}."])


def _tell(position: Position, story: Story) -> str:
    """A net in a sentence: what is true in it, and what is false for more than one reason."""
    (first, truth), *rest = story.nodes
    words = [_word(position, candidate, true) for candidate, true in rest if true or candidate in story.tried]
    if len(words) > _TOLD:
        words = [*words[: _TOLD - 2], f"… ({len(words) - _TOLD + 1} more)", words[-1]]
    follows = f", then {', '.join(words)}" if words else ""
    return f"if {_word(position, first, truth)}{follows}"


def _step(position: Position, found: Conclusion, name: str, base: float, mode: int, rounds: int = 0) -> Step:
    from tablero.sudoku.logic.nets import stories

    told = list(stories(position, found, mode, rounds))
    end = _word(position, found.candidate, not found.false)
    if found.where == -1:
        sentence = f"{_capital(_tell(position, told[0]))}, and then {told[0].end}: so {end}."
    else:
        sentence = f"{'; '.join(_tell(position, story) for story in told)}: in any case {end}."
        if found.where == -2:
            place = "Two cases"
        elif found.where < position.size:
            place = f"Whatever {position.name(found.where)} is"
        else:
            place = (
                f"Wherever the {SYMBOLS[found.sources[0] % position.side + 1]} of "
                f"{position.geometry.units[found.where - position.size].name} is"
            )
        sentence = f"{place}: {sentence}"
    nodes = dict.fromkeys(node for story in told for node in story.nodes)
    good = tuple(dict.fromkeys(c for c, true in nodes if true and c != found.candidate))
    seen = {*good, found.candidate}
    length = found.length - 2
    return Step(
        name,
        longer(base, length),
        sentence,
        length=length,
        proof=_proof(position, told, end),
        placed=() if found.false else (found.candidate,),
        removed=(found.candidate,) if found.false else (),
        cells=tuple(dict.fromkeys(c for (c, _), true in nodes if true)),
        good=good,
        other=tuple(dict.fromkeys(c for c, true in nodes if not true and c not in seen)),
        links=tuple(dict.fromkeys(link for story in told for link in story.strong)),
        weak=tuple(dict.fromkeys(link for story in told for link in story.weak)),
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
