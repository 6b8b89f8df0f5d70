"""A kernel as other kernels see it: a part of theirs.

Numba makes machine code of every function that a kernel calls, with an entry for Python that unpacks all its arrays, and
optimises and compiles the same code once more within every caller.  Here a callee is only translated: LLVM optimises and
compiles it once, within the kernel that Python calls.  That kernel alone is kept on disk.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags, compile_extra
from numba.core.typing.templates import make_concrete_template


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
