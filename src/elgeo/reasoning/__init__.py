"""Normal forms become consequences: saturation, entailment, closure, explanations.

Takes `NormalForms`; gives what follows. Begin at `reasoner.py`, all of it for one ontology; `saturation/` has the rules
and what drives them, `closure/` every consequence of a form, `questions/` axioms that people ask, `proofs/` why one
follows, `taxonomy/` the hierarchy, `revisions/` what is redundant and what came and went.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elgeo.reasoning.reasoner import Reasoner as Reasoner
    from elgeo.reasoning.saturation.saturate import Saturation as Saturation
    from elgeo.reasoning.saturation.saturate import saturate as saturate

_HOMES = {
    "Reasoner": "elgeo.reasoning.reasoner",
    "Saturation": "elgeo.reasoning.saturation.saturate",
    "saturate": "elgeo.reasoning.saturation.saturate",
}
"""Where each public name lives; imported at first use."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'elgeo.reasoning' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
