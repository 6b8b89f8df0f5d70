"""The compilation of kernels, and machine instructions that Python lacks.

A *kernel* is a function over arrays that Numba compiles on its first call and keeps on disk.  With NUMBA_DISABLE_JIT=1 the
same functions run as plain Python, so everything here has an equivalent in plain Python.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import config, njit, types
from numba.core import event
from numba.extending import intrinsic
from numpy.typing import NDArray

from tablero import interrupts
from tablero.search.numba_private import attach, keep

Function = TypeVar("Function", bound=Callable[..., Any])

EIGHT = 8  # words that one vector instruction processes
PLAIN = bool(getattr(config, "DISABLE_JIT"))  # noqa: B009 — set at run time, unknown to type checkers


# nogil lets threads run in parallel; the numpy error model omits the test for division by zero.  Without _nrt=False Numba
# counts references at every use of an array in a NamedTuple; without counting, kernels are up to nine times as fast
# (docs/adr/0003), but must not allocate.  Kernels are never called by their address, so no entry for that is compiled.
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


_SHARE = 4  # generating the machine code of this many parts takes about as long as translating one
_asked: dict[
    int, tuple[Any, int]
] = {}  # functions to compile in this process, with parts for machine code: see `_ask_for`


def parts_left() -> tuple[int, int]:
    """The parts of the requested kernels and their helpers that are still to be compiled, and all of their parts."""
    left = parts = 0
    for compiled, code in list(_asked.values()):
        parts += 1 + code
        if not compiled.overloads:
            left += code + (not compiled.part)
    return left, parts


def _ask_for(compiled: Any) -> None:
    """Record a kernel that will be compiled, and all functions that it calls, directly or not.

    Each is a part to translate; the machine code of them all counts as further parts.
    """
    reached = {id(compiled): compiled}
    waiting = [compiled]
    while waiting:
        function = waiting.pop().py_func
        called = [function.__globals__.get(name) for name in function.__code__.co_names]
        called += [cell.cell_contents for cell in function.__closure__ or ()]
        for one in called:
            if hasattr(one, "part") and id(one) not in reached:
                reached[id(one)] = one
                waiting.append(one)
    for key, one in reached.items():
        _asked.setdefault(key, (one, 0))
    _asked[id(compiled)] = compiled, len(reached) // _SHARE


def kernel(function: Function) -> Function:
    """Compile with the settings that every kernel shares."""
    return _compiled(function)


def inlined(function: Function) -> Function:
    """Compile a helper that LLVM must inline into the kernel that calls it."""
    return _compiled(function, forceinline=True)


def _compiled(function: Function, **more: Any) -> Function:
    compiled: Function = njit(**_SETTINGS, **more)(function)
    if not PLAIN:
        keep(compiled, function)
        attach(compiled)
    return compiled


class _Asked(event.Listener):
    """Records what is compiled.  Code that compiles cannot stop at Ctrl-C."""

    def on_start(self, event: Any) -> None:
        if hasattr(event.data["dispatcher"], "part"):
            _ask_for(event.data["dispatcher"])
        interrupts.compiling += 1

    def on_end(self, event: Any) -> None:
        interrupts.compiling -= 1


if not PLAIN:
    event.register("numba:compile", _Asked())


if PLAIN:

    def popcount(word: np.uint64) -> np.uint64:
        """The number of bits that are set."""
        return np.uint64(int(word).bit_count())

    def lowest(word: np.uint64) -> np.uint64:
        """The position of the lowest set bit of a word that is not 0."""
        value = int(word)
        return np.uint64((value & -value).bit_length() - 1)

    def clear_of(row: NDArray[np.uint64], at: np.uint64, word: np.uint64) -> np.uint64:
        """A bit for each of the EIGHT words of a row from a place on: set if it has no bit in common with `word`."""
        words = row[int(at) : int(at) + EIGHT].tolist()
        return np.uint64(sum((int(word) & other == 0) << k for k, other in enumerate(words)))

    def put_bytes(row: NDArray[np.uint64], at: np.uint64, number: np.uint64, word: np.uint64) -> None:
        """Write `number` plus each byte of `word`, the lowest first, to a row from a place on."""
        for k in range(EIGHT):
            row[int(at) + k] = int(number) + (int(word) >> 8 * k & 0xFF)

    def times(a: np.uint64, b: np.uint64) -> np.uint64:
        """The product modulo 2⁶⁴; scalars of NumPy would warn."""
        return np.uint64(int(a) * int(b) & 0xFFFFFFFFFFFFFFFF)

else:
    from llvmlite import ir

    @intrinsic
    def popcount(context: Any, word: Any) -> Any:
        """The number of bits that are set."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), code

    @intrinsic
    def lowest(context: Any, word: Any) -> Any:
        """The position of the lowest set bit of a word that is not 0."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), code

    _WORDS = ir.VectorType(ir.IntType(64), EIGHT)

    def _of_all(builder: Any, word: Any) -> Any:
        """A word eight times."""
        one = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), EIGHT), [0] * EIGHT))

    def _eight(context: Any, builder: Any, array: Any, row: Any, at: Any) -> Any:
        """Where eight words of an array begin."""
        data = context.make_array(array)(context, builder, row).data
        return builder.bitcast(builder.gep(data, [at]), ir.PointerType(_WORDS))

    @intrinsic
    def clear_of(context: Any, row: Any, at: Any, word: Any) -> Any:
        """A bit for each of the EIGHT words of a row from a place on: set if it has no bit in common with `word`."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            words = builder.load(_eight(context, builder, signature.args[0], *arguments[:2]), align=8)
            common = builder.and_(words, _of_all(builder, arguments[2]))
            clear = builder.icmp_unsigned("==", common, ir.Constant(_WORDS, [0] * EIGHT))
            return builder.zext(builder.bitcast(clear, ir.IntType(EIGHT)), ir.IntType(64))

        return types.uint64(row, types.uint64, types.uint64), code

    @intrinsic
    def put_bytes(context: Any, row: Any, at: Any, number: Any, word: Any) -> Any:
        """Write `number` plus each byte of `word`, the lowest first, to a row from a place on."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            numbers = builder.bitcast(arguments[3], ir.VectorType(ir.IntType(8), EIGHT))
            numbers = builder.add(builder.zext(numbers, _WORDS), _of_all(builder, arguments[2]))
            builder.store(numbers, _eight(context, builder, signature.args[0], *arguments[:2]), align=8)
            return context.get_dummy_value()

        return types.void(row, types.uint64, types.uint64, types.uint64), code

    @inlined
    def times(a: np.uint64, b: np.uint64) -> np.uint64:
        """The product modulo 2⁶⁴."""
        return a * b
