"""Arrays as kernels that are called directly know them: an address and a shape.

numba's own arrays are seven or more values each, are handed over one by one at each call, and each access asks whether
the index is negative. Tables of rules are dozens of arrays: half of the time to compile went there. These have one or
two dimensions and are contiguous; a kernel reads and writes single numbers, by indices that are not negative, and may
ask for `len`. Whole numbers of up to 32 bits are read as 64, so that what they are handed to is compiled once only.
"""

# mypy: disable-error-code="no-untyped-call,attr-defined,call-overload,misc"

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature


class FlatArray(types.Type):
    """The type of an array of `ndim` dimensions."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype, self.ndim = dtype, ndim
        small = isinstance(dtype, types.Integer) and dtype.bitwidth <= 32
        self.read_as = types.intp if small else dtype
        self.index = types.intp if ndim == 1 else types.UniTuple(types.intp, ndim)
        super().__init__(name=f"FlatArray({dtype}, {ndim})")

    def allows(self, index: Any) -> bool:
        """Whether an index of this type is that of one number."""
        if self.ndim == 1:
            return isinstance(index, types.Integer)
        parts = list(index) if isinstance(index, types.BaseTuple) else []
        return len(parts) == self.ndim and all(isinstance(part, types.Integer) for part in parts)


@register_default(FlatArray)
class _FlatModel(models.StructModel):
    def __init__(self, manager: Any, kind: FlatArray) -> None:
        sizes = [(f"size{i}", types.intp) for i in range(kind.ndim)]
        super().__init__(manager, kind, [("data", types.CPointer(kind.dtype)), *sizes])


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        if isinstance(array, FlatArray) and array.allows(index):
            return signature(array.read_as, array, array.index)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index, _ = args
        if isinstance(array, FlatArray) and array.allows(index):
            return signature(types.none, array, array.index, array.dtype)
        return None


@infer_global(len)
class _Len(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.intp, args[0]) if isinstance(args[0], FlatArray) else None


@lower_builtin(operator.getitem, FlatArray, types.Any)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    value = context.unpack_value(builder, kind.dtype, _place(context, builder, sig, args))
    return context.cast(builder, value, kind.dtype, kind.read_as)


@lower_builtin(operator.setitem, FlatArray, types.Any, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    context.pack_value(builder, sig.args[0].dtype, args[2], _place(context, builder, sig, args))
    return context.get_dummy_value()


@lower_builtin(len, FlatArray)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).size0


def _place(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The address of an element."""
    kind = sig.args[0]
    array = cgutils.create_struct_proxy(kind)(context, builder, value=args[0])
    if kind.ndim == 1:
        position = args[1]
    else:
        parts = cgutils.unpack_tuple(builder, args[1], kind.ndim)
        position = parts[0]
        for i, part in enumerate(parts[1:], 1):
            position = builder.add(builder.mul(position, getattr(array, f"size{i}")), part)
    return builder.gep(array.data, [position], inbounds=True)
