"""Where compiled kernels are kept: Numba's cache on disk, which a cut file or a full disk must not bring down.

Numba believes what it reads.  Here every file ends in a checksum of the rest: one that was cut or changed is passed over,
and the kernel is compiled anew; so it is when any module of its folder or of `search` has changed, and not only its own as
Numba has it.
A kernel that cannot be written is used all the same, and that is said once.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from numba.core import config
from numba.core.caching import FunctionCache, IndexDataCacheFile

_SUM = 16  # bytes
_SHARED = Path(__file__).parent  # helpers that all kernels may use
_ROOT = _SHARED.parent  # of the package
_told = False


class _Summing:
    """A file that is written to, and the checksum of what was."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.sum = hashlib.blake2b(digest_size=_SUM)

    def write(self, data: bytes) -> int:
        self.sum.update(data)
        return self._file.write(data)


def is_whole(path: Path) -> bool:
    """Whether a file ends in the checksum of the rest."""
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return hashlib.blake2b(data[:-_SUM], digest_size=_SUM).digest() == data[-_SUM:]


class _Files(IndexDataCacheFile):
    """An index and the kernels in it.  Numba reads a pickle at a time, so what stands behind one does not disturb it."""

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[_Summing]:
        with super()._open_for_write(path) as file:
            summing = _Summing(file)
            yield summing
            file.write(summing.sum.digest())

    def _load_index(self) -> dict[Any, str]:
        if not is_whole(Path(self._index_path)):
            return {}
        try:
            found: dict[Any, str] = super()._load_index()
        except Exception:  # an index names modules, which another version may not have
            return {}
        return found

    def _load_data(self, name: str) -> Any:
        if not is_whole(Path(self._data_path(name))):
            raise OSError("cut or changed")  # as if it were not there
        return super()._load_data(name)


@cache
def stamp_of(kernels: Path) -> str:
    """A stamp of all modules that a kernel of this folder may be built from: the folder's own and the shared helpers."""
    stamps = []
    for folder in (_SHARED, kernels):
        for file in sorted(folder.glob("*.py")):
            known = file.stat()
            stamps.append((folder.name, file.name, known.st_mtime_ns, known.st_size))
    return hashlib.blake2b(repr(stamps).encode(), digest_size=_SUM).hexdigest()


class Kept(FunctionCache):
    """The cache of one kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        source = Path(function.__code__.co_filename)
        stamp = (self._impl.locator.get_source_stamp(), stamp_of(source.parent))
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return super().load_overload(signature, context)
        except Exception:  # whatever it is that another version, or another hand, has left there
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        global _told
        try:
            super().save_overload(signature, data)
        except OSError as error:
            if not _told:
                _told = True
                why = f"{self._cache_path} ({error.strerror or error})"
                print(f"tablero: compiled kernels cannot be kept in {why}: they are compiled anew", file=sys.stderr)


def folder() -> str | None:
    """Where kernels are kept: a folder that was named, that of the package, or one of the user; None for nowhere."""
    named: str = config.CACHE_DIR  # type: ignore[attr-defined]  # read from the environment
    if named:
        return named
    try:
        path = Path(FunctionCache(is_whole)._cache_path)  # any function of the package
    except (OSError, RuntimeError):
        return None
    return str(_ROOT if path.is_relative_to(_ROOT) else path.parent)


def keep(compiled: Any, function: Callable[..., Any]) -> None:
    """Let what is compiled of a function be kept, where there is a place for it."""
    with suppress(OSError, RuntimeError):  # where no folder can be written to, nothing is kept
        compiled._cache = Kept(function)
