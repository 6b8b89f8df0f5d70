"""The one module that reaches into Numba's private parts: the cache on disk, and helpers that are compiled once.

The cache.  Numba believes what it reads.  Here every file ends in a checksum of the rest: one that was cut or changed is
ignored, and the kernel is compiled anew; so it is when any module of its folder or of `search` has changed, and not only its
own as Numba has it.  A kernel that cannot be written is used all the same, and that is reported once.

Parts.  Numba makes machine code of every function that a kernel calls, with an entry for Python that unpacks all its arrays,
and optimises and compiles the same code once more within every caller.  Here a callee is only translated: LLVM optimises and
compiles it once, within the kernel that Python calls.  That kernel alone is kept on disk.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from numba.core import config, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags, compile_extra
from numba.core.typing.templates import make_concrete_template

_SUM = 16  # bytes
_SHARED = Path(__file__).parent  # helpers that all kernels may use
_ROOT = _SHARED.parent  # of the package
_reported = False


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
        found: dict[Any, str] = {}
        with suppress(Exception):  # an index names modules, which another version may not have
            if is_whole(Path(self._index_path)):
                found = super()._load_index()
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
        global _reported
        try:
            super().save_overload(signature, data)
        except OSError as error:
            if not _reported:
                _reported = True
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


class _Code(JITCodeLibrary):
    """A function in LLVM's language, with all that it calls: neither optimised nor made machine code by itself."""

    def _optimize_functions(self, module: Any) -> None:
        try:
            passes, builder = self._codegen._function_pass_manager()
        except TypeError:  # Numba 0.61 has others
            super()._optimize_functions(module)
            return
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class Part:
    """The translations of one kernel, by the types of its arguments."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self._known: dict[tuple[Any, ...], tuple[Any, object]] = {}  # its signature, and by what Numba knows it

    def __len__(self) -> int:
        return len(self._known)

    def call_template(self, arguments: Iterable[Any], words: dict[str, Any]) -> tuple[Any, ...]:
        """What Numba asks of a function that is called; see its `Dispatcher.get_call_template`.

        A call with a number written out, as f(x, 4), uses the translation for any number: Numba would make one for each.
        """
        kinds = {name: types.unliteral(kind) for name, kind in words.items()}
        signature, found = self._compiled.fold_argument_types(tuple(map(types.unliteral, arguments)), kinds)
        if found not in self._known:
            self._known[found] = self._translated(found)
        name = self._compiled.py_func.__name__
        template = make_concrete_template(name, key=name, signatures=[one for one, _ in self._known.values()])
        return template, signature, found, {}

    def overload(self, arguments: tuple[Any, ...]) -> object:
        """By what Numba knows the translation for such arguments; see its `Dispatcher.get_overload`."""
        return self._known[tuple(arguments)][1]

    def _translated(self, arguments: tuple[Any, ...]) -> tuple[Any, object]:
        compiled, context = self._compiled, self._compiled.targetctx
        flags: Any = Flags()
        compiled.targetdescr.options.parse_as_flags(flags, compiled.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _Code(context.codegen(), compiled.py_func.__qualname__)
        result = compile_extra(compiled.typingctx, context, compiled.py_func, arguments, None, flags, {}, library)
        key = object()
        context.insert_user_function(key, result.fndesc, [library])
        return result.signature, key


def attach(compiled: Any) -> None:
    """Let other kernels see a function of Numba's as a part; Python calls it as before."""
    part = compiled.part = Part(compiled)
    compiled.get_call_template, compiled.get_overload = part.call_template, part.overload
