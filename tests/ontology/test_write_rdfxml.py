"""RDF/XML as OWL programs write it: expressions inside what they are said of, the triples those of Turtle."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pyoxigraph import CanonicalizationAlgorithm, Dataset, RdfFormat, parse

from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.writing import rdfxml
from elgeo.ontology.writing.axiom_triples import NOBODY, AxiomTriples
from elgeo.ontology.writing.notes import Note, Notes
from elgeo.ontology.writing.rdf import write_rdf
from tests.ontology.random_owl import RandomOwl, comparable
from tests.ontology.words import worded

OWL, RDF = "{http://www.w3.org/2002/07/owl#}", "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
RDFS = "{http://www.w3.org/2000/01/rdf-schema#}"


def written(ontology: Ontology, syntax: str, notes: Notes | None = None) -> bytes:
    file = io.BytesIO()
    write_rdf(ontology, file, syntax, notes)
    return file.getvalue()


def graph(data: bytes, syntax: RdfFormat) -> Dataset:
    """Triples whose blank nodes are named by what they are."""
    found = Dataset(parse(data, format=syntax))
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return found


def same_triples(ontology: Ontology, notes: Notes | None = None) -> bool:
    ours, other = (written(ontology, syntax, notes) for syntax in ("rdfxml", "turtle"))
    return graph(ours, RdfFormat.RDF_XML) == graph(other, RdfFormat.TURTLE)


def random_notes(ontology: Ontology) -> Notes:
    axioms = dict.fromkeys(ontology.axiom_nodes.tolist())
    return {node: [Note("http://ex.org/why", f'"note {node} <&>\\""')] for node in list(axioms)[::3]}


@pytest.mark.parametrize("seed", range(12))
def test_the_triples_are_those_of_turtle(seed: int) -> None:
    random = RandomOwl(seed, for_rdf=True)
    random.ontology(60)
    worded(random.builder)
    made = random.builder.finish(iri="http://ex.org/o" if seed % 2 else None, imports=("http://ex.org/other",))
    assert same_triples(made, random_notes(made))


@pytest.mark.parametrize("deepest", [0, 1, 2])
def test_what_nests_too_deeply_stands_apart(deepest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdfxml, "_DEEPEST", deepest)
    made = RandomOwl(5, for_rdf=True).ontology(60)
    assert same_triples(made, random_notes(made))


def test_expressions_and_lists_of_any_size_come_back(tmp_path: Path) -> None:
    b = Builder()
    role, d = b.entity(Op.ObjectProperty, "http://x/r"), b.entity(Op.DataProperty, "http://x/d")
    first = b.entity(Op.Class, "http://x/a")
    for node in (role, d, first):
        b.declare(node)
    deep = first
    for _ in range(300):
        deep = b.node(Op.ObjectSomeValuesFrom, role, deep)
    b.axiom(Op.SubClassOf, first, deep)
    b.axiom(
        Op.EquivalentClasses,
        first,
        b.node(Op.ObjectIntersectionOf, *(b.entity(Op.Class, f"http://x/{i}") for i in range(900))),
    )
    values = [b.entity(Op.Literal, f'"{i}"^^<http://www.w3.org/2001/XMLSchema#int>') for i in range(700)]
    b.axiom(Op.SubClassOf, first, b.node(Op.DataSomeValuesFrom, d, b.node(Op.DataOneOf, *values)))
    made = b.finish()
    data = written(made, "rdfxml")
    (tmp_path / "o.owl").write_bytes(data)
    assert comparable(read(tmp_path / "o.owl")) == comparable(made)
    depth = most = 0
    for event, _ in ElementTree.iterparse(io.BytesIO(data), ("start", "end")):
        depth += 1 if event == "start" else -1
        most = max(most, depth)
    assert 100 < most < 256  # what libxml2 reads
    assert b'<owl:intersectionOf rdf:parseType="Collection">' in data


@pytest.mark.parametrize("wrapped", [(), (Op.ObjectIntersectionOf,), (Op.ObjectUnionOf, Op.ObjectIntersectionOf)])
def test_elements_nest_as_deeply_as_they_may_whatever_they_are_of(wrapped: tuple[Op, ...], tmp_path: Path) -> None:
    b = Builder()
    role, first = b.entity(Op.ObjectProperty, "http://x/r"), b.entity(Op.Class, "http://x/a")
    deep = first
    for i in range(90):
        deep = b.node(Op.ObjectSomeValuesFrom, role, deep)
        for op in wrapped:
            deep = b.node(op, b.entity(Op.Class, f"http://x/{op.name}{i}"), deep)
    b.axiom(Op.SubClassOf, first, deep)
    made = b.finish()
    data = written(made, "rdfxml")
    (tmp_path / "o.owl").write_bytes(data)
    assert comparable(read(tmp_path / "o.owl")) == comparable(made)
    depth = most = 0
    for event, _ in ElementTree.iterparse(io.BytesIO(data), ("start", "end")):
        depth += 1 if event == "start" else -1
        most = max(most, depth)
    # a name, an element between each two expressions and one around all
    assert 0 <= 2 * rdfxml._DEEPEST + 3 - most < 3


def test_a_reader_of_trees_finds_each_relation_where_it_is_said() -> None:
    b = Builder()
    classes = [b.entity(Op.Class, f"http://x/c{i}") for i in range(9)]
    roles = [b.entity(Op.ObjectProperty, f"http://x/r{i}") for i in range(2)]
    for node in (*classes[:7], *roles):
        b.declare(node)
    b.labels["http://x/c3"] = "a\r\n<b> & ]]> \"c\" 'd'"
    expected, notes = set(), {}
    for i in range(24):
        head, role, tail = (i * 5) % 9, i % 2, (i * 7 + 2) % 9
        axiom = b.axiom(Op.SubClassOf, classes[head], b.node(Op.ObjectSomeValuesFrom, roles[role], classes[tail]))
        expected.add((f"http://x/c{head}", f"http://x/r{role}", f"http://x/c{tail}"))
        if i % 3:
            notes[axiom] = [Note("http://y/score", '"0.5"^^<http://www.w3.org/2001/XMLSchema#double>')]
    tree = ElementTree.fromstring(written(b.finish(), "rdfxml", notes))
    seen = set()
    for element in tree:
        for some in element.iterfind(f"{RDFS}subClassOf/{OWL}Restriction"):
            ends = [some.find(f"{OWL}{name}") for name in ("onProperty", "someValuesFrom")]
            seen.add((element.get(f"{RDF}about"), *(end.get(f"{RDF}resource") for end in ends if end is not None)))
    assert seen == expected
    about = [element.get(f"{RDF}about") for element in tree if element.get(f"{RDF}about")]
    assert len(about) == len(set(about)), "one element for each name"
    labels = [label.text for label in tree.iterfind(f"{OWL}Class/{RDFS}label")]
    assert labels == ["a\r\n<b> & ]]> \"c\" 'd'"]
    targets = {target.get(f"{RDF}nodeID") for target in tree.iterfind(f"{OWL}Axiom/{OWL}annotatedTarget")}
    named = {some.get(f"{RDF}nodeID") for some in tree.iter(f"{OWL}Restriction")}
    assert len(targets) == len(notes)
    assert targets == named - {None}


def test_lists_are_collections_of_names_and_expressions() -> None:
    b = Builder()
    role = b.entity(Op.ObjectProperty, "http://x/r")
    a, c, d = (b.entity(Op.Class, f"http://x/{x}") for x in "acd")
    either = b.node(Op.ObjectUnionOf, b.node(Op.ObjectComplementOf, c), d)
    both = b.node(Op.ObjectIntersectionOf, c, b.node(Op.ObjectSomeValuesFrom, role, either), either)
    b.axiom(Op.EquivalentClasses, a, both)
    b.axiom(Op.SubObjectPropertyOf, b.node(Op.ObjectPropertyChain, b.node(Op.ObjectInverseOf, role), role), role)
    tree = ElementTree.fromstring(written(b.finish(), "rdfxml"))
    lists = [each for each in tree.iter() if each.get(f"{RDF}parseType") == "Collection"]

    def inside(element: ElementTree.Element) -> list[str]:
        return [each.get(f"{RDF}about", each.tag.replace(OWL, "")) for each in element]

    assert [(each.tag.replace(OWL, ""), inside(each)) for each in lists] == [
        ("intersectionOf", ["http://x/c", "Restriction", "Class"]),
        ("unionOf", ["Class", "http://x/d"]),
        ("unionOf", ["Class", "http://x/d"]),
        ("propertyChainAxiom", [f"{RDF}Description", "http://x/r"]),
    ]
    assert not [*tree.iter(f"{RDF}first")]


def test_axioms_stand_with_the_name_they_are_said_of() -> None:
    b = Builder()
    a, c, d = (b.entity(Op.Class, f"http://x/{x}") for x in "acd")
    r, s = (b.entity(Op.ObjectProperty, f"http://x/{x}") for x in "rs")
    i, j, k = (b.entity(Op.NamedIndividual, f"http://x/{x}") for x in "ijk")
    some, back = b.node(Op.ObjectSomeValuesFrom, r, c), b.node(Op.ObjectInverseOf, s)
    expected = {
        a: [
            b.axiom(Op.SubClassOf, a, some),
            b.axiom(Op.EquivalentClasses, a, c, d),
            b.axiom(Op.DisjointClasses, a, some),
            b.axiom(Op.HasKey, a, r),
            b.axiom(Op.DisjointUnion, a, c, d),
        ],
        c: [b.axiom(Op.SubClassOf, c, a)],
        r: [b.axiom(Op.TransitiveObjectProperty, r), b.axiom(Op.ObjectPropertyRange, r, some)],
        s: [
            b.axiom(Op.SubObjectPropertyOf, s, r),
            b.axiom(Op.SubObjectPropertyOf, b.node(Op.ObjectPropertyChain, r, s), s),
            b.axiom(Op.DisjointObjectProperties, s, r),
        ],
        i: [
            b.axiom(Op.ClassAssertion, a, i),
            b.axiom(Op.ObjectPropertyAssertion, r, i, j),
            b.axiom(Op.DifferentIndividuals, i, j),
        ],
        NOBODY: [
            b.axiom(Op.SubClassOf, some, a),
            b.axiom(Op.EquivalentClasses, some, a),
            b.axiom(Op.DisjointClasses, a, c, d),
            b.axiom(Op.DisjointObjectProperties, r, s, back),
            b.axiom(Op.DifferentIndividuals, i, j, k),
            b.axiom(Op.TransitiveObjectProperty, back),
            b.axiom(Op.SubObjectPropertyOf, back, r),
            b.axiom(Op.DisjointClasses, a),
            b.axiom(Op.DLSafeRule, b.entity(Op.Literal, '"p(x) -> q(x)"')),
        ],
    }
    assert AxiomTriples(b.finish()).by_owner() == expected


@pytest.mark.parametrize("syntax", ["rdfxml", "turtle"])
def test_prefixes_that_xml_keeps_for_itself_are_left_out(syntax: str) -> None:
    b = Builder()
    b.axiom(Op.SubClassOf, b.entity(Op.Class, "http://x/a"), b.entity(Op.Class, "http://x/b"))
    b.prefixes.update({name: f"http://{name}/" for name in ("xm", "XMLish", "xml", "xml2", "oxml")})
    text = written(b.finish(), syntax).decode()
    assert [name for name in ("xm", "XMLish", "xml", "xml2", "oxml") if f"http://{name}/" in text] == ["xm", "oxml"]


@pytest.mark.parametrize("name", ["elgeo0", "elgeo", "elgeox1", "b"])
def test_individuals_without_names_are_no_expressions(name: str, tmp_path: Path) -> None:
    b = Builder()
    a, role = b.entity(Op.Class, "http://x/a"), b.entity(Op.ObjectProperty, "http://x/r")
    one, other = b.entity(Op.NamedIndividual, f"_:{name}"), b.entity(Op.NamedIndividual, "_:elgeo1")
    b.declare(a)
    b.declare(role)
    some = b.node(Op.ObjectSomeValuesFrom, role, a)
    b.axiom(Op.SubClassOf, a, some)
    b.axiom(Op.ClassAssertion, some, one)
    b.axiom(Op.ObjectPropertyAssertion, role, one, other)
    b.axiom(Op.ObjectPropertyAssertion, role, other, one)  # a circle
    made = b.finish()
    assert same_triples(made)
    for ending, syntax in ((".owl", "rdfxml"), (".ttl", "turtle")):
        (tmp_path / f"o{ending}").write_bytes(written(made, syntax))
        assert len(read(tmp_path / f"o{ending}").axioms) == 4
