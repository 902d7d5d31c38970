"""An ontology in Manchester syntax: a frame for each name, and what stands between several names after them."""

from __future__ import annotations

from collections import defaultdict
from typing import IO

from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.grammar import PREFIXES
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.notes import Notes
from elgeo.ontology.writing.words import words

_FRAMES = {
    Op.Class: "Class",
    Op.ObjectProperty: "ObjectProperty",
    Op.DataProperty: "DataProperty",
    Op.AnnotationProperty: "AnnotationProperty",
    Op.Datatype: "Datatype",
    Op.NamedIndividual: "Individual",
}
_OF_FIRST = {
    Op.SubClassOf: "SubClassOf",
    Op.SubDataPropertyOf: "SubPropertyOf",
    Op.ObjectPropertyDomain: "Domain",
    Op.DataPropertyDomain: "Domain",
    Op.ObjectPropertyRange: "Range",
    Op.DataPropertyRange: "Range",
    Op.InverseObjectProperties: "InverseOf",
    Op.DatatypeDefinition: "EquivalentTo",
}
"""Axioms of two, said in the frame of the first."""
_PAIRS = {
    Op.EquivalentClasses: ("EquivalentTo", "EquivalentClasses"),
    Op.DisjointClasses: ("DisjointWith", "DisjointClasses"),
    Op.EquivalentObjectProperties: ("EquivalentTo", "EquivalentProperties"),
    Op.DisjointObjectProperties: ("DisjointWith", "DisjointProperties"),
    Op.EquivalentDataProperties: ("EquivalentTo", "EquivalentProperties"),
    Op.DisjointDataProperties: ("DisjointWith", "DisjointProperties"),
    Op.SameIndividual: ("SameAs", "SameIndividual"),
    Op.DifferentIndividuals: ("DifferentFrom", "DifferentIndividuals"),
}
"""In a frame where there are two of which the first has a name, else apart."""
_FACTS = {
    Op.ObjectPropertyAssertion: "",
    Op.DataPropertyAssertion: "",
    Op.NegativeObjectPropertyAssertion: "not ",
    Op.NegativeDataPropertyAssertion: "not ",
}
_BETWEEN = {
    Op.ObjectIntersectionOf: "and",
    Op.ObjectUnionOf: "or",
    Op.DataIntersectionOf: "and",
    Op.DataUnionOf: "or",
    Op.ObjectPropertyChain: "o",
}
_WORDS = {
    Op.ObjectSomeValuesFrom: "some",
    Op.DataSomeValuesFrom: "some",
    Op.ObjectAllValuesFrom: "only",
    Op.DataAllValuesFrom: "only",
    Op.ObjectHasValue: "value",
    Op.DataHasValue: "value",
    **{Op[f"{of}{name}Cardinality"]: word for of in ("Object", "Data")
       for name, word in (("Min", "min"), ("Max", "max"), ("Exact", "exactly"))},
}  # fmt: skip
_FACETS = {"maxInclusive": "<=", "maxExclusive": "<", "minInclusive": ">=", "minExclusive": ">"}


def write_manchester(ontology: Ontology, file: IO[bytes], notes: Notes | None = None) -> list[int]:
    """Write an ontology; gives the axioms that Manchester syntax has no words for."""
    writer = _Writer(ontology, notes or {})
    for line in writer.lines():
        file.write(f"{line}\n".encode())
    return writer.unsaid


class _Writer:
    def __init__(self, ontology: Ontology, notes: Notes) -> None:
        self.ontology, self.notes = ontology, notes
        self.texts = manchester_texts(ontology)
        self.frames: dict[tuple[Op, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.apart: list[str] = []
        self.unsaid: list[int] = []
        kinds: dict[str, Op] = {}
        for node, op in enumerate(ontology.op.tolist()):
            if op in _FRAMES:
                iri = ontology.string(node)
                # names of the language itself need no frame, nor do facets, which are no properties
                if not iri.startswith(tuple(PREFIXES.values())) and not iri.startswith("_:"):
                    kinds.setdefault(iri, Op(op))
                    _ = self.frames[Op(op), iri]
        for node in ontology.declared.tolist():
            _ = self.frames[Op(int(ontology.op[node])), ontology.string(node)]
        for property_, subject, value in words(ontology):
            if not subject.startswith("_:"):
                kind = kinds.get(subject, Op.Class)
                self.frames[kind, subject]["Annotations"].append(f"<{property_}> {value}")
        for node in dict.fromkeys(ontology.axiom_nodes.tolist()):
            if not self._said(node):
                self.unsaid.append(node)

    def lines(self) -> list[str]:
        ontology = self.ontology
        made = [f"Prefix: {name}: <{iri}>" for name, iri in {**PREFIXES, **ontology.prefixes}.items()]
        made += ["", f"Ontology: <{ontology.iri}>" if ontology.iri else "Ontology:"]
        made += [f"Import: <{iri}>" for iri in ontology.imports]
        for (op, iri), parts in self.frames.items():
            made += ["", f"{_FRAMES[op]}: {_name(iri)}"]
            for part, items in parts.items():
                joined = ",\n        ".join(dict.fromkeys(items))
                made += [f"    {part}:", f"        {joined}"]
        return [*made, *(line for each in self.apart for line in ("", each))]

    def _said(self, node: int) -> bool:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        said = [self.texts[each] for each in arguments]
        text = [each for each in said if each is not None]
        if len(text) < len(said):
            return False
        note = ", ".join(f"<{each.property}> {each.value}" for each in self.notes.get(node, ()))
        note = f"Annotations: {note} " if note else ""
        first = self._frame(arguments[0])
        if op == Op.SubClassOf and first is None:
            # there are no frames of nameless classes
            self.apart.append(f"EquivalentClasses: {note}{text[0]}, {text[0]} and {text[1]}")
        elif op in _OF_FIRST and first is not None:
            first[_OF_FIRST[op]].append(note + _bare(text[1]))
        elif op in _PAIRS:
            part, whole = _PAIRS[op]
            if len(arguments) == 2 and first is not None:
                first[part].append(note + _bare(text[1]))
            elif len(arguments) > 1:
                self.apart.append(f"{whole}: {note}{', '.join(map(_bare, text))}")
            else:
                return False
        elif op == Op.SubObjectPropertyOf and (sup := self._frame(arguments[1])) is not None:
            if self.ontology.op[arguments[0]] == Op.ObjectPropertyChain:
                sup["SubPropertyChain"].append(note + _bare(text[0]))
            elif first is not None:
                first["SubPropertyOf"].append(note + text[1])
            else:
                return False
        elif op == Op.DisjointUnion and first is not None and len(text) > 2 and "DisjointUnionOf" not in first:
            first["DisjointUnionOf"].append(note + ", ".join(map(_bare, text[1:])))
        elif op == Op.HasKey and first is not None and len(text) > 1 and "HasKey" not in first:
            first["HasKey"].append(note + ", ".join(text[1:]))
        elif op == Op.ClassAssertion and (who := self._frame(arguments[1])) is not None:
            who["Types"].append(note + _bare(text[0]))
        elif op in _FACTS and (who := self._frame(arguments[1])) is not None:
            who["Facts"].append(f"{note}{_FACTS[op]}{text[0]} {text[2]}")
        elif op.name.endswith("ObjectProperty") and first is not None and len(arguments) == 1:
            first["Characteristics"].append(note + op.name.removesuffix("ObjectProperty"))
        elif op == Op.FunctionalDataProperty and first is not None:
            first["Characteristics"].append(note + "Functional")
        else:
            return False
        return True

    def _frame(self, node: int) -> dict[str, list[str]] | None:
        op = Op(int(self.ontology.op[node]))
        return self.frames[op, self.ontology.string(node)] if op in _FRAMES else None


def _name(iri: str) -> str:
    return iri if iri.startswith("_:") else f"<{iri}>"


def _bare(text: str) -> str:
    """An expression that stands alone needs no parentheses around it."""
    return text[1:-1] if text.startswith("(") else text


def manchester_texts(ontology: Ontology) -> list[str | None]:
    """The text of every node, in parentheses where it has several parts; nothing where there are no words for it.

    Arguments come before the nodes that use them, so one pass will do.
    """
    texts: list[str | None] = []
    for node, number in enumerate(ontology.op.tolist()):
        op = Op(number)
        if op in ENTITIES:
            string = ontology.string(node)
            texts.append(string if op == Op.Literal else _name(string))
            continue
        parts = [texts[each] for each in ontology.arguments(node)]
        sayable = [part for part in parts if part is not None]
        texts.append(_text(op, sayable) if len(sayable) == len(parts) else None)
    return texts


def _text(op: Op, parts: list[str]) -> str | None:
    if op in _BETWEEN:
        return f"({f' {_BETWEEN[op]} '.join(parts)})" if len(parts) > 1 else None
    if op in (Op.ObjectOneOf, Op.DataOneOf):
        return f"{{{', '.join(parts)}}}"
    if op in (Op.ObjectComplementOf, Op.DataComplementOf):
        return f"(not {parts[0]})"
    if op == Op.ObjectInverseOf:
        return f"inverse {parts[0]}"
    if op == Op.ObjectHasSelf:
        return f"({parts[0]} Self)"
    if op == Op.DatatypeRestriction:
        facets = (
            f"{_FACETS.get(facet.strip('<>').rpartition('#')[2], facet.strip('<>').rpartition('#')[2])} {value}"
            for facet, value in zip(parts[1::2], parts[2::2], strict=True)
        )
        return f"{parts[0]}[{', '.join(facets)}]"
    if op.name.endswith("Cardinality"):
        return f"({' '.join([parts[1], _WORDS[op], parts[0], *parts[2:]])})"
    if op in _WORDS:
        return f"({' '.join([*parts[:-1], _WORDS[op], parts[-1]])})"
    return ""
