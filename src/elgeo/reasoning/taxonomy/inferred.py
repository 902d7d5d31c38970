"""An ontology with what follows from it added: superclasses, equivalent classes, types of individuals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import NamedTuple

import numpy as np

from elgeo.errors import ElgeoError
from elgeo.ontology.expressions import NOTHING, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.taxonomy.taxonomy import Taxonomy

_OF = {Kind.NAMED: Op.Class, Kind.INDIVIDUAL: Op.NamedIndividual}


class Inferred(NamedTuple):
    """The ontology, and how many axioms of each kind were added."""

    ontology: Ontology
    added: dict[str, int]


def with_inferred(taxonomy: Taxonomy, every: bool = False) -> Inferred:
    """The ontology with its inferred axioms between names that no axiom says already.

    Direct superclasses and types only, or, with `every`, all of them. Classes that equal each other are said to; an
    unsatisfiable class is below owl:Nothing and nothing else.
    """
    forms = taxonomy.saturation.forms
    source = forms.source
    if source is None:
        raise ElgeoError("these normal forms came without their axioms: normalise the ontology to add to it")
    builder, words = Builder.resume(source), forms.vocabulary
    said = {int(node) for node in source.axiom_nodes}
    added: Counter[str] = Counter()

    def add(op: Op, *arguments: int) -> None:
        node = builder.node(op, *arguments)
        if node not in said:
            said.add(node)
            builder.axiom(op, *arguments)
            added[op.name] += 1

    node_of = {
        c: builder.entity(_OF[Kind(int(kind))], words.classes[c])
        for c, kind in enumerate(words.class_kinds.tolist())
        if kind in _OF
    }
    equal = _said_to_be_equal(source)
    for group in taxonomy.groups():
        members = [node_of[c] for c in group.tolist() if c in node_of]
        for one, other in pairwise(members):
            if (one, other) not in equal:
                add(Op.EquivalentClasses, one, other)
    nothing = builder.entity(Op.Class, NOTHING)
    for c in taxonomy.unsatisfiable.tolist():
        add(Op.SubClassOf, node_of[c], nothing)
    for c, above in _superclasses(taxonomy, every):
        if words.class_kinds[c] == Kind.INDIVIDUAL:
            add(Op.ClassAssertion, node_of[above], node_of[c])
        else:
            add(Op.SubClassOf, node_of[c], node_of[above])
    metadata = {"iri": source.iri, "format": source.format, "imports": source.imports}
    return Inferred(builder.finish(**metadata), dict(added))


def _said_to_be_equal(source: Ontology) -> set[tuple[int, int]]:
    """The nodes that one axiom says are equivalent, in both orders; it may speak of more than two."""
    axioms = source.axiom_nodes[source.op[source.axiom_nodes] == Op.EquivalentClasses]
    return {pair for axiom in axioms.tolist() for pair in permutations(source.arguments(axiom), 2)}


def _superclasses(taxonomy: Taxonomy, every: bool) -> Iterator[tuple[int, int]]:
    """Named classes and individuals with the named classes strictly above each, those that equal it left out."""
    saturation = taxonomy.saturation
    kinds, group = saturation.forms.vocabulary.class_kinds, taxonomy.representative
    for c in np.flatnonzero((group >= 0) & np.isin(kinds, list(_OF))).tolist():
        if every:
            found = saturation.subsumers[saturation.subsumer_start[c] : saturation.subsumer_start[c + 1]]
        else:
            found = taxonomy.direct_superclasses(c)
        found = found[(kinds[found] == Kind.NAMED) & (group[found] != group[c])]
        yield from ((c, above) for above in np.sort(found).tolist())
