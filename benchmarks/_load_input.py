"""The ontology of the loading benchmark: the Gene Ontology, yeast proteins, their functions and interactions."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

from elgeo.ontology import read
from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.model import Ontology

PROTEIN = "http://elgeo.example/protein/"
HAS_FUNCTION, INTERACTS = "http://elgeo.example/has_function", "http://elgeo.example/interacts_with"
OBO = "http://purl.obolibrary.org/obo/"

_CLASS_PROPERTIES = {
    Op.SubClassOf: "rdfs:subClassOf",
    Op.EquivalentClasses: "owl:equivalentClass",
    Op.DisjointClasses: "owl:disjointWith",
}

Axiom = tuple[str, str, str]
"""Protein, role, class: a protein that has that function, or interacts with that protein."""


def protein_axioms(data: Path) -> list[Axiom]:
    """P ⊑ ∃has_function.GO, and P ⊑ ∃interacts_with.Q in both directions."""
    functions = {
        (PROTEIN + row[0], HAS_FUNCTION, OBO + row[1].replace(":", "_"))
        for row in _rows(data / "yeast" / "annotations.tsv.gz")
        if row[1].startswith("GO:")
    }
    pairs = set()
    for part in ("train", "valid", "test"):
        for row in _rows(data / "yeast" / f"interactions_{part}.tsv.gz"):
            pairs |= {(PROTEIN + row[i], INTERACTS, PROTEIN + row[1 - i]) for i in (0, 1)}
    return sorted(functions) + sorted(pairs)


def write_functional(data: Path, path: Path, copies: int = 1) -> int:
    """Write the ontology, each copy with names of its own; returns the number of logical axioms."""
    go = read(data / "go" / "go_2019-01-27_el.ofn.gz")
    proteins = protein_axioms(data)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("Ontology(<http://elgeo.example/yeast>\n")
        for copy in range(copies):
            for line in _functional(go, proteins):
                file.write(line if not copy else line.replace("<http://", f"<http://copy{copy}."))
                count += not line.startswith("Declaration")
        file.write(")\n")
    return count


def write_rdf(data: Path, path: Path) -> None:
    """Write one copy as RDF/XML, nested the way OWL programs write it."""
    go = read(data / "go" / "go_2019-01-27_el.ofn.gz")
    by_class: dict[str, list[str]] = {}
    for protein, role, filler in protein_axioms(data):
        restriction = _restriction(role, f'<owl:someValuesFrom rdf:resource="{filler}"/>')
        by_class.setdefault(protein, []).append(f"<rdfs:subClassOf>{restriction}</rdfs:subClassOf>")
    roles: dict[str, list[str]] = {HAS_FUNCTION: [], INTERACTS: []}
    for node in go.axiom_nodes.tolist():
        op, args = Op(int(go.op[node])), go.arguments(node)
        if op in (Op.SubClassOf, Op.EquivalentClasses, Op.DisjointClasses):
            tag = {Op.SubClassOf: "rdfs:subClassOf", Op.EquivalentClasses: "owl:equivalentClass"}.get(
                op, "owl:disjointWith"
            )
            by_class.setdefault(go.string(args[0]), []).append(_property(tag, go, args[1]))
        elif op == Op.TransitiveObjectProperty:
            kind = '<rdf:type rdf:resource="http://www.w3.org/2002/07/owl#TransitiveProperty"/>'
            roles.setdefault(go.string(args[0]), []).append(kind)
        elif go.op[args[0]] == Op.ObjectPropertyChain:
            chain = "".join(f"<rdf:Description rdf:about={_iri(go, a)}/>" for a in go.arguments(args[0]))
            said = f'<owl:propertyChainAxiom rdf:parseType="Collection">{chain}</owl:propertyChainAxiom>'
            roles.setdefault(go.string(args[1]), []).append(said)
        else:
            roles.setdefault(go.string(args[0]), []).append(f"<rdfs:subPropertyOf rdf:resource={_iri(go, args[1])}/>")
    for node in go.declared.tolist():
        (by_class if go.op[node] == Op.Class else roles).setdefault(go.string(node), [])
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ')
        file.write('xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">\n')
        file.write('<owl:Ontology rdf:about="http://elgeo.example/yeast"/>\n')
        for tag, entities in (("owl:ObjectProperty", roles), ("owl:Class", by_class)):
            for iri, said in entities.items():
                body = "".join(f"    {line}\n" for line in said)
                file.write(f"<{tag} rdf:about={quoteattr(iri)}>\n{body}</{tag}>\n")
        file.write("</rdf:RDF>\n")


def _rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t"):
            if row and not row[0].startswith(("#", "protein")):
                yield row


def _functional(go: Ontology, proteins: list[Axiom]) -> Iterator[str]:
    for iri in sorted({p for p, _, _ in proteins}):
        yield f"Declaration(Class(<{iri}>))\n"
    for role in (HAS_FUNCTION, INTERACTS):
        yield f"Declaration(ObjectProperty(<{role}>))\n"
    for node in go.declared.tolist():
        yield f"Declaration({Op(int(go.op[node])).name}({go.text(node)}))\n"
    for node in go.axiom_nodes.tolist():
        yield go.text(node) + "\n"
    for protein, role, filler in proteins:
        yield f"SubClassOf(<{protein}> ObjectSomeValuesFrom(<{role}> <{filler}>))\n"


def _iri(ontology: Ontology, node: int) -> str:
    return quoteattr(ontology.string(node))


def _restriction(role: str, filler: str) -> str:
    return f"<owl:Restriction><owl:onProperty rdf:resource={quoteattr(role)}/>{filler}</owl:Restriction>"


def _property(tag: str, ontology: Ontology, node: int) -> str:
    if ontology.op[node] in ENTITIES:
        return f"<{tag} rdf:resource={_iri(ontology, node)}/>"
    return f"<{tag}>{_expression(ontology, node)}</{tag}>"


def _expression(ontology: Ontology, node: int) -> str:
    op, args = ontology.op[node], ontology.arguments(node)
    if op in ENTITIES:
        return f"<rdf:Description rdf:about={_iri(ontology, node)}/>"
    if op == Op.ObjectSomeValuesFrom:
        return _restriction(ontology.string(args[0]), _property("owl:someValuesFrom", ontology, args[1]))
    members = "".join(_expression(ontology, a) for a in args)
    return f'<owl:Class><owl:intersectionOf rdf:parseType="Collection">{members}</owl:intersectionOf></owl:Class>'
