"""How a good text is spoilt: cut, flipped, spliced, blown up; and what people and enemies write."""

from __future__ import annotations

import random
import re

NASTY = [
    *("\ufeff", "\x00", "\x1b[31m", "\u202e", "\ud800", "\u0664", "\u00bd", "\U0001f980", "\u2028", "\x85", "\r", "\t"),
    *(
        "-1",
        "0",
        "00",
        "1e9",
        "1e400",
        "nan",
        "inf",
        "-0.0",
        "2147483648",
        "9223372036854775808",
        "1_000",
        "0x10",
        "+1",
    ),
    *("9" * 30, "9" * 5000, "[" * 2000, "{" * 500, '{"a":' * 500, "(" * 500, "a" * 5000, " " * 3000, "\n" * 300),
    *("null", "true", "{}", "[]", '{"answers":5}', "board_edges=", "cages:", "|", ":", "#", "@", "%00", "../x", "=1+1"),
    *("K99", "<", "&amp;", '"', "'", "\\", "\\u0000", ",", ";", "/", "×", "–"),
]
_NUMBER = re.compile(r"[0-9]+")


def spoil(choose: random.Random, text: str, others: list[str]) -> str:
    """A text that one to four changes have made of a good one."""
    for _ in range(choose.choice((1, 1, 1, 2, 2, 3, 4))):
        text = choose.choice(_WAYS)(choose, text, others)
        if len(text) > 200_000:
            text = text[:200_000]
    return text


def _place(choose: random.Random, text: str) -> int:
    return choose.randint(0, len(text))


def _cut(choose: random.Random, text: str, others: list[str]) -> str:
    a, b = sorted((_place(choose, text), _place(choose, text)))
    return choose.choice((text[:a], text[a:], text[:a] + text[b:], text[a:b]))


def _flip(choose: random.Random, text: str, others: list[str]) -> str:
    if not text:
        return text
    k = choose.randrange(len(text))
    return text[:k] + chr(ord(text[k]) ^ 1 << choose.randrange(7)) + text[k + 1 :]


def _nasty(choose: random.Random, text: str, others: list[str]) -> str:
    k = _place(choose, text)
    return text[:k] + choose.choice(NASTY) + text[k:]


def _replace(choose: random.Random, text: str, others: list[str]) -> str:
    """A word gives way to something else."""
    words = [found.span() for found in re.finditer(r"\S+", text)]
    if not words:
        return choose.choice(NASTY)
    a, b = choose.choice(words)
    return text[:a] + choose.choice(NASTY) + text[b:]


def _number(choose: random.Random, text: str, others: list[str]) -> str:
    """A number becomes another: nearby, or as large as can be."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    one = choose.choice(found)
    value = int(one[0]) if len(one[0]) < 100 else 0
    other = choose.choice((value + 1, value - 1, -value, value * 10, 10**9, 2**31, 2**63, 10**30, 0))
    return text[: one.start()] + str(other) + text[one.end() :]


def _splice(choose: random.Random, text: str, others: list[str]) -> str:
    """The head of one and the tail of another."""
    other = choose.choice(others)
    return text[: _place(choose, text)] + other[_place(choose, other) :]


def _repeat(choose: random.Random, text: str, others: list[str]) -> str:
    a, b = sorted((_place(choose, text), _place(choose, text)))
    times = min(choose.choice((2, 3, 50, 1000)), 20_000 // max(b - a, 1) + 1)
    return text[:b] + text[a:b] * times + text[b:]


def _swap_lines(choose: random.Random, text: str, others: list[str]) -> str:
    lines = text.split("\n")
    choose.shuffle(lines)
    return choose.choice(("\n", "\r\n", "\r", "", " ", "\n\n")).join(lines)


def _case(choose: random.Random, text: str, others: list[str]) -> str:
    return choose.choice((text.upper(), text.lower(), text.swapcase(), text[::-1], text.replace(" ", "\u00a0")))


_WAYS = (
    _cut,
    _cut,
    _flip,
    _flip,
    _flip,
    _nasty,
    _nasty,
    _replace,
    _number,
    _number,
    _splice,
    _repeat,
    _swap_lines,
    _case,
)
