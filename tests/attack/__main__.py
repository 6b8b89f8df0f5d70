"""`python -m tests.attack --seed S --inputs N --seconds B`: spoilt texts for every parser, then commands and job files.

Every input follows from the seed, its target and its number, so that each can be made again.  A parser must accept a
text or raise `BadInput`; a command must end with a status that is documented, and with one line where it refuses.  The exit
status is 1 when anything else happened.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
import warnings
from pathlib import Path

from tablero.errors import BadInput
from tests.attack import commands
from tests.attack.findings import Report, skeleton
from tests.attack.mutations import spoil
from tests.attack.targets import Target, all_targets

MEMORY = 6 << 30  # bytes that the attack may take
TOO_LONG = 5.0  # seconds of processor for one text of at most 200,000 characters
SLICE = 200  # inputs of one target before the next has its turn
COMMANDS = 0.4  # of the time is for commands and job files


def one(report: Report, target: Target, number: int, others: list[str]) -> None:
    """Input of that number for a parser."""
    choose = random.Random(f"{report.seed}:{target.name}:{number}")
    text = spoil(choose, choose.choice(target.texts), target.texts if choose.random() < 0.9 else others)
    began = time.process_time()
    try:
        repr(target.read(text))
        outcome = "accepted"
    except BadInput as error:
        outcome = skeleton(str(error))
        if "\n" in str(error):
            report.fault(target.name, number, f"more than one line: {error!r}", text)
    except BaseException as error:  # whatever it is: that is what is looked for
        if isinstance(error, KeyboardInterrupt):
            raise
        outcome = f"fault {type(error).__name__}"
        report.fault(target.name, number, f"{type(error).__name__}: {error}", text)
    seconds = time.process_time() - began
    report.add(target.name, outcome, seconds)
    if seconds > TOO_LONG:
        report.fault(target.name, number, f"{seconds:.1f} s", text)


def parsers(report: Report, targets: list[Target], inputs: int, seconds: float) -> None:
    """All targets in turn, until there were so many inputs or the time is over."""
    others = [text for target in targets for text in target.texts]
    began, number, done = time.monotonic(), 0, 0
    while done < inputs:
        for target in targets:
            for k in range(number, number + SLICE):
                one(report, target, k, others)
            done += SLICE
            if done >= inputs or time.monotonic() - began > seconds:
                return
        number += SLICE


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="what the inputs follow from (the time)")
    parser.add_argument("--inputs", type=int, default=10**9, help="texts at most (without end)")
    parser.add_argument("--seconds", type=float, default=60, help="how long at most (60)")
    parser.add_argument("--only", default="", help="one target, as cover.parse; or texts, arguments or jobs")
    parser.add_argument("--number", type=int, help="only the input of this number")
    parser.add_argument("--faults", type=Path, default=Path(".attack"), help="the folder for inputs that bring faults")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    report = Report(given.seed, given.faults.absolute())
    targets = all_targets()
    texts = [text for target in targets for text in target.texts]
    with tempfile.TemporaryDirectory(prefix="tablero-attack-") as folder:
        here = Path.cwd()
        try:
            commands.prepare(Path(folder), targets)
            chosen = [target for target in targets if given.only in ("", "texts", target.name)]
            if given.number is not None and chosen and given.only:
                one(report, chosen[0], given.number, texts)
            elif chosen:
                parsers(report, chosen, given.inputs, given.seconds * (1 if given.only else 1 - COMMANDS))
            for name in ("arguments", "jobs"):
                if given.only in ("", name):
                    commands.attack(report, name, given.seconds * COMMANDS / 2, given.number, texts)
        finally:
            os.chdir(here)
    print(report.text())
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
