"""What the kernels of decompositions find on small problems, as JSON."""

from __future__ import annotations

import json
from typing import Any

from tablero.decomposition import decompose
from tablero.decomposition.solving import solve

found: dict[str, object] = {}
cases: list[tuple[str, Any, dict[str, Any], str]] = [
    ("K6", "double-star", {}, "auto"),
    ("K5", "path-3", {"conditions": [(0, 2)]}, "auto"),
    ("K4", "path-3", {"fold": 2}, "auto"),
    ("K5", {"triangle": 2, "path-3": 2}, {}, "auto"),
    ("K3,3", "path-4", {}, "auto"),
    ("K6", "matching", {"perfect": True}, "auto"),
    ("K7", "triangle", {"fold": 2, "symmetry": "cyclic"}, "orbits"),
    ("K6", "path", {"symmetry": "bicyclic"}, "laying"),
    ("K6", "double-star", {"symmetry": "bicyclic"}, "laying"),
    ("K8", "matching", {"symmetry": "cyclic"}, "laying"),
    ("K4", "path", {}, "laying"),
    ("K5", "path-3", {}, "laying"),
    ("K5", "cycle", {}, "laying"),
    ("K8", "path", {"symmetry": "bicyclic"}, "laying"),
    ("K10", "path-4", {"symmetry": "5"}, "laying"),
]
cases += [("K6", "path", {}, "anneal"), ("K9", "0-1,1-2,2-3,1-4", {"symmetry": "cyclic"}, "anneal")]
for host, into, settings, method in cases:
    result = solve(decompose(host, into, **settings), 1 if method == "anneal" else None, method=method).result
    found[f"{host} {into} {settings}"] = [result.nodes, result.answers.tolist()]
print(json.dumps(found))
