"""Generate reference pages from the verbs: `docs/commands.md`, when Sphinx starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tablero.families import families

if TYPE_CHECKING:
    from tablero.verbs import Verb
    from tablero.verbs.parameters import Parameter

PAGE = Path(__file__).parent / "commands.md"


def page() -> str:
    """All verbs of all families, with their parameters."""
    about = "Generated from the descriptions of the verbs. Options of searches are on [another page](cli.md)."
    parts = ["# All commands", about]
    for family in families().values():
        parts += [f"## {family.name}", family.about]
        for verb in family.verbs.values():
            parts += [f"### {family.word} {verb.name}", verb.summary, _table(verb)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(verb: Verb) -> str:
    rows = [_row(one) for one in (*verb.source, *verb.options)]
    rows += [f"| `--{one.name}` {one.metavar} | {one.help} |" for one in verb.writes]
    rows += [f"| `--{one.__name__.replace('_', '-')}` | {(one.__doc__ or '').splitlines()[0]} |" for one in verb.views]
    return "\n".join(["| parameter | meaning |", "|---|---|", *rows]) if rows else ""


def _row(one: Parameter) -> str:
    default = "" if one.required or one.default in (None, (), False, "") else f" Default: {one.default}."
    about = (one.help or f"Expected: {one.expected()}.").replace("|", "\\|")
    known = one.spelling.meanings
    named = [f"`{name}` ({known[name]})" if name in known else f"`{name}`" for name in one.choices]
    choices = f" One of {', '.join(named)}." if named else ""
    name = one.option.upper() if one.positional else f"--{one.option.replace('_', '-')}"
    return f"| `{name}` | {about}{choices}{default} |"


def write(*_: object) -> None:
    """Write the page; a signature that Sphinx can call."""
    text = page()
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
