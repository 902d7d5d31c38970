"""An ontology as OBO Graphs (JSON): what is an edge or one of its few other shapes; the rest is left out and named."""

from __future__ import annotations

import json
from typing import IO, Any

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import EXACT, RELATED, REPLACED
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.obograph import INVERSE, IS_A, KINDS, PROPERTIES, SUBPROPERTY, TYPE
from elgeo.ontology.writing.literals import parts
from elgeo.ontology.writing.notes import Notes

_TYPES = {op: name for name, op in KINDS.items()} | dict.fromkeys(PROPERTIES.values(), "PROPERTY")
_PROPERTY_TYPES = {op: name for name, op in PROPERTIES.items()}


def write_obograph(ontology: Ontology, file: IO[bytes], notes: Notes | None = None) -> list[int]:
    """Write an ontology; gives the axioms that graphs have no shape for."""
    writer = _Writer(ontology, notes or {})
    file.write(json.dumps({"graphs": [writer.graph()]}, indent=1, ensure_ascii=False).encode() + b"\n")
    return writer.unsaid


class _Writer:
    def __init__(self, ontology: Ontology, notes: Notes) -> None:
        self.ontology, self.notes = ontology, notes
        self.unsaid: list[int] = []
        self.shapes: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("edges", "equivalentNodesSets", "logicalDefinitionAxioms", "propertyChainAxioms")
        }
        self.ends: dict[str, dict[str, Any]] = {}
        self.kinds: dict[str, Op] = {}
        """What the node of a name is; a graph has one for each."""
        for node in ontology.declared.tolist():
            if int(ontology.op[node]) in _TYPES:
                self.kinds.setdefault(ontology.string(node), Op(int(ontology.op[node])))
        for node in dict.fromkeys(ontology.axiom_nodes.tolist()):
            if not self._said(node):
                self.unsaid.append(node)

    def graph(self) -> dict[str, Any]:
        graph: dict[str, Any] = {"id": self.ontology.iri} if self.ontology.iri else {}
        graph["nodes"] = self._nodes()
        graph |= self.shapes
        graph["domainRangeAxioms"] = list(self.ends.values())
        return {name: value for name, value in graph.items() if value}

    def _nodes(self) -> list[dict[str, Any]]:
        ontology, found = self.ontology, dict[str, dict[str, Any]]()
        for iri, op in self.kinds.items():
            found[iri] = {"id": iri, "type": _TYPES[op]}
            if op in _PROPERTY_TYPES:
                found[iri]["propertyType"] = _PROPERTY_TYPES[op]

        def one(iri: str) -> dict[str, Any]:
            return found.setdefault(iri, {"id": iri})

        def meta(iri: str) -> dict[str, Any]:
            made: dict[str, Any] = one(iri).setdefault("meta", {})
            return made

        for iri, label in ontology.labels.items():
            one(iri)["lbl"] = label
        for iri, text in ontology.definitions.items():
            meta(iri)["definition"] = {"val": text}
        for iri, names in ontology.synonyms.items():
            meta(iri)["synonyms"] = [
                {"pred": _scope(ontology.scopes.get((iri, name), EXACT)), "val": name} for name in names
            ]
        for iri, instead in ontology.replaced.items():
            meta(iri)["basicPropertyValues"] = [{"pred": REPLACED, "val": instead}]
        for iri in ontology.deprecated:
            meta(iri)["deprecated"] = True
        return list(found.values())

    def _said(self, node: int) -> bool:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        match op:
            case Op.SubClassOf if (sub := self._name(Op.Class, arguments[0])) is not None:
                return self._inclusion(node, sub, arguments[1])
            case Op.EquivalentClasses:
                return self._equivalence(arguments)
            case Op.ClassAssertion:
                return self._joined(node, Op.NamedIndividual, arguments[1], TYPE, Op.Class, arguments[0])
            case Op.ObjectPropertyAssertion if (pred := self._name(Op.ObjectProperty, arguments[0])) is not None:
                if self.kinds.get(self.ontology.string(arguments[1])) != Op.NamedIndividual:
                    return False  # an edge of anything else means another axiom
                return self._joined(node, Op.NamedIndividual, arguments[1], pred, Op.NamedIndividual, arguments[2])
            case Op.InverseObjectProperties:
                return self._joined(node, Op.ObjectProperty, arguments[0], INVERSE, Op.ObjectProperty, arguments[1])
            case Op.SubObjectPropertyOf:
                return self._subproperty(node, *arguments)
            case Op.ObjectPropertyDomain | Op.ObjectPropertyRange:
                role, end = self._name(Op.ObjectProperty, arguments[0]), self._name(Op.Class, arguments[1])
                if role is None or end is None:
                    return False
                key = "domainClassIds" if op == Op.ObjectPropertyDomain else "rangeClassIds"
                self._ends(role).setdefault(key, []).append(end)
                return True
        return False

    def _ends(self, role: str) -> dict[str, Any]:
        return self.ends.setdefault(role, {"predicateId": role})

    def _inclusion(self, node: int, sub: str, sup: int) -> bool:
        if (name := self._name(Op.Class, sup)) is not None:
            return self._edge(node, sub, IS_A, name)
        if (some := self._restriction(Op.ObjectSomeValuesFrom, sup)) is not None:
            if self.kinds.get(sub) == Op.NamedIndividual or self.kinds.get(some[0]) in (
                Op.AnnotationProperty,
                Op.DataProperty,
            ):
                return False
            return self._edge(node, sub, *some)
        if (only := self._restriction(Op.ObjectAllValuesFrom, sup)) is not None:
            edge = {"sub": sub, "pred": only[0], "obj": only[1]}
            self._ends(only[0]).setdefault("allValuesFromEdges", []).append(edge)
            return True
        return False

    def _equivalence(self, arguments: list[int]) -> bool:
        names = [self._name(Op.Class, each) for each in arguments]
        if len(names) > 1 and None not in names:
            self.shapes["equivalentNodesSets"].append({"representativeNodeId": names[0], "nodeIds": names})
            return True
        if len(names) != 2 or names[0] is None:
            return False
        whole = arguments[1]
        if self.ontology.op[whole] == Op.ObjectIntersectionOf:
            members = self.ontology.arguments(whole)
            if len(members) < 2:
                return False
        else:
            members = [whole]
        genera = [name for each in members if (name := self._name(Op.Class, each)) is not None]
        some = [pair for each in members if (pair := self._restriction(Op.ObjectSomeValuesFrom, each)) is not None]
        if len(genera) + len(some) < len(members):
            return False
        restrictions = [{"propertyId": role, "fillerId": filler} for role, filler in some]
        defined = {"definedClassId": names[0], "genusIds": genera, "restrictions": restrictions}
        self.shapes["logicalDefinitionAxioms"].append(defined)
        return True

    def _subproperty(self, node: int, sub: int, sup: int) -> bool:
        role = self._name(Op.ObjectProperty, sup)
        if role is None:
            return False
        if self.ontology.op[sub] == Op.ObjectPropertyChain:
            chain = [self._name(Op.ObjectProperty, each) for each in self.ontology.arguments(sub)]
            if None in chain or len(chain) < 2:
                return False
            self.shapes["propertyChainAxioms"].append({"predicateId": role, "chainPredicateIds": chain})
            return True
        return self._joined(node, Op.ObjectProperty, sub, SUBPROPERTY, Op.ObjectProperty, sup)

    def _joined(self, node: int, op: Op, sub: int, pred: str, other: Op, obj: int) -> bool:
        ends = self._name(op, sub), self._name(other, obj)
        return ends[0] is not None and ends[1] is not None and self._edge(node, ends[0], pred, ends[1])

    def _edge(self, node: int, sub: str, pred: str, obj: str) -> bool:
        edge: dict[str, Any] = {"sub": sub, "pred": pred, "obj": obj}
        if notes := self.notes.get(node):
            said = [{"pred": note.property, "val": parts(note.value).text} for note in notes]
            edge["meta"] = {"basicPropertyValues": said}
        self.shapes["edges"].append(edge)
        return True

    def _restriction(self, op: Op, node: int) -> tuple[str, str] | None:
        if self.ontology.op[node] != op:
            return None
        role, filler = self.ontology.arguments(node)
        found = self._name(Op.ObjectProperty, role), self._name(Op.Class, filler)
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    def _name(self, op: Op, node: int) -> str | None:
        """The name of a node of this kind, if it has one that graphs can have."""
        if self.ontology.op[node] != op or self.ontology.string(node).startswith("_:"):
            return None
        return self.ontology.string(node)


def _scope(annotation: str) -> str:
    """What the format calls a property of synonyms; it has no word for some of other vocabularies."""
    name = annotation.rpartition("#")[2]
    return name if name.endswith("Synonym") else RELATED.rpartition("#")[2]
