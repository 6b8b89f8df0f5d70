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
from click.shell_completion import shell_complete

from tablero import interrupts
from tablero.cli import running
from tablero.cli.root import COMPLETE, Root
from tablero.cli.running import Printed, plain, print_json
from tablero.errors import BadInput
from tablero.text import short

_LONGEST = 800  # characters of a complaint
_WORD = re.compile(r"'([^']{200,})'")  # what was given, where it is longer than any path
FAULT = 70  # of tablero itself: as sysexits.h has it for software


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
    running.printed = Printed()
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
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        return 2
    except click.ClickException as error:
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
    except (KeyboardInterrupt, click.Abort):
        return _interrupted(arguments)
    except Exception as error:
        return _confess(error, debug)


def _do(arguments: list[str]) -> int:
    """Run what was asked for, or complete the words of a shell."""
    root = Root()
    if asked := os.environ.get(COMPLETE):
        return shell_complete(root, {}, "tablero", COMPLETE, asked)
    try:  # not by `main`, which has its own words for Ctrl-C
        with root.make_context("tablero", list(arguments)) as context:
            return int(root.invoke(context) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code


def _runner() -> Any:
    """Where the last search is known, if there was any."""
    return sys.modules.get("tablero.runs.session")


def _interrupted(arguments: list[str]) -> int:
    """Ctrl-C before there was anything to tell: whoever asked for JSON gets an object all the same, with what is known."""
    asked = arguments[: arguments.index("--")] if "--" in arguments else arguments
    runner = _runner()
    known = getattr(runner, "latest", None)  # a module that is being imported has none yet
    if ("--json" in asked or "--jsonl" in asked) and not running.printed.begun:
        counts = ("solutions", "nodes", "seconds", "cpu_seconds", "fraction")
        if known:
            values = {key: getattr(known, key) for key in ("status", *counts)}
        elif asked[0] == "jobs" or any(word.startswith("--job") for word in asked):
            values = running.printed.known or {"status": "open"}  # no zeros: the job's file may know more
        else:
            values = {"status": "open", **dict.fromkeys(counts, 0)}
        print_json(values)
    if (
        known
        and known.solutions
        and known.kept
        and not (running.printed.all_there_was or {"-q", "--quiet"} & set(asked))
    ):
        print(f"interrupted: {known.solutions:,} found, not all told", file=sys.stderr)
    sys.stdout.flush()
    return interrupts.INTERRUPTED


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
