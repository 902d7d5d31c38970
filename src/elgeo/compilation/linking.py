"""How kernels become machine code: those that only kernels call are linked into their callers as they are.

numba optimises each function with all that it calls, and makes machine code of it, before it does the same to the
caller: what lies ten calls deep is optimised ten times over. Here the inner ones wait for the outermost, which is
optimised once with all that it calls. They are private to it, so that LLVM may drop arguments that nobody reads.
"""

# mypy: disable-error-code="no-untyped-call,attr-defined,call-overload,misc,assignment"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import compiler_machinery, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.typed_passes import NativeLowering, NativeParforLowering


class _InnerLibrary(JITCodeLibrary):
    """The code of an inner kernel and of what it calls, to be linked to other code only."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if hasattr(self, "_reload_init"):  # numba 0.60 has nothing to do when code is loaded again
                self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing to set either."""


class _OuterLibrary(JITCodeLibrary):
    """The code of a kernel and of all that it calls."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own: set[str] = set()

    def add_llvm_module(self, ll_module: Any) -> None:
        self._own |= {function.name for function in ll_module.functions if not function.is_declaration}
        super().add_llvm_module(ll_module)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own:
                function.linkage = "internal"
        super()._optimize_final_module()


class _Lowering(NativeLowering):
    library: type[JITCodeLibrary]

    def run_pass(self, state: Any) -> Any:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(_Lowering):
    _name = "elgeo_inner_lowering"
    library = _InnerLibrary


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _OuterLowering(_Lowering):
    _name = "elgeo_outer_lowering"
    library = _OuterLibrary


_OF_LOOPS = ("__numba_parfor_gufunc", "<numba.np.ufunc.wrappers._GufuncWrapper", "parallelgufuncwrapper")
"""How the names of the libraries begin that numba makes of a parallel loop: its body, then two functions around it."""


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _ParallelLowering(NativeParforLowering):
    _name = "elgeo_parallel_lowering"

    def run_pass(self, state: Any) -> Any:
        codegen = state.targetctx.codegen()
        create = codegen.create_library

        def library(name: str, **options: Any) -> Any:
            return _InnerLibrary(codegen, name) if name.startswith(_OF_LOOPS) else create(name, **options)

        codegen.create_library = library
        try:
            return super().run_pass(state)
        finally:
            codegen.create_library = create


class _Compiler(CompilerBase):
    lowering: type[Any]

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (self.lowering if kind in (NativeLowering, NativeParforLowering) else kind, description)
            for kind, description in passes.passes
        ]
        passes.finalize()
        return [passes]


class _InnerCompiler(_Compiler):
    lowering = _InnerLowering


class _OuterCompiler(_Compiler):
    lowering = _OuterLowering


class _ParallelCompiler(_Compiler):
    lowering = _ParallelLowering


def inner_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A function that only kernels call. It is compiled for numbers, not again for each number that a caller writes."""
    made: Any = njit(pipeline_class=_InnerCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)
    call_template = made.get_call_template
    made.get_call_template = lambda args, keywords: call_template(
        [types.unliteral(kind) for kind in args], {name: types.unliteral(kind) for name, kind in keywords.items()}
    )
    return made


def outer_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A function with all that it calls, without what Python would need to call it."""
    return njit(pipeline_class=_OuterCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)


def parallel_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A function with loops for several threads, which are optimised once with all that they call."""
    return njit(pipeline_class=_ParallelCompiler, **options)(function)
