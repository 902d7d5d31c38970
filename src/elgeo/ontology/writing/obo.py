"""An ontology in OBO: stanzas for what OBO has words for; all other axioms in functional syntax, in the header."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import IO

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import EXACT
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.obo_names import OBO, SCOPES, OboNames
from elgeo.ontology.writing.functional import annotated
from elgeo.ontology.writing.literals import parts
from elgeo.ontology.writing.notes import Note, Notes

_FLAGS = {
    Op.TransitiveObjectProperty: "is_transitive",
    Op.ReflexiveObjectProperty: "is_reflexive",
    Op.SymmetricObjectProperty: "is_symmetric",
    Op.AsymmetricObjectProperty: "is_asymmetric",
    Op.FunctionalObjectProperty: "is_functional",
    Op.InverseFunctionalObjectProperty: "is_inverse_functional",
}
_ROLE_PAIRS = {
    Op.EquivalentObjectProperties: "equivalent_to",
    Op.DisjointObjectProperties: "disjoint_from",
    Op.InverseObjectProperties: "inverse_of",
    Op.ObjectPropertyDomain: "domain",
    Op.ObjectPropertyRange: "range",
}
_ORDER = (
    *("id", "name", "is_obsolete", "alt_id", "def", "synonym", "replaced_by", "instance_of", "domain", "range"),
    *("is_a", "intersection_of", "union_of", "equivalent_to", "disjoint_from", "inverse_of", "transitive_over"),
    *("holds_over_chain", *_FLAGS.values(), "relationship"),
)
"""The order in which OBO's tools write the lines of a stanza."""
_KINDS = {Op.Class: "Term", Op.ObjectProperty: "Typedef", Op.NamedIndividual: "Instance"}
_SPACED = re.compile(r"[\s!{}]")


def write_obo(ontology: Ontology, file: IO[bytes], notes: Notes | None = None) -> list[int]:
    """Write an ontology; gives the axioms that only the header says.

    Notes of an `is_a` or `relationship` are its qualifiers, under the last part of their property's name.
    """
    writer = _Writer(ontology, notes or {})
    for line in writer.lines():
        file.write(f"{line}\n".encode())
    return writer.in_header


class _Writer:
    def __init__(self, ontology: Ontology, notes: Notes) -> None:
        self.ontology, self.notes = ontology, notes
        self.name = _ontology_name(ontology.iri)
        self.names = OboNames(self.name, {}, {})
        self.in_header: list[int] = []
        self.stanzas: dict[tuple[Op, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._defined: set[tuple[int, Op]] = set()
        self._collect()

    def lines(self) -> list[str]:
        header = ["format-version: 1.4"]
        header += [f"import: {iri}" for iri in self.ontology.imports]
        header += [f"ontology: {self.name}"] if self.name else []
        if self.in_header:
            said = (annotated(self.ontology.text(node), self.notes.get(node, ())) for node in self.in_header)
            axioms = "\n".join(["Ontology(", *said, ")"])
            header.append(f"owl-axioms: {_escaped(axioms)}")
        made = ["\n".join(header)]
        # terms, then relations, then instances, each by id, so that two releases can be compared line by line
        for (op, identifier), tags in sorted(self.stanzas.items()):
            lines = [f"id: {identifier}"]
            for tag in sorted(tags, key=_ORDER.index):
                lines += [f"{tag}: {value}" for value in dict.fromkeys(tags[tag])]
            made.append("\n".join([f"[{_KINDS[op]}]", *lines]))
        return "\n\n".join(made).split("\n")

    def _collect(self) -> None:
        ontology = self.ontology
        kinds: dict[str, Op] = {}
        for node in (*range(len(ontology.op)),):
            op = Op(int(ontology.op[node]))
            if op in _KINDS and not ontology.string(node).startswith("_:"):
                kinds.setdefault(ontology.string(node), op)
        for node in ontology.declared.tolist():
            if Op(int(ontology.op[node])) in _KINDS:
                self._stanza(node)
        for node in dict.fromkeys(ontology.axiom_nodes.tolist()):
            if not self._said(node):
                self.in_header.append(node)
        for iri in ontology.deprecated:
            self._of(kinds.get(iri, Op.Class), iri)["is_obsolete"].append("true")
        for iri, instead in ontology.replaced.items():
            self._of(kinds.get(iri, Op.Class), iri)["replaced_by"].append(self._id(instead))
        for other, iri in ontology.alternatives.items():
            self._of(kinds.get(iri, Op.Class), iri)["alt_id"].append(self._id(other))
        for iri, label in ontology.labels.items():
            if iri in kinds or iri in ontology.deprecated:
                self._of(kinds.get(iri, Op.Class), iri)["name"].append(_escaped(label))
        for iri, text in ontology.definitions.items():
            if iri in kinds:
                self._of(kinds[iri], iri)["def"].append(f'"{_quoted(text)}" []')
        for iri, synonyms in ontology.synonyms.items():
            if iri in kinds:
                self._of(kinds[iri], iri)["synonym"] += [
                    f'"{_quoted(name)}" {_scope(ontology.scopes.get((iri, name), EXACT))} []' for name in synonyms
                ]

    def _said(self, node: int) -> bool:
        """Put an axiom into the stanzas, if OBO has words for it."""
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        match op:
            case Op.SubClassOf:
                return self._inclusion(arguments[0], arguments[1], self.notes.get(node, ()))
            case Op.EquivalentClasses if len(arguments) == 2 and self._is(Op.Class, arguments[0]):
                return self._definition(*arguments)
            case Op.DisjointClasses if len(arguments) == 2 and self._is(Op.Class, *arguments):
                self._stanza(arguments[0])["disjoint_from"].append(self._name(arguments[1]))
                return True
            case Op.SubObjectPropertyOf:
                return self._inclusion_of_roles(*arguments)
            case Op.ClassAssertion if self._is(Op.Class, arguments[0]) and self._is(Op.NamedIndividual, arguments[1]):
                self._stanza(arguments[1])["instance_of"].append(self._name(arguments[0]))
                return True
            case Op.ObjectPropertyAssertion if self._is(Op.ObjectProperty, arguments[0]):
                if not self._is(Op.NamedIndividual, *arguments[1:]):
                    return False
                role, subject, value = arguments
                self._stanza(subject)["relationship"].append(f"{self._name(role)} {self._name(value)}")
                return True
        if op in _FLAGS and self._is(Op.ObjectProperty, arguments[0]):
            self._stanza(arguments[0])[_FLAGS[op]].append("true")
            return True
        if op in _ROLE_PAIRS and len(arguments) == 2 and self._is(Op.ObjectProperty, arguments[0]):
            wanted = Op.Class if op in (Op.ObjectPropertyDomain, Op.ObjectPropertyRange) else Op.ObjectProperty
            if self._is(wanted, arguments[1]):
                self._stanza(arguments[0])[_ROLE_PAIRS[op]].append(self._name(arguments[1]))
                return True
        return False

    def _inclusion(self, sub: int, sup: int, notes: Sequence[Note]) -> bool:
        value = self._simple(sup)
        if value is None:
            return False
        qualifiers = [(re.split(r"[#/:]", note.property)[-1], parts(note.value)[0]) for note in notes]
        if not self._is(Op.Class, sub):
            # OBO can narrow the left side by one relation
            if self.ontology.op[sub] != Op.ObjectIntersectionOf or len(both := self.ontology.arguments(sub)) != 2:
                return False
            condition = self._simple(both[1])
            if not self._is(Op.Class, both[0]) or condition is None or " " not in condition:
                return False
            sub, (relation, filler) = both[0], condition.split(" ")
            qualifiers += [("gci_relation", relation), ("gci_filler", filler)]
        told = ", ".join(f'{key}="{_quoted(text)}"' for key, text in qualifiers)
        tag = "relationship" if " " in value else "is_a"
        self._stanza(sub)[tag].append(f"{value} {{{told}}}" if told else value)
        return True

    def _definition(self, name: int, meaning: int) -> bool:
        if self._is(Op.Class, meaning):
            self._stanza(name)["equivalent_to"].append(self._name(meaning))
            return True
        op = Op(int(self.ontology.op[meaning]))
        tag = {Op.ObjectIntersectionOf: "intersection_of", Op.ObjectUnionOf: "union_of"}.get(op)
        # the lines of two definitions would run into one
        if tag is None or (name, op) in self._defined:
            return False
        values = [self._simple(part) for part in self.ontology.arguments(meaning)]
        if len(values) < 2 or any(v is None or (" " in v and tag == "union_of") for v in values):
            return False
        self._defined.add((name, op))
        self._stanza(name)[tag] += [value for value in values if value is not None]
        return True

    def _inclusion_of_roles(self, sub: int, role: int) -> bool:
        if not self._is(Op.ObjectProperty, role):
            return False
        if self._is(Op.ObjectProperty, sub):
            self._stanza(sub)["is_a"].append(self._name(role))
            return True
        if self.ontology.op[sub] != Op.ObjectPropertyChain:
            return False
        chain = self.ontology.arguments(sub)
        if len(chain) < 2 or not self._is(Op.ObjectProperty, *chain):
            return False
        if len(chain) == 2 and chain[0] == role:
            self._stanza(role)["transitive_over"].append(self._name(chain[1]))
        else:
            self._stanza(role)["holds_over_chain"].append(" ".join(map(self._name, chain)))
        return True

    def _simple(self, node: int) -> str | None:
        """A class by name, or `relation class` for ∃relation.class; nothing for what OBO cannot say in a line."""
        if self._is(Op.Class, node):
            return self._name(node)
        if self.ontology.op[node] == Op.ObjectSomeValuesFrom:
            role, filler = self.ontology.arguments(node)
            if self._is(Op.ObjectProperty, role) and self._is(Op.Class, filler):
                return f"{self._name(role)} {self._name(filler)}"
        return None

    def _is(self, op: Op, *nodes: int) -> bool:
        """Whether nodes are names of a kind."""
        return all(self.ontology.op[n] == op and not self.ontology.string(n).startswith("_:") for n in nodes)

    def _stanza(self, node: int) -> dict[str, list[str]]:
        return self._of(Op(int(self.ontology.op[node])), self.ontology.string(node))

    def _of(self, op: Op, iri: str) -> dict[str, list[str]]:
        return self.stanzas[op, self._id(iri)]

    def _name(self, node: int) -> str:
        return self._id(self.ontology.string(node))

    def _id(self, iri: str) -> str:
        """The identifier that OBO's readers turn into this IRI again."""
        if iri.startswith(OBO):
            local = iri[len(OBO) :]
            own, hash_, fragment = local.partition("#")
            identifier = fragment if own == (self.name or "TEMP") else "" if hash_ else local.replace("_", ":", 1)
            if identifier and not _SPACED.search(identifier) and self.names.iri(identifier) == iri:
                return identifier
        return iri


def _ontology_name(iri: str | None) -> str:
    if iri and iri.startswith(OBO) and iri.endswith(".owl"):
        return iri[len(OBO) : -len(".owl")]
    return iri or ""


def _escaped(text: str) -> str:
    """Text in a line of its own."""
    return re.sub(r"([\\!{])", r"\\\1", text).replace("\n", "\\n").replace("\r", " ").replace("\t", "\\t")


def _quoted(text: str) -> str:
    """Text between quotation marks."""
    return re.sub(r'(["\\])', r"\\\1", text).replace("\n", "\\n").replace("\r", " ").replace("\t", "\\t")


def _scope(annotation: str) -> str:
    """What OBO calls a property of synonyms; it has no word for those of other vocabularies."""
    return next((word for word, property in SCOPES.items() if property == annotation), "RELATED")
