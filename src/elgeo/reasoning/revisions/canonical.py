"""Axioms in one spelling: where the order of arguments means nothing they are sorted, and repeated ones left out."""

from __future__ import annotations

from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.repetition import SYMMETRIC

_UNORDERED = frozenset(
    {
        *(Op.ObjectIntersectionOf, Op.ObjectUnionOf, Op.ObjectOneOf),
        *(Op.DataIntersectionOf, Op.DataUnionOf, Op.DataOneOf),
        *SYMMETRIC,
    }
)


def canonical_axioms(ontology: Ontology) -> dict[str, int]:
    """The text of each axiom, and the node it has here."""
    texts: list[str] = []
    for node, number in enumerate(ontology.op.tolist()):
        op = Op(number)
        if op in ENTITIES or op == Op.HasKey:
            texts.append(ontology.text(node))
            continue
        arguments = [texts[a] for a in ontology.arguments(node)]
        if op in _UNORDERED:
            arguments = sorted(set(arguments))
        elif op == Op.DisjointUnion:
            arguments = [arguments[0], *sorted(set(arguments[1:]))]
        texts.append(f"{op.name}({' '.join(arguments)})")
    return {texts[node]: node for node in ontology.axiom_nodes.tolist()}
