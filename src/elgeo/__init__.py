"""elgeo turns an ontology into geometry: it reads, reasons, embeds, and ranks the axioms that are missing."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "read": "elgeo.ontology",
    "read_notes": "elgeo.ontology.reading.axiom_notes",
    "normalise": "elgeo.ontology",
    "Reasoner": "elgeo.reasoning",
    "reason": "elgeo.api",
    "write": "elgeo.ontology.writing.write",
    "train": "elgeo.api",
    "evaluate": "elgeo.api",
    "predict": "elgeo.api",
    "place": "elgeo.api",
    "score": "elgeo.api",
    "pipeline": "elgeo.api",
    "on_epoch": "elgeo.training.loop",
    "datasets": "",
}
"""Where each public name lives; imported at first use, so that `import elgeo` costs nothing."""

__all__ = [
    "Reasoner",
    "__version__",
    "datasets",
    "evaluate",
    "normalise",
    "on_epoch",
    "pipeline",
    "place",
    "predict",
    "read",
    "read_notes",
    "reason",
    "score",
    "train",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'elgeo' has no attribute {name!r}")
    home = _HOMES[name]
    value = getattr(importlib.import_module(home), name) if home else importlib.import_module(f"elgeo.{name}")
    globals()[name] = value
    return value
