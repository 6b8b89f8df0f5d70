"""Reading and writing files, for all families.

A source is a path, "-" for standard input, or an open file.  It is read up to a limit.  Text is UTF-8, with or without a
byte order mark.  A file is written completely or not at all, and a name with the ending of another format is refused.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from tablero import interrupts
from tablero.errors import BadInput

Source = str | os.PathLike[str] | IO[Any]  # the argument of every `read`
MOST_BYTES = 1 << 28  # the default limit
STANDARD_INPUT = "standard input"
_closed = ContextVar("closed", default=False)  # whether names of files are refused
_PICTURES_AND_SHEETS = {".svg", ".png", ".jpg", ".gif", ".pdf", ".html", ".xlsx", ".xls", ".ods"}


@contextmanager
def no_files() -> Iterator[None]:
    """Refuse to read files by name: a request of a page or a program must not read files of this machine."""
    token = _closed.set(True)
    try:
        yield
    finally:
        _closed.reset(token)


def names_files() -> bool:
    """Whether files may be read by name; see `no_files`."""
    return not _closed.get()


def name_of(source: Source) -> str:
    """The name of a source in messages."""
    if isinstance(source, (str, os.PathLike)):
        return STANDARD_INPUT if str(source) == "-" else str(source)
    return str(getattr(source, "name", "the file"))


def suffix_of(source: Source) -> str:
    """The ending of the name in lower case, for example .xlsx; empty if there is none."""
    return Path(name_of(source)).suffix.lower()


def is_there(name: str) -> bool:
    """Whether a file or folder of this name exists.  A text that cannot be a name, for example a long one, is not a name."""
    try:
        return not _closed.get() and Path(name).exists()
    except (OSError, ValueError):
        return False


def read_bytes(source: Source, most: int = MOST_BYTES) -> bytes:
    """Read all bytes of a source.

    Raises
    ------
    BadInput
        If the source cannot be read, or has more than `most` bytes.
    """
    name = name_of(source)
    if not isinstance(source, (str, os.PathLike)) and not hasattr(source, "read"):
        raise BadInput(f"a {type(source).__name__} cannot be read: expected a path, an open file or '-'")
    if _closed.get() and isinstance(source, (str, os.PathLike)):
        raise BadInput(f"{name[:60]!r}: names of files mean nothing here: expected the content")
    if source == "":
        raise BadInput("'': expected the name of a file, or - for standard input")
    try:
        if not isinstance(source, (str, os.PathLike)):
            data = source.read(most + 1)
        elif str(source) == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError: a zero byte in a name, a closed file
        raise BadInput(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    if isinstance(data, str):  # an open text file
        data = data.encode()
    if len(data) > most:
        raise BadInput(f"{name}: more than the {most:,} bytes that are read")
    return bytes(data)


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8; a byte order mark at the start is skipped."""
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: byte {error.start} is not UTF-8 text") from None


def plain_text(text: str, name: str) -> str:
    """Check that a value is text, and skip a byte order mark, which some readers leave in."""
    if not isinstance(text, str):
        raise BadInput(f"{name}: a {type(text).__name__} is no text")
    return text.removeprefix("\ufeff")


def read_text(source: Source, most: int = MOST_BYTES) -> str:
    """Read a source as UTF-8 text."""
    return decode(read_bytes(source, most), name_of(source))


def require_writable(path: Path, *suffixes: str, option: str = "", text: bool = True) -> None:
    """Refuse a file that cannot be written, or whose name has the ending of another format.

    Called before a search, so that its result can be written.

    Parameters
    ----------
    path
        The file.
    suffixes
        The endings that fit the format; any if none is given.
    option
        The option that named the file, for messages.
    text
        Whether the content is text: the endings of pictures and spreadsheets are then refused.
    """
    reported = f"{option} {path}" if option else f"{path}"
    if text and not suffixes and path.suffix.lower() in _PICTURES_AND_SHEETS:
        raise BadInput(f"{reported}: what is written is text, and the name promises something else")
    if suffixes and path.suffix.lower() not in suffixes:
        raise BadInput(f"{reported}: expected a name that ends in {' or '.join(suffixes)}")
    if path.is_dir():
        raise BadInput(f"{reported}: cannot write it, it is a folder")
    if not path.parent.is_dir():
        raise BadInput(f"{reported}: cannot write it, the folder {path.parent} is not there")
    if not path.exists():
        _try_to_write(path, reported)


def _try_to_write(path: Path, reported: str) -> None:
    """Try to create a file: permissions do not tell whether that works, for example in /proc."""
    try:
        scratch = _scratch_of(path)
        scratch.open("xb").close()
        scratch.unlink()
    except OSError as error:
        raise BadInput(f"{reported}: cannot write it: {error.strerror or error}") from None


def _scratch_of(path: Path) -> Path:
    """The name under which a file is written until it is complete."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces the path when the block ends, and is deleted if the block raises.

    A link is followed, and an existing file keeps its mode.  A pipe or a device is written directly.
    """
    try:
        target = path.resolve()
        if target.is_dir():
            raise BadInput(f"cannot write {path}: it is a folder")
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                yield stream
            return
        scratch = _scratch_of(target)
        interrupts.drafts.add(str(scratch))
        try:
            with scratch.open("xb") as stream:
                yield stream
            if target.exists():
                scratch.chmod(stat.S_IMODE(target.stat().st_mode))
            scratch.replace(target)
        finally:
            scratch.unlink(missing_ok=True)
            interrupts.drafts.discard(str(scratch))
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, completely or not at all."""
    with writing(path) as stream:
        stream.write(data)


def write_text(path: Path, text: str) -> None:
    """Write a text file, completely or not at all."""
    write_pieces(path, (text,))


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """Write a text file piece by piece, completely or not at all."""
    with writing(path) as stream:
        for piece in pieces:
            stream.write(piece.encode())
