"""`tablero tour`: a puzzle of every family, solved and drawn on one page."""

from __future__ import annotations

import html
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.common import Quiet, write_text
from tablero.errors import BadInput, MissingExtra


@dataclass(frozen=True)
class Stop:
    """One puzzle of the tour."""

    title: str
    command: str
    words: str
    svg: str
    text: str


def _cover() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.draw.text import to_text
    from tablero.puzzles.cover import generate
    from tablero.puzzles.cover.draw import mosaic

    problem = generate.pentominoes(6, 10)
    found = problem.solve(None)
    picture = mosaic(problem, found.chosen[0], "the twelve pentominoes in a rectangle of 6 by 10")
    words = (
        f"The twelve pentominoes fill a rectangle of 6 by 10 in {found.solutions:,} ways (turns and reflections of the "
        f"board counted). All were found and checked in {found.result.seconds:.2f} seconds, "
        f"{found.result.nodes:,} nodes of the search tree; this is the first."
    )
    return Stop(
        "Exact cover",
        "tablero cover make pentominoes 6x10 -o pentominoes.dlx\ntablero cover solve pentominoes.dlx --solutions all",
        words,
        to_svg(picture.scene()),
        to_text(picture, colours=sys.stdout.isatty()),
    )


def _decompose() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.decomposition import decompose

    puzzle = decompose("K10", into="double-star")
    found = puzzle.classes()
    example = found.classes[0].example
    words = (
        f"A double star is two joined vertices with four leaves each. The complete graph on ten vertices divides into five "
        f"of them in {found.labelled:,} ways, all found in {found.found.result.seconds:.2f} seconds. Up to the names of "
        f"the vertices there are {len(found.classes)}; this is the one with {found.classes[0].group} symmetries."
    )
    return Stop(
        "Decompositions of graphs",
        "tablero decompose K10 --into double-star --classes --svg k10.svg",
        words,
        to_svg(example.scene()),
        str(example),
    )


def _queens() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.queens.count import count, fundamental, images
    from tablero.puzzles.queens.draw import gallery

    boards = fundamental(8)
    own_turn = next(k for k, board in enumerate(boards, 1) if len(set(images(board.tolist()))) < 8)
    words = (
        f"Eight queens stand on a chessboard in {count(8)} ways so that none attacks another. Turned and reflected boards "
        f"counted once, {len(boards)} are left; number {own_turn} is its own half turn, and has four images "
        f"instead of eight."
    )
    return Stop(
        "Queens",
        "tablero queens count 8 --fundamental --svg queens.svg",
        words,
        to_svg(gallery(boards, f"The {len(boards)} fundamental solutions of 8 queens")),
        str(boards[0]),
    )


def _sudoku() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.sudoku.draw import step_scene
    from tablero.puzzles.sudoku.examples import position_for

    position, step = position_for("swordfish")
    puzzle = position.puzzle
    found = puzzle.solve()
    only = "the only one" if found.unique else "one of several"
    words = (
        f"A puzzle of {puzzle.clues} clues; its solution is {only}. Solved as people do, always by the easiest step, its "
        f"rating is {puzzle.rate()}. In the drawing a swordfish is the easiest step. {step.sentence}"
    )
    return Stop(
        "Sudoku",
        f"tablero sudoku step {puzzle.line()} --svg steps",
        words,
        to_svg(step_scene(position, step)),
        str(found),
    )


def _edges() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.edges.draw import scene, to_text
    from tablero.puzzles.edges.generate import generate

    puzzle = generate(8, colours=8, seed=5)
    found = puzzle.solve()
    board = found.layings[0]
    words = (
        f"64 pieces with 8 colours, each join marked by a colour and a sign, so that it reads in grey as well. Solved by "
        f"the method {found.method} in {found.result.seconds:.2f} seconds and {found.result.nodes:,} nodes, and checked."
    )
    return Stop(
        "Edge matching",
        "tablero edges generate 8 --colours 8 --seed 5 -o pieces.txt\ntablero edges solve pieces.txt --svg board.svg",
        words,
        to_svg(scene(puzzle, board, "a solved edge-matching puzzle of 8 by 8"), 60),
        to_text(puzzle, board, colours=sys.stdout.isatty()),
    )


def _slide() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.puzzles import sliding
    from tablero.puzzles.sliding.draw import scene

    worst = sliding.worst(5, "table")
    short = worst.board.solve("anytime", time_limit=1.0)
    words = (
        f"No board of 5 by 5 takes the thesis's method more than {worst.moves} moves; this is one that takes just so many "
        f"(the thesis promised {worst.bound}). Searching pieces of that answer again for a second brought it down to "
        f"{len(short)}; at least {short.lower} are needed."
    )
    return Stop(
        "Sliding tiles",
        f"tablero slide worst 5\ntablero slide solve '{sliding.write(worst.board)}' --page moves.html",
        words,
        to_svg(scene(worst.board, "the worst board of 5 by 5"), 60),
        str(worst.board),
    )


def _warehouse() -> Stop:
    from tablero.draw.svg import to_svg
    from tablero.puzzles import warehouse
    from tablero.puzzles.warehouse.draw import picture, scene

    layout = warehouse.square(16)
    plan = warehouse.random(layout, seed=1).solve()
    words = (
        f"{len(layout.slots)} tiles in nine blocks, in a random order. Putting them in order took {len(plan):,} moves, "
        f"every one legal and checked; the thesis's bound is {layout.bound:,}, the corrected estimate {layout.estimate:,}."
    )
    return Stop(
        "The warehouse",
        "tablero warehouse solve 16 --seed 1 --page moves.html -o moves.csv",
        words,
        to_svg(scene(plan.warehouse, "a warehouse of 16 by 16"), 32),
        picture(list(plan.warehouse.cells), layout),
    )


_STOPS = (_cover, _decompose, _queens, _sudoku, _edges, _slide, _warehouse)

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>tablero: the tour</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 17px/1.5 system-ui, sans-serif; color: #1f2430; background: #fafaf7; max-width: 46rem; margin: 3rem auto;
       padding: 0 1rem }}
section {{ background: #fff; border: 1px solid #e4e2da; border-radius: 10px; padding: 1.2rem 1.6rem; margin: 1.5rem 0 }}
svg {{ display: block; max-width: 100%; height: auto; margin: 1rem auto }}
pre {{ background: #f3f1ea; border-radius: 6px; padding: .7rem 1rem; overflow-x: auto; font-size: 14px }}
</style></head><body>
<h1>tablero</h1><p>A laboratory for board puzzles. A puzzle of every family, solved on this machine just now.</p>
{sections}
</body></html>
"""


def tour(
    into: Annotated[Path, typer.Option("--into", help="The folder to write to.")] = Path("tour"),
    quiet: Quiet = False,
) -> int:
    """A puzzle of every family, solved and drawn: tour/index.html."""
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write to {into}: {error.strerror or error}") from None
    sections = []
    if not quiet:
        print("a puzzle of every family; the first time, kernels are compiled, which takes a while …", file=sys.stderr)
    for make in _STOPS:
        try:
            stop = make()
        except MissingExtra as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        name = stop.title.lower().replace(" ", "-") + ".svg"
        write_text(into / name, stop.svg)
        if not quiet:
            print(f"{stop.title}\n{stop.text}\n{stop.words}\n")
        sections.append(
            f"<section><h2>{html.escape(stop.title)}</h2>\n{stop.svg}<p>{html.escape(stop.words)}</p>\n"
            f"<pre>{html.escape(stop.command)}</pre></section>"
        )
    write_text(into / "index.html", _PAGE.format(sections="\n".join(sections)))
    print(f"{into / 'index.html'}")
    return 0
