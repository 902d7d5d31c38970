"""The warnings about an ontology in one line, for commands that are not about them."""

from __future__ import annotations

import os
from pathlib import PurePath

from elgeo.messages import counted
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.complaints import CUT_OFF
from elgeo.ontology.reading.read import UNUSED


def in_brief(file: str | os.PathLike[str], ontology: Ontology) -> list[str]:
    """How many warnings there are, and in words what is in vain or cut off; `elgeo info` says the others whole."""
    in_vain = [warning for warning in ontology.warnings if warning.endswith((UNUSED, CUT_OFF))]
    missing = len(ontology.missing_imports)
    others = len(ontology.warnings) - len(in_vain) - bool(missing)
    found = [f"{counted(missing, 'import')} not found"] if missing else []
    if others:
        found.append(counted(others, "more warning" if missing else "warning"))
    brief = [f"{PurePath(file).name}: {', '.join(found)}: `elgeo info` says more"] if found else []
    return [*in_vain, *brief]
