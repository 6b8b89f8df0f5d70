"""What the commands of the queens print, also of a job that was resumed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tablero.cli.common import Outlet, Settings, exit_status, print_found, print_json, sentence
from tablero.words import several

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tablero.puzzles.queens import Annealed, Armies, Counted, Solved, Tuned
    from tablero.runs.findings import Findings

_SMALL = 32  # sides up to this are shown as a board


def show(found: Findings[Any], settings: Settings) -> int:
    """Print what was found, and give the exit status."""
    from tablero.puzzles.queens import Annealed, Armies, Counted, Solved, Tuned

    if settings.as_json:
        without = isinstance(found, Counted | Tuned)
        if without:
            print_json(found.values())
        else:
            print_found(found, settings)
        return exit_status(found)
    if isinstance(found, Annealed):
        _show_annealed(found, settings)
    elif isinstance(found, Counted):
        _show_count(found, settings)
    elif isinstance(found, Armies):
        _show_armies(found, settings)
    elif isinstance(found, Tuned):
        _show_tuned(found, settings)
    elif isinstance(found, Solved):
        _show_solved(found, settings)
    return exit_status(found)


def _show_annealed(found: Annealed, settings: Settings) -> None:
    # Of one run the board is the answer, of several the table; their boards are in the JSON.
    if found.runs == 1:
        _show_boards(found, settings)
    if found.why:
        settings.say(found.why)
        return
    gave_up = "" if found.solutions == found.runs else "; the others gave up or were stopped"
    anew = f", {several(found.restarts, 'restart')}" if found.restarts else ""
    settings.say(
        f"{found.solutions} of {several(found.runs, 'run')} arrived ({100 * found.success:.0f} %){anew}{gave_up}"
    )
    if lost := found.gave_up:
        settings.say(
            f"seed {lost.seed} gave up after {several(lost.trials, 'trial')} and {several(lost.restarts, 'restart')} "
            f"at a cost of {lost.cost:,}; its best board, of cost {lost.best_cost:,}:"
        )
        settings.say(_numbers(lost.best))
    cpu, trials = found.cpu_statistics, found.trials
    if cpu and trials:
        tell: Callable[[str], None] = settings.say if found.runs == 1 else print
        tell(f"{'':<10}{'mean':>12}{'deviation':>12}{'median':>12}{'least':>12}{'most':>12}")
        tell("CPU, ms   " + "".join(f"{1000 * value:>12.3f}" for value in cpu))
        tell("trials    " + "".join(f"{value:>12,.0f}" for value in trials))


def _show_solved(found: Solved, settings: Settings) -> None:
    from tablero.puzzles.queens.solve import LOCAL

    _show_boards(found, settings)
    if found.why and not found.nodes:
        settings.say(found.why)
    elif found.method == "construct":
        settings.say(f"constructed in {1000 * found.seconds:.1f} ms")
    elif found.status == "open" and found.method in LOCAL and found.fraction == 1:
        # Every run of a local search ended: that is all it does, and it proves nothing.
        wanted = several(found.solutions, "different solution") if found.solutions else "no solution"
        settings.say(f"{wanted}; the runs of {found.method} gave up, there may be more; {several(found.nodes, 'node')}")
    else:
        settings.say(sentence(found, "solution", "solutions") + (f"; {found.why}" if found.why else ""))
    if found.asked:
        settings.say(f"by exact, not {found.asked}: several boards of up to 20 queens that are kept or shared")


def _show_boards(found: Annealed | Solved, settings: Settings) -> None:
    Outlet(settings, lambda piece, _: "".join(_numbers(columns) + "\n" for columns in piece.columns))(found)
    if found.solutions == 1 and found.board is not None and found.puzzle.n <= _SMALL:
        settings.say(str(found.board))


def _numbers(columns: NDArray[np.int32]) -> str:
    """The columns of a board as a line."""
    return " ".join(map(str, columns.tolist()))


def _show_count(found: Counted, settings: Settings) -> None:
    kind = "fundamental " if found.fundamental else ""
    print(found.solutions)
    settings.say(found.why if found.why and not found.nodes else sentence(found, f"{kind}solution", f"{kind}solutions"))


def _show_armies(found: Armies, settings: Settings) -> None:
    proved = "stopped: there may be larger ones" if found.status == "open" else "no larger ones (proved)"
    print(found.size)
    settings.say(str(found), f"{found.size} against {found.size}; {proved}; {several(found.nodes, 'node')}")


def _show_tuned(found: Tuned, settings: Settings) -> None:
    stalls = len({one.max_stall for one in found.tried}) > 1
    print(
        f"{'T0':>9} {'alpha':>7} {'L':>4}  {'cooling':<12}{'trials':>12}{'deviation':>12}{'CPU, ms':>10}{'arrived':>9}"
        + (f"{'max stall':>11}" if stalls else "")
    )
    for one in found.tried[: 1 if settings.quiet else 10]:
        print(
            f"{one.t0:>9.4g} {one.alpha:>7.4g} {one.length:>4}  {one.cooling:<12}{one.trials:>12,.1f}"
            f"{one.deviation:>12,.1f}{1000 * one.seconds:>10.3f}{100 * one.success:>8.0f}%"
            + (f"{one.max_stall:>11,}" if stalls else "")
        )
    if found.importance:
        shares = ", ".join(f"{name} {100 * part:.0f} %" for name, part in found.importance.items())
        settings.say(f"what matters (PED-ANOVA): {shares}")
    if found.status == "open":
        settings.say(f"stopped at {100 * found.fraction:.0f} % of what was to be tried")
