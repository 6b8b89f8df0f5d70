"""First decompositions of complete graphs into spanning trees: `python -m bench.laying` prints a table of CPU seconds.

    double star, path     as `tablero decompose` knows them
    caterpillar           a path on two thirds of the vertices; the others hang on it, at most one on each of its inner ones
    bushy caterpillar     any number of leaves on a vertex of a random path, as far as counting degrees allows

Caterpillars are random by seed, which is n.  A time is that of one call of `solve`, kernels compiled before; "none" is a
proof that there is no decomposition, and "open" that none was found within the limit.
"""

from __future__ import annotations

import random
import time

from tablero.decomposition import decompose
from tablero.decomposition.necessary import obstacle
from tablero.runs.run import Here

_LIMIT = 30.0
_SIZES = range(10, 31, 2)


def caterpillar(n: int) -> list[tuple[int, int]]:
    seeded, spine = random.Random(n), n * 2 // 3
    inner = seeded.sample(range(1, spine - 1), n - spine)
    return [(k, k + 1) for k in range(spine - 1)] + [(vertex, spine + k) for k, vertex in enumerate(inner)]


def bushy(n: int) -> list[tuple[int, int]]:
    seeded = random.Random(n)
    while True:
        spine = seeded.randint(3, n - 3)
        edges = [(k, k + 1) for k in range(spine - 1)] + [(seeded.randrange(spine), v) for v in range(spine, n)]
        if obstacle(decompose(f"K{n}", edges)) is None:
            return edges


def main() -> None:
    for n in (6, 10, 14):  # compiles: a matrix has a kernel by its size
        decompose(f"K{n}").solve(method="matrix")
    for method in ("laying", "anneal"):
        decompose("K6").solve(method=method)
    print("| | double star | path | caterpillar | bushy caterpillar (largest degrees) |\n|---|---|---|---|---|")
    for n in _SIZES:
        row = []
        for part in ("double-star", "path", caterpillar(n), bushy(n)):
            began = time.process_time()
            found = decompose(f"K{n}", part).solve(run=Here(time_limit=_LIMIT))
            reported = f"{time.process_time() - began:.2f}" if found.status == "solved" else found.status
            row.append(reported)
        degrees = sorted(found.puzzle.parts[0].graph.degrees, reverse=True)[:4]
        print(f"| K{n} | {' | '.join(row)} ({', '.join(map(str, degrees))}) |", flush=True)


if __name__ == "__main__":
    main()
