"""What the families' pages answer, asked of the workers' functions: right answers, and one line where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.web import work

SOLVED = (
    "#puzzle=tablero&board_w=3&board_h=3&board_edges=acbaadbcaabdbddabccdbadcdbaacbabdaab"
    "&board_pieces=003007006005009002004001008"
)


@pytest.mark.parametrize("method", ["carry", "table", "transport", "sides", "parberry", "anytime", "optimal", "auto"])
def test_every_method_offered_for_tiles_solves(method: str) -> None:
    """A move at a time, as the rules of the puzzle have it, leads home."""
    reply = work.ask("slide", "solve", {"board": "1 2 3/4 0 6/7 5 8", "method": method})
    assert reply["status"] == "solved", reply
    tiles, blank = [1, 2, 3, 4, 0, 6, 7, 5, 8], 4
    for letter in reply["text"]:
        target = blank + {"N": -3, "S": 3, "E": 1, "W": -1}[letter]
        tiles[blank], tiles[target], blank = tiles[target], 0, target
    assert tiles == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    if method not in ("anytime", "optimal", "auto"):
        assert "<script>" in reply["page"]  # the rule of each move is played


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"n": 8, "given": "r1c1,r1c2"}, "r1c1 and r1c2 attack"),
        ({"n": 8, "given": "r1c1,r2c2"}, "r1c1 and r2c2 attack"),
        ({"n": 2}, "at most 1 queen"),
        ({"n": 3}, "at most 2 queens"),
        ({"n": 4, "blocked": "r1c1,r1c2,r1c3,r1c4"}, "every square of row 1"),
    ],
)
def test_annealing_that_cannot_arrive_is_not_played(form: dict[str, Any], why: str) -> None:
    reply = work.ask("queens", "watch", form)
    assert reply["status"] == "none"
    assert why in reply["say"]
    assert "page" not in reply


def test_annealing_that_gives_up_is_not_played() -> None:
    """Six queens with one in the corner: there is no way, and no theorem that says so at once."""
    reply = work.ask("queens", "watch", {"n": 6, "given": "r1c1"})
    assert reply["status"] == "open"
    assert "too many to be played" in reply["say"]
    assert "page" not in reply


def test_the_laying_of_an_address_is_shown() -> None:
    shown = work.show("edges", {"pieces": SOLVED})
    assert shown["score"] == shown["maximum"] == 12
    assert [piece for piece, _ in shown["layout"]] == [3, 7, 6, 5, 9, 2, 4, 1, 8]
    again = work.show("edges", shown["puzzle"])  # as a friend opens the link
    assert again["score"] == 12
    assert work.show("edges", {**shown["puzzle"], "pins": "r1c1"})["score"] == 12
    assert work.load("edges", SOLVED.encode(), "a.txt")["score"] == 12
    found = work.ask("edges", "count", {"pieces": SOLVED, "pins": "r1c1 r2c2"})
    assert found["status"] == "complete"
    assert found["solutions"] >= 1  # what is pinned is the board that is shown


def test_a_hint_on_a_board_without_solution_says_so() -> None:
    """r1c1 of the medium example is 8 and r1c2 is 6: with another digit there every step would lead nowhere."""
    filled = "." + "5" + "." * 79
    reply = work.ask("sudoku", "hint", {"filled": filled})
    assert reply["status"] == "none"
    assert "no solution" in reply["sentence"]
    assert reply["svg"].startswith("<svg")


def test_joins_are_marked_from_the_first_look_on() -> None:
    shown = work.show("edges", dict(work.page_of("edges").examples[0][1]))
    assert shown["score"] < shown["maximum"]
    assert shown["svg"].count("#d00000") > 0


def test_a_board_that_cannot_be_ordered_says_so() -> None:
    assert work.show("slide", {"board": "2 1 3/4 5 6/7 8 0"})["solvable"] is False
    assert work.show("slide", {"board": "1 2 3/4 5 6/7 0 8"})["solvable"] is True
    assert work.ask("slide", "solve", {"board": "1 2 3/4 5 6/7 0 8"})["say"].startswith("1 move by")


def test_bad_schedules_are_refused_at_their_field() -> None:
    assert work.ask("queens", "anneal", {"alpha": "x"})["field"] == "alpha"
    assert "above 0 and below 1" in work.ask("queens", "anneal", {"alpha": "2"})["refused"]
    assert work.ask("queens", "watch", {"n": 20, "t0": "3", "alpha": ".9", "swap": "random"})["status"] == "solved"
