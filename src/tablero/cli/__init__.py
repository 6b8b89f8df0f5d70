"""The command line: `tablero FAMILY VERB …`.

Nothing heavy is imported here: each command imports what it needs when it runs, so `tablero --help` answers at once.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import typer

from tablero.cli import cluster, cover, decompose, doctor, edges, jobs, queens, slide, sudoku, tour, warehouse
from tablero.cli.plain import plain
from tablero.errors import BadInput

# Typer carries the exceptions of its command parser without naming them: a bad parameter is a usage error is one of them.
_UsageError: Any = typer.BadParameter.__bases__[0]
_ParserError: Any = _UsageError.__bases__[0]

app = typer.Typer(
    name="tablero",
    help="A laboratory for board puzzles: generate, solve, count, study and show them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    epilog="Exit status: 0 answered, 1 proved that there is no answer, 2 bad input, 3 stopped with the answer open, "
    "130 interrupted.",
)
app.add_typer(cover.app, name="cover")
app.add_typer(edges.app, name="edges")
app.add_typer(queens.app, name="queens")
app.add_typer(slide.app, name="slide")
app.add_typer(warehouse.app, name="warehouse")
app.add_typer(sudoku.app, name="sudoku")
app.add_typer(jobs.app, name="jobs")
app.add_typer(cluster.app, name="cluster")
app.command("decompose")(decompose.decompose)
app.command("tour")(tour.tour)
app.command("doctor")(doctor.doctor)


def _version(wanted: bool) -> None:
    if wanted:
        from tablero import __version__

        print(f"tablero {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def main() -> None:
    """Run a command; whatever the user did wrong is told in one line, and the exit status says the rest."""
    # A batch system and 'jobs stop' ask a process to end in this way; it does so as it does for Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    try:
        status = int(app(arguments, standalone_mode=False) or 0)
        sys.stdout.flush()
        return status
    except BadInput as error:
        return _complain(str(error))
    except _ParserError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.format_message())
            return 2
        return _complain(error.format_message() or "see 'tablero --help'")
    except RecursionError:
        return _complain("the input is nested too deeply")
    except MemoryError:
        return _complain("not enough memory for this problem")
    except (BrokenPipeError, SystemExit):  # the parser turns the one into the other
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads: let the rest vanish
        return 128 + signal.SIGPIPE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"cannot write the output: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        return 130


def _complain(message: str) -> int:
    print("tablero: " + plain(" ".join(message.split())), file=sys.stderr)
    return 2
