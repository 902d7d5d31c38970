"""torch, imported when something of it is first used: that takes two seconds, which only some commands need."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch as torch
    from torch import distributed as distributed
    from torch.nn import functional as functional
else:

    class _Deferred:
        """Stands for a module; what was asked for once is kept."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            found = getattr(import_module(self._name), attribute)
            setattr(self, attribute, found)
            return found

    torch = _Deferred("torch")
    distributed = _Deferred("torch.distributed")
    functional = _Deferred("torch.nn.functional")
