"""The command line: `tablero FAMILY VERB …`.

Nothing heavy is imported here.  Of the families only the one that is asked for is loaded, and each command imports what it
needs when it runs, so `tablero --help` answers at once.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from typing import Any

import click
import typer

from tablero import interrupts
from tablero.cli import cluster, common, doctor, jobs, serve, tour
from tablero.cli.help import dress
from tablero.cli.plain import plain
from tablero.errors import BadInput
from tablero.families import families
from tablero.words import short

_LONGEST = 800  # characters of a complaint
_WORD = re.compile(r"'([^']{200,})'")  # what was given, where it is longer than any path
FAULT = 70  # of tablero itself: as sysexits.h has it for software
STATUSES = (
    "Exit status: 0 answered, 1 proved that there is no answer, 2 bad input, 3 stopped with the answer open, "
    "70 a fault of tablero itself, 130 interrupted."
)
_HELP = """A laboratory for board puzzles: generate, solve, count and show them.

Examples:
    tablero tour                                a puzzle of every family, solved and drawn
    tablero serve --open                        all of it as a page in the browser
    tablero sudoku generate --rating hard       a puzzle, on this terminal
    tablero queens solve 8 --svg board.svg      an answer, drawn
    tablero edges solve --help                  options and examples of every command
"""
_START, _PUZZLES, _BEYOND = "To begin with", "Puzzles", "Long searches"
_FIRST: dict[str, Any] = {"tour": tour.tour, "serve": serve.serve, "doctor": doctor.doctor}
_LAST: dict[str, Any] = {"jobs": jobs.app, "cluster": cluster.app}

# Typer carries the exceptions of its command parser without naming them: a bad parameter is a usage error is one of them.
_UsageError: Any = typer.BadParameter.__bases__[0]
_ParserError: Any = _UsageError.__bases__[0]


def app_for(arguments: list[str]) -> typer.Typer:
    """The parser, with the commands of that family only that is asked for."""
    app = typer.Typer(
        name="tablero",
        help=_HELP,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=True,
        epilog=STATUSES,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(_root)
    completing = any(name.endswith("_COMPLETE") and "TABLERO" in name for name in os.environ)
    asked = next((word for word in arguments if not word.startswith("-")), "")
    for word, commands in _FIRST.items():
        _add(app, word, _START, commands)
    for family in families().values():
        if family.has("commands") and (completing or family.word == asked):
            _add(app, family.word, _PUZZLES, family.module("commands").app)
        else:  # enough for the list in the help
            app.add_typer(typer.Typer(), name=family.word, help=family.about, rich_help_panel=_PUZZLES)
    for word, commands in _LAST.items():
        _add(app, word, _BEYOND, commands)
    dress(app)
    return app


def _add(app: typer.Typer, word: str, shelf: str, commands: Any) -> None:
    """A group of commands, or a command that is a word by itself."""
    if isinstance(commands, typer.Typer):
        app.add_typer(commands, name=word, rich_help_panel=shelf)
    else:
        app.command(word, rich_help_panel=shelf)(commands)


def _version(wanted: bool) -> None:
    if wanted:
        from tablero import __version__

        print(f"tablero {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    pass


def main() -> None:
    """Run a command; whatever the user did wrong is told in one line, and the exit status says the rest."""
    # The workers of a local cluster, as this process, import nothing from the folder where the command happens to be given.
    os.environ["PYTHONSAFEPATH"] = "1"
    interrupts.at_end = _last_words
    status = run(sys.argv[1:])
    if status == interrupts.INTERRUPTED:
        interrupts.end()  # nobody waits for what is under way
    sys.exit(status)


def _last_words() -> None:
    """What is told where a stop is requested and no work can be stopped soon."""
    arguments = sys.argv[1:]
    if not {"-q", "--quiet"} & set(arguments):
        clear = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{clear}interrupted{' while a kernel was compiled' if interrupts.compiling else ''}", file=sys.stderr)
    _interrupted(arguments)


def run(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    debug = "--debug" in arguments
    arguments = [word for word in arguments if word != "--debug"]  # wherever it stands
    common.told, common.all_told, common.known = False, False, {}
    if runner := _runner():
        runner.latest = None
    try:
        status = _do(arguments)
        if status == interrupts.INTERRUPTED:  # the parser may have turned Ctrl-C into a status
            return _interrupted(arguments)
        sys.stdout.flush()
        return status
    except BadInput as error:
        if debug:
            _print_traceback(error)
        return _complain(str(error))
    except (_ParserError, click.ClickException) as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.format_message())
            return 2
        return _complain(_bad_value(error) or error.format_message() or "see 'tablero --help'")
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
    except (KeyboardInterrupt, typer.Abort, click.Abort):
        return _interrupted(arguments)
    except Exception as error:
        return _confess(error, debug)


def _do(arguments: list[str]) -> int:
    """Run what was asked for: the verb of a family, or a command of no family."""
    asked = next((word for word in arguments if not word.startswith("-")), "")
    family = next((one for one in families().values() if asked in one.words), None)
    if family is None or family.has("commands") or arguments[0] != asked:
        return int(app_for(arguments)(arguments, prog_name="tablero", standalone_mode=False) or 0)
    from tablero.cli.verbs import FamilyGroup

    group = FamilyGroup(family, asked)
    return int(group.main(arguments[1:], prog_name=f"tablero {asked}", standalone_mode=False) or 0)


def _runner() -> Any:
    """Where the last search is known, if there was any."""
    return sys.modules.get("tablero.runs.session")


def _interrupted(arguments: list[str]) -> int:
    """Ctrl-C before there was anything to tell: whoever asked for JSON gets an object all the same, with what is known."""
    asked = arguments[: arguments.index("--")] if "--" in arguments else arguments
    runner = _runner()
    known = runner.latest if runner else None
    if ("--json" in asked or "--jsonl" in asked) and not common.told:
        counts = ("solutions", "nodes", "seconds", "cpu_seconds", "fraction")
        if known:
            values = {key: getattr(known, key) for key in ("status", *counts)}
        elif asked[0] == "jobs" or any(word.startswith("--job") for word in asked):
            values = common.known or {"status": "open"}  # no zeros: the job's file may know more
        else:
            values = {"status": "open", **dict.fromkeys(counts, 0)}
        common.print_json(values)
    if known and known.solutions and known.kept and not (common.all_told or {"-q", "--quiet"} & set(asked)):
        print(f"interrupted: {known.solutions:,} found, not all told", file=sys.stderr)
    sys.stdout.flush()
    return interrupts.INTERRUPTED


def _bad_value(error: Any) -> str:
    """What stands where a number is expected, in our words: the parser's own do not tell the value."""
    param, faults = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if param is None or not callable(faults):
        return ""
    fault = faults()[0]
    kind = {"int": "a whole number", "float": "a number"}.get(fault["type"].partition("_")[0])
    name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar or param.name.upper()
    return f"{name} {short(str(fault['input']))}: expected {kind}" if kind else ""


def _complain(message: str) -> int:
    line = plain(" ".join(message.split()))
    line = _WORD.sub(lambda found: short(found[1]), line)
    if len(line) > _LONGEST:  # what was given may be a whole file
        line = f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"
    print("tablero: " + line, file=sys.stderr)
    return 2


def _print_traceback(error: Exception) -> None:
    import traceback

    traceback.print_exception(error)


def _confess(error: Exception, debug: bool) -> int:
    """A fault of tablero itself: never status 1, which is a proof."""
    if debug:
        _print_traceback(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    hint = "" if debug else "; '--debug' shows where"
    print(f"tablero: a fault of tablero itself, please report it: {plain(what)}{hint}", file=sys.stderr)
    return FAULT
