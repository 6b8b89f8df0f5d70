"""The warm processes of the web page: drawings do not wait for questions, nobody works for those who have gone, and what
takes too long is ended, compiling left out."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import Request

from tablero.web import limits, work
from tablero.web.limits import Notes, TimeIsUp, Writer, within
from tablero.web.pool import THINKERS, Closing, Pool


class Visitor:
    """Somebody who waits, or who has gone."""

    def __init__(self, *, gone: bool = False) -> None:
        self.gone = gone

    async def is_disconnected(self) -> bool:
        return self.gone


def request(*, gone: bool = False) -> Request:
    return cast(Request, Visitor(gone=gone))


def note(path: str) -> dict[str, Any]:
    Path(path).touch()
    return {"noted": path}


def wait_for(path: str) -> dict[str, Any]:
    while not Path(path).exists():
        time.sleep(0.02)
    return {"saw": path}


def test_questions_under_way_hold_up_no_drawing_and_the_gone_are_dropped(tmp_path: Path) -> None:
    bell, never = str(tmp_path / "bell"), str(tmp_path / "never")

    async def scene() -> None:
        pool = Pool()
        try:
            slow = [asyncio.create_task(pool.think(wait_for, bell, request=request())) for _ in range(THINKERS)]
            gone = asyncio.create_task(pool.think(note, never, request=request(gone=True)))
            with pytest.raises(Closing):
                await gone
            assert await pool.draw(note, bell) == {"noted": bell}  # while the others think
            assert [await one for one in slow] == [{"saw": bell}] * THINKERS
            left = asyncio.create_task(pool.think(wait_for, never, request=request()))
            await asyncio.sleep(0.1)
            await pool.close()
            with pytest.raises(Closing):
                await left
            with pytest.raises(Closing):
                await pool.draw(note, never)
        finally:
            await pool.close()

    with ThreadPoolExecutor(1) as thread:  # of its own: the tests with a browser have a loop in this one
        thread.submit(lambda: asyncio.run(scene())).result()
    assert not Path(never).exists()


def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeIsUp), within(0.3):
        wait_for("/nowhere")


def test_compiling_is_not_limited() -> None:
    clock = limits._compiling()
    with within(0.3):
        clock.begin()
        clock.begin()  # one function within another
        until = time.monotonic() + 0.8
        while time.monotonic() < until:
            time.sleep(0.01)
        clock.end()
        clock.end()
    assert clock.depth == 0


def test_numba_moves_the_clock() -> None:
    import numba

    clock = limits._compiling()
    before = clock.seconds
    assert numba.njit(lambda number: number + 1)(1) == 2
    assert clock.seconds > before


def test_a_verb_that_takes_too_long_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    page = work.page_of("sudoku")
    hasty = replace(page, verbs=tuple(replace(verb, seconds=0.5) for verb in page.verbs))
    monkeypatch.setattr(work, "page_of", lambda word: hasty)
    reply = work.ask("sudoku", "make", {"side": "25", "kind": "jigsaw"})
    assert reply["slow"]
    assert reply["refused"].startswith("it takes longer than 0.5 s")
    assert "tablero sudoku generate" in reply["refused"]


def test_what_is_compiled_for_a_question_can_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While numba is at work a note says how much is left; afterwards there is none."""
    counts = iter([(12, 12), (9, 12), (0, 12), (0, 12)])
    monkeypatch.setattr(limits, "parts_left", lambda: next(counts))
    book = Notes()
    report = Writer(book.path("abc"))
    report(False)
    assert book.read("abc") is None
    report(True)
    assert book.read("abc") == {"left": 12, "parts": 12}
    report(True)
    reported = book.read("abc")
    assert reported is not None
    assert (reported["left"], reported["parts"]) == (9, 12)
    assert reported.get("seconds", 0) >= 0
    report(True)
    assert book.read("abc") == {"left": 0, "parts": 12}
    report(False)
    assert book.read("abc") is None
    book.drop("abc")
    book.close()
    report(True)  # whoever closes the server does not stop those who write


def test_the_clock_tells_whether_something_is_compiled() -> None:
    heard: list[bool] = []
    clock = limits._compiling()
    with within(60, heard.append):
        while not heard:
            time.sleep(0.01)
        clock.begin()
        while heard[-1] is False:
            time.sleep(0.01)
        clock.end()
    assert heard[0] is False
    assert heard[-1] is True
