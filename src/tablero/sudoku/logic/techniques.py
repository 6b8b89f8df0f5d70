"""The table of all techniques, from the easiest to the hardest.

The rating is that of the easiest form on the scale of Sudoku Explainer 1.2.1.  A technique that Sudoku Explainer lacks has
the rating of a chain with the same effect.  Code and score are those of HoDoKu 2.2.  Slow techniques that Sudoku Explainer
lacks are used only on request, and not to solve a puzzle (`walked`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tablero.sudoku.logic import als, basics, cages, chains, fish, one_digit, uniqueness, wings
from tablero.sudoku.logic.position import Candidate, Find, Position, Step, by_digit, longer, two_at_once

_compiled = False  # whether the nets are compiled in this process


class Technique(NamedTuple):
    """A technique, which finds steps in a fixed order."""

    name: str
    rating: float  # of its easiest form
    find: Find
    code: str = ""  # of HoDoKu
    score: int = 0  # of HoDoKu
    needs_one: bool = False  # whether it is valid only for puzzles with one solution
    walked: bool = True  # whether it is used to solve puzzles, and not only on request

    def first(self, position: Position) -> Step | None:
        """The first step, or None if the technique does not apply."""
        return next(self._found(position), None)

    def all(self, position: Position) -> Iterator[Step]:
        """All steps, without repeated results."""
        seen = set()
        for step in self._found(position):
            position.check()
            result = step.result
            if result not in seen:
                seen.add(result)
                yield step

    def _found(self, position: Position) -> Iterator[Step]:
        """Yield the steps with name and rating; candidates that are removed have no other colour."""
        position.check()
        if self.needs_one and not position.unique:
            return
        for step in self.find(position):
            gone = set(step.removed)

            def kept(candidates: tuple[Candidate, ...], gone: set[Candidate] = gone) -> tuple[Candidate, ...]:
                return tuple(c for c in candidates if c not in gone)

            yield replace(
                step,
                good=kept(step.good),
                other=kept(step.other),
                more=tuple(map(kept, step.more)),
                technique=self.name,
                rating=round(longer(self.rating, step.length) + step.raised, 1),
            )


_unique = partial(Technique, needs_one=True)
_on_request = partial(Technique, walked=False)
_KITE = by_digit(one_digit.turbots, wanted=one_digit.is_kite)
_EMPTY_RECTANGLE = by_digit(one_digit.empty_rectangle)
_FINNED = {size: by_digit(fish.finned, size=size, sashimi=False) for size in (2, 3, 4)}
_SASHIMI = {size: by_digit(fish.finned, size=size, sashimi=True) for size in (2, 3, 4)}


def _one_joint(step: Step) -> object:
    """The near ends of both links of a kite."""
    return frozenset(cell for cell, _ in step.other)


def _one_box(step: Step) -> object:
    """The places of the digit in the box of an empty rectangle."""
    return frozenset(step.good)


def _siamese(find: Find, also: Find | None = None) -> Find:
    """Two fish with the same base and different covers."""
    return two_at_once(find, lambda step: (step.cells, step.removed[0][1]), also)


def _large(kind: str, size: int, *, fins: bool = False) -> Find:
    return partial(fish.large, kind=kind, size=size, fins=fins)


def _chain(find: Callable[[Position, str], Iterator[Step]], kind: str) -> Find:
    return lambda position: find(position, kind)


def _net(name: str, rating: float, code: str, score: int) -> Technique:
    """A technique of `forcing`.  Its first use compiles the nets, which is reported, as it can take a minute."""

    def find(position: Position) -> Iterator[Step]:
        global _compiled
        if not _can_start(position):
            return
        reported = position.deadline.compiling("the forcing nets of Sudoku") if position.deadline else nullcontext()
        with nullcontext() if _compiled else reported:
            from tablero.sudoku.logic import forcing

            if not _compiled:
                forcing.warm()
                _compiled = True
        yield from forcing.FINDERS[name](position)

    return Technique(name, rating, find, code, score)


def _can_start(position: Position) -> bool:
    """Whether a net can follow anything from one candidate; if not, the nets need not be compiled.

    A candidate removes one candidate from a cell and up to four places of its digit from a unit.  So some cell must have at
    most two candidates, or some unit at most five places of a digit.  On an almost empty board there are none.
    """
    if any(0 < digits.bit_count() < 3 for digits in position.cands):
        return True
    return any(0 < (places & mask).bit_count() < 6 for places in position.places for mask in position.geometry.masks)


TECHNIQUES = (
    Technique("last value", 1.0, basics.last_value, "0000", 4),
    Technique("hidden single in a box", 1.2, partial(basics.hidden_single, kind="boxes"), "0002", 14),
    Technique("hidden single", 1.5, partial(basics.hidden_single, kind="lines"), "0002", 14),
    Technique("direct pointing", 1.7, partial(basics.locked_candidates, home="boxes", direct=True), "", 50),
    Technique("direct claiming", 1.9, partial(basics.locked_candidates, home="lines", direct=True), "", 50),
    Technique("direct hidden pair", 2.0, partial(basics.hidden_subset, size=2, direct=True), "", 70),
    Technique("naked single", 2.3, basics.naked_single, "0003", 4),
    Technique("cage combinations", 2.4, cages.cage_combinations, "", 50),
    Technique("direct hidden triplet", 2.5, partial(basics.hidden_subset, size=3, direct=True), "", 100),
    Technique("pointing", 2.6, partial(basics.locked_candidates, home="boxes"), "0100", 50),
    Technique("claiming", 2.8, partial(basics.locked_candidates, home="lines"), "0101", 50),
    Technique("innies and outies", 2.9, cages.innies_and_outies, "", 50),
    Technique("locked pair", 3.0, partial(basics.naked_subset, size=2, locked=True), "0110", 40),
    Technique("naked pair", 3.0, partial(basics.naked_subset, size=2), "0200", 60),
    Technique("X-wing", 3.2, by_digit(fish.basic, size=2), "0300", 140),
    Technique("hidden pair", 3.4, partial(basics.hidden_subset, size=2), "0210", 70),
    Technique("locked triplet", 3.6, partial(basics.naked_subset, size=3, locked=True), "0111", 60),
    Technique("naked triplet", 3.6, partial(basics.naked_subset, size=3), "0201", 80),
    Technique("swordfish", 3.8, by_digit(fish.basic, size=3), "0301", 150),
    Technique("hidden triplet", 4.0, partial(basics.hidden_subset, size=3), "0211", 100),
    Technique("XY-wing", 4.2, partial(wings.wing, size=2), "0800", 160),
    Technique("XYZ-wing", 4.4, partial(wings.wing, size=3), "0801", 180),
    _unique("unique rectangle, type 1", 4.5, uniqueness.type_1, "0600", 100),
    _unique("unique rectangle, type 2", 4.6, partial(uniqueness.types_2_and_5, neighbours=True), "0601", 100),
    _unique("unique rectangle, type 5", 4.6, partial(uniqueness.types_2_and_5, neighbours=False), "0604", 100),
    _unique("unique rectangle, type 4", 4.7, uniqueness.type_4, "0603", 100),
    _unique("unique rectangle, type 3", 4.7, uniqueness.type_3, "0602", 100),
    _unique("avoidable rectangle, type 1", 4.7, uniqueness.avoidable_1, "0607", 100),
    _unique("avoidable rectangle, type 2", 4.7, uniqueness.avoidable_2, "0608", 100),
    _unique("unique rectangle, type 6", 4.8, uniqueness.type_6, "0605", 100),
    _unique("hidden rectangle", 4.8, uniqueness.hidden_rectangle, "0606", 100),
    Technique("naked quad", 5.0, partial(basics.naked_subset, size=4), "0202", 120),
    Technique("jellyfish", 5.2, by_digit(fish.basic, size=4), "0302", 160),
    Technique("hidden quad", 5.4, partial(basics.hidden_subset, size=4), "0212", 150),
    _unique("BUG", 5.6, uniqueness.bug, "0610", 100),
    _unique("BUG+n", 5.7, uniqueness.bug_n, "", 100),
    Technique("simple colouring", 6.5, by_digit(one_digit.simple_trap), "0500", 150),
    Technique("simple colouring, wrap", 6.5, by_digit(one_digit.simple_wrap), "0501", 150),
    Technique("skyscraper", 6.6, by_digit(one_digit.turbots, wanted=one_digit.is_skyscraper), "0400", 130),
    Technique("two-string kite", 6.6, _KITE, "0401", 150),
    _on_request("dual two-string kite", 6.6, two_at_once(_KITE, _one_joint), "0404", 150),
    Technique("turbot fish", 6.6, by_digit(one_digit.turbots, wanted=one_digit.is_turbot), "0403", 120),
    Technique("empty rectangle", 6.6, _EMPTY_RECTANGLE, "0402", 120),
    _on_request("dual empty rectangle", 6.6, two_at_once(_EMPTY_RECTANGLE, _one_box), "0405", 120),
    Technique("remote pair", 6.6, chains.remote_pair, "0703", 110),
    Technique("X-chain", 6.6, chains.x_chain, "0701", 260),
    Technique("multi-colours 1", 6.7, by_digit(one_digit.multi_colours_1), "0502", 200),
    Technique("multi-colours 2", 6.7, by_digit(one_digit.multi_colours_2), "0503", 200),
    Technique("finned X-wing", 6.7, _FINNED[2], "0310", 130),
    Technique("sashimi X-wing", 6.7, _SASHIMI[2], "0320", 150),
    Technique("W-wing", 6.8, wings.w_wing, "0803", 150),
    Technique("finned swordfish", 6.9, _FINNED[3], "0311", 200),
    Technique("sashimi swordfish", 6.9, _SASHIMI[3], "0321", 240),
    _on_request("siamese finned swordfish", 6.9, _siamese(_FINNED[3], _SASHIMI[3]), "03111", 200),
    _on_request("siamese sashimi swordfish", 6.9, _siamese(_SASHIMI[3]), "03211", 240),
    Technique("XY-chain", 7.0, chains.xy_chain, "0702", 260),
    Technique("WXYZ-wing", 7.0, wings.wxyz_wing, "", 300),
    Technique("continuous nice loop", 7.0, chains.continuous_loop, "0706", 280),
    Technique("AIC", 7.0, chains.aic, "0708", 280),
    Technique("discontinuous nice loop", 7.0, chains.discontinuous_loop, "0707", 280),
    _on_request("finned jellyfish", 7.1, _FINNED[4], "0312", 250),
    _on_request("sashimi jellyfish", 7.1, _SASHIMI[4], "0322", 260),
    _on_request("siamese finned jellyfish", 7.1, _siamese(_FINNED[4], _SASHIMI[4]), "03121", 250),
    _on_request("siamese sashimi jellyfish", 7.1, _siamese(_SASHIMI[4]), "03221", 260),
    _on_request("franken X-wing", 7.2, _large("franken", 2), "0330", 300),
    _on_request("franken swordfish", 7.2, _large("franken", 3), "0331", 350),
    _on_request("franken jellyfish", 7.3, _large("franken", 4), "0332", 370),
    Technique("ALS-XZ", 7.3, als.als_xz, "0901", 300),
    _on_request("ALS-XY-wing", 7.4, als.als_xy_wing, "0902", 320),
    _on_request("finned franken X-wing", 7.4, _large("franken", 2, fins=True), "0340", 390),
    _on_request("finned franken swordfish", 7.4, _large("franken", 3, fins=True), "0341", 410),
    _on_request("siamese finned franken swordfish", 7.4, _siamese(_large("franken", 3, fins=True)), "03411", 410),
    _on_request("mutant X-wing", 7.4, _large("mutant", 2), "0350", 450),
    _on_request("mutant swordfish", 7.4, _large("mutant", 3), "0351", 450),
    Technique("grouped continuous nice loop", 7.5, _chain(chains.continuous_loop, "grouped"), "0709", 300),
    Technique("grouped AIC", 7.5, _chain(chains.aic, "grouped"), "0711", 300),
    Technique("grouped discontinuous nice loop", 7.5, _chain(chains.discontinuous_loop, "grouped"), "0710", 300),
    Technique("Sue de Coq", 7.5, als.sue_de_coq, "1101", 250),
    _net("Nishio", 7.5, "", 500),
    _on_request("finned franken jellyfish", 7.5, _large("franken", 4, fins=True), "0342", 430),
    _on_request("siamese finned franken jellyfish", 7.5, _siamese(_large("franken", 4, fins=True)), "03421", 430),
    _on_request("mutant jellyfish", 7.5, _large("mutant", 4), "0352", 450),
    _on_request("ALS chain", 7.6, als.als_chain, "0903", 340),
    _on_request("finned mutant X-wing", 7.6, _large("mutant", 2, fins=True), "0360", 470),
    _on_request("finned mutant swordfish", 7.6, _large("mutant", 3, fins=True), "0361", 470),
    _on_request("continuous nice loop with locked sets", 7.7, _chain(chains.continuous_loop, "sets"), "0709", 300),
    _on_request("AIC with locked sets", 7.7, _chain(chains.aic, "sets"), "0711", 300),
    _on_request(
        "discontinuous nice loop with locked sets", 7.7, _chain(chains.discontinuous_loop, "sets"), "0710", 300
    ),
    _on_request("finned mutant jellyfish", 7.7, _large("mutant", 4, fins=True), "0362", 470),
    _on_request("siamese finned mutant jellyfish", 7.7, _siamese(_large("mutant", 4, fins=True)), "03621", 470),
    _on_request("finned mutant squirmbag", 7.8, _large("mutant", 5, fins=True), "0363", 470),
    _on_request("finned mutant whale", 7.9, _large("mutant", 6, fins=True), "0364", 470),
    _on_request("death blossom", 7.9, als.death_blossom, "0904", 360),
    _net("forcing chain, contradiction", 8.0, "1301", 500),
    _net("forcing chain, verity", 8.0, "1302", 500),
    _on_request("template set", 8.0, one_digit.template_set, "1201", 10000),
    _on_request("template delete", 8.0, one_digit.template_delete, "1202", 10000),
    _net("forcing net, contradiction", 8.5, "1303", 700),
    _net("forcing net, verity", 8.5, "1304", 700),
    _net("wide forcing net", 9.0, "", 700),
    _net("nested forcing chain", 9.5, "", 1000),
    _net("nested multiple forcing chain", 10.0, "", 1000),
    _net("nested forcing net", 10.5, "", 1000),
)
