"""The catalogue: every technique, from the easiest to the hardest.

The rating is that of the easiest form on the scale of Sudoku Explainer 1.2.1; a technique that it does not know stands where
the chain stands that does the same.  Code and score are those of HoDoKu 2.2.  Techniques that cost much and that Sudoku
Explainer does not know are found when they are asked for, and not used on the way of a puzzle (`walked`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tablero.sudoku.logic import (
    als,
    bug,
    cages,
    chains,
    colouring,
    fish,
    forcing,
    intersections,
    large_fish,
    patterns,
    singles,
    subsets,
    sue_de_coq,
    templates,
    uniqueness,
    wings,
)
from tablero.sudoku.logic.position import Position, Step


class Technique(NamedTuple):
    """A way to find steps: all that it sees, in a fixed order.  `needs_one`: right only where there is one solution."""

    name: str
    rating: float
    find: Callable[[Position], Iterator[Step]]
    code: str = ""
    score: int = 0
    needs_one: bool = False
    walked: bool = True

    def first(self, position: Position) -> Step | None:
        """The first step, or None; none that rests on there being one solution where that is not known."""
        position.check()
        if self.needs_one and not position.unique:
            return None
        return next(self.find(position), None)

    def all(self, position: Position) -> Iterator[Step]:
        """Every step, each result once."""
        if self.needs_one and not position.unique:
            return
        seen = set()
        position.check()
        for step in self.find(position):
            position.check()
            result = step.result
            if result not in seen:
                seen.add(result)
                yield step


Find = Callable[[Position], Iterator[Step]]


def _fins(size: int, rating: float) -> Find:
    return fish.finned(size, rating, sashimi=False)


def _sashimi(size: int, rating: float) -> Find:
    return fish.finned(size, rating, sashimi=True)


def _large_fins(kind: str, size: int, rating: float) -> Find:
    return large_fish.large(kind, size, rating, fins=True)


def _large(kind: str, size: int, rating: float, code: str, score: int, *, fins: bool = False) -> Technique:
    """Franken or mutant fish."""
    name = large_fish.name_of(kind, size, fins=fins)
    return Technique(name, rating, large_fish.large(kind, size, rating, fins=fins), code, score, walked=False)


def _siamese(name: str, rating: float, find: Find, code: str, score: int, *, also: Find | None = None) -> Technique:
    """Two fish of one base."""
    name = f"siamese {name}"
    return Technique(name, rating, large_fish.siamese(find, name, also), code, score, walked=False)


TECHNIQUES = (
    Technique("last value", 1.0, singles.last_value, "0000", 4),
    Technique("hidden single in a box", 1.2, singles.hidden_in_box, "0002", 14),
    Technique("hidden single", 1.5, singles.hidden_in_line, "0002", 14),
    Technique("direct pointing", 1.7, intersections.direct_pointing, "", 50),
    Technique("direct claiming", 1.9, intersections.direct_claiming, "", 50),
    Technique("direct hidden pair", 2.0, subsets.direct_hidden(2, 2.0), "", 70),
    Technique("naked single", 2.3, singles.naked, "0003", 4),
    Technique("cage combinations", 2.4, cages.cage_combinations, "", 50),
    Technique("direct hidden triplet", 2.5, subsets.direct_hidden(3, 2.5), "", 100),
    Technique("pointing", 2.6, intersections.pointing, "0100", 50),
    Technique("claiming", 2.8, intersections.claiming, "0101", 50),
    Technique("innies and outies", 2.9, cages.innies_and_outies, "", 50),
    Technique("locked pair", 3.0, subsets.locked(2, 3.0), "0110", 40),
    Technique("naked pair", 3.0, subsets.naked(2, 3.0), "0200", 60),
    Technique("X-wing", 3.2, fish.fish(2, 3.2), "0300", 140),
    Technique("hidden pair", 3.4, subsets.hidden(2, 3.4), "0210", 70),
    Technique("locked triplet", 3.6, subsets.locked(3, 3.6), "0111", 60),
    Technique("naked triplet", 3.6, subsets.naked(3, 3.6), "0201", 80),
    Technique("swordfish", 3.8, fish.fish(3, 3.8), "0301", 150),
    Technique("hidden triplet", 4.0, subsets.hidden(3, 4.0), "0211", 100),
    Technique("XY-wing", 4.2, wings.xy_wing, "0800", 160),
    Technique("XYZ-wing", 4.4, wings.xyz_wing, "0801", 180),
    Technique("unique rectangle, type 1", 4.5, uniqueness.type_1, "0600", 100, needs_one=True),
    Technique("unique rectangle, type 2", 4.6, uniqueness.type_2, "0601", 100, needs_one=True),
    Technique("unique rectangle, type 5", 4.6, uniqueness.type_5, "0604", 100, needs_one=True),
    Technique("unique rectangle, type 4", 4.7, uniqueness.type_4, "0603", 100, needs_one=True),
    Technique("unique rectangle, type 3", 4.7, uniqueness.type_3, "0602", 100, needs_one=True),
    Technique("avoidable rectangle, type 1", 4.7, uniqueness.avoidable_1, "0607", 100, needs_one=True),
    Technique("avoidable rectangle, type 2", 4.7, uniqueness.avoidable_2, "0608", 100, needs_one=True),
    Technique("unique rectangle, type 6", 4.8, uniqueness.type_6, "0605", 100, needs_one=True),
    Technique("hidden rectangle", 4.8, uniqueness.hidden_rectangle, "0606", 100, needs_one=True),
    Technique("naked quad", 5.0, subsets.naked(4, 5.0), "0202", 120),
    Technique("jellyfish", 5.2, fish.fish(4, 5.2), "0302", 160),
    Technique("hidden quad", 5.4, subsets.hidden(4, 5.4), "0212", 150),
    Technique("BUG", 5.6, bug.bug_1, "0610", 100, needs_one=True),
    Technique("BUG+n", 5.7, bug.bug_n, "", 100, needs_one=True),
    Technique("simple colouring", 6.5, colouring.simple_trap, "0500", 150),
    Technique("simple colouring, wrap", 6.5, colouring.simple_wrap, "0501", 150),
    Technique("skyscraper", 6.6, patterns.skyscraper, "0400", 130),
    Technique("two-string kite", 6.6, patterns.two_string_kite, "0401", 150),
    Technique("dual two-string kite", 6.6, patterns.dual_kite, "0404", 150, walked=False),
    Technique("turbot fish", 6.6, patterns.turbot_fish, "0403", 120),
    Technique("empty rectangle", 6.6, patterns.empty_rectangle, "0402", 120),
    Technique("dual empty rectangle", 6.6, patterns.dual_empty_rectangle, "0405", 120, walked=False),
    Technique("remote pair", 6.6, chains.remote_pair, "0703", 110),
    Technique("X-chain", 6.6, chains.x_chain, "0701", 260),
    Technique("multi-colours 1", 6.7, colouring.multi_colours_1, "0502", 200),
    Technique("multi-colours 2", 6.7, colouring.multi_colours_2, "0503", 200),
    Technique("finned X-wing", 6.7, fish.finned(2, 6.7, sashimi=False), "0310", 130),
    Technique("sashimi X-wing", 6.7, fish.finned(2, 6.7, sashimi=True), "0320", 150),
    Technique("W-wing", 6.8, wings.w_wing, "0803", 150),
    Technique("finned swordfish", 6.9, fish.finned(3, 6.9, sashimi=False), "0311", 200),
    Technique("sashimi swordfish", 6.9, fish.finned(3, 6.9, sashimi=True), "0321", 240),
    _siamese("finned swordfish", 6.9, _fins(3, 6.9), "03111", 200, also=_sashimi(3, 6.9)),
    _siamese("sashimi swordfish", 6.9, _sashimi(3, 6.9), "03211", 240),
    Technique("XY-chain", 7.0, chains.xy_chain, "0702", 260),
    Technique("WXYZ-wing", 7.0, wings.wxyz_wing, "", 300),
    Technique("continuous nice loop", 7.0, chains.continuous_loop, "0706", 280),
    Technique("AIC", 7.0, chains.aic, "0708", 280),
    Technique("discontinuous nice loop", 7.0, chains.discontinuous_loop, "0707", 280),
    Technique("finned jellyfish", 7.1, fish.finned(4, 7.1, sashimi=False), "0312", 250, walked=False),
    Technique("sashimi jellyfish", 7.1, fish.finned(4, 7.1, sashimi=True), "0322", 260, walked=False),
    _siamese("finned jellyfish", 7.1, _fins(4, 7.1), "03121", 250, also=_sashimi(4, 7.1)),
    _siamese("sashimi jellyfish", 7.1, _sashimi(4, 7.1), "03221", 260),
    _large("franken", 2, 7.2, "0330", 300),
    _large("franken", 3, 7.2, "0331", 350),
    _large("franken", 4, 7.3, "0332", 370),
    Technique("ALS-XZ", 7.3, als.als_xz, "0901", 300),
    Technique("ALS-XY-wing", 7.4, als.als_xy_wing, "0902", 320, walked=False),
    _large("franken", 2, 7.4, "0340", 390, fins=True),
    _large("franken", 3, 7.4, "0341", 410, fins=True),
    _siamese("finned franken swordfish", 7.4, _large_fins("franken", 3, 7.4), "03411", 410),
    _large("mutant", 2, 7.4, "0350", 450),
    _large("mutant", 3, 7.4, "0351", 450),
    Technique("grouped continuous nice loop", 7.5, chains.grouped_continuous_loop, "0709", 300),
    Technique("grouped AIC", 7.5, chains.grouped_aic, "0711", 300),
    Technique("grouped discontinuous nice loop", 7.5, chains.grouped_discontinuous_loop, "0710", 300),
    Technique("Sue de Coq", 7.5, sue_de_coq.sue_de_coq, "1101", 250),
    Technique("Nishio", 7.5, forcing.nishio, "", 500),
    _large("franken", 4, 7.5, "0342", 430, fins=True),
    _siamese("finned franken jellyfish", 7.5, _large_fins("franken", 4, 7.5), "03421", 430),
    _large("mutant", 4, 7.5, "0352", 450),
    Technique("ALS chain", 7.6, als.als_chain, "0903", 340, walked=False),
    _large("mutant", 2, 7.6, "0360", 470, fins=True),
    _large("mutant", 3, 7.6, "0361", 470, fins=True),
    Technique("continuous nice loop with locked sets", 7.7, chains.sets_continuous_loop, "0709", 300, walked=False),
    Technique("AIC with locked sets", 7.7, chains.sets_aic, "0711", 300, walked=False),
    Technique(
        "discontinuous nice loop with locked sets", 7.7, chains.sets_discontinuous_loop, "0710", 300, walked=False
    ),
    _large("mutant", 4, 7.7, "0362", 470, fins=True),
    _siamese("finned mutant jellyfish", 7.7, _large_fins("mutant", 4, 7.7), "03621", 470),
    _large("mutant", 5, 7.8, "0363", 470, fins=True),
    _large("mutant", 6, 7.9, "0364", 470, fins=True),
    Technique("death blossom", 7.9, als.death_blossom, "0904", 360, walked=False),
    Technique("forcing chain, contradiction", 8.0, forcing.chain_contradiction, "1301", 500),
    Technique("forcing chain, verity", 8.0, forcing.chain_verity, "1302", 500),
    Technique("template set", 8.0, templates.template_set, "1201", 10000, walked=False),
    Technique("template delete", 8.0, templates.template_delete, "1202", 10000, walked=False),
    Technique("forcing net, contradiction", 8.5, forcing.net_contradiction, "1303", 700),
    Technique("forcing net, verity", 8.5, forcing.net_verity, "1304", 700),
    Technique("wide forcing net", 9.0, forcing.wide_net, "", 700),
    Technique("nested forcing chain", 9.5, forcing.nested_chain, "", 1000),
    Technique("nested multiple forcing chain", 10.0, forcing.nested_multiple, "", 1000),
    Technique("nested forcing net", 10.5, forcing.nested_net, "", 1000),
)

SCORES = {technique.name: technique.score for technique in TECHNIQUES}
