"""The command line: `tablero FAMILY VERB …`.

Nothing heavy is imported here.  Only the requested family is loaded, and each command imports what it needs when it runs, so
`tablero --help` is fast.
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

_LONGEST = 800  # characters of an error message
_WORD = re.compile(r"'([^']{200,})'")  # a quoted value that is longer than any path
FAULT = 70  # exit status of an internal error: EX_SOFTWARE of sysexits.h


def main() -> None:
    """Run the command of `sys.argv` and exit with its status; a user's error is reported in one line."""
    # Neither this process nor the workers of a local cluster import modules from the current folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    interrupts.at_end = _last_words
    status = run(sys.argv[1:])
    if status == interrupts.INTERRUPTED:
        interrupts.end()  # without waiting for threads
    sys.exit(status)


def _last_words() -> None:
    """Report an interrupt that cannot stop the current work soon."""
    arguments = sys.argv[1:]
    if not {"-q", "--quiet"} & set(arguments):
        clear = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{clear}interrupted{' while a kernel was compiled' if interrupts.compiling else ''}", file=sys.stderr)
    _interrupted(arguments)


def run(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    debug = "--debug" in arguments
    arguments = [word for word in arguments if word != "--debug"]  # at any position
    running.printed = Printed()
    if runner := _runner():
        runner.latest = None
    try:
        status = _do(arguments)
        if status == interrupts.INTERRUPTED:  # click may turn Ctrl-C into a status
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
    except (BrokenPipeError, SystemExit):  # click turns the former into the latter
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard the rest of the output
        return 128 + signal.SIGPIPE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"cannot write the output: {error.strerror or error}")
    except (KeyboardInterrupt, click.Abort):
        return _interrupted(arguments)
    except Exception as error:
        return _report_fault(error, debug)


def _do(arguments: list[str]) -> int:
    """Run the command, or print shell completions."""
    root = Root()
    if asked := os.environ.get(COMPLETE):
        return shell_complete(root, {}, "tablero", COMPLETE, asked)
    try:  # not by click's `main`, which prints its own message for Ctrl-C
        with root.make_context("tablero", list(arguments)) as context:
            return int(root.invoke(context) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code


def _runner() -> Any:
    """The module that runs searches, if it has been imported."""
    return sys.modules.get("tablero.runs.session")


def _interrupted(arguments: list[str]) -> int:
    """Handle Ctrl-C; with --json, print an object with what is known if none was printed."""
    asked = arguments[: arguments.index("--")] if "--" in arguments else arguments
    runner = _runner()
    known = getattr(runner, "latest", None)  # a module that is being imported has none yet
    if ("--json" in asked or "--jsonl" in asked) and not running.printed.begun:
        counts = ("solutions", "nodes", "seconds", "cpu_seconds", "fraction")
        if known:
            values = {key: getattr(known, key) for key in ("status", *counts)}
        elif asked[0] == "jobs" or any(word.startswith("--job") for word in asked):
            values = running.printed.known or {"status": "open"}  # no zeros: the job's file may contain results
        else:
            values = {"status": "open", **dict.fromkeys(counts, 0)}
        print_json(values)
    if (
        known
        and known.solutions
        and known.kept
        and not (running.printed.all_there_was or {"-q", "--quiet"} & set(asked))
    ):
        print(f"interrupted: {known.solutions:,} found, not all printed", file=sys.stderr)
    sys.stdout.flush()
    return interrupts.INTERRUPTED


def _complain(message: str) -> int:
    line = plain(" ".join(message.split()))
    line = _WORD.sub(lambda found: short(found[1]), line)
    if len(line) > _LONGEST:  # the value may be a whole file
        line = f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"
    print("tablero: " + line, file=sys.stderr)
    return 2


def _print_traceback(error: Exception) -> None:
    import traceback

    traceback.print_exception(error)


def _report_fault(error: Exception, debug: bool) -> int:
    """Report an internal error.  Its status is never 1, which means a proof."""
    if debug:
        _print_traceback(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    hint = "" if debug else "; '--debug' shows the traceback"
    print(f"tablero: internal error, please report it: {plain(what)}{hint}", file=sys.stderr)
    return FAULT
