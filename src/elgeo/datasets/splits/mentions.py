"""Which axioms speak of which classes, and which speak of a class alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from elgeo.arrays import Ints, Longs, Places
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology


@dataclass(frozen=True, eq=False)
class Mentions:
    """Pairs of a class or individual and an axiom it is in, however deep; each pair once, sorted by the name."""

    names: Ints
    axioms: Ints

    @classmethod
    def of(cls, ontology: Ontology, axioms: Ints) -> Mentions:
        """All mentions in some axioms of an ontology; one that is there twice is one axiom."""
        axioms = np.unique(axioms)
        nodes, found = axioms, []
        is_name = np.isin(ontology.op, (Op.Class, Op.NamedIndividual))
        is_inner = ontology.op > Op.Literal  # all others have strings for arguments
        while len(nodes):
            named = is_name[nodes]
            found.append(np.column_stack([nodes[named], axioms[named]]))
            nodes, axioms = nodes[is_inner[nodes]], axioms[is_inner[nodes]]
            first, sizes = ontology.start[nodes], np.diff(ontology.start)[nodes]
            place = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            pairs = np.column_stack([ontology.args[np.repeat(first, sizes) + place], np.repeat(axioms, sizes)])
            nodes, axioms = np.unique(pairs, axis=0).T
        names, mentioning = np.unique(np.concatenate(found), axis=0).T.astype(np.int32)
        return cls(names, mentioning)

    @cached_property
    def _by_axiom(self) -> tuple[Places, Ints]:
        order = np.argsort(self.axioms, kind="stable")
        return order, self.axioms[order]

    def axioms_of(self, name: int) -> Ints:
        """The axioms that mention a class or individual."""
        first, last = np.searchsorted(self.names, [name, name + 1])
        return self.axioms[first:last]

    def names_in(self, axiom: int) -> Ints:
        """The classes and individuals of an axiom."""
        order, axioms = self._by_axiom
        first, last = np.searchsorted(axioms, [axiom, axiom + 1])
        return self.names[order[first:last]]

    def counts(self, size: int) -> Longs:
        """How many axioms mention each of the first `size` nodes."""
        return np.bincount(self.names, minlength=size)


def is_about(ontology: Ontology, axiom: int, name: int) -> bool:
    """Whether an axiom describes this class or individual and mentions it nowhere else."""
    op, arguments = ontology.op[axiom], ontology.arguments(axiom)
    if op == Op.SubClassOf:
        subject, rest = arguments[:1], arguments[1:]
    elif op in (Op.ClassAssertion, Op.ObjectPropertyAssertion):
        subject, rest = arguments[1:2], arguments[:1] + arguments[2:]
    elif op == Op.EquivalentClasses:
        subject = [a for a in arguments if ontology.op[a] == Op.Class]
        rest = [a for a in arguments if ontology.op[a] != Op.Class]
    else:
        return False
    return subject == [name] and not any(_mentions(ontology, node, name) for node in rest)


def _mentions(ontology: Ontology, node: int, name: int) -> bool:
    todo = [node]
    while todo:
        here = todo.pop()
        if here == name:
            return True
        if ontology.op[here] > Op.Literal:
            todo += ontology.arguments(here)
    return False
