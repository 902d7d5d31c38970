"""A file becomes axioms, axioms become normal forms.

Takes a file; gives an `Ontology` (`model.py`) and its `NormalForms` (`normal_forms.py`) over a `Vocabulary`. Begin at
these two; `reading/` has a reader for each syntax, `normalisation/` the way from axioms to normal forms, `writing/` the
way back into files, `generation/` random ontologies. `expressions.py` and `grammar.py` are what OWL can say.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elgeo.ontology.normalisation.normalise import normalise as normalise
    from elgeo.ontology.reading.read import read as read

_HOMES = {"read": "elgeo.ontology.reading.read", "normalise": "elgeo.ontology.normalisation.normalise"}
"""Where each public name lives; imported at first use."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'elgeo.ontology' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
