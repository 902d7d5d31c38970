"""Axioms that are said again: by the same words, or with their parts in another order where order means nothing."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ints
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology

SYMMETRIC = (
    *(Op.EquivalentClasses, Op.DisjointClasses, Op.EquivalentObjectProperties, Op.DisjointObjectProperties),
    *(Op.InverseObjectProperties, Op.EquivalentDataProperties, Op.DisjointDataProperties),
    *(Op.SameIndividual, Op.DifferentIndividuals),
)
"""Axioms that say the same in any order of their parts."""


def said_once(ontology: Ontology) -> Ints:
    """The nodes of the axioms in their order, each where it is said first."""
    _, first = np.unique(ontology.axiom_nodes, return_index=True)
    nodes = ontology.axiom_nodes[np.sort(first)]
    kept, known = np.ones(len(nodes), np.bool_), set[tuple[int, ...]]()
    for place in np.flatnonzero(np.isin(ontology.op[nodes], SYMMETRIC)).tolist():
        node = int(nodes[place])
        key = (int(ontology.op[node]), *sorted(ontology.arguments(node)))
        kept[place] = key not in known
        known.add(key)
    return np.ascontiguousarray(nodes[kept], np.int32)
