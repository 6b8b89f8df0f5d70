"""Letters in the Helvetica that every viewer has: those of Windows as they are, others as a letter and its accent.

Viewers have accents by themselves, but few have a ż or a ť: so these are put together, and a note beside them says what
they are, by which they are found and copied.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

# Widths of the characters from blank to ~ in thousandths of the size, by the metrics of Adobe: Helvetica, and bold.
_PLAIN = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
    556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]  # fmt: skip
_BOLD = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611,
    611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
]  # fmt: skip
_OTHERS = {"×": 584, "–": 556, "—": 1000, "…": 1000, "·": 278, "°": 400, "−": 584, "ı": 278}
# What Windows has no number for, and every Helvetica has; the numbers are free there.
_CODES = {"Ł": 1, "ł": 2, "ı": 3, "−": 4, "˘": 24, "ˇ": 25, "˙": 27, "˝": 29, "˛": 30, "˚": 31}
ENCODING = (
    "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences "
    "[1 /Lslash /lslash /dotlessi /minus 24 /breve /caron 27 /dotaccent 29 /hungarumlaut /ogonek /ring] >>"
)
# Accents by the marks into which Unicode takes letters apart.
_ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c", "`´ˆ˜¯˘˙¨˚˝ˇ", strict=True))
_BELOW = {"\u0326": ",", "\u0327": "¸", "\u0328": "˛"}
_COMMAS = "GKLNRgklnr"  # whose cedilla is a comma
_WIDE = 333  # an accent
_RISE = 195  # a capital above a small letter
_BARE = {"Đ": "D", "đ": "d", "Ł": "L", "ł": "l"}  # letters that Unicode does not take apart


class Accent(NamedTuple):
    """A mark over or under a letter: where it begins, and how much higher than it stands by itself; in thousandths."""

    mark: str
    right: float
    up: float


def normal(text: str) -> str:
    """Letters and their accents in one, where Unicode has it so."""
    return unicodedata.normalize("NFC", text)


def can_stand(mark: str) -> bool:
    """Whether a character can be written."""
    return bool(mark.encode("cp1252", "ignore")) or mark in _CODES or _parts(mark) is not None


def codes(text: str) -> bytes:
    """The numbers of a text by ENCODING: letters without those accents that are put over them."""
    out = bytearray()
    for mark in text:
        parts = _parts(mark)
        base = parts[0] if parts else mark
        out += bytes([_CODES[base]]) if base in _CODES else base.encode("cp1252", "replace")
    return bytes(out)


def accents(text: str, *, bold: bool) -> Iterator[Accent]:
    """What is put over and under the letters of a text, from its beginning."""
    at = 0
    for mark in text:
        if parts := _parts(mark):
            yield from _placed(*parts, at, width_of(parts[0], bold=bold))
        at += width_of(mark, bold=bold)


def width_of(mark: str, *, bold: bool) -> int:
    """How wide a character is, in thousandths.  A letter with an accent is as wide as without it."""
    base = _BARE.get(mark, unicodedata.normalize("NFD", mark)[0])
    return (_BOLD if bold else _PLAIN)[ord(base) - 32] if " " <= base <= "~" else _OTHERS.get(mark, 556)


def _parts(mark: str) -> tuple[str, str] | None:
    """A letter and its accent, of one that must be put together."""
    if mark in _CODES or mark.encode("cp1252", "ignore"):
        return None
    if mark in "Đđ":
        return ("Ð", "") if mark == "Đ" else ("d", "-")
    apart = unicodedata.normalize("NFD", mark)
    if len(apart) != 2 or not apart[0].isascii() or apart[1] not in {**_ACCENTS, **_BELOW}:
        return None
    base, accent = apart[0], apart[1]
    if accent in _BELOW:
        return base, "," if base in _COMMAS else _BELOW[accent]
    if accent == "\u030c" and base in "Ldlt":
        return base, "’"
    return "ı" if base == "i" else base, _ACCENTS[accent]


def _placed(base: str, accent: str, at: int, wide: int) -> Iterator[Accent]:
    middle = at + (wide - _WIDE) / 2
    match accent:
        case "":
            pass
        case "-":  # through the stem of a đ
            yield Accent(accent, at + wide - _WIDE + 30, 330)
        case "’":
            yield Accent(accent, at + wide - (230 if base == "L" else 60), 0)
        case "˛":
            yield Accent(accent, at + wide - _WIDE + 20, 0)
        case ",":  # over a g, which reaches below itself
            yield Accent(
                "´" if base == "g" else accent, middle if base == "g" else middle + 28, 0 if base == "g" else -220
            )
        case "¸":
            yield Accent(accent, middle, 0)
        case _:
            yield Accent(accent, middle, _RISE if base.isupper() or base in "bdfhklt" else 0)
