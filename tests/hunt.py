"""Kill and interrupt jobs of all families at random moments: `python -m tests.hunt --kills 20 --interrupts 20 --seed 1`.

Every job is run once undisturbed.  Each strike starts or resumes a job, waits, and sends SIGKILL or SIGINT.
At the end all jobs are resumed until they are done; their totals are compared with the undisturbed ones.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

FILES = {
    "pentominoes.dlx": "cover make pentominoes 6x10",
    "queens.dlx": "cover make queens 13",
    "pieces.txt": "edges generate 5 --colours 3 --seed 1",
    "framed.txt": "edges generate 6 --framed 3,5 --seed 1",
    "board.txt": "slide random 4 --seed 12",
    "killer.txt": "sudoku generate --kind killer --side 9 --seed 2",
}
JOBS = {
    "cover": "cover count pentominoes.dlx --kernel sparse",
    "cover-all": "cover solve queens.dlx --solutions all --kernel bits",
    "decomposition": "decompose count K10 --into double-star",
    "decomposition-laying": "decompose count K9 --into triangle --method laying",
    "edges": "edges count pieces.txt --method scan",
    "edges-fewest": "edges count framed.txt --method fewest",
    "queens": "queens count 17",
    "queens-row": "queens count 14 --fundamental",
    "queens-anneal": "queens anneal 200000 --runs 6 --seed 1",
    "sliding": "slide solve board.txt --method optimal --estimate walking",
    "sudoku": "sudoku count killer.txt",
}
TOTALS = ("status", "solutions", "nodes", "fraction", "moves", "success")
SECONDS = 600  # for a job that is not disturbed


def command(words: str, *more: str) -> list[str]:
    return [sys.executable, "-m", "tablero", *words.split(), *more]


def totals(answer: dict[str, object]) -> dict[str, object]:
    """What must be the same however often a job is stopped."""
    return {key: answer[key] for key in TOTALS if key in answer}


def hunt(kills: int, interrupts: int, seed: int) -> int:
    """Strike, resume and compare; the number of jobs whose totals differ."""
    choose = random.Random(seed)
    strikes = [signal.SIGKILL] * kills + [signal.SIGINT] * interrupts
    choose.shuffle(strikes)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        env = {**os.environ, "TABLERO_HOME": str(place / "home")}

        def run(words: str, *more: str) -> subprocess.CompletedProcess[str]:
            done = command(words, *more)
            return subprocess.run(done, cwd=place, env=env, capture_output=True, text=True, timeout=SECONDS)

        for name, words in FILES.items():
            (place / name).write_text(run(words, "--quiet").stdout, encoding="utf-8")
        wanted, took = {}, {}
        for name, words in JOBS.items():
            run(words, "--time-limit", "0.1s")  # so that kernels are compiled
            began = time.monotonic()
            wanted[name] = totals(json.loads(run(words, "--job", f"{name}-whole", "--json").stdout))
            took[name] = time.monotonic() - began
            print(f"{name:22} {took[name]:6.1f} s  {wanted[name]}", flush=True)
        statuses: Counter[tuple[str, int]] = Counter()
        odd = []
        for strike in strikes:
            name = choose.choice([*JOBS])
            argv = command(JOBS[name], "--job", name, "--json")
            victim = subprocess.Popen(argv, cwd=place, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(choose.uniform(0.0, max(1.0, took[name])))
            victim.send_signal(strike)
            sent = time.monotonic()
            _, error = victim.communicate(timeout=60)
            late = time.monotonic() - sent
            statuses[strike.name, victim.returncode] += 1
            if b"Traceback" in error and b"KeyboardInterrupt" not in error:
                odd.append(f"{name}: {strike.name}: {error.decode(errors='replace')[-300:]}")
            if strike == signal.SIGINT and victim.returncode not in (0, 1, 2, 130, -signal.SIGINT):
                odd.append(f"{name}: {strike.name}: status {victim.returncode} after {late:.1f} s")
        wrong = 0
        for name, words in JOBS.items():
            found = totals(json.loads(run(words, "--job", name, "--json").stdout))
            same = found == wanted[name]
            wrong += not same
            print(f"{name:22} {'exact' if same else f'differs: {found}'}", flush=True)
    print(f"{kills} kills and {interrupts} interrupts, seed {seed}; exit statuses:")
    for (sent_as, status), number in sorted(statuses.items()):
        print(f"  {sent_as:8} {status:4} {number:4}")
    for line in odd:
        print(line)
    print(f"{wrong} of {len(JOBS)} totals differ, {len(odd)} odd ends")
    return wrong + len(odd)


def main() -> int:
    about = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about.add_argument("--kills", type=int, default=20)
    about.add_argument("--interrupts", type=int, default=20)
    about.add_argument("--seed", type=int, default=1)
    given = about.parse_args()
    return 1 if hunt(given.kills, given.interrupts, given.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
