"""The only module that uses private parts of Numba: for its cache on disk, and to compile helpers once.

The cache.  Numba trusts the files of its cache.  Here every file ends in a checksum of the rest, and a truncated or changed
file is ignored.  A kernel is compiled again when any module of its folder or of `search` has changed, not only its own as in
Numba.  If the cache cannot be written, kernels are used nevertheless, and a message is printed once.

Parts.  Numba generates machine code for every function that a kernel calls, with an entry for Python, and optimises the same
code again within every caller.  Here a callee is only translated: LLVM optimises and compiles it once, within the kernel
that Python calls.  Only that kernel is kept on disk.
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
    """An open file, with a checksum of what is written to it."""

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
    """The files of the cache: an index and its kernels.  Numba reads one pickle and ignores the checksum after it."""

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[_Summing]:
        with super()._open_for_write(path) as file:
            summing = _Summing(file)
            yield summing
            file.write(summing.sum.digest())

    def _load_index(self) -> dict[Any, str]:
        found: dict[Any, str] = {}
        with suppress(Exception):  # an index may name modules that this version does not have
            if is_whole(Path(self._index_path)):
                found = super()._load_index()
        return found

    def _load_data(self, name: str) -> Any:
        if not is_whole(Path(self._data_path(name))):
            raise OSError("truncated or changed")  # Numba then compiles the kernel
        return super()._load_data(name)


@cache
def stamp_of(kernels: Path) -> str:
    """A stamp of the modules that kernels of a folder are compiled from: those of the folder and the shared ones."""
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
        except Exception:  # the cache may contain anything from another version
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        global _reported
        try:
            super().save_overload(signature, data)
        except OSError as error:
            if not _reported:
                _reported = True
                why = f"{self._cache_path} ({error.strerror or error})"
                print(
                    f"tablero: compiled kernels cannot be kept in {why}: they are compiled again every time",
                    file=sys.stderr,
                )


def folder() -> str | None:
    """The folder of the cache: as configured, in the package, or of the user; None if there is none."""
    named: str = config.CACHE_DIR  # type: ignore[attr-defined]  # read from the environment
    if named:
        return named
    try:
        path = Path(FunctionCache(is_whole)._cache_path)  # any function of the package
    except (OSError, RuntimeError):
        return None
    return str(_ROOT if path.is_relative_to(_ROOT) else path.parent)


def keep(compiled: Any, function: Callable[..., Any]) -> None:
    """Keep the compiled forms of a function on disk, if there is a folder for them."""
    with suppress(OSError, RuntimeError):  # no folder can be written to
        compiled._cache = Kept(function)


class _Code(JITCodeLibrary):
    """A function in LLVM's language with all that it calls; not optimised or compiled on its own."""

    def _optimize_functions(self, module: Any) -> None:
        try:
            passes, builder = self._codegen._function_pass_manager()
        except TypeError:  # Numba 0.61 differs
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
        self._known: dict[tuple[Any, ...], tuple[Any, object]] = {}  # the signature, and the key in Numba

    def __len__(self) -> int:
        return len(self._known)

    def call_template(self, arguments: Iterable[Any], words: dict[str, Any]) -> tuple[Any, ...]:
        """Numba calls this for a function that is called; see its `Dispatcher.get_call_template`.

        A call with a literal number, as f(x, 4), uses the translation for any number; Numba would make one for each literal.
        """
        kinds = {name: types.unliteral(kind) for name, kind in words.items()}
        signature, found = self._compiled.fold_argument_types(tuple(map(types.unliteral, arguments)), kinds)
        if found not in self._known:
            self._known[found] = self._translated(found)
        name = self._compiled.py_func.__name__
        template = make_concrete_template(name, key=name, signatures=[one for one, _ in self._known.values()])
        return template, signature, found, {}

    def overload(self, arguments: tuple[Any, ...]) -> object:
        """The key of the translation for arguments of these types; see Numba's `Dispatcher.get_overload`."""
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
    """Let other kernels use a compiled function as a part; calls from Python stay the same."""
    part = compiled.part = Part(compiled)
    compiled.get_call_template, compiled.get_overload = part.call_template, part.overload
