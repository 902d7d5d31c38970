"""Reads OWL/XML, the XML twin of functional syntax, in one pass over its elements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urljoin
from xml.parsers import expat

from elgeo.documents import shown
from elgeo.errors import ReadError
from elgeo.ontology.expressions import AXIOMS, OWL, Op
from elgeo.ontology.grammar import ENTITY, MAX_DEPTH, PREFIXES, REPLACED, SIGNATURES, TEXTS, Sort, literal
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.formats import check_utf8
from elgeo.ontology.reading.labels import ENGLISH, Naming
from elgeo.ontology.reading.xml_safety import flat_entities

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?!//)|[A-Za-z][A-Za-z0-9+.-]*:")
_BAD_IRI = re.compile(r'[\x00-\x20<>"]')
_SPACE = OWL + " "
_BASE = PREFIXES["xml"] + " base"
_LANGUAGE = PREFIXES["xml"] + " lang"
_ENTITIES = {op.name: op for op in Op if op < Op.Literal}
_CONSTRUCTORS = {op.name: op for op in SIGNATURES}
_SORTS = {op: sort for sort, op in ENTITY.items() if sort != Sort.CHAIN}
_TEXT_NAMES = {"Literal", "IRI", "AbbreviatedIRI", "Import"}
_NEVER_FIRST = {
    "Literal",
    "IRI",
    "AbbreviatedIRI",
    "AnonymousIndividual",
    "Variable",
    "Body",
    "Head",
    "FacetRestriction",
}
_ANNOTATION_AXIOMS = {"SubAnnotationPropertyOf", "AnnotationPropertyDomain", "AnnotationPropertyRange"}
_RULES = {"DLSafeRule", "Body", "Head", "Variable"}
_NUMBERED = {op for op, shape in SIGNATURES.items() if shape.first[:1] == (Sort.NUMBER,)}


@dataclass(slots=True)
class _Element:
    """An open element and what its children have given so far: nodes, or texts of annotations and rules."""

    name: str
    op: Op | None = None
    nodes: list[int] = field(default_factory=list)
    sorts: list[Sort] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)


_LEAF = _Element("entity")
_TEXT_ELEMENTS = {name: _Element(name) for name in _TEXT_NAMES}


def read_owlxml(data: bytes, file: str, language: str = ENGLISH) -> Ontology:
    """The ontology in an OWL/XML document."""
    check_utf8(data, file)
    return _Reader(file, language).read(flat_entities(data, file))


class _Reader:
    def __init__(self, file: str, language: str) -> None:
        self.file, self.builder, self.naming = file, Builder(), Naming(language)
        self.builder.prefixes.update(PREFIXES)
        self.stack: list[_Element] = []
        self.skipping = 0
        self.base = self.iri = ""
        self.imports: list[str] = []
        self._known: dict[str, str] = {}
        self.text: list[str] = []
        self.attributes: dict[str, str] = {}
        self.parser = expat.ParserCreate("UTF-8", namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def read(self, data: bytes) -> Ontology:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as broken:
            raise ReadError(
                f"not well-formed XML: {expat.ErrorString(broken.code)}", self.file, broken.lineno
            ) from None
        self.naming.into(self.builder)
        return self.builder.finish(iri=self.iri or None, format="owlxml", imports=tuple(self.imports))

    def _error(self, problem: str) -> ReadError:
        return ReadError(problem, self.file, self.parser.CurrentLineNumber)

    def _expanded(self, attributes: dict[str, str]) -> str:
        """The IRI an element's attributes give."""
        if (iri := attributes.get("IRI")) is not None:
            known = self._known.get(iri)
            if known is None:
                known = self._known[iri] = self._absolute(iri)
            return known
        if (short := attributes.get("abbreviatedIRI")) is not None:
            return self._abbreviated(short)
        raise self._error("an element without an IRI")

    def _absolute(self, iri: str) -> str:
        scheme = _SCHEME.match(iri)
        if iri.startswith(":") or (scheme and scheme[1] in self.builder.prefixes):
            # some writers put abbreviated IRIs where whole ones belong
            return self._abbreviated(iri)
        if scheme is None:
            iri = self._joined(iri)
        if _BAD_IRI.search(iri) or not iri:
            raise self._error(f"{shown(iri)} is no IRI")
        return iri

    def _joined(self, iri: str) -> str:
        """An IRI relative to the base; `urljoin` knows only some schemes, and `urn:` is not among them."""
        if iri.startswith("#"):
            return self.base.partition("#")[0] + iri
        return urljoin(self.base, iri) if self.base else iri

    def _abbreviated(self, short: str) -> str:
        prefix, colon, local = short.strip().partition(":")
        if not colon or prefix not in self.builder.prefixes:
            raise self._error(f"the prefix of {shown(short)} is not declared")
        iri = self.builder.prefixes[prefix] + local
        if _BAD_IRI.search(iri):
            raise self._error(f"{shown(iri)} is no IRI")
        return iri

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        if self.skipping:
            self.skipping += 1
            if self.skipping > 4 * MAX_DEPTH:
                raise self._error("elements nest too deeply")
            return
        if not qualified.startswith(_SPACE):
            raise self._error(f"<{qualified.rpartition(' ')[2]}> is no element of OWL/XML")
        name = qualified[len(_SPACE) :]
        stack, builder = self.stack, self.builder
        if not stack:
            if name != "Ontology":
                raise self._error(f"expected <Ontology>, found <{name}>")
            self.iri = attributes.get("ontologyIRI", "")
            self.base = attributes.get(_BASE, self.iri)
            stack.append(_Element(name))
            return
        if len(stack) > MAX_DEPTH + 1:
            raise self._error(f"expressions nest more than {MAX_DEPTH:,} deep")
        parent = stack[-1]
        inside = parent is not _LEAF and parent.name not in _TEXT_NAMES
        if not inside or (len(stack) == 1 and (name in _ENTITIES or name in _NEVER_FIRST)):
            raise self._error(f"<{name}> cannot stand in <{parent.name}>")
        if name in _ENTITIES:
            iri = self._expanded(attributes)
            op = _ENTITIES[name]
            parent.nodes.append(builder.entity(op, iri))
            parent.sorts.append(_SORTS[op])
            if parent.op is None:
                parent.texts.append((iri, name))
            stack.append(_LEAF)
        elif name in _TEXT_NAMES:
            self.text, self.attributes = [], attributes
            self.parser.CharacterDataHandler = self.text.append
            stack.append(_TEXT_ELEMENTS[name])
        elif name == "AnonymousIndividual":
            individual = "_:" + attributes.get("nodeID", "").removeprefix("_:")
            if _BAD_IRI.search(individual) or individual == "_:":
                raise self._error("an anonymous individual without a name")
            parent.texts.append((individual, name))
            self._give(parent, builder.entity(Op.NamedIndividual, individual), Sort.INDIVIDUAL)
            stack.append(_LEAF)
        elif name == "Annotation" or name in _ANNOTATION_AXIOMS:
            builder.ignored["annotations"] += 1
            self.skipping = 1
        elif name == "Prefix":
            builder.prefixes[attributes.get("name", "").removesuffix(":")] = attributes.get("IRI", "")
            stack.append(_LEAF)
        else:
            self._open(name, attributes, parent)

    @staticmethod
    def _give(element: _Element, node: int, sort: Sort) -> None:
        element.nodes.append(node)
        element.sorts.append(sort)

    def _open(self, name: str, attributes: dict[str, str], parent: _Element) -> None:
        op = _CONSTRUCTORS.get(name)
        element = _Element(name, op)
        if op is None:
            known = name in ("Declaration", "AnnotationAssertion", "FacetRestriction") or name in _RULES
            if not known and not name.endswith("Atom"):
                raise self._error(f"<{name}> is no element of OWL/XML")
            if name == "Variable":
                parent.texts.append((f"Variable(<{self._expanded(attributes)}>)", name))
            elif name == "FacetRestriction":
                facet = self._absolute(attributes.get("facet", ""))
                self._give(element, self.builder.entity(Op.AnnotationProperty, facet), Sort.FACET)
            elif name == "BuiltInAtom":
                element.texts.append((self._expanded(attributes), "IRI"))
        elif (op in AXIOMS) != (len(self.stack) == 1):
            raise self._error(f"<{name}> cannot stand in <{parent.name}>")
        elif op in _NUMBERED:
            number = attributes.get("cardinality", "").strip()
            if not (number.isascii() and number.isdigit()):
                raise self._error(f"<{name}> needs a number as its cardinality")
            self._give(element, self.builder.entity(Op.Literal, number.lstrip("0") or "0"), Sort.NUMBER)
        self.stack.append(element)

    def _end(self, _: str) -> None:
        if self.skipping:
            self.skipping -= 1
            return
        element = self.stack.pop()
        if element is _LEAF or not self.stack:
            return
        parent, builder, name = self.stack[-1], self.builder, element.name
        if element.op is not None:
            self._check(element)
            if len(self.stack) == 1:
                builder.axiom(element.op, *element.nodes)
            else:
                node = builder.node(element.op, *element.nodes)
                self._give(parent, node, SIGNATURES[element.op].makes)
                if parent.name.endswith("Atom"):
                    parent.texts.append((builder.finish().text(node), "expression"))
        elif name in _TEXT_NAMES:
            self._text_ended(name, parent)
        elif name == "FacetRestriction":
            if len(element.nodes) != 2:
                raise self._error("<FacetRestriction> needs one literal")
            parent.nodes += element.nodes
            parent.sorts += element.sorts
        elif name == "Declaration":
            if len(element.nodes) != 1:
                raise self._error("<Declaration> needs one entity")
            builder.declare(element.nodes[0])
        elif name == "AnnotationAssertion":
            self._annotated(element)
        elif name == "DLSafeRule":
            builder.axiom(Op.DLSafeRule, builder.entity(Op.Literal, " ".join(t for t, _ in element.texts)))
        elif name in ("Body", "Head") or name.endswith("Atom"):
            inner = " ".join(f"<{t}>" if kind in _ENTITIES or kind == "IRI" else t for t, kind in element.texts)
            parent.texts.append((f"{name}({inner})", name))

    def _text_ended(self, name: str, parent: _Element) -> None:
        self.parser.CharacterDataHandler = None
        text = "".join(self.text)
        if name == "Literal":
            datatype = self.attributes.get("datatypeIRI")
            language = self.attributes.get(_LANGUAGE, "")
            if parent.name == "AnnotationAssertion":
                parent.texts.append((text, "@" + language))
                return
            whole = literal(text, self._absolute(datatype) if datatype else "", language)
            self._give(parent, self.builder.entity(Op.Literal, whole), Sort.LITERAL)
            parent.texts.append((whole, name))
        elif name == "Import":
            self.imports.append(self._absolute(text.strip()))
        else:
            # a broken IRI in an annotation is no reason to refuse the file
            short = name == "AbbreviatedIRI" or (text.strip().startswith(":") and "" in self.builder.prefixes)
            parent.texts.append((self._abbreviated(text) if short else text.strip(), "IRI"))

    def _annotated(self, element: _Element) -> None:
        self.builder.ignored["annotations"] += 1
        if len(element.texts) == 3:
            (annotation, _), (subject, _), (value, kind) = element.texts
            if annotation in TEXTS and kind.startswith("@"):
                self.naming.add(annotation, self._joined(subject), value, kind[1:])
            elif annotation == REPLACED and kind == "IRI":
                # some writers shorten IRIs where an IRI is whole by the standard
                short = value.partition(":")[0] in self.builder.prefixes
                instead = self._abbreviated(value) if short else urljoin(self.base, value)
                self.naming.add(annotation, urljoin(self.base, subject), instead)

    def _check(self, element: _Element) -> None:
        """Refuse a constructor whose arguments are too few, too many, or of the wrong sort."""
        op, nodes = element.op, element.nodes
        assert op is not None
        shape = SIGNATURES[op]
        if len(nodes) < shape.fewest:
            raise self._error(f"<{op.name}> has too few arguments")
        if tuple(element.sorts) == shape.first:
            return
        for index, sort in enumerate(element.sorts):
            wanted = shape.place(index)
            if wanted == Sort.DATA_RANGE_LAST:
                wanted = Sort.DATA_RANGE if index == len(nodes) - 1 else Sort.DATA_PROPERTY
            if op == Op.HasKey and index:
                wanted = sort if sort in (Sort.ROLE, Sort.DATA_PROPERTY) else None
            if sort != wanted and not (wanted == Sort.CHAIN and sort == Sort.ROLE):
                raise self._error(f"<{op.name}> cannot have this as argument {index + 1}")
