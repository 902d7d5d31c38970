"""Every shape of axiom that an ontology can have between two names, and how users write it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from elgeo.datasets.splits.patterns import Pattern
from elgeo.datasets.targets import folder_names
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.short_names import fragment

ALL = "all"
ENOUGH = 10
"""Axioms held out, and trained on, that a shape has to have if it is not asked for."""
PLAIN = {Op.SubClassOf: "subclass", Op.ClassAssertion: "type"}
"""Names of folders for shapes without a role."""


def every_shape(ontology: Ontology, operators: Iterable[Op] = (Op.SubClassOf,)) -> list[Pattern]:
    """Shapes with each of these keywords, without a role and with each role in the order of their names."""
    roles = sorted(ontology.string(node) for node in np.flatnonzero(ontology.op == Op.ObjectProperty).tolist())
    found = []
    for op in operators:
        found += [Pattern(op, None)] if op in PLAIN else []
        found += [Pattern(op, role) for role in roles] if op != Op.ClassAssertion else []
    return found


def written(pattern: Pattern, ontology: Ontology) -> str:
    """A shape as users write it."""
    if pattern.op == Op.ClassAssertion:
        return "?a Type ?C"
    if pattern.role is None:
        return "?C SubClassOf ?D"
    role = f"'{_label(pattern.role, ontology)}'"
    return f"?a {role} ?b" if pattern.op == Op.ObjectPropertyAssertion else f"?C SubClassOf {role} some ?D"


def folders(patterns: Iterable[Pattern], ontology: Ontology) -> list[str]:
    """A folder's name for each shape, all different."""
    return folder_names(PLAIN[p.op] if p.role is None else _label(p.role, ontology) for p in patterns)


def _label(role: str, ontology: Ontology) -> str:
    return ontology.labels.get(role) or fragment(role)
