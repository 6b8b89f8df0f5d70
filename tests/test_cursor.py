"""The cursor on random trees: nothing is lost, nothing is done twice, however it is split, stored and continued."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablero.errors import BadInput
from tablero.search.cursor import Cursor, Level

Tree = list["Tree"]  # a node is the list of its children

trees: st.SearchStrategy[Tree] = st.recursive(st.just([]), lambda child: st.lists(child, max_size=4), max_leaves=60)


def walk(tree: Tree, cursor: Cursor | None, most: int) -> tuple[list[tuple[int, ...]], Cursor | None]:
    """Visit up to `most` nodes from a cursor, as a kernel does: the paths visited and where it stands then."""
    visited: list[tuple[int, ...]] = []
    while cursor is not None and len(visited) < most:
        node = tree
        for level in cursor.levels:
            assert level.width == len(node)
            node = node[level.at]
        visited.append(cursor.path)
        levels = list(cursor.levels)
        if node:
            levels.append(Level(0, len(node) - 1, len(node)))
        else:
            while levels and levels[-1].at == levels[-1].last:
                levels.pop()
            if levels:
                at, last, width = levels.pop()
                levels.append(Level(at + 1, last, width))
        cursor = Cursor(tuple(levels)) if levels else None
    return visited, cursor


def all_nodes(tree: Tree) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for k, child in enumerate(tree):
        found += [(k, *path) for path in all_nodes(child)]
    return found


@given(trees)
def test_whole_walk_visits_every_node_once_in_order(tree: Tree) -> None:
    visited, rest = walk(tree, Cursor(), 10**6)
    assert visited == all_nodes(tree)
    assert rest is None


@given(trees, st.integers(0, 2**32))
def test_any_splits_cover_the_tree_exactly_once(tree: Tree, seed: int) -> None:
    """Units are advanced a little, stored, loaded and split in any order, until nothing is left."""
    choose = random.Random(seed)
    units = [Cursor()]
    pieces: list[tuple[tuple[int, ...], list[tuple[int, ...]]]] = []
    done = Fraction(0)
    while units:
        unit = units.pop(choose.randrange(len(units)))
        before = unit.share()
        visited, rest = walk(tree, unit, choose.randrange(0, 5))
        pieces.append((unit.path, visited))
        if rest is None:
            done += before
            continue
        done += before - rest.share()
        assert rest.share() <= before
        rest = Cursor.load(rest.store())
        parts = rest.divide(choose.randrange(1, 5))
        assert sum(part.share() for part in parts) == rest.share()
        assert [part.path for part in parts] == sorted(part.path for part in parts)
        units += parts
        assert done + sum(part.share() for part in units) == 1
    assert done == 1
    in_order = [path for _, visited in sorted(pieces, key=lambda piece: piece[0]) for path in visited]
    assert in_order == all_nodes(tree)


@given(trees, st.integers(0, 40), st.integers(1, 7))
def test_stored_cursor_continues_as_if_never_stored(tree: Tree, first: int, step: int) -> None:
    visited, cursor = walk(tree, Cursor(), first)
    while cursor is not None:
        again = Cursor.load(cursor.store())
        assert again == cursor
        more, cursor = walk(tree, again, step)
        visited += more
    assert visited == all_nodes(tree)


def test_share_of_the_root_is_all() -> None:
    assert Cursor().share() == 1
    assert Cursor().split() is None
    assert Cursor((Level(2, 2, 3),)).share() == Fraction(1, 3)


def test_split_hands_over_the_upper_half_of_the_shallowest_open_level() -> None:
    cursor = Cursor((Level(1, 1, 5), Level(0, 4, 5), Level(2, 3, 4)))
    kept, given = cursor.split() or pytest.fail("it can be split")
    assert kept.levels == (Level(1, 1, 5), Level(0, 2, 5), Level(2, 3, 4))
    assert given.levels == (Level(1, 1, 5), Level(3, 4, 5))


def test_a_stored_cursor_is_small() -> None:
    deep = Cursor(tuple(Level(k % 50, 60, 70) for k in range(100)))
    assert len(deep.store()) < 400


@given(st.binary(max_size=40))
def test_any_bytes_load_or_are_refused(data: bytes) -> None:
    try:
        cursor = Cursor.load(data)
    except BadInput:
        return
    assert Cursor.load(cursor.store()) == cursor
    assert all(0 <= level.at <= level.last < level.width for level in cursor.levels)
