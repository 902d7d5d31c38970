"""Reads OBO files: a broken annotation is a warning, a broken logical line an error with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from elgeo.documents import shown
from elgeo.errors import ReadError
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import COMMENT, DEFINITIONS, LABEL, RELATED
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.complaints import CUT_OFF, Complaints
from elgeo.ontology.reading.formats import line_of
from elgeo.ontology.reading.functional.reader import read_functional
from elgeo.ontology.reading.labels import ENGLISH, Naming
from elgeo.ontology.reading.merging import merged
from elgeo.ontology.reading.obo_names import SCOPES, OboNames, ontology_iri, unescaped

_STANZA = re.compile(r"(?m)^\[(\w+)\][^\n]*$")
_OBSOLETE = re.compile(r"(?m)^is_obsolete:[ \t]*true\b")
_QUOTED = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_XREF = rf'(?:[^\s,\]"\\]++|\\.)++(?:[ \t]+{_QUOTED})?'
_BROKEN_ANNOTATION = re.compile(
    rf"(?m)^(?:def|synonym):[ \t]*+(?!{_QUOTED}[^\[\n]*\[[ \t]*(?:{_XREF}(?:,[ \t]*{_XREF})*)?[ \t]*,?[ \t]*\])[^\n]*"
)
_QUOTATION = re.compile(r'\s*"([^"\\]*+(?:\\.[^"\\]*+)*+)"')
_ESCAPED = re.compile(r"\\.")
_SCOPE = re.compile(rf"\s*({'|'.join(SCOPES)})\b")
_LOGICAL = re.compile(
    r'(?P<names>(?:[^!{\\]|\\.)*)(?P<qualifiers>\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?\s*(?P<rest>(?:!.*)?)', re.DOTALL
)
_QUALIFIER = re.compile(r'([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,}]+))')
_LOGICAL_QUALIFIERS = re.compile(r"gci_|ardinality|all_only")

_TERM_TAGS = {"is_a", "relationship", "intersection_of", "union_of", "equivalent_to", "disjoint_from"}
_ROLE_FLAGS = {
    "is_transitive": Op.TransitiveObjectProperty,
    "is_reflexive": Op.ReflexiveObjectProperty,
    "is_symmetric": Op.SymmetricObjectProperty,
    "is_asymmetric": Op.AsymmetricObjectProperty,
    "is_functional": Op.FunctionalObjectProperty,
    "is_inverse_functional": Op.InverseFunctionalObjectProperty,
}
_ROLE_PAIRS = {
    "is_a": Op.SubObjectPropertyOf,
    "intersection_of": Op.SubObjectPropertyOf,  # all of it that OWL can say
    "equivalent_to": Op.EquivalentObjectProperties,
    "disjoint_from": Op.DisjointObjectProperties,
    "inverse_of": Op.InverseObjectProperties,
    "domain": Op.ObjectPropertyDomain,
    "range": Op.ObjectPropertyRange,
}
_ROLE_CHAINS = {"transitive_over", "holds_over_chain", "equivalent_to_chain"}
_TAGS = {
    "Term": _TERM_TAGS,
    "Typedef": {*_ROLE_FLAGS, *_ROLE_PAIRS, *_ROLE_CHAINS},
    "Instance": {"instance_of", "relationship"},
}
_INEXPRESSIBLE = {"disjoint_over", "union_of", "equivalent_to_chain"}
_NO_IDENTIFIER = re.compile('[\ufffd"<>{}]')
_CARDINALITIES = {
    "cardinality": Op.ObjectExactCardinality,
    "minCardinality": Op.ObjectMinCardinality,
    "maxCardinality": Op.ObjectMaxCardinality,
}


class _Frame(NamedTuple):
    """One stanza of the file."""

    kind: str
    start: int
    body: str

    def tags(self) -> Iterator[tuple[int, str, str]]:
        """Position, tag and value of each line; a line without a colon has its first word as tag and no value."""
        at = self.start
        for line in self.body.split("\n"):
            tag, colon, value = line.partition(":")
            if colon and " " not in tag:
                yield at, tag, value.strip()
            elif line.strip() and not line.lstrip().startswith("!"):
                yield at, line.split()[0], ""
            at += len(line) + 1

    def values(self, wanted: str) -> list[str]:
        """The values of one tag, without comments."""
        return [value.partition(" !")[0].strip() for _, tag, value in self.tags() if tag == wanted]


def read_obo(data: bytes, file: str, language: str = ENGLISH) -> Ontology:
    """The ontology in an OBO document."""
    builder, complaints = Builder(), Complaints(file)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        complaints.add("not UTF-8; such characters are lost", line=line_of(data, error.start))
        text = data.decode("utf-8", "replace")
    return _Reader(text.replace("\r\n", "\n"), file, builder, complaints, language).read()


class _Reader:
    def __init__(self, text: str, file: str, builder: Builder, complaints: Complaints, language: str) -> None:
        self.text, self.file, self.builder, self.complaints = text, file, builder, complaints
        self.checked: set[str] = set()
        self.naming = Naming(language)
        stanzas = list(_STANZA.finditer(text))
        ends = [m.start() for m in stanzas[1:]] + [len(text)]
        self.header = _Frame("Header", 0, text[: stanzas[0].start()] if stanzas else text)
        self.frames = [_Frame(m[1], m.end(), text[m.end() : end]) for m, end in zip(stanzas, ends, strict=False)]
        typedefs = [f for f in self.frames if f.kind == "Typedef"]
        ontology = (self.header.values("ontology") or [""])[0]
        spaces = [v.split() for v in self.header.values("idspace")]
        self.names = OboNames(
            ontology,
            {v[0]: v[1] for v in spaces if len(v) > 1},
            {i: f.values("xref") for f in typedefs for i in f.values("id")[:1]},
        )
        self.annotation_relations = {
            i
            for f in typedefs
            for i in f.values("id")[:1]
            if "true" in f.values("is_metadata_tag") or "true" in f.values("is_class_level")
        }

    def read(self) -> Ontology:
        builder = self.builder
        for at in (at for at, tag, _ in self.header.tags() if tag == "id"):
            raise self._error("an id before the first stanza: is the line that opens it broken?", at)
        for broken in _BROKEN_ANNOTATION.finditer(self.text):
            self._warn("broken annotation", broken.start(), f": {broken[0][:80]}")
        builder.ignored["annotations"] += sum(1 for _ in self.header.tags())
        if unused := sorted({t for _, t, _ in self.header.tags() if t.startswith("treat-xrefs-as-")}):
            self._warn(f"not applied, so xrefs stay annotations: {', '.join(unused)}", 0)
        if self._is_cut_off():
            self._warn(CUT_OFF, len(self.text))
        for frame in self.frames:
            if frame.kind not in _TAGS:
                self._warn("a stanza of an unknown kind is left out", frame.start, f": [{frame.kind}]")
            elif _OBSOLETE.search(frame.body):
                self._obsolete(frame)
            else:
                self._frame(frame)
        builder.warnings += self.complaints.lines()
        self.naming.into(builder)
        builder.prefixes.update(self.names.idspaces)
        imports = tuple(v.split(" ", 1)[0] for v in self.header.values("import") if v)
        found = builder.finish(iri=ontology_iri(self.names.ontology), format="obo", imports=imports)
        return merged([found, *self._owl_axioms()])

    def _is_cut_off(self) -> bool:
        """Whether the text ends within a line: in a tag, in quotes, or in a term that has no name where others have."""
        last = self.text[self.text.rfind("\n") + 1 :].strip()
        if not self.frames or not last or last.startswith("!"):
            return False
        tag, _, value = last.partition(":")
        if last.startswith("["):
            return not last.endswith("]")
        if not value.strip() or _ESCAPED.sub("", last).count('"') % 2 or _BROKEN_ANNOTATION.match(last):
            return True
        *others, end = self.frames
        named = [bool(frame.values("name")) for frame in others if frame.kind == end.kind]
        return tag == "id" and len(named) > 1 and all(named)

    def _owl_axioms(self) -> Iterator[Ontology]:
        """The axioms that OBO has no tags for: a document in functional syntax in one line of the header."""
        for at, tag, value in self.header.tags():
            if tag == "owl-axioms":
                text = unescaped(value)
                document = text if "Ontology(" in text else f"Ontology(\n{text}\n)"
                try:
                    yield read_functional(document.encode(), self.file)
                except ReadError as error:
                    raise self._error(f"owl-axioms cannot be read: {error}", at) from None

    def _obsolete(self, frame: _Frame) -> None:
        """Of what is not used any more only its name is read, and what is used in place of it."""
        self.builder.ignored["obsolete"] = self.builder.ignored.get("obsolete", 0) + 1
        named = self.names.relation if frame.kind == "Typedef" else self.names.iri
        identifiers, places = frame.values("id"), [at for at, tag, _ in frame.tags() if tag == "id"]
        if len(places) > 1:
            raise self._second_id(identifiers[0], places[1])
        for identifier in identifiers:
            self.naming.deprecated[named(identifier)] = None
            for instead in frame.values("replaced_by")[:1]:
                self.naming.replaced[named(identifier)] = named(instead)

    def _frame(self, frame: _Frame) -> None:
        builder, logical_tags = self.builder, _TAGS[frame.kind]
        identifier = iri = ""
        logical: list[tuple[int, str, str]] = []
        annotations = -1  # the id itself is none
        for at, tag, value in frame.tags():
            if tag in logical_tags:
                logical.append((at, tag, value))
                continue
            annotations += 1
            if tag == "name" and iri:
                self.naming.add(LABEL, iri, unescaped(value.partition(" !")[0].rstrip()))
            elif tag in ("synonym", "def") and iri:
                if found := _QUOTATION.match(value):
                    said = DEFINITIONS[0] if tag == "def" else _scope(value, found.end())
                    self.naming.add(said, iri, unescaped(found[1]))
            elif tag == "comment" and iri:
                self.naming.add(COMMENT, iri, unescaped(value))
            elif tag == "id":
                if identifier:
                    raise self._second_id(identifier, at)
                identifier = self._identifier(value.partition(" !")[0].strip(), at)
                iri = self.names.relation(identifier) if frame.kind == "Typedef" else self.names.iri(identifier)
            elif tag == "alt_id" and iri:
                builder.alternatives[self.names.iri(value.partition(" !")[0].strip())] = iri
            elif tag in _INEXPRESSIBLE:
                self._warn(f"OWL cannot say {tag}: left out", at)
        if not iri:
            raise self._error(f"a stanza [{frame.kind}] without an id", frame.start)
        builder.ignored["annotations"] += annotations
        if frame.kind == "Term":
            self._term(iri, logical)
        elif frame.kind == "Instance":
            self._instance(iri, logical)
        elif identifier in self.annotation_relations:
            builder.declare(builder.entity(Op.AnnotationProperty, iri))
            builder.ignored["annotations"] += len(logical)
        else:
            self._typedef(iri, logical)

    def _term(self, iri: str, logical: list[tuple[int, str, str]]) -> None:
        builder = self.builder
        me = builder.entity(Op.Class, iri)
        builder.declare(me)
        parts: dict[str, list[int]] = {"intersection_of": [], "union_of": []}
        places: dict[str, int] = {}
        for at, tag, value in logical:
            names, qualifiers = self._arguments(tag, value, at)
            if tag in parts:
                parts[tag].append(self._class(tag, names, qualifiers, at, relations=tag == "intersection_of"))
                places[tag] = at
            elif tag in ("equivalent_to", "disjoint_from"):
                op = Op.EquivalentClasses if tag == "equivalent_to" else Op.DisjointClasses
                builder.axiom(op, me, self._class(tag, names, qualifiers, at, relations=False))
            elif tag == "relationship" and names[0] in self.annotation_relations:
                builder.ignored["annotations"] += 1
            else:
                if len(names) != (1 if tag == "is_a" else 2):
                    raise self._error(f"{tag} takes {'one name' if tag == 'is_a' else 'a relation and a name'}", at)
                sub = self._conditioned(me, qualifiers, at)
                builder.axiom(Op.SubClassOf, sub, self._class(tag, names, qualifiers, at, relations=True))
        for tag, op in (("intersection_of", Op.ObjectIntersectionOf), ("union_of", Op.ObjectUnionOf)):
            if len(parts[tag]) == 1:
                raise self._error(f"one {tag} alone: there must be two or more", places[tag])
            if parts[tag]:
                builder.axiom(Op.EquivalentClasses, me, builder.node(op, *parts[tag]))

    def _instance(self, iri: str, logical: list[tuple[int, str, str]]) -> None:
        builder = self.builder
        me = builder.entity(Op.NamedIndividual, iri)
        builder.declare(me)
        for at, tag, value in logical:
            names, qualifiers = self._arguments(tag, value, at)
            if tag == "instance_of":
                builder.axiom(Op.ClassAssertion, self._class(tag, names, qualifiers, at, relations=False), me)
            elif len(names) != 2:
                raise self._error("relationship takes a relation and a name", at)
            elif names[0] in self.annotation_relations:
                builder.ignored["annotations"] += 1
            else:
                other = builder.entity(Op.NamedIndividual, self.names.iri(names[1]))
                builder.axiom(Op.ObjectPropertyAssertion, self._role(names[0]), me, other)

    def _typedef(self, iri: str, logical: list[tuple[int, str, str]]) -> None:
        builder = self.builder
        me = builder.entity(Op.ObjectProperty, iri)
        builder.declare(me)
        for at, tag, value in logical:
            names, _ = self._arguments(tag, value, at)
            wanted = 2 if tag in ("holds_over_chain", "equivalent_to_chain") else 1
            if len(names) < wanted or (len(names) > 1 and wanted == 1):
                raise self._error(f"{tag} takes {'two relations or more' if wanted == 2 else 'one name'}", at)
            if tag in _ROLE_FLAGS:
                if names[0] not in ("true", "false"):
                    raise self._error(f"{tag} is true or false, not {names[0]}", at)
                if names[0] == "true":
                    builder.axiom(_ROLE_FLAGS[tag], me)
            elif tag in _ROLE_CHAINS:
                roles = [self._role(n) for n in names]
                chain = builder.node(Op.ObjectPropertyChain, *([me, *roles] if tag == "transitive_over" else roles))
                builder.axiom(Op.SubObjectPropertyOf, chain, me)
                if tag in _INEXPRESSIBLE:
                    self._warn(f"OWL can say one direction of {tag} only", at)
            elif tag in ("domain", "range"):
                builder.axiom(_ROLE_PAIRS[tag], me, builder.entity(Op.Class, self.names.iri(names[0])))
            else:
                builder.axiom(_ROLE_PAIRS[tag], me, self._role(names[0]))

    def _class(self, tag: str, names: list[str], qualifiers: dict[str, str], at: int, relations: bool) -> int:
        """The class of a line: a name, or a relation and a name."""
        builder = self.builder
        if len(names) > (2 if relations else 1):
            raise self._error(f"{tag} has more names than it can take: {' '.join(names)}", at)
        filler = builder.entity(Op.Class, self.names.iri(names[-1]))
        if len(names) == 1:
            return filler
        role = self._role(names[0])
        made = []
        for key, op in _CARDINALITIES.items():
            if key in qualifiers:
                if not qualifiers[key].isdecimal():
                    raise self._error(f"{key} is not a number: {qualifiers[key]}", at)
                made.append(builder.node(op, builder.entity(Op.Literal, str(int(qualifiers[key]))), role, filler))
        if qualifiers.get("all_only") == "true":
            made.append(builder.node(Op.ObjectAllValuesFrom, role, filler))
        if not made or qualifiers.get("all_some") == "true":
            made.append(builder.node(Op.ObjectSomeValuesFrom, role, filler))
        return made[0] if len(made) == 1 else builder.node(Op.ObjectIntersectionOf, *made)

    def _conditioned(self, me: int, qualifiers: dict[str, str], at: int) -> int:
        """The left side of an inclusion; `gci_relation` and `gci_filler` narrow it."""
        relation, filler = qualifiers.get("gci_relation"), qualifiers.get("gci_filler")
        if not relation and not filler:
            return me
        if not relation or not filler:
            raise self._error("gci_relation and gci_filler belong together", at)
        some = self._class("gci_filler", [relation, filler], {}, at, relations=True)
        return self.builder.node(Op.ObjectIntersectionOf, me, some)

    def _role(self, identifier: str) -> int:
        return self.builder.entity(Op.ObjectProperty, self.names.relation(identifier))

    def _arguments(self, tag: str, value: str, at: int) -> tuple[list[str], dict[str, str]]:
        """The names of a logical line and its trailing qualifiers."""
        qualifiers: dict[str, str] = {}
        if "{" not in value and "\\" not in value:
            text = value.partition("!")[0]
        else:
            found = _LOGICAL.fullmatch(value)
            if found:
                text = found["names"]
                for key, quoted, bare in _QUALIFIER.findall(found["qualifiers"] or ""):
                    qualifiers[key] = unescaped(quoted) or bare
            elif _LOGICAL_QUALIFIERS.search(value):
                raise self._error(f"broken qualifiers: {value[:80]}", at)
            else:
                text = value.partition("{")[0]
                self._warn("broken qualifiers", at, f": {value[:80]}")
        names = text.split()
        if not names:
            raise self._error(f"{tag} without a value", at)
        for name in names:
            self._identifier(name, at)
        return names, qualifiers

    def _identifier(self, name: str, at: int) -> str:
        if name not in self.checked:
            if not name or name.endswith(":") or _NO_IDENTIFIER.search(name) or not name.isprintable():
                raise self._error(f"{shown(name)} is no identifier", at)
            self.checked.add(name)
        return name

    def _second_id(self, first: str, at: int) -> ReadError:
        return self._error(f"a second id in the stanza of {first}: is the line that opens its own broken?", at)

    def _error(self, problem: str, at: int) -> ReadError:
        return ReadError(problem, self.file, self.text.count("\n", 0, at) + 1)

    def _warn(self, kind: str, at: int, what: str = "") -> None:
        self.complaints.add(kind, what, self.text.count("\n", 0, at) + 1)


def _scope(value: str, end: int) -> str:
    """The annotation property of a synonym, by the word behind it; without one it is merely related."""
    found = _SCOPE.match(value, end)
    return SCOPES[found[1]] if found else RELATED
