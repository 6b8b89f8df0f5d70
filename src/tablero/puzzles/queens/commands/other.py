"""`tablero queens armies` and `model`."""

from __future__ import annotations

from typing import Annotated

import typer

from tablero.cli.common import (
    Json,
    NodeLimit,
    Output,
    Quiet,
    Settings,
    SvgFile,
    TimeLimit,
    print_json,
    put,
    require_pictures,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.files import require_writable
from tablero.puzzles.queens.commands.show import show
from tablero.puzzles.queens.commands.words import Count


def armies(
    n: Count,
    svg: SvgFile = None,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The largest peaceable armies: as many white queens as black, none attacking one of the other colour.

    Examples:
        tablero queens armies 6 --svg armies.svg
    """
    from tablero.puzzles.queens import armies

    settings = Settings.of(time_limit=time_limit, node_limit=node_limit, as_json=as_json, quiet=quiet)
    require_pictures(svg=svg)
    found = armies(n, run=settings.run())
    status = show(found, settings)
    write_svg(svg, found.scene())
    return status


def model(
    n: Count,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="Without it as the file is called, or lp.",
            show_default=False,
            autocompletion=one_of("lp", "mps"),
        ),
    ] = "",
    output: Output = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Write the integer programme for solvers of others.

    Examples:
        tablero queens model 8 -o queens.lp
    """
    from tablero.puzzles.queens.model import format_of, lines, write

    if output is not None:
        require_writable(output, option="--output")
    chosen = format_of(form, output)
    text = write(n, chosen)
    if output is not None or not as_json:
        put(text, output)
    if as_json:
        values = {"status": "solved", "format": chosen, "variables": n * n, "constraints": sum(1 for _ in lines(n))}
        print_json({**values, **({"model": text} if output is None else {})})
    return 0
