"""`prefetch`: tells the processor, from inside a numba kernel, which memory comes next."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic as _intrinsic

intrinsic: Any = _intrinsic


@intrinsic
def prefetch(typing_context: Any, array: Any, position: Any) -> Any:
    """Start loading the cache line of element `position` of a contiguous array, counted from its first element.

    Rows that are gathered in no order are a guess too many for the hardware: it waits for each of them otherwise.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        call = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        read, keep_in_all_levels, data_cache = word(0), word(3), word(1)
        builder.call(call, [address, read, keep_in_all_levels, data_cache])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate
