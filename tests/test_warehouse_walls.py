"""Warehouses with walls, and with fewer tiles than slots: plans are replayed, and proofs compared with a search."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tablero import warehouse
from tablero.cli import run
from tablero.errors import BadInput
from tablero.text import out_of_place
from tablero.warehouse import formats, search, settle, shorten
from tablero.warehouse.direct import Direct, Stuck
from tablero.warehouse.lanes import Way
from tablero.warehouse.matching import matching
from tablero.warehouse.plan import SEARCHED, OutOfTime
from tablero.warehouse.verbs import Method

STEP = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
BARRED = ". . . .\n. 1 3 .\n# 4 2 .\n. # . #\n"
EMPTY_SLOT = ". . . . .\n. 1 # 2 .\n. 3 . 4 .\n. 5 6 7 .\n. . . . .\n"
SCATTERED = ". . . . .\n5 1 # 2 .\n. 3 . 4 .\n. . 6 7 8\n. . . . .\n"
CUT_OFF = "1 # . .\n# 2 . .\n. 3 4 .\n. . . .\n"
NO_TURNING = "# # # #\n# 2 1 #\n# # # #\n# # # .\n"
CROWDED = """
. . . . . . . . .
# 5 2 # . 11 # 9 .
. 1 # 12 . 4 8 14 .
. 3 7 6 # # 10 13 .
. . . . . . . . #
"""


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def after(text: str, moves: list[list[object]]) -> list[list[str]]:
    """The floor after moves of [tile, direction, row, column]; all of them must be legal."""
    rows = words(text)
    for tile, way, row, column in moves:
        assert isinstance(row, int)
        assert isinstance(column, int)
        r, c = row - 1, column - 1
        s, d = r + STEP[str(way)][0], c + STEP[str(way)][1]
        assert rows[r][c] == str(tile)
        assert 0 <= s < len(rows)
        assert 0 <= d < len(rows[0])
        assert rows[s][d] == "."
        rows[s][d], rows[r][c] = rows[r][c], "."
    return rows


def wanted(text: str, side: int) -> list[list[str]]:
    """The floor in order: the tiles one after another in the blocks, corridors and the last slots empty."""
    rows = words(text)
    tiles = iter(sorted((word for row in rows for word in row if word.isdigit()), key=int))
    return [
        [
            "#" if word == "#" else next(tiles, ".") if r % (side + 1) and c % (side + 1) else "."
            for c, word in enumerate(row)
        ]
        for r, row in enumerate(rows)
    ]


def can_be_done(text: str, goal: list[list[str]], most: int) -> bool | None:
    """By a search of all positions; None where there are too many."""
    fewest = fewest_moves(text, goal, most)
    return None if fewest is None else fewest >= 0


def fewest_moves(text: str, goal: list[list[str]], most: int) -> int | None:
    """By a search of all positions, −1 where there is no way; None where there are too many."""
    rows = words(text)
    columns, last = len(rows[0]), tuple(word for row in goal for word in row)
    first = tuple(word for row in rows for word in row)
    seen, edge, moves = {first}, [first], 0
    while edge and last not in seen:
        moves += 1
        if len(seen) > most:
            return None
        further = []
        for position in edge:
            for cell, word in enumerate(position):
                if not word.isdigit():
                    continue
                for down, right in STEP.values():
                    r, c = cell // columns + down, cell % columns + right
                    if 0 <= r < len(rows) and 0 <= c < columns and position[r * columns + c] == ".":
                        new = list(position)
                        new[r * columns + c], new[cell] = word, "."
                        if (key := tuple(new)) not in seen:
                            seen.add(key)
                            further.append(key)
        edge = further
    return moves if last in seen else -1


def reported(capfd: pytest.CaptureFixture[str], path: Path, text: str, *options: str) -> tuple[int, dict[str, object]]:
    path.write_text(text, encoding="utf-8")
    status = run(["warehouse", "solve", str(path), "--json", *options])
    found: dict[str, object] = json.loads(capfd.readouterr().out)
    return status, found


@pytest.mark.parametrize(
    ("text", "side", "most"), [(BARRED, 2, 6), (EMPTY_SLOT, 3, 30), (SCATTERED, 3, 50), (CROWDED, 3, 1000)]
)
def test_floors_that_can_be_ordered(
    text: str, side: int, most: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, found = reported(capfd, tmp_path / "floor.txt", text)
    assert (status, found["status"]) == (0, "solved")
    answers = found["answers"]
    assert isinstance(answers, list)
    assert len(answers[0]) == found["moves"]
    assert len(answers[0]) <= most
    assert after(text, answers[0]) == wanted(text, side)


@pytest.mark.parametrize(("text", "words"), [(CUT_OFF, "divide the floor into parts"), (NO_TURNING, "was searched")])
def test_floors_that_cannot_be_ordered(
    text: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, found = reported(capfd, tmp_path / "floor.txt", text)
    assert (status, found["status"], found["moves"], found["answers"]) == (1, "none", None, [])
    assert words in str(found["remark"])
    assert can_be_done(text, wanted(text, 2), 100_000) is False
    assert run(["warehouse", "solve", str(tmp_path / "floor.txt")]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "no plan (proved)" in err


def test_what_is_not_found_is_open(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_POSITIONS", 0)
    monkeypatch.setattr(settle, "_TRIES", 0)
    status, found = reported(capfd, tmp_path / "floor.txt", BARRED)
    assert (status, found["status"], found["moves"], found["answers"]) == (3, "open", None, [])
    assert run(["warehouse", "solve", str(tmp_path / "floor.txt")]) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert "whether there is one is not known" in err


def random_floor(choose: random.Random, side: int, down: int, across: int) -> str:
    """Walls anywhere, and some tiles in the blocks or scattered."""
    rows, columns = down * (side + 1) + 1, across * (side + 1) + 1
    share = choose.choice((0.1, 0.2, 0.3))
    cells = ["#" if choose.random() < share else "." for _ in range(rows * columns)]
    cells[0] = "."  # else it might be a frame
    free = [k for k, word in enumerate(cells) if word == "."]
    slots = [k for k in free if k // columns % (side + 1) and k % columns % (side + 1)]
    places = free if choose.random() < 0.4 else slots
    tiles = range(1, min(len(slots), choose.choice((1, 3, 5, 6))) + 1)
    for tile, cell in zip(tiles, choose.sample(places, len(tiles)), strict=True):
        cells[cell] = str(tile if choose.random() < 0.9 else 1)
    return "\n".join(" ".join(cells[k : k + columns]) for k in range(0, len(cells), columns))


def is_right(text: str, side: int, most: int) -> str:
    """Whether a floor's plan is one, and its proof right."""
    goal = wanted(text, side)
    plan = warehouse.parse(text, side=side).solve()
    if plan.status == "solved":
        assert after(text, plan.to_list()[0]) == goal
    elif plan.status == "none":
        assert not can_be_done(text, goal, most)
    else:
        assert plan.remark
    return plan.status if not len(plan) or plan.reasons.max() < SEARCHED else "searched"


def test_random_floors_are_ordered_or_proved_to_be_barred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_POSITIONS", 20_000)
    choose = random.Random(15)
    kinds: list[str] = []
    while len(kinds) < 60:
        side, down, across = choose.choice(((2, 1, 1), (2, 1, 1), (2, 1, 2), (3, 1, 1)))
        text = random_floor(choose, side, down, across)
        if any(word.isdigit() for row in words(text) for word in row):
            kinds.append(is_right(text, side, 10_000))
    assert all(kinds.count(kind) > 3 for kind in ("solved", "searched", "none"))
    assert kinds.count("open") < 4


def test_tiles_are_settled_where_there_are_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_POSITIONS", 0)
    choose = random.Random(16)
    texts = [random_floor(choose, *choose.choice(((2, 1, 1), (3, 1, 1), (2, 2, 2)))) for _ in range(50)]
    kinds = [is_right(text, 2 if len(words(text)) != 5 else 3, 10_000) for text in texts if any(map(str.isdigit, text))]
    assert kinds.count("searched") > 4


@pytest.mark.parametrize("method", ["exchange", "direct", "auto"])
def test_slots_may_be_empty(method: Method) -> None:
    choose = random.Random(4)
    for side, down, across in ((2, 1, 2), (3, 2, 2), (5, 1, 1), (6, 1, 2)):
        layout = warehouse.Layout(side, down, across)
        tiles = [*range(1, 2 * len(layout.slots) // 3), *[0] * len(layout.slots)][: len(layout.slots)]
        choose.shuffle(tiles)
        cells = [0] * (layout.rows * layout.columns)
        for cell, tile in zip(layout.slots, tiles, strict=True):
            cells[cell] = tile
        start = warehouse.Warehouse(layout, tuple(cells))
        text = formats.write(start)
        assert warehouse.parse(text, side=side) == start
        plan = start.solve(method=method)
        assert after(text, plan.to_list()[0]) == wanted(text, side)


def test_a_goal_says_which_slots_shall_be_empty(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "floor.txt"
    assert reported(capfd, path, EMPTY_SLOT, "--goal", "1 2 3 . 4 5 6 7")[1]["moves"] == 0
    status, found = reported(capfd, path, EMPTY_SLOT, "--goal", "7,6,5,0,4,3,2,1")
    answers = found["answers"]
    assert status == 0
    assert isinstance(answers, list)
    ordered = after(EMPTY_SLOT, answers[0])
    assert [row[1:4] for row in ordered[1:4]] == [["7", "#", "6"], ["5", ".", "4"], ["3", "2", "1"]]
    with pytest.raises(BadInput, match="other tiles than the floor"):
        warehouse.parse(EMPTY_SLOT, goal=[1, 2, 3, 4, 5, 6, 0, 0])


def test_scattered_tiles_among_walls_are_formed_at_the_cost_of_the_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shorten, "MOST_MOVES", 0)  # of plans that are made shorter
    start = warehouse.parse(SCATTERED)
    plan = start.solve()
    assert plan.forming == matching(start)[1] > 0


def test_walls_all_round_are_no_frame() -> None:
    text = "\n".join(["# # # # # #"] * 2 + ["# # 2 1 # #", "# # 3 4 # #"] + ["# # # # # #"] * 2)
    floor = warehouse.parse(text)
    assert (floor.layout.rows, len(floor.layout.walls)) == (4, 12)
    assert warehouse.parse(formats.write(floor)) == floor
    assert floor.solve().status == "none"


def test_what_digging_costs() -> None:
    for level in range(2, 9):
        way = Way(100, 20, level, 1, 1)
        moves = way.digging()
        assert sum(own for *_, own in moves) == level
        assert 2 * sum(not own for *_, own in moves) == way.opening == 2 * (5 * level - 8)


def test_auto_takes_the_better_plan() -> None:
    for n, seed in ((4, 1), (4, 2), (4, 3), (4, 4), (9, 1), (25, 1)):
        start = warehouse.generate(n, seed=seed)
        lengths = {method: len(start.solve(method=method)) for method in ("exchange", "direct")}
        best = start.solve(method="auto")
        assert len(best) == min(lengths.values()) == lengths[best.method]


def test_few_tiles_take_the_fewest_moves() -> None:
    choose = random.Random(17)
    solved = 0
    while solved < 25:
        side, down, across = choose.choice(((2, 1, 2), (2, 2, 1), (3, 1, 1), (2, 1, 1)))
        rows, columns = down * (side + 1) + 1, across * (side + 1) + 1
        cells = ["#" if choose.random() < 0.05 else "." for _ in range(rows * columns)]
        cells[0] = "."
        free = [k for k, word in enumerate(cells) if word == "."]
        slots = [k for k in free if k // columns % (side + 1) and k % columns % (side + 1)]
        places = choose.sample(free if choose.random() < 0.3 else slots, min(len(slots), choose.randint(1, 3)))
        for tile, cell in enumerate(places, 1):
            cells[cell] = str(tile if choose.random() < 0.9 else 1)
        text = "\n".join(" ".join(cells[k : k + columns]) for k in range(0, len(cells), columns))
        known = fewest_moves(text, wanted(text, side), 25_000)
        plan = warehouse.parse(text, side=side).solve()
        if known is not None and known >= 0:
            assert len(plan) == known
            solved += 1
        elif known is not None:
            assert plan.status == "none"


def test_loops_are_cut_and_windows_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # Tile 5 goes out and back while tile 9 passes elsewhere: only 9 moves; but not when 6 passes by 5's cell.
    out_and_back = [(5, 4, 0), (9, 10, 0), (4, 5, 0)]
    assert shorten.without_loops(out_and_back) == [(9, 10, 0)]
    through = [(5, 4, 0), (6, 5, 0), (5, 1, 0), (4, 5, 0)]
    assert shorten.without_loops(through) == through
    lengths = []
    for most in (0, shorten.MOST_MOVES):
        monkeypatch.setattr(shorten, "MOST_MOVES", most)
        plans = [warehouse.generate(9, seed=seed).solve(method="direct") for seed in range(3)]
        lengths.append(sum(map(len, plans)))
    assert lengths[1] < 0.95 * lengths[0]


@pytest.mark.parametrize("error", [OutOfTime, KeyboardInterrupt])
def test_a_plan_that_cannot_be_made_shorter_in_time_is_still_one(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(shorten, "fewest", ends)
    text = formats.write(warehouse.generate(9, seed=1))
    plan = warehouse.parse(text).solve(method="direct")
    assert (plan.status, plan.interrupted) == ("solved", error is KeyboardInterrupt)
    assert after(text, plan.to_list()[0]) == wanted(text, 3)


@pytest.mark.parametrize("method", ["direct", "auto"])
def test_a_planner_is_told_also_where_nothing_is_planned(method: Method) -> None:
    assert formats.parse(CUT_OFF).solve(method=method).method == "direct"


def test_a_direct_plan_is_told_as_such_where_the_planner_has_to_be_helped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(_: Direct) -> int:
        raise Stuck

    monkeypatch.setattr(Direct, "order", stuck)
    monkeypatch.setattr(shorten, "MOST_MOVES", 0)
    assert warehouse.generate(9, seed=1).solve(method="direct").method == "direct"


def test_one_tile_is_not_several() -> None:
    assert out_of_place(0, "slot", 5) is None
    assert out_of_place(1, "slot", 1) == "1 tile is not in its slot after 1 move"
    assert out_of_place(2, "slot", 1000) == "2 tiles are not in their slots after 1,000 moves"
