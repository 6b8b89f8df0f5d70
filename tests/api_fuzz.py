"""Requests of all kinds against a running server: `make fuzz`.  Whatever is asked, nothing may be the server's fault (500).

schemathesis makes the requests from the description that the server gives of itself.  That says little about forms, so
the verbs and the fields that there are, with values that they could have, are written into it first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tablero.families import families
from tablero.web.work import page_of

_STREAM = "/api/events"  # it never ends
_ODD = [
    "",
    "0",
    "-1",
    "all",
    "K4",
    "path-3",
    "r1c1",
    "8",
    "." * 16,
    "1 2/3 0",
    "a b\n\na b\n",
    "NSEW",
    "\x00",
    "½",
    "9" * 30,
]


def find_schemathesis() -> str | None:
    """The command, where it is installed."""
    beside = Path(sys.executable).parent / "schemathesis"
    return str(beside) if beside.exists() else shutil.which("schemathesis")


def described(schema: dict[str, Any]) -> dict[str, Any]:
    """The server's description, with what it does not say: verbs, fields and their values."""
    pages = [page_of(family.word) for family in families().values()]
    verbs = sorted({verb.name for page in pages for verb in page.verbs})
    fields: dict[str, list[Any]] = {}
    for page in pages:
        examples = [values for _, values in page.examples]
        for field in (*page.puzzle, *(field for verb in page.verbs for field in verb.fields)):
            known = [example[field.name] for example in examples if field.name in example]
            fields.setdefault(field.name, []).extend([field.default, *field.choices, *known, *_ODD])
    form = {
        "type": "object",
        "properties": {name: {"enum": list(dict.fromkeys(values))} for name, values in fields.items()},
        "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]},
    }
    parts = schema["components"]["schemas"]
    for name in ("Asked", "NewJob"):
        parts[name]["properties"]["form"] = form
    new = parts["NewJob"]
    new["properties"] |= {
        "time_limit": {"enum": [0.1]},
        "family": {"enum": [family.word for family in families().values()]},
    }
    new["properties"] |= {"verb": {"enum": [*verbs, "no"]}, "threads": {"enum": [1, 2]}}
    new["required"] = [*new.get("required", []), "time_limit"]
    for methods in schema["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                if parameter["name"] == "verb":
                    parameter["schema"] = {"enum": [*verbs, "no"]}
                elif parameter["name"] == "name" and parameter["in"] == "path":
                    parameter["schema"] = {"enum": ["eight", "none", "x-wing", "last-value"]}
    return schema


@contextmanager
def served() -> Iterator[str]:
    """A server of its own, with one job."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TABLERO_HOME": home}
        tablero = [sys.executable, "-m", "tablero"]
        job = [*tablero, "queens", "solve", "8", "-n", "all", "--job", "eight", "--quiet"]
        subprocess.run(job, env=environment, check=True, stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [*tablero, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            reported = re.search(r"http://[^/]+", server.stdout.readline())
            assert reported
            yield reported[0]
        finally:
            server.terminate()
            server.wait()
            assert server.stdout is not None
            server.stdout.close()


def fuzz(examples: int, seed: int, *, corners: bool = True) -> int:
    """Ask for everything so often, with the corners of every value first; 0 where no reply was a fault of the server."""
    command = find_schemathesis()
    if command is None:
        raise SystemExit("schemathesis is not installed: pip install --group browser")
    with served() as address, tempfile.TemporaryDirectory() as folder:
        with urllib.request.urlopen(f"{address}/api/openapi.json") as reply:
            schema = described(json.load(reply))
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(schema))
        options = ["--checks", "not_a_server_error", "--max-examples", str(examples), "--seed", str(seed)]
        options += ["--phases", "coverage,fuzzing" if corners else "fuzzing"]
        options += ["--exclude-path", _STREAM, "--request-timeout", "200"]
        options += ["--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off"]
        return subprocess.run([command, "run", str(file), "--url", address, *options], cwd=folder).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=40, help="requests of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    return fuzz(given.examples, given.seed)


if __name__ == "__main__":
    sys.exit(main())
