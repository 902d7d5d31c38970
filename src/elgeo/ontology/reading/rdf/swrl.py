"""SWRL rules in an RDF graph, as the text functional syntax has for them."""

from __future__ import annotations

from elgeo.ontology.reading.rdf.expressions import RdfExpressions
from elgeo.ontology.reading.rdf.graph import ID, SWRL, Graph

_ATOMS = {
    "ClassAtom": ("ClassAtom", ("classPredicate", "argument1")),
    "IndividualPropertyAtom": ("ObjectPropertyAtom", ("propertyPredicate", "argument1", "argument2")),
    "DatavaluedPropertyAtom": ("DataPropertyAtom", ("propertyPredicate", "argument1", "argument2")),
    "SameIndividualAtom": ("SameIndividualAtom", ("argument1", "argument2")),
    "DifferentIndividualsAtom": ("DifferentIndividualsAtom", ("argument1", "argument2")),
    "DataRangeAtom": ("DataRangeAtom", ("dataRange", "argument1")),
    "BuiltinAtom": ("BuiltInAtom", ("builtin", "arguments")),
}


def rule_of(graph: Graph, node: int, make: RdfExpressions) -> str:
    """The text of a rule."""
    values = graph.values(node)
    parts = []
    for name, key in (("Body", "swrl:body"), ("Head", "swrl:head")):
        atoms = graph.items(values.get(ID[key], ID["rdf:nil"]), node)
        parts.append(f"{name}({' '.join(_atom(graph, a, make, node) for a in atoms)})")
    return " ".join(parts)


def _atom(graph: Graph, node: int, make: RdfExpressions, near: int) -> str:
    values = {graph.terms[p]: o for p, o in graph.values(node).items()}
    kinds = [graph.terms[o].removeprefix(SWRL) for p, o in graph.outgoing(node) if p == ID["rdf:type"]]
    kind = next((k for k in kinds if k in _ATOMS), None)
    if kind is None:
        raise graph.error("an atom of a rule that is of no known kind", near)
    name, keys = _ATOMS[kind]
    parts: list[str] = []
    for key in keys:
        if SWRL + key not in values:
            raise graph.error(f"an atom of a rule without its {key}", near)
        value = values[SWRL + key]
        if key == "arguments":
            parts += [_argument(graph, item, near) for item in graph.items(value, near)]
        elif graph.terms[value].startswith("_:") and key in ("classPredicate", "dataRange"):
            part = make.class_(value, near) if key == "classPredicate" else make.range_(value, near)
            parts.append(make.builder.finish().text(part))
        else:
            parts.append(_argument(graph, value, near))
    return f"{name}({' '.join(parts)})"


def _argument(graph: Graph, term: int, near: int) -> str:
    if graph.is_literal(term):
        return graph.literal(term, near)
    text = graph.terms[term]
    written = text if text.startswith("_:") else f"<{graph.iri(term, near)}>"
    variable = any(p == ID["rdf:type"] and o == ID["swrl:Variable"] for p, o in graph.outgoing(term))
    return f"Variable({written})" if variable else written
